import { and, eq, range } from '../../../read-models/document-filter.js';
import {
  pointHourCollection,
  type PointHourDocument,
} from '../../../read-models/documents/record-account-documents.js';
import type { Collection, DocumentChange, ReadModelReader } from '../../../read-models/read-model-store.js';

const HOUR_MS = 3_600_000;
const HOUR_MINUTES = 60;
/** Reads of a remote store at the same time. */
const MAX_CONCURRENT_READS = 16;

/** Counts the data points that rollups hold, by Grid and hour of their time, so that expired ones can be counted. */
export class MetricPointHours {
  private readonly collection: Collection<PointHourDocument>;
  /** Points since the last commit, by id. */
  private readonly added = new Map<string, PointHourDocument>();

  constructor(
    version: number,
    private readonly store: ReadModelReader,
  ) {
    this.collection = pointHourCollection(version);
  }

  /** Discards what is not committed. */
  clear(): void {
    this.added.clear();
  }

  /** Counts points of one minute (minutes since 1970). */
  add(gridId: string, minute: number, points: number): void {
    const hour = Math.floor(minute / HOUR_MINUTES);
    const id = `${gridId}/${hour}`;
    this.added.set(id, { gridId, hour, points: (this.added.get(id)?.points ?? 0) + points });
  }

  /** Points that were added since the last call, by Grid, and the changes that store them. */
  async take(): Promise<{ readonly points: ReadonlyMap<string, number>; readonly changes: readonly DocumentChange[] }> {
    const { collection, store } = this;
    const points = new Map<string, number>();
    const changes: DocumentChange[] = [];
    const hours = [...this.added];
    for (let from = 0; from < hours.length; from += MAX_CONCURRENT_READS) {
      const read = hours.slice(from, from + MAX_CONCURRENT_READS);
      const stored = await Promise.all(read.map(([id]) => store.get(collection, id)));
      read.forEach(([id, added], n) => {
        points.set(added.gridId, (points.get(added.gridId) ?? 0) + added.points);
        const total = (stored[n]?.points ?? 0) + added.points;
        changes.push({ kind: 'put', collection, id, document: { ...added, points: total } });
      });
    }
    this.added.clear();
    return { points, changes };
  }

  /** Removes the hours of a Grid before `before` (ms since 1970, a whole hour), and counts their points. */
  async expire(
    gridId: string,
    before: number,
  ): Promise<{ readonly points: number; readonly changes: readonly DocumentChange[] }> {
    const { collection } = this;
    const expired = and(eq('gridId', gridId), range('hour', undefined, Math.floor(before / HOUR_MS)));
    const found = await this.store.find(collection, { filter: expired });
    return {
      points: found.reduce((sum, { document }) => sum + document.points, 0),
      changes: found.map(({ id }) => ({ kind: 'delete', collection, id })),
    };
  }
}
