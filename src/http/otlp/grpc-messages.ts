import type { OutgoingHttpHeaders } from 'node:http2';
import { encodeExportResponse, encodeStatus, RPC_CODE } from '../../telemetry/otlp/export-responses.js';
import type { Signal } from '../../telemetry/signals.js';
import { type ExportOutcome, type Refusal, toRpcStatus } from './export-outcome.js';

/** A unary response. Without a message, the headers are also the trailers. */
export type GrpcResponse =
  | { readonly message: Uint8Array; readonly headers: OutgoingHttpHeaders; readonly trailers: OutgoingHttpHeaders }
  | { readonly message?: undefined; readonly headers: OutgoingHttpHeaders };

const GRPC_HEADERS: OutgoingHttpHeaders = {
  ':status': 200,
  'content-type': 'application/grpc',
  'grpc-accept-encoding': 'identity,deflate,gzip,zstd,snappy,lz4',
};

/** Maximum length of a status message, in characters. It is sent twice in headers, percent-encoding may triple it, and grpc-js rejects header lists over 8 KiB. */
const MAX_STATUS_MESSAGE = 512;

/** The gRPC response for an outcome. */
export function toGrpcResponse(outcome: Exclude<ExportOutcome, { kind: 'abandoned' }>, signal: Signal): GrpcResponse {
  if (outcome.kind !== 'accepted') return toGrpcErrorResponse(outcome);
  const response = encodeExportResponse(signal, 'protobuf', outcome.rejected, outcome.message);
  return { headers: GRPC_HEADERS, message: frameMessage(response), trailers: { 'grpc-status': String(RPC_CODE.ok) } };
}

/** A gRPC response with the google.rpc.Status of the refusal. */
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

/** Percent-encodes the UTF-8 bytes of everything outside printable ASCII, and of `%` (gRPC over HTTP/2, Status-Message). */
export function percentEncode(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** A flag byte (1: compressed) and the length of the message as a 32-bit big-endian integer. */
export const FRAME_HEADER_BYTES = 5;

/** Length of the frame in bytes, including its header; undefined for fewer than five bytes. */
export function readFrameLength(firstBytes: Uint8Array): number | undefined {
  if (firstBytes.byteLength < FRAME_HEADER_BYTES) return undefined;
  return FRAME_HEADER_BYTES + new DataView(firstBytes.buffer, firstBytes.byteOffset).getUint32(1);
}

type UnframedMessage =
  | { readonly ok: true; readonly compressed: boolean; readonly message: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly reason: string };

/** Extracts the message of a unary request. */
export function unframeMessage(body: Uint8Array<ArrayBuffer>): UnframedMessage {
  if (readFrameLength(body) !== body.byteLength)
    return { ok: false, reason: 'the body is not exactly one gRPC message' };
  if (body[0] > 1) return { ok: false, reason: `unknown flags ${body[0]} in the gRPC message header` };
  return { ok: true, compressed: body[0] === 1, message: body.subarray(FRAME_HEADER_BYTES) };
}

/** Frames an uncompressed message. */
export function frameMessage(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(FRAME_HEADER_BYTES + message.byteLength);
  new DataView(frame.buffer).setUint32(1, message.byteLength);
  frame.set(message, FRAME_HEADER_BYTES);
  return frame;
}
