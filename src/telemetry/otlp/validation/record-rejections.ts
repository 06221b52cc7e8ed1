import type { Signal } from '../../signals.js';
import { MAX_VALUE_DEPTH } from '../wire/any-value.js';

/**
 * Limits that no well-behaved sender reaches. They prevent a 64 MiB body from expanding to gigabytes of rows or
 * objects: an empty log record takes two bytes on the wire and a hundred in columns.
 */
export const MAX_RECORDS = 500_000;
export const MAX_RECORD_BYTES = 4 << 20;
/**
 * Limit for a resource or a scope: it may be returned with each of its records, so its size is multiplied by thousands.
 */
export const MAX_RESOURCE_OR_SCOPE_BYTES = 64 << 10;
export const MAX_EVENTS_AND_LINKS = 10_000;

/** The request contains more than MAX_RECORDS records. */
export class TooManyRecords extends Error {
  override readonly name = 'TooManyRecords';

  constructor() {
    super(`more than ${MAX_RECORDS} records in one request`);
  }
}

/** Why a record is rejected. Only the first reason found is reported. */
export enum RejectionReason {
  None,
  TraceId,
  SpanId,
  ParentId,
  Old,
  Future,
  Utf8,
  Depth,
  NoTime,
  Buckets,
  NoName,
  Size,
  Shared,
  Items,
}

const REJECTION_TEXTS: readonly string[] = [
  '',
  'with an invalid trace id',
  'with an invalid span id',
  'with an invalid parent span id',
  'older than retention',
  'too far in the future',
  'with invalid UTF-8',
  `nested deeper than ${MAX_VALUE_DEPTH} levels`,
  'without a time',
  'with bucket counts that do not fit the bounds',
  'of a metric without a name',
  `larger than ${MAX_RECORD_BYTES} bytes`,
  `under a resource or scope larger than ${MAX_RESOURCE_OR_SCOPE_BYTES} bytes`,
  `with more than ${MAX_EVENTS_AND_LINKS} events or links`,
];

const RECORD_NOUNS: Readonly<Record<Signal, readonly [one: string, many: string]>> = {
  traces: ['span', 'spans'],
  logs: ['log record', 'log records'],
  metrics: ['data point', 'data points'],
};

/** Collects the rejected records of a request, by ordinal. */
export class RecordRejections {
  /** Records validated so far. */
  total = 0;
  /** Ordinals of the rejected records, ascending. */
  rejected: number[] = [];
  private reasons: RejectionReason[] = [];

  clear(): void {
    this.total = 0;
    this.rejected = [];
    this.reasons = [];
  }

  /** Records the outcome for the next record. Throws TooManyRecords past MAX_RECORDS. */
  addRecord(reason: RejectionReason): void {
    if (this.total === MAX_RECORDS) throw new TooManyRecords();
    if (reason !== RejectionReason.None) {
      this.rejected.push(this.total);
      this.reasons.push(reason);
    }
    this.total++;
  }

  /**
   * Rejects all records from ordinal `first` on for this reason, because their resource, scope or metric is invalid.
   */
  rejectSince(first: number, reason: RejectionReason): void {
    if (reason === RejectionReason.None) return;
    while (this.rejected.length > 0 && this.rejected[this.rejected.length - 1] >= first) {
      this.rejected.pop();
      this.reasons.pop();
    }
    for (let ordinal = first; ordinal < this.total; ordinal++) {
      this.rejected.push(ordinal);
      this.reasons.push(reason);
    }
  }

  /**
   * Summary such as `3 spans rejected: 2 with an invalid trace id, 1 older than retention`; "" if none was rejected.
   */
  describe(signal: Signal): string {
    const count = this.rejected.length;
    if (count === 0) return '';
    const counts = new Array<number>(REJECTION_TEXTS.length).fill(0);
    for (const reason of this.reasons) counts[reason]++;
    const parts = REJECTION_TEXTS.flatMap((text, reason) => (counts[reason] > 0 ? [`${counts[reason]} ${text}`] : []));
    return `${count} ${RECORD_NOUNS[signal][count === 1 ? 0 : 1]} rejected: ${parts.join(', ')}`;
  }
}
