/**
 * Outcomes of the records (spans, log records, data points) of the export requests that the event log holds, for one
 * Grid and one signal. Every record is counted in `received` once, and in exactly one of the other figures.
 */
export interface RecordOutcomes {
  /** Records of all requests, including those that were rejected from them. */
  readonly received: number;
  /**
   * Refused by partial success: invalid, too old or in the future. Requests without any valid record are not stored.
   */
  readonly rejected: number;
  /** Held by the read models: what a search finds. Data points: those that rollups count. */
  readonly searchable: number;
  /** Was searchable until retention removed it. */
  readonly expired: number;
  /** Accepted, but older than a retention watermark that was set before they were projected. */
  readonly expiredOnArrival: number;
  /** Valid records of requests that the log already held. */
  readonly duplicateRequests: number;
  /** Spans and data points of new requests that the log already held. */
  readonly duplicateRecords: number;
  /** Data points without a finite value: stored in the log, not part of any aggregate. */
  readonly withoutValue: number;
  /** Valid records of requests that could not be projected. */
  readonly deadLetters: number;
}

/** Names of the figures that add up to `received`. */
export const RECORD_OUTCOMES = [
  'rejected',
  'searchable',
  'expired',
  'expiredOnArrival',
  'duplicateRequests',
  'duplicateRecords',
  'withoutValue',
  'deadLetters',
] as const satisfies readonly (keyof RecordOutcomes)[];

export type RecordOutcome = (typeof RECORD_OUTCOMES)[number];

export const NO_RECORDS: RecordOutcomes = {
  received: 0,
  rejected: 0,
  searchable: 0,
  expired: 0,
  expiredOnArrival: 0,
  duplicateRequests: 0,
  duplicateRecords: 0,
  withoutValue: 0,
  deadLetters: 0,
};

/** Received records without a known outcome. 0 unless there is a defect; negative: more outcomes than records. */
export function countUnaccounted(outcomes: RecordOutcomes): number {
  return outcomes.received - RECORD_OUTCOMES.reduce((sum, outcome) => sum + outcomes[outcome], 0);
}

/** Sums of all figures. */
export function addOutcomes(a: RecordOutcomes, b: RecordOutcomes): RecordOutcomes {
  const sum: { -readonly [Figure in keyof RecordOutcomes]: number } = { ...NO_RECORDS };
  for (const figure of Object.keys(sum) as (keyof RecordOutcomes)[]) sum[figure] = a[figure] + b[figure];
  return sum;
}
