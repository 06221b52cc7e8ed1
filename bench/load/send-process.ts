import { connect } from 'node:net';
import { PayloadReader } from './payload-file.js';
import { percentile } from '../measurement-table.js';

/** Options of a sending process, as JSON in its first argument. */
export interface SendOrder {
  readonly port: number;
  readonly apiKey: string;
  readonly signal: 'traces' | 'logs';
  readonly paths: readonly string[];
  readonly recordsPerBatch: number;
  readonly seconds: number;
  /** Connections with one request in flight each. */
  readonly connections: number;
  /** Target rate in records per second; 0: as fast as responses arrive. */
  readonly rate: number;
}

export interface SendReport {
  readonly records: number;
  readonly seconds: number;
  readonly refused: number;
  readonly ackP50Ms: number;
  readonly ackP99Ms: number;
  readonly cpuSeconds: number;
}

const order = JSON.parse(process.argv[2]) as SendOrder;
const reader = new PayloadReader(order.paths);
const latencies: number[] = [];
let acknowledged = 0;
let refused = 0;
let started = 0;
const begin = performance.now();
const deadline = begin + order.seconds * 1000;

function buildHttpRequest(payload: Buffer): Buffer {
  const head = `POST /v1/${order.signal} HTTP/1.1\r\nHost: bench\r\nApi-Key: ${order.apiKey}\r\nContent-Type: application/x-protobuf\r\nContent-Encoding: gzip\r\nContent-Length: ${payload.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** One connection: sends the next request after the response to the last; retries a 429 after its hint. */
function runConnection(): Promise<void> {
  return new Promise((done, failed) => {
    const socket = connect(order.port, '127.0.0.1');
    let payload: Buffer | undefined;
    let sentAt = 0;
    const fire = () => {
      sentAt = performance.now();
      socket.write(buildHttpRequest(payload as Buffer));
    };
    const next = () => {
      payload = performance.now() < deadline ? reader.next() : undefined;
      if (payload === undefined) {
        socket.end();
        return done();
      }
      const due =
        order.rate === 0 ? 0 : begin + (started++ * order.recordsPerBatch * 1000) / order.rate - performance.now();
      if (due > 1) setTimeout(fire, due);
      else fire();
    };
    socket.setNoDelay(true);
    socket.on('connect', next);
    socket.on('error', failed);
    socket.on('data', (answer) => {
      const status = answer.toString('latin1', 9, 12);
      if (status === '200') {
        latencies.push(performance.now() - sentAt);
        acknowledged++;
        return next();
      }
      if (status !== '429') return failed(new Error(answer.toString('latin1', 0, 300)));
      refused++;
      setTimeout(fire, 1000);
    });
  });
}

await Promise.all(Array.from({ length: order.connections }, runConnection));
const { user, system } = process.cpuUsage();
const report: SendReport = {
  records: acknowledged * order.recordsPerBatch,
  seconds: (performance.now() - begin) / 1000,
  refused,
  ackP50Ms: percentile(latencies, 50),
  ackP99Ms: percentile(latencies, 99),
  cpuSeconds: (user + system) / 1e6,
};
process.stdout.write(JSON.stringify(report));
