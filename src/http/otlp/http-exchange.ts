import type { OutgoingHttpHeaders } from 'node:http';
import { encodeExportResponse, encodeStatus, type WireFormat } from '../../telemetry/otlp/export-responses.js';
import type { Signal } from '../../telemetry/signals.js';
import { type ExportOutcome, type Refusal, STATUS_CODES_BY_REFUSAL, toRpcStatus } from './export-outcome.js';
import type { Readable } from 'node:stream';
import type { Peer } from '../connection/client-resolver.js';
import type { RequestHead } from './http-negotiation.js';

export interface OtlpHttpResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Uint8Array;
}

const CONTENT_TYPE: Record<WireFormat, string> = { protobuf: 'application/x-protobuf', json: 'application/json' };

/** The HTTP response for an outcome, in the encoding of the request. */
export function toHttpResponse(
  outcome: Exclude<ExportOutcome, { kind: 'abandoned' }>,
  signal: Signal,
  format: WireFormat,
): OtlpHttpResponse {
  if (outcome.kind !== 'accepted') return toHttpErrorResponse(outcome, format);
  const body = encodeExportResponse(signal, format, outcome.rejected, outcome.message);
  return { status: 200, headers: { 'content-type': CONTENT_TYPE[format] }, body };
}

/** An HTTP response with the google.rpc.Status of the refusal. */
export function toHttpErrorResponse(refusal: Refusal, format: WireFormat): OtlpHttpResponse {
  return {
    status: STATUS_CODES_BY_REFUSAL[refusal.kind].http,
    headers: { 'content-type': CONTENT_TYPE[format], ...refusalHeaders(refusal) },
    body: encodeStatus(format, toRpcStatus(refusal)),
  };
}

function refusalHeaders(refusal: Refusal): OutgoingHttpHeaders {
  switch (refusal.kind) {
    case 'overloaded':
    case 'throttled':
    case 'unavailable':
      return { 'retry-after': String(Math.max(1, Math.ceil(refusal.retryAfterMs / 1000))) };
    case 'unauthenticated':
      return { 'www-authenticate': 'ApiKey realm="otlp"' };
    case 'method-not-allowed':
      return { allow: 'POST' };
    case 'unsupported-media-type':
      return { accept: 'application/x-protobuf, application/json' };
    case 'unsupported-encoding':
      return { 'accept-encoding': 'gzip, deflate, zstd, identity' };
    default:
      return {};
  }
}

/** An OTLP/HTTP request and its response, over HTTP/1.1 or HTTP/2. */
export interface HttpExchange extends RequestHead {
  /** The remote end of the connection. */
  readonly peer: Peer;
  /** The body. Sends 100 Continue if the sender waits for it (`Expect: 100-continue`). */
  takeBody(): Readable;
  /** Sends the complete response. May be called while the body is still arriving; the rest of it is discarded. */
  respond(response: OtlpHttpResponse): void;
  /** Ends the request without a response. */
  abort(): void;
}
