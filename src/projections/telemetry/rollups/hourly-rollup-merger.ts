import { and, eq, range } from '../../../read-models/document-filter.js';
import {
  ROLLUP_BLOB,
  type RollupCatalogDocument,
  type RollupDocument,
  rollupId,
} from '../../../read-models/documents/rollup-documents.js';
import type { DocumentChange, ReadModelReader } from '../../../read-models/read-model-store.js';
import type { RollupFormat } from './rollup-format.js';
import { MINUTE_MS } from '../../../diagnostics/time-windows.js';

/** Approximate bytes of minute rollups that one commit merges: it must stay short. */
const MAX_BYTES_PER_COMMIT = 512 * 1024;

/** Overhead of a minute besides its bytes, in bytes. */
const MINUTE_BYTES = 2_048;

/** A service whose rollup of an hour is missing or older than one of its minutes. */
interface PendingMerge {
  readonly service: string;
  /** Ascending. */
  readonly minutes: number[];
  newestStamp: number;
}

/** Changes of one commit, and the bytes that it may still merge. */
interface MergeBudget {
  readonly stamp: number;
  left: number;
  readonly changes: DocumentChange[];
}

/**
 * Merges the minutes of past hours into hourly rollups, a few services per commit. Pending work is found in the store:
 * the document of an hour is complete if its stamp is above those of its minutes. So it does not matter where the last
 * process stopped.
 */
export class HourlyRollupMerger {
  /** Pending services of unfinished hours, by Grid and hour. */
  private readonly pending = new Map<string, PendingMerge[]>();

  constructor(
    private readonly kind: Pick<RollupFormat<never>, 'collections' | 'merge'>,
    private readonly store: ReadModelReader,
  ) {}

  clear(): void {
    this.pending.clear();
  }

  /**
   * Merges what is due, within the limits of a commit. `isTouched`: a minute of the hour changes in this very commit,
   * so the stored minutes are outdated and the hour waits for a later commit.
   */
  async changes(
    catalogs: Iterable<GridRollupCatalog>,
    stamp: number,
    isTouched: (gridId: string, hour: number) => boolean,
  ): Promise<DocumentChange[]> {
    const budget: MergeBudget = { stamp, left: MAX_BYTES_PER_COMMIT, changes: [] };
    for (const catalog of catalogs) {
      for (const hour of catalog.dueHours()) {
        if (isTouched(catalog.gridId, hour)) this.pending.delete(`${catalog.gridId}/${hour}`);
        else if (budget.left > 0) await this.mergeHour(catalog, hour, budget);
      }
    }
    return budget.changes;
  }

  private async mergeHour(catalog: GridRollupCatalog, hour: number, budget: MergeBudget): Promise<void> {
    const key = `${catalog.gridId}/${hour}`;
    const merges = this.pending.get(key) ?? (await this.findMerges(catalog.gridId, hour));
    this.pending.set(key, merges);
    while (merges.length > 0 && budget.left > 0) await this.merge(catalog.gridId, hour, merges.pop()!, budget);
    if (merges.length > 0) return;
    this.pending.delete(key);
    catalog.close(hour);
  }

  private async findMerges(gridId: string, hour: number): Promise<PendingMerge[]> {
    const { minutes, hours } = this.kind.collections;
    const merges = new Map<string, PendingMerge>();
    for (const { document } of await this.store.find(minutes, {
      filter: inHour(gridId, hour),
      sort: [{ field: 'minute' }],
    }))
      addMinute(merges, document);
    for (const { document } of await this.store.find(hours, {
      filter: and(eq('gridId', gridId), eq('minute', hour)),
    })) {
      if (document.stamp > (merges.get(document.service)?.newestStamp ?? 0)) merges.delete(document.service);
    }
    return [...merges.values()];
  }

  private async merge(
    gridId: string,
    hour: number,
    { service, minutes }: PendingMerge,
    budget: MergeBudget,
  ): Promise<void> {
    const { collections, merge } = this.kind;
    const blobs: Uint8Array[] = [];
    for (const minute of minutes) {
      const blob = await this.store.readBlob(collections.minutes, rollupId({ gridId, minute, service }), ROLLUP_BLOB);
      if (blob !== undefined) blobs.push(blob);
    }
    budget.left -= blobs.reduce((cost, { byteLength }) => cost + byteLength + MINUTE_BYTES, 0);
    const document: RollupDocument = { gridId, minute: hour, service, stamp: budget.stamp };
    budget.changes.push({
      kind: 'put',
      collection: collections.hours,
      id: rollupId(document),
      document,
      blobs: { [ROLLUP_BLOB]: merge(blobs) },
    });
  }
}

function inHour(gridId: string, hour: number) {
  return and(eq('gridId', gridId), range('minute', hour, hour + HOUR_MINUTES));
}

function addMinute(merges: Map<string, PendingMerge>, { service, minute, stamp }: RollupDocument): void {
  const known = merges.get(service);
  if (known === undefined) merges.set(service, { service, minutes: [minute], newestStamp: stamp });
  else {
    known.minutes.push(minute);
    known.newestStamp = Math.max(known.newestStamp, stamp);
  }
}

export const HOUR_MINUTES = 60;

/** Minutes after its end before an hour counts as settled. */
const SETTLING_MINUTES = 10;

const NONE: readonly number[] = [];

/** State of the rollups of one Grid, see RollupCatalogDocument. */
export class GridRollupCatalog {
  private newestMinute: number;
  private readonly openHours: Set<number>;
  private expiry: number;
  /** Whether it has changed since `takeChange`. */
  private changed = false;

  constructor(
    readonly gridId: string,
    document?: RollupCatalogDocument,
  ) {
    this.newestMinute = document?.newestMinute ?? 0;
    this.openHours = new Set(document?.openHours);
    this.expiry = document?.expiredBefore ?? 0;
  }

  /** What ended before this time (ms) has expired. */
  get expiredBefore(): number {
    return this.expiry;
  }

  /** Whether the whole minute has expired. */
  isExpired(minute: number): boolean {
    return (minute + 1) * MINUTE_MS <= this.expiry;
  }

  /** A minute has changed: its hour has to be merged, possibly again. */
  touch(minute: number): void {
    const hour = firstMinuteOfHour(minute);
    if (minute <= this.newestMinute && this.openHours.has(hour)) return;
    this.newestMinute = Math.max(minute, this.newestMinute);
    this.openHours.add(hour);
    this.changed = true;
  }

  /** Hours that are over and have to be merged, oldest first. */
  dueHours(): readonly number[] {
    const over = this.newestMinute - HOUR_MINUTES - SETTLING_MINUTES;
    // Called for all Grids with every commit: usually none is due.
    for (const hour of this.openHours)
      if (hour < over) return [...this.openHours].filter((each) => each < over).sort((a, b) => a - b);
    return NONE;
  }

  /** The hour has been merged from all of its minutes. */
  close(hour: number): void {
    this.openHours.delete(hour);
    this.changed = true;
  }

  /** False if this much has already expired. */
  expire(before: number): boolean {
    if (before <= this.expiry) return false;
    this.expiry = before;
    for (const hour of this.openHours) if (this.isExpired(hour + HOUR_MINUTES - 1)) this.openHours.delete(hour);
    // A replay reads the log without expired telemetry and then knows no minute.
    if (this.isExpired(this.newestMinute)) this.newestMinute = 0;
    this.changed = true;
    return true;
  }

  /** The document with this stamp, if it has changed since the last call. */
  takeChange(stamp: number): RollupCatalogDocument | undefined {
    if (!this.changed) return undefined;
    this.changed = false;
    const { gridId, newestMinute, openHours, expiredBefore } = this;
    return { gridId, stamp, newestMinute, openHours: [...openHours].sort((a, b) => a - b), expiredBefore };
  }
}

/** First minute of the hour that contains a minute. */
export function firstMinuteOfHour(minute: number): number {
  return Math.floor(minute / HOUR_MINUTES) * HOUR_MINUTES;
}
