import type { OutgoingHttpHeaders } from 'node:http';
import { encodeExportResponse, encodeStatus, type WireFormat } from '../../telemetry/otlp/responses.js';
import type { Signal } from '../../telemetry/signals.js';
import type { Outcome, Refusal } from './outcome.js';
import { rpcStatusOf, WIRE_CODES } from './rpc-status.js';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Uint8Array;
}

const CONTENT_TYPE: Record<WireFormat, string> = { protobuf: 'application/x-protobuf', json: 'application/json' };

/** What an outcome is in HTTP, in the request's own encoding. */
export function httpAnswer(outcome: Exclude<Outcome, { kind: 'abandoned' }>, signal: Signal, format: WireFormat): HttpAnswer {
  if (outcome.kind !== 'accepted') return httpRefusal(outcome, format);
  const body = encodeExportResponse(signal, format, outcome.rejected, outcome.message);
  return { status: 200, headers: { 'content-type': CONTENT_TYPE[format] }, body };
}

/** Every error is a google.rpc.Status, also that of a request that was never understood. */
export function httpRefusal(refusal: Refusal, format: WireFormat): HttpAnswer {
  return {
    status: WIRE_CODES[refusal.kind].http,
    headers: { 'content-type': CONTENT_TYPE[format], ...hints(refusal) },
    body: encodeStatus(format, rpcStatusOf(refusal)),
  };
}

function hints(refusal: Refusal): OutgoingHttpHeaders {
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
