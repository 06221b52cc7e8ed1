import http2, { type ClientHttp2Session, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { frameMessage } from '../../../../../src/http/otlp/grpc-messages.js';
import { API_KEY } from './fake-access.js';

export interface Reply2 {
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The outcome of a unary call, wherever the server put its status. */
export interface GrpcReply {
  readonly code: number;
  readonly message: string;
  readonly details: Buffer;
  readonly response: Buffer;
  readonly headers: IncomingHttpHeaders;
  /** Whether the status came without a message before it. */
  readonly trailersOnly: boolean;
}

export const TRACES_METHOD = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
export const LOGS_METHOD = '/opentelemetry.proto.collector.logs.v1.LogsService/Export';
export const METRICS_METHOD = '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export';

/** One HTTP/2 connection with prior knowledge. */
export class Http2Client {
  readonly session: ClientHttp2Session;

  /** @param socket a connection that stands already, instead of one of its own */
  constructor(port: number, socket?: Socket) {
    this.session = http2.connect(`http://127.0.0.1:${port}`, socket && { createConnection: () => socket });
    this.session.on('error', () => undefined);
  }

  request(headers: OutgoingHttpHeaders, body: Uint8Array): Promise<Reply2> {
    const defined = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const stream = this.session.request({ ':method': 'POST', ...defined });
    const chunks: Buffer[] = [];
    let response: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    return new Promise((resolve, reject) => {
      stream.on('response', (received) => (response = received)).on('trailers', (received) => (trailers = received));
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', reject);
      stream.on('close', () => {
        if (response[':status'] === undefined)
          reject(new Error(`stream closed without an answer, code ${stream.rstCode}`));
        else resolve({ headers: response, trailers, body: Buffer.concat(chunks) });
      });
      stream.end(body);
    });
  }

  /** A unary Export call; `frame` replaces the framed message. */
  async call(
    message: Uint8Array,
    headers: OutgoingHttpHeaders = {},
    frame: Uint8Array = frameMessage(message),
  ): Promise<GrpcReply> {
    const usual = { ':path': TRACES_METHOD, 'api-key': API_KEY, 'content-type': 'application/grpc', te: 'trailers' };
    const reply = await this.request({ ...usual, ...headers }, frame);
    const trailersOnly = reply.headers['grpc-status'] !== undefined;
    const status = trailersOnly ? reply.headers : reply.trailers;
    return {
      code: Number(status['grpc-status'] ?? -1),
      message: decodeURIComponent(String(status['grpc-message'] ?? '')),
      details: Buffer.from(String(status['grpc-status-details-bin'] ?? ''), 'base64'),
      response: reply.body.subarray(5),
      headers: reply.headers,
      trailersOnly,
    };
  }

  close(): void {
    this.session.destroy();
  }
}

/** A message that says of itself that it is compressed. */
export function compressedFrame(message: Uint8Array): Uint8Array {
  const frame = frameMessage(message);
  frame[0] = 1;
  return frame;
}
