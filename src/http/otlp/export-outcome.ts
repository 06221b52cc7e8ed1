import { RPC_CODE, type RpcStatus } from '../../telemetry/otlp/export-responses.js';
import type { RefusalReason, RefusedSignal } from '../../self-telemetry/prometheus-metrics.js';
import type { WrittenCounts } from '../../telemetry/prometheus/remote-write.js';
import type { Signal } from '../../telemetry/signals.js';

/** A request that was rejected as a whole. Only `overloaded`, `throttled` and `unavailable` ask the sender to retry. */
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

/** The sender disconnected or stopped sending. There is no response, and the connection is closed. */
export type Abandoned = { readonly kind: 'abandoned' };

/** The outcome of an export request, translated by both protocols (http-exchange.ts, grpc-messages.ts). */
export type ExportOutcome =
  | {
      /** The valid records are durable. `rejected` is the number of invalid ones, and `message` the reason. */
      readonly kind: 'accepted';
      readonly rejected: number;
      readonly message: string;
      /** Of a request of Prometheus remote write. */
      readonly written?: WrittenCounts;
    }
  | Refusal
  | Abandoned;

export const ABANDONED: Abandoned = { kind: 'abandoned' };

export function createRefusal(kind: FinalRefusal, message: string): Refusal {
  return { kind, message };
}

export function createOverloadedRefusal(message: string, retryAfterMs: number): Refusal {
  return { kind: 'overloaded', message, retryAfterMs };
}

/** For a sender with too many failed attempts. */
export function createThrottledRefusal(message: string, retryAfterMs: number): Refusal {
  return { kind: 'throttled', message, retryAfterMs };
}

/** For every failure that a retry may resolve. */
export function createUnavailableRefusal(message: string, retryAfterMs = 1_000): Refusal {
  return { kind: 'unavailable', message, retryAfterMs };
}

/** Retryable after a second, since memory is freed as soon as requests in flight complete. */
export function createOutOfMemoryRefusal(): Refusal {
  return createOverloadedRefusal('too much telemetry is being received at the same time; retry later', 1_000);
}

/** For a request that was not answered in time; what it contains may be stored nevertheless, and its retry is recognised. */
export function createLateRefusal(): Refusal {
  return createUnavailableRefusal('the request could not be processed in time; retry later');
}

/** Status codes of each refusal in HTTP and gRPC. Clients retry only 429, 503 and gRPC codes with RetryInfo. */
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

/** The google.rpc.Status of a refusal, the same in both protocols. */
export function toRpcStatus(refusal: Refusal): RpcStatus {
  const status = { code: STATUS_CODES_BY_REFUSAL[refusal.kind].rpc, message: refusal.message };
  if ('retryAfterMs' in refusal) return { ...status, retryAfterMs: refusal.retryAfterMs };
  if (refusal.kind === 'malformed') return { ...status, violations: [{ field: 'body', description: refusal.message }] };
  return status;
}

/** Metrics of ingestion. */
export interface IngestMeters {
  /** Counts one accepted request, with its accepted and its rejected records. */
  countAccepted(signal: Signal, records: number, rejected: number): void;
  /** Counts one request that was rejected as a whole. */
  countRefused(signal: RefusedSignal, reason: RefusalReason): void;
  /** Counts repeated requests that were acknowledged without storing them again. */
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

/** The label of a refusal in metrics. */
export function toRefusalReason(refusal: Refusal): RefusalReason {
  return REASONS_BY_REFUSAL[refusal.kind];
}
