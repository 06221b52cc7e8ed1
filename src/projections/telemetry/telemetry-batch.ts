import type { DocumentChange } from '../../read-models/read-model-store.js';
import type { CountedRequest } from './deduplication/request-journal.js';

/** The rows of one event in the columns of a batch: from ≤ row < to. */
export interface EventRows {
  readonly gridId: string;
  readonly from: number;
  readonly to: number;
  /** Log time of the event, ms since 1970. */
  readonly recordedAt: number;
  /** Arrival of the request by the clock of the receiver, ms since 1970; absent where it does not matter. */
  readonly receivedAt?: number;
  /** Attribute keys of the event's records and their resources. */
  readonly keys: readonly string[];
  readonly request: CountedRequest;
  /** Number of the event in RecentSpans, once it has one. */
  event: number;
  /** Records that do not become searchable; counted while the batch is folded. */
  readonly dropped: DroppedRecords;
}

/** Records of one event that do not become searchable, by reason. */
export interface DroppedRecords {
  /** From before the retention watermark. */
  expired: number;
  /** Stored before. */
  duplicates: number;
  /** Data points without a finite value. */
  withoutValue: number;
}

export function createDroppedRecords(): DroppedRecords {
  return { expired: 0, duplicates: 0, withoutValue: 0 };
}

/** Rows by Grid, in log order. */
export type RowsByGrid = ReadonlyMap<string, Uint32Array>;

/** A batch of the log as the projections of a signal receive it: decoded once, repetitions removed. */
export interface TelemetryBatch<Columns> {
  readonly columns: Columns;
  /** In log order. */
  readonly eventRows: readonly EventRows[];
  /** Rows that count. */
  readonly rows: RowsByGrid;
  /** Records of the Grid before this time (µs) have expired. */
  floorUs(gridId: string): number;
}

/** A projection of one signal. After `restore` its memory reflects the last commit. */
export interface TelemetryProjection<Columns> {
  restore(): Promise<void>;
  foldBatch(batch: TelemetryBatch<Columns>): Promise<DocumentChange[]>;
  /** Removes telemetry of the Grid before `before` (ms); calls come in ascending order, on whole hours. */
  expire(gridId: string, before: number): Promise<DocumentChange[]>;
}

/** Selects rows; `keep` is called once for each row, in log order. */
export function selectRowsByGrid(
  eventRows: readonly EventRows[],
  keep: (row: number, entry: EventRows) => boolean,
): RowsByGrid {
  const totals = new Map<string, number>();
  for (const { gridId, from, to } of eventRows) totals.set(gridId, (totals.get(gridId) ?? 0) + to - from);
  const selected = new Map([...totals].map(([gridId, rows]) => [gridId, { rows: new Uint32Array(rows), count: 0 }]));
  for (const entry of eventRows) {
    const into = selected.get(entry.gridId)!;
    for (let row = entry.from; row < entry.to; row++) if (keep(row, entry)) into.rows[into.count++] = row;
  }
  return new Map(
    [...selected]
      .filter(([, { count }]) => count > 0)
      .map(([gridId, { rows, count }]) => [gridId, rows.subarray(0, count)]),
  );
}

/** The event that a row belongs to. */
export function findEventRows(eventRows: readonly EventRows[], row: number): EventRows {
  let low = 0;
  let high = eventRows.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (eventRows[middle].to > row) high = middle;
    else low = middle + 1;
  }
  return eventRows[low];
}
