import type { OutgoingHttpHeaders } from 'node:http2';
import { encodeExportResponse, encodeStatus, RPC_CODE } from '../../telemetry/otlp/export-responses.js';
import type { Signal } from '../../telemetry/signals.js';
import { type ExportOutcome, type Refusal, toRpcStatus } from './export-outcome.js';

/** A unary response: with a message, trailers follow it; without one, the headers are also the trailers. */
export type GrpcResponse =
  | { readonly message: Uint8Array; readonly headers: OutgoingHttpHeaders; readonly trailers: OutgoingHttpHeaders }
  | { readonly message?: undefined; readonly headers: OutgoingHttpHeaders };

const GRPC_HEADERS: OutgoingHttpHeaders = {
  ':status': 200,
  'content-type': 'application/grpc',
  'grpc-accept-encoding': 'identity,deflate,gzip,zstd',
};

/** Of a status, which goes in headers: grpc-js refuses lists past 8 KiB, percent-encoding may triple this, and it goes twice. */
const MAX_STATUS_MESSAGE = 512;

/** What an outcome is in gRPC. */
export function toGrpcResponse(outcome: Exclude<ExportOutcome, { kind: 'abandoned' }>, signal: Signal): GrpcResponse {
  if (outcome.kind !== 'accepted') return toGrpcErrorResponse(outcome);
  const response = encodeExportResponse(signal, 'protobuf', outcome.rejected, outcome.message);
  return { headers: GRPC_HEADERS, message: frameMessage(response), trailers: { 'grpc-status': String(RPC_CODE.ok) } };
}

export function toGrpcErrorResponse(refusal: Refusal): GrpcResponse {
  const status = toRpcStatus({ ...refusal, message: refusal.message.slice(0, MAX_STATUS_MESSAGE) });
  return {
    headers: {
      ...GRPC_HEADERS,
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

/** A flag byte (1: compressed) and the length of the message as 32 bits, big-endian. */
export const FRAME_HEADER_BYTES = 5;

/** Bytes of the frame that starts here, its header included; undefined while fewer than five bytes are there. */
export function readFrameLength(firstBytes: Uint8Array): number | undefined {
  if (firstBytes.byteLength < FRAME_HEADER_BYTES) return undefined;
  return FRAME_HEADER_BYTES + new DataView(firstBytes.buffer, firstBytes.byteOffset).getUint32(1);
}

type UnframedMessage =
  | { readonly ok: true; readonly compressed: boolean; readonly message: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly reason: string };

/** The one message of a unary request. */
export function unframeMessage(body: Uint8Array<ArrayBuffer>): UnframedMessage {
  if (readFrameLength(body) !== body.byteLength)
    return { ok: false, reason: 'the body is not exactly one gRPC message' };
  if (body[0] > 1) return { ok: false, reason: `unknown flags ${body[0]} in the gRPC message header` };
  return { ok: true, compressed: body[0] === 1, message: body.subarray(FRAME_HEADER_BYTES) };
}

/** An uncompressed message, framed. */
export function frameMessage(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(FRAME_HEADER_BYTES + message.byteLength);
  new DataView(frame.buffer).setUint32(1, message.byteLength);
  frame.set(message, FRAME_HEADER_BYTES);
  return frame;
}
