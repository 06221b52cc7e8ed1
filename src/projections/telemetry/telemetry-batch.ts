import type { DocumentChange } from '../../read-models/read-model-store.js';
import type { CountedRequest } from './deduplication/request-journal.js';

/** The rows of one event in the columns of a portion: from ≤ row < to. */
export interface EventRows {
  readonly gridId: string;
  readonly from: number;
  readonly to: number;
  /** Log time of the event, ms since 1970. */
  readonly recordedAt: number;
  /** Attribute keys of the event's records and their resources. */
  readonly keys: readonly string[];
  readonly request: CountedRequest;
  /** Number of the event in RecentSpans, once it has one. */
  event: number;
}

/** Rows by Grid, in the order of the log. */
export type RowsByGrid = ReadonlyMap<string, Uint32Array>;

/** What a portion of the log brings to the projections of a signal: decoded once, repetitions left out. */
export interface TelemetryBatch<Columns> {
  readonly columns: Columns;
  /** In the order of the log. */
  readonly eventRows: readonly EventRows[];
  /** The rows that count. */
  readonly rows: RowsByGrid;
  /** Records of the Grid from before this time (µs) have expired. */
  floorUs(gridId: string): number;
}

/** What a projection of telemetry does with it. Its memory is what the last commit left after `restore`. */
export interface TelemetryProjection<Columns> {
  restore(): Promise<void>;
  foldBatch(portion: TelemetryBatch<Columns>): Promise<DocumentChange[]>;
  /** Telemetry of the Grid from before `before` (ms) leaves; marks come in ascending order, on whole hours. */
  expire(gridId: string, before: number): Promise<DocumentChange[]>;
}

/** Chooses rows of sections; `keep` is asked for each once, in the order of the log. */
export function selectRowsByGrid(
  sections: readonly EventRows[],
  keep: (row: number, section: EventRows) => boolean,
): RowsByGrid {
  const totals = new Map<string, number>();
  for (const { gridId, from, to } of sections) totals.set(gridId, (totals.get(gridId) ?? 0) + to - from);
  const chosen = new Map([...totals].map(([gridId, rows]) => [gridId, { rows: new Uint32Array(rows), count: 0 }]));
  for (const section of sections) {
    const into = chosen.get(section.gridId)!;
    for (let row = section.from; row < section.to; row++) if (keep(row, section)) into.rows[into.count++] = row;
  }
  return new Map(
    [...chosen]
      .filter(([, { count }]) => count > 0)
      .map(([gridId, { rows, count }]) => [gridId, rows.subarray(0, count)]),
  );
}

/** The section that a row belongs to. */
export function findEventRows(sections: readonly EventRows[], row: number): EventRows {
  let low = 0;
  let high = sections.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sections[middle].to > row) high = middle;
    else low = middle + 1;
  }
  return sections[low];
}
