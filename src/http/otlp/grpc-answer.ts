import type { OutgoingHttpHeaders } from 'node:http2';
import { encodeExportResponse, encodeStatus, RPC_CODE } from '../../telemetry/otlp/responses.js';
import type { Signal } from '../../telemetry/signals.js';
import { frameMessage } from './grpc-framing.js';
import type { Outcome, Refusal } from './outcome.js';
import { rpcStatusOf } from './rpc-status.js';

/** A unary response: with a message, trailers follow it; without one, the headers are also the trailers. */
export type GrpcAnswer =
  | { readonly message: Uint8Array; readonly headers: OutgoingHttpHeaders; readonly trailers: OutgoingHttpHeaders }
  | { readonly message?: undefined; readonly headers: OutgoingHttpHeaders };

const HEADERS: OutgoingHttpHeaders = {
  ':status': 200,
  'content-type': 'application/grpc',
  'grpc-accept-encoding': 'identity,deflate,gzip,zstd',
};

/** Of a status, which goes in headers: grpc-js refuses lists past 8 KiB, percent-encoding may triple this, and it goes twice. */
const MAX_STATUS_MESSAGE = 512;

/** What an outcome is in gRPC. */
export function grpcAnswer(outcome: Exclude<Outcome, { kind: 'abandoned' }>, signal: Signal): GrpcAnswer {
  if (outcome.kind !== 'accepted') return grpcRefusal(outcome);
  const response = encodeExportResponse(signal, 'protobuf', outcome.rejected, outcome.message);
  return { headers: HEADERS, message: frameMessage(response), trailers: { 'grpc-status': String(RPC_CODE.ok) } };
}

export function grpcRefusal(refusal: Refusal): GrpcAnswer {
  const status = rpcStatusOf({ ...refusal, message: refusal.message.slice(0, MAX_STATUS_MESSAGE) });
  return {
    headers: {
      ...HEADERS,
      'grpc-status': String(status.code),
      'grpc-message': percentEncode(status.message),
      'grpc-status-details-bin': Buffer.from(encodeStatus('protobuf', status)).toString('base64'),
    },
  };
}

/** Everything outside printable ASCII, and `%` itself, as %XX of its UTF-8 bytes (gRPC over HTTP/2, Status-Message). */
export function percentEncode(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}
