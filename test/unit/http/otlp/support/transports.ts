import assert from 'node:assert/strict';
import type { ContentEncoding } from '../../../../../src/telemetry/compression/content-encoding.js';
import { encode } from './encodings.js';
import { API_KEY } from './fake-access.js';
import { post } from './http-client.js';
import { compressedFrame, Http2Client } from './http2-client.js';

export const TRANSPORTS = ['HTTP/1.1', 'HTTP/2', 'gRPC'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export const ENCODINGS_UNDER_TEST: readonly ContentEncoding[] = ['identity', 'gzip', 'deflate', 'zstd'];

/** Sends a protobuf traces request, and wants it to succeed. */
export async function sendOver(
  transport: Transport,
  port: number,
  protobuf: Uint8Array,
  encoding: ContentEncoding,
): Promise<void> {
  const status = await statusOver(transport, port, encode(protobuf, encoding), encoding);
  assert.equal(status, transport === 'gRPC' ? 0 : 200);
}

/** The HTTP or gRPC status that a body, as it stands, is answered with. */
export async function statusOver(
  transport: Transport,
  port: number,
  body: Uint8Array,
  encoding: ContentEncoding,
): Promise<number> {
  if (transport === 'HTTP/1.1') return (await post(port, { body, headers: { 'content-encoding': encoding } })).status;
  const client = new Http2Client(port);
  try {
    if (transport === 'gRPC') {
      return (
        await client.call(
          body,
          { 'grpc-encoding': encoding },
          encoding === 'identity' ? undefined : compressedFrame(body),
        )
      ).code;
    }
    const headers = {
      ':path': '/v1/traces',
      'api-key': API_KEY,
      'content-type': 'application/x-protobuf',
      'content-encoding': encoding,
    };
    return Number((await client.request(headers, body)).headers[':status']);
  } finally {
    client.close();
  }
}
