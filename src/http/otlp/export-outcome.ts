import { RPC_CODE, type RpcStatus } from '../../telemetry/otlp/export-responses.js';
import type { RefusalReason, RefusedSignal } from '../../self-telemetry/prometheus-metrics.js';
import type { Signal } from '../../telemetry/signals.js';

/** A request that was turned away whole. Only `overloaded`, `throttled` and `unavailable` tell the sender to come back. */
export type Refusal =
  | { readonly kind: FinalRefusal; readonly message: string }
  | { readonly kind: RetryableRefusal; readonly message: string; readonly retryAfterMs: number };

export type RetryableRefusal = 'overloaded' | 'throttled' | 'unavailable';

export type FinalRefusal =
  | 'unauthenticated'
  | 'forbidden'
  | 'malformed'
  | 'too-large'
  | 'not-found'
  | 'method-not-allowed'
  | 'unsupported-media-type'
  | 'unsupported-encoding';

/** The sender went away or stopped sending: nobody is left to answer, the connection is closed. */
export type Abandoned = { readonly kind: 'abandoned' };

/** What became of an export request: a closed union that both wires translate (http-answer.ts, grpc-answer.ts). */
export type ExportOutcome =
  /** Durable. `rejected` records can never be taken, and `message` says why. */
  { readonly kind: 'accepted'; readonly rejected: number; readonly message: string } | Refusal | Abandoned;

export const ABANDONED: Abandoned = { kind: 'abandoned' };

export function createRefusal(kind: FinalRefusal, message: string): Refusal {
  return { kind, message };
}

export function createOverloadedRefusal(message: string, retryAfterMs: number): Refusal {
  return { kind: 'overloaded', message, retryAfterMs };
}

/** For one sender, of whom there was too much that is wrong. */
export function createThrottledRefusal(message: string, retryAfterMs: number): Refusal {
  return { kind: 'throttled', message, retryAfterMs };
}

/** For everything that a later attempt may cure, whatever it was. */
export function createUnavailableRefusal(message: string, retryAfterMs = 1_000): Refusal {
  return { kind: 'unavailable', message, retryAfterMs };
}

/** Memory is free again as soon as the requests in flight are done. */
export function createOutOfMemoryRefusal(): Refusal {
  return createOverloadedRefusal('too much telemetry is being received at once', 1_000);
}

/** How each refusal is called on the two wires. Retryable are only 429, 503 and codes with RetryInfo. */
export const STATUS_CODES_BY_REFUSAL: Record<Refusal['kind'], { readonly http: number; readonly rpc: number }> = {
  unauthenticated: { http: 401, rpc: RPC_CODE.unauthenticated },
  forbidden: { http: 403, rpc: RPC_CODE.permissionDenied },
  malformed: { http: 400, rpc: RPC_CODE.invalidArgument },
  'too-large': { http: 413, rpc: RPC_CODE.resourceExhausted },
  'not-found': { http: 404, rpc: RPC_CODE.unimplemented },
  'method-not-allowed': { http: 405, rpc: RPC_CODE.unimplemented },
  'unsupported-media-type': { http: 415, rpc: RPC_CODE.unimplemented },
  'unsupported-encoding': { http: 415, rpc: RPC_CODE.unimplemented },
  overloaded: { http: 429, rpc: RPC_CODE.resourceExhausted },
  throttled: { http: 429, rpc: RPC_CODE.resourceExhausted },
  unavailable: { http: 503, rpc: RPC_CODE.unavailable },
};

/** The google.rpc.Status of a refusal, the same on both wires. */
export function toRpcStatus(refusal: Refusal): RpcStatus {
  const status = { code: STATUS_CODES_BY_REFUSAL[refusal.kind].rpc, message: refusal.message };
  if ('retryAfterMs' in refusal) return { ...status, retryAfterMs: refusal.retryAfterMs };
  if (refusal.kind === 'malformed') return { ...status, violations: [{ field: 'body', description: refusal.message }] };
  return status;
}

/** What ingestion tells of itself. */
export interface IngestMeters {
  /** One request has become durable (or carried nothing to keep): its records taken, and its records rejected by name. */
  countAccepted(signal: Signal, records: number, rejected: number): void;
  /** One request was turned away whole, by the receiver or before it came there. */
  countRefused(signal: RefusedSignal, reason: RefusalReason): void;
  /** So many requests were acknowledged a second time. */
  countDuplicates(signal: Signal, requests: number): void;
}

const REASONS_BY_REFUSAL: Record<Refusal['kind'], RefusalReason> = {
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  malformed: 'malformed',
  'too-large': 'too-large',
  'not-found': 'unsupported',
  'method-not-allowed': 'unsupported',
  'unsupported-media-type': 'unsupported',
  'unsupported-encoding': 'unsupported',
  overloaded: 'overloaded',
  throttled: 'throttled',
  unavailable: 'unavailable',
};

export function toRefusalReason(refusal: Refusal): RefusalReason {
  return REASONS_BY_REFUSAL[refusal.kind];
}
