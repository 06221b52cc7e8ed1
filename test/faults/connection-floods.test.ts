import assert from 'node:assert/strict';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { IS_FULL, scaleToBudget } from '../support/faults/budget.js';
import { reportMeasurements } from '../support/faults/figures.js';
import { Trial } from '../support/faults/trial.js';
import { Batches } from '../support/load/batches.js';
import { FloodProcess, occupyCores, type FloodOrder } from '../support/load/flood-process.js';
import { percentile } from '../support/load/load-generator.js';
import { createSecondGrid } from '../support/load/second-grid.js';
import { waitUntil } from '../support/wait-until.js';

const SECONDS = scaleToBudget('FLOOD_SECONDS', 3, 20);
const IDLE = scaleToBudget('IDLE_SOCKETS', 600, 12_300);
const GUESSES = 300;
/** Addresses of this machine. */
const [ATTACKER, CLIENT, IDLER, GUESSER] = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
const PAUSE_MS = 20;
/** Of the last connections of an attacker, which wait for their turns. */
const CLOSED_WITHIN_MS = 30_000;

/** A request from an address of this machine; 0 for a connection that broke. */
function request(
  options: http.RequestOptions & { readonly localAddress: string },
  body?: Uint8Array,
): Promise<{ readonly status: number; readonly ms: number }> {
  const began = performance.now();
  return new Promise((resolve) => {
    const done = (status: number): void => resolve({ status, ms: performance.now() - began });
    const sent = http.request({ host: '127.0.0.1', ...options }, (response) => {
      response.resume().once('error', () => done(0));
      response.once('end', () => done(response.statusCode ?? 0));
    });
    sent.once('error', () => done(0));
    sent.end(body);
  });
}

interface Experience {
  /** Milliseconds. */
  readonly live: readonly number[];
  readonly acknowledgements: readonly number[];
  readonly failed: number;
}

/** What a client at another address sees for a number of seconds: `/live` and small exports on connections of its own. */
async function observe(trial: Trial, seconds: number): Promise<Experience> {
  const { httpPort, otlpHttpPort } = trial.service.ports;
  const agent = new http.Agent({ keepAlive: true, localAddress: CLIENT });
  const batches = new Batches('traces', 10);
  const headers = { 'api-key': trial.apiKey, 'content-type': 'application/x-protobuf' };
  const live: number[] = [];
  const acknowledgements: number[] = [];
  let failed = 0;
  const repeat = async (times: number[], ask: () => ReturnType<typeof request>): Promise<void> => {
    const end = performance.now() + seconds * 1_000;
    while (performance.now() < end) {
      const { status, ms } = await ask();
      if (status !== 200) failed++;
      times.push(ms);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  await Promise.all([
    repeat(live, () => request({ port: httpPort, path: '/live', agent, localAddress: CLIENT })),
    repeat(acknowledgements, () => {
      const { body } = batches.next();
      const options = { port: otlpHttpPort, path: '/v1/traces', method: 'POST', agent, headers, localAddress: CLIENT };
      return request(options, body);
    }),
  ]);
  agent.destroy();
  return { live, acknowledgements, failed };
}

describe(`floods of connections, ${SECONDS} s each`, function () {
  this.timeout(SECONDS * 20_000 + 240_000);
  let trial: Trial;
  let release: () => void;
  before(async () => {
    trial = await Trial.start({
      FAILED_CREDENTIALS_PER_MINUTE: '100',
      CONNECTIONS_PER_ADDRESS: String(Math.ceil(IDLE / 3)),
    });
    await observe(trial, 2); // warm
  });
  after(() => trial.dispose());

  describe('of attackers that reconnect at once, while all cores are busy', () => {
    let calm: Experience;
    before(async () => {
      release = occupyCores();
      calm = await observe(trial, SECONDS);
    });
    after(() => release());

    const http2 = [
      'resets',
      'resets after the settings',
      'control frames',
      'control frames after the settings',
    ] as const;
    const http1 = ['pipelined requests', 'half requests', 'half bodies'] as const;
    for (const kind of [...http2, ...http1] satisfies FloodOrder['kind'][]) {
      it(`by ${kind} leave response times to others, and every connection is closed`, async () => {
        const { ports } = trial.service;
        const otlpPort = kind.startsWith('half') ? ports.otlpHttpPort : ports.otlpGrpcPort;
        const port = kind === 'pipelined requests' ? ports.httpPort : otlpPort;
        const attacker = FloodProcess.start({ kind, port, connections: 20, from: ATTACKER, apiKey: trial.apiKey });
        const flooded = await observe(trial, SECONDS);
        const limit = setTimeout(() => attacker.kill(), CLOSED_WITHIN_MS);
        const { opened } = await attacker.stop().finally(() => clearTimeout(limit));
        const [liveP99, ackP99] = [flooded.live, flooded.acknowledgements].map((times) => percentile(times, 0.99));
        const calmLiveP99 = percentile(calm.live, 0.99);
        const calmAckP99 = percentile(calm.acknowledgements, 0.99);
        reportMeasurements(`flood by ${kind}`, {
          connections: opened,
          'live p99 ms calm': Math.round(calmLiveP99),
          'live p99 ms': Math.round(liveP99),
          'ack p50 ms calm': Math.round(percentile(calm.acknowledgements, 0.5)),
          'ack p50 ms': Math.round(percentile(flooded.acknowledgements, 0.5)),
          'ack p99 ms calm': Math.round(calmAckP99),
          'ack p99 ms': Math.round(ackP99),
        });
        assert.ok(opened > 20, 'the attacker has reconnected');
        assert.equal(flooded.failed, 0);
        if (!IS_FULL) return;
        // Beside busy processes a thread also waits for its core, which the service cannot prevent.
        assert.ok(liveP99 <= 100 + calmLiveP99, `/live p99 ${liveP99.toFixed(0)} ms`);
        assert.ok(ackP99 <= 2 * calmAckP99 + 100, `acknowledgement p99 ${ackP99.toFixed(0)} ms`);
      });
    }
  });

  it(`with ${IDLE} idle connections of one address lock nobody out of any port, at no address`, async () => {
    const { httpPort, otlpHttpPort } = trial.service.ports;
    const idle: Socket[] = [];
    for (const port of [httpPort, otlpHttpPort])
      for (let n = 0; n < IDLE; n++) {
        const socket = connect({ port, host: '127.0.0.1', localAddress: IDLER }).on('error', () => undefined);
        idle.push(socket.resume());
        if (n % 500 === 499) await new Promise((resolve) => setTimeout(resolve, 10));
      }
    await waitUntil(() => idle.every((socket) => !socket.connecting), 'all are connected or refused');
    for (const localAddress of [CLIENT, IDLER]) {
      assert.equal((await request({ port: httpPort, path: '/live', localAddress, agent: false })).status, 200);
      const path = `/apm/traces/${trial.gridId}/filters?api-version=2.0`;
      const headers = { 'api-key': trial.apiKey };
      assert.equal((await request({ port: httpPort, path, headers, localAddress, agent: false })).status, 200);
      const sent = await request(
        {
          port: otlpHttpPort,
          path: '/v1/traces',
          method: 'POST',
          localAddress,
          agent: false,
          headers: { ...headers, 'content-type': 'application/x-protobuf' },
        },
        new Batches('traces', 10).next().body,
      );
      assert.equal(sent.status, 200);
    }
    for (const socket of idle) socket.destroy();
  });

  it(`with ${GUESSES} wrong keys leave those who come from the same address with a valid one for the first time`, async () => {
    const { httpPort } = trial.service.ports;
    const { gridId, apiKey } = await createSecondGrid(trial.service.dataDir, 'honest');
    const ask = (key: string, grid: string): ReturnType<typeof request> =>
      request({
        port: httpPort,
        path: `/apm/traces/${grid}/filters?api-version=2.0`,
        headers: { 'api-key': key },
        localAddress: GUESSER,
        agent: false,
      });
    const guess = (n: number): string => `hs_${String(n).padStart(16, '0')}_${'A'.repeat(43)}`;
    const statuses = new Set<number>();
    for (let n = 0; n < GUESSES; n++) statuses.add((await ask(guess(n), gridId)).status);
    assert.deepEqual([...statuses].sort(), [401, 429]);
    const guesses = Array.from({ length: 100 }, (_, n) => ask(guess(GUESSES + n), gridId));
    const honest = await ask(apiKey, gridId);
    await Promise.all(guesses);
    assert.equal(honest.status, 200);
  });
});
