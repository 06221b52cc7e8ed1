import { and, eq, range } from '../../../read-models/filter.js';
import { ROLLUP_BLOB, rollupId, type RollupDocument } from '../../../read-models/rollups.js';
import type { Change, ReadModelReader } from '../../../read-models/store.js';
import { HOUR_MINUTES, type GridCatalog } from './grid-catalog.js';
import type { RollupKind } from './rollup-kind.js';

/** Bytes of minutes that one commit merges, about: it must stay short. */
const BYTES_A_COMMIT = 512 * 1024;

/** What a minute costs beside its bytes, in bytes. */
const MINUTE_BYTES = 2_048;

/** A service of an hour whose document is missing or older than one of its minutes. */
interface Merge {
  readonly service: string;
  /** Ascending. */
  readonly minutes: number[];
  newestStamp: number;
}

/** What one commit makes, and how much more it may. */
interface Making {
  readonly stamp: number;
  left: number;
  readonly changes: Change[];
}

/**
 * Makes hours of their minutes, a few services a commit. What is left to do is found in the store: a document of an hour
 * is complete when its stamp is above those of its minutes. So it does not matter where the last process stopped.
 */
export class HourMerges {
  /** Services that wait, of hours that are half done, by Grid and hour. */
  private readonly waiting = new Map<string, Merge[]>();

  constructor(
    private readonly kind: Pick<RollupKind<never>, 'collections' | 'merge'>,
    private readonly store: ReadModelReader,
  ) {}

  clear(): void {
    this.waiting.clear();
  }

  /**
   * Makes what is due, within the bounds of a commit. `isTouched`: a minute of the hour changes in this very commit, what
   * the store has is outdated; then the hour waits for another.
   */
  async changes(catalogs: Iterable<GridCatalog>, stamp: number, isTouched: (gridId: string, hour: number) => boolean): Promise<Change[]> {
    const making: Making = { stamp, left: BYTES_A_COMMIT, changes: [] };
    for (const catalog of catalogs) {
      for (const hour of catalog.dueHours()) {
        if (isTouched(catalog.gridId, hour)) this.waiting.delete(`${catalog.gridId}/${hour}`);
        else if (making.left > 0) await this.make(catalog, hour, making);
      }
    }
    return making.changes;
  }

  private async make(catalog: GridCatalog, hour: number, making: Making): Promise<void> {
    const key = `${catalog.gridId}/${hour}`;
    const merges = this.waiting.get(key) ?? (await this.mergesOf(catalog.gridId, hour));
    this.waiting.set(key, merges);
    while (merges.length > 0 && making.left > 0) await this.merge(catalog.gridId, hour, merges.pop()!, making);
    if (merges.length > 0) return;
    this.waiting.delete(key);
    catalog.close(hour);
  }

  private async mergesOf(gridId: string, hour: number): Promise<Merge[]> {
    const { minutes, hours } = this.kind.collections;
    const merges = new Map<string, Merge>();
    for (const { document } of await this.store.find(minutes, { filter: inHour(gridId, hour), sort: [{ field: 'minute' }] })) note(merges, document);
    for (const { document } of await this.store.find(hours, { filter: and(eq('gridId', gridId), eq('minute', hour)) })) {
      if (document.stamp > (merges.get(document.service)?.newestStamp ?? 0)) merges.delete(document.service);
    }
    return [...merges.values()];
  }

  private async merge(gridId: string, hour: number, { service, minutes }: Merge, making: Making): Promise<void> {
    const { collections, merge } = this.kind;
    const blobs: Uint8Array[] = [];
    for (const minute of minutes) {
      const blob = await this.store.blob(collections.minutes, rollupId({ gridId, minute, service }), ROLLUP_BLOB);
      if (blob !== undefined) blobs.push(blob);
    }
    making.left -= blobs.reduce((cost, { byteLength }) => cost + byteLength + MINUTE_BYTES, 0);
    const document: RollupDocument = { gridId, minute: hour, service, stamp: making.stamp };
    making.changes.push({ kind: 'put', collection: collections.hours, id: rollupId(document), document, blobs: { [ROLLUP_BLOB]: merge(blobs) } });
  }
}

function inHour(gridId: string, hour: number) {
  return and(eq('gridId', gridId), range('minute', hour, hour + HOUR_MINUTES));
}

function note(merges: Map<string, Merge>, { service, minute, stamp }: RollupDocument): void {
  const known = merges.get(service);
  if (known === undefined) merges.set(service, { service, minutes: [minute], newestStamp: stamp });
  else {
    known.minutes.push(minute);
    known.newestStamp = Math.max(known.newestStamp, stamp);
  }
}
