import type { RefusalReason, RefusedSignal } from '../../metrics/metrics.js';
import type { Signal } from '../../telemetry/signals.js';
import type { Refusal } from './outcome.js';

/** What ingestion tells of itself. */
export interface IngestMeters {
  /** One request has become durable (or carried nothing to keep): its records taken, and its records rejected by name. */
  accepted(signal: Signal, records: number, rejected: number): void;
  /** One request was turned away whole, by the receiver or before it came there. */
  refused(signal: RefusedSignal, reason: RefusalReason): void;
  /** So many requests were acknowledged a second time. */
  duplicates(signal: Signal, requests: number): void;
}

const REASONS: Record<Refusal['kind'], RefusalReason> = {
  'unauthenticated': 'unauthenticated',
  'forbidden': 'forbidden',
  'malformed': 'malformed',
  'too-large': 'too-large',
  'not-found': 'unsupported',
  'method-not-allowed': 'unsupported',
  'unsupported-media-type': 'unsupported',
  'unsupported-encoding': 'unsupported',
  'overloaded': 'overloaded',
  'throttled': 'throttled',
  'unavailable': 'unavailable',
};

export function reasonOf(refusal: Refusal): RefusalReason {
  return REASONS[refusal.kind];
}
