import type { Signal } from '../signals.js';
import { LogValidator } from './log-validator.js';
import { MetricValidator } from './metric-validator.js';
import type { RequestValidator, TimeBounds } from './request-validator.js';
import { TraceValidator } from './trace-validator.js';

/** What one walk over an export request found. */
export interface Validation {
  /** Spans, log records or data points in the body, rejected ones counted. */
  readonly total: number;
  /** 0-based ordinals of the rejected ones, ascending. */
  readonly rejected: readonly number[];
  /** Why, in English; "" when none was rejected. */
  readonly message: string;
}

/** Validators keep no state between calls; one of each serves a thread. */
const VALIDATORS: Readonly<Record<Signal, RequestValidator>> = {
  traces: new TraceValidator(),
  logs: new LogValidator(),
  metrics: new MetricValidator(),
};

/** Judges every record of an inflated protobuf request. Throws MalformedBody where the body does not parse, TooManyRecords past MAX_RECORDS, TooScattered past MAX_PLACES. */
export function validate(signal: Signal, body: Uint8Array, bounds: TimeBounds): Validation {
  const verdicts = VALIDATORS[signal].validate(body, bounds);
  return { total: verdicts.total, rejected: verdicts.rejected, message: verdicts.message(signal) };
}
