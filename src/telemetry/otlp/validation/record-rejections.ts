import type { Signal } from '../../signals.js';
import { MAX_VALUE_DEPTH } from '../wire/any-value.js';

/**
 * Bounds that no sane sender meets. They keep one body of 64 MiB from becoming gigabytes of rows or objects in those
 * who read it: an empty log record takes two bytes on the wire and a hundred in columns.
 */
export const MAX_RECORDS = 500_000;
export const MAX_RECORD_BYTES = 4 << 20;
/** Of a resource or a scope: each of its records may show it, so a large one would be large thousands of times. */
export const MAX_RESOURCE_OR_SCOPE_BYTES = 64 << 10;
export const MAX_EVENTS_AND_LINKS = 10_000;

/** The request holds more records than one request may. */
export class TooManyRecords extends Error {
  override readonly name = 'TooManyRecords';

  constructor() {
    super(`more than ${MAX_RECORDS} records in one request`);
  }
}

/** Why a record is rejected. The first fault found is the one that is told. */
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

/** Collects the verdict on each record of a request, by ordinal. */
export class RecordRejections {
  /** Records judged so far. */
  total = 0;
  /** Ordinals of the rejected ones, ascending. */
  rejected: number[] = [];
  private faults: RejectionReason[] = [];

  clear(): void {
    this.total = 0;
    this.rejected = [];
    this.faults = [];
  }

  /** Judges the next record. */
  addRecord(fault: RejectionReason): void {
    if (this.total === MAX_RECORDS) throw new TooManyRecords();
    if (fault !== RejectionReason.None) {
      this.rejected.push(this.total);
      this.faults.push(fault);
    }
    this.total++;
  }

  /** What describes the records from ordinal `first` on is at fault: all of them are rejected, for this reason. */
  rejectSince(first: number, fault: RejectionReason): void {
    if (fault === RejectionReason.None) return;
    while (this.rejected.length > 0 && this.rejected[this.rejected.length - 1] >= first) {
      this.rejected.pop();
      this.faults.pop();
    }
    for (let ordinal = first; ordinal < this.total; ordinal++) {
      this.rejected.push(ordinal);
      this.faults.push(fault);
    }
  }

  /** Such as `3 spans rejected: 2 with an invalid trace id, 1 older than retention`; "" when none was. */
  describe(signal: Signal): string {
    const count = this.rejected.length;
    if (count === 0) return '';
    const counts = new Array<number>(REJECTION_TEXTS.length).fill(0);
    for (const fault of this.faults) counts[fault]++;
    const reasons = REJECTION_TEXTS.flatMap((text, fault) => (counts[fault] > 0 ? [`${counts[fault]} ${text}`] : []));
    return `${count} ${RECORD_NOUNS[signal][count === 1 ? 0 : 1]} rejected: ${reasons.join(', ')}`;
  }
}
