import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { API_KEY } from './fake-access.js';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Post {
  readonly path?: string;
  readonly method?: string;
  /** Replace the usual ones (API key, protobuf) where they have the same name; undefined leaves one out. */
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Uint8Array | string;
  readonly agent?: http.Agent;
}

/** Sends one OTLP/HTTP request over HTTP/1.1. */
export function post(
  port: number,
  { path = '/v1/traces', method = 'POST', headers = {}, body = '', agent }: Post = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const all = Object.entries({ 'api-key': API_KEY, 'content-type': 'application/x-protobuf', ...headers });
    const defined = Object.fromEntries(all.filter(([, value]) => value !== undefined));
    const request = http.request({ host: '127.0.0.1', port, path, method, headers: defined, agent: agent ?? false });
    request.once('error', reject);
    request.once('response', (response) => void collect(response).then(resolve, reject));
    request.end(body);
  });
}

async function collect(response: http.IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}
