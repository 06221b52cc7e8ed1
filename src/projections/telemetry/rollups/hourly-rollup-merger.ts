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

/** Bytes of minutes that one commit merges, about: it must stay short. */
const MAX_BYTES_PER_COMMIT = 512 * 1024;

/** What a minute costs beside its bytes, in bytes. */
const MINUTE_BYTES = 2_048;

/** A service of an hour whose document is missing or older than one of its minutes. */
interface PendingMerge {
  readonly service: string;
  /** Ascending. */
  readonly minutes: number[];
  newestStamp: number;
}

/** What one commit makes, and how much more it may. */
interface MergeBudget {
  readonly stamp: number;
  left: number;
  readonly changes: DocumentChange[];
}

/**
 * Makes hours of their minutes, a few services a commit. What is left to do is found in the store: a document of an hour
 * is complete when its stamp is above those of its minutes. So it does not matter where the last process stopped.
 */
export class HourlyRollupMerger {
  /** Services that wait, of hours that are half done, by Grid and hour. */
  private readonly waiting = new Map<string, PendingMerge[]>();

  constructor(
    private readonly kind: Pick<RollupFormat<never>, 'collections' | 'merge'>,
    private readonly store: ReadModelReader,
  ) {}

  clear(): void {
    this.waiting.clear();
  }

  /**
   * Makes what is due, within the bounds of a commit. `isTouched`: a minute of the hour changes in this very commit, what
   * the store has is outdated; then the hour waits for another.
   */
  async changes(
    catalogs: Iterable<GridRollupCatalog>,
    stamp: number,
    isTouched: (gridId: string, hour: number) => boolean,
  ): Promise<DocumentChange[]> {
    const making: MergeBudget = { stamp, left: MAX_BYTES_PER_COMMIT, changes: [] };
    for (const catalog of catalogs) {
      for (const hour of catalog.dueHours()) {
        if (isTouched(catalog.gridId, hour)) this.waiting.delete(`${catalog.gridId}/${hour}`);
        else if (making.left > 0) await this.mergeHour(catalog, hour, making);
      }
    }
    return making.changes;
  }

  private async mergeHour(catalog: GridRollupCatalog, hour: number, making: MergeBudget): Promise<void> {
    const key = `${catalog.gridId}/${hour}`;
    const merges = this.waiting.get(key) ?? (await this.findMerges(catalog.gridId, hour));
    this.waiting.set(key, merges);
    while (merges.length > 0 && making.left > 0) await this.merge(catalog.gridId, hour, merges.pop()!, making);
    if (merges.length > 0) return;
    this.waiting.delete(key);
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
    making: MergeBudget,
  ): Promise<void> {
    const { collections, merge } = this.kind;
    const blobs: Uint8Array[] = [];
    for (const minute of minutes) {
      const blob = await this.store.readBlob(collections.minutes, rollupId({ gridId, minute, service }), ROLLUP_BLOB);
      if (blob !== undefined) blobs.push(blob);
    }
    making.left -= blobs.reduce((cost, { byteLength }) => cost + byteLength + MINUTE_BYTES, 0);
    const document: RollupDocument = { gridId, minute: hour, service, stamp: making.stamp };
    making.changes.push({
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

/** Minutes past its end after which an hour is expected to change no more. */
const SETTLING_MINUTES = 10;

const NONE: readonly number[] = [];

/** What a shelf knows of one Grid, see RollupCatalogDocument. */
export class GridRollupCatalog {
  private newestMinute: number;
  private readonly openHours: Set<number>;
  private expiry: number;
  /** Whether it differs from what was last taken. */
  private changed = false;

  constructor(
    readonly gridId: string,
    document?: RollupCatalogDocument,
  ) {
    this.newestMinute = document?.newestMinute ?? 0;
    this.openHours = new Set(document?.openHours);
    this.expiry = document?.expiredBefore ?? 0;
  }

  /** What ended before this time (ms) has left. */
  get expiredBefore(): number {
    return this.expiry;
  }

  /** Whether the whole minute lies before what has expired. */
  isExpired(minute: number): boolean {
    return (minute + 1) * MINUTE_MS <= this.expiry;
  }

  /** A minute has changed: its hour has to be made of its minutes, perhaps again. */
  touch(minute: number): void {
    const hour = firstMinuteOfHour(minute);
    if (minute <= this.newestMinute && this.openHours.has(hour)) return;
    this.newestMinute = Math.max(minute, this.newestMinute);
    this.openHours.add(hour);
    this.changed = true;
  }

  /** Hours that are over and have to be made, oldest first. */
  dueHours(): readonly number[] {
    const over = this.newestMinute - HOUR_MINUTES - SETTLING_MINUTES;
    // Asked of all Grids with every commit: mostly there is none.
    for (const hour of this.openHours)
      if (hour < over) return [...this.openHours].filter((each) => each < over).sort((a, b) => a - b);
    return NONE;
  }

  /** The hour is made, of all of its minutes. */
  close(hour: number): void {
    this.openHours.delete(hour);
    this.changed = true;
  }

  /** False when that much has expired before. */
  expire(before: number): boolean {
    if (before <= this.expiry) return false;
    this.expiry = before;
    for (const hour of this.openHours) if (this.isExpired(hour + HOUR_MINUTES - 1)) this.openHours.delete(hour);
    // A replay finds the log without what has expired, and knows no minute then.
    if (this.isExpired(this.newestMinute)) this.newestMinute = 0;
    this.changed = true;
    return true;
  }

  /** The document under this stamp, if it has changed since the last call. */
  takeChange(stamp: number): RollupCatalogDocument | undefined {
    if (!this.changed) return undefined;
    this.changed = false;
    const { gridId, newestMinute, openHours, expiredBefore } = this;
    return { gridId, stamp, newestMinute, openHours: [...openHours].sort((a, b) => a - b), expiredBefore };
  }
}

/** First minute of the hour that holds a minute. */
export function firstMinuteOfHour(minute: number): number {
  return Math.floor(minute / HOUR_MINUTES) * HOUR_MINUTES;
}
