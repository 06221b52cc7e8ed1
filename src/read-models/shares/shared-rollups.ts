import type { ServiceCatalog } from '../../diagnostics/rollups.js';
import { DecodedRollups } from '../rollups/decoded-rollups.js';
import type { GridRollups, RollupPart, Rollups } from '../rollups/grid-rollups.js';
import { DEFAULT_ROLLUP_CACHE_BYTES, RollupReader } from '../rollups/rollup-reader.js';
import type { RollupMemory, StoredRun } from '../rollups/rollup-source.js';
import { MAX_STRETCHES } from '../rollups/stretch-index.js';
import type { ReadModelReader } from '../store.js';
import { readersByShare, remembered, type SharesOfGrids } from './readers-by-grid.js';

/** Stretches that a share may know at least: two hours of several large Grids. */
const LEAST_STRETCHES = 50_000;

/** Rollups of Grids that are shared out: each share is looked at by itself, when one of its Grids is asked about. All keep to one bound of memory. */
export class SharedRollups implements GridRollups {
  private readonly readers = new Map<number, RollupReader>();
  private readonly readerOfShare: (share: number) => ReadModelReader;
  private readonly shareOf: (gridId: string) => number;
  private readonly memory: RollupMemory;

  constructor(
    store: ReadModelReader,
    private readonly shares: SharesOfGrids,
    cacheBytes = DEFAULT_ROLLUP_CACHE_BYTES,
  ) {
    this.readerOfShare = readersByShare(store);
    this.shareOf = remembered(shares);
    this.memory = { decoded: new DecodedRollups(cacheBytes), maxStretches: Math.max(LEAST_STRETCHES, MAX_STRETCHES / shares.count) };
  }

  look(gridId: string): Promise<number> {
    return this.of(gridId).look();
  }

  lookAtGrids(gridIds: readonly string[]): Promise<void> {
    return this.lookAtShares([...new Set(gridIds.map(this.shareOf))]);
  }

  async lookAtShares(shares = this.allShares): Promise<void> {
    await Promise.all(shares.map((share) => this.ofShare(share).look()));
  }

  lastChange(gridId: string): number {
    return this.of(gridId).lastChange(gridId);
  }

  grids(shares = this.allShares): ReadonlySet<string> {
    return new Set(shares.flatMap((share) => [...this.ofShare(share).grids()]));
  }

  newestMinute(gridId: string): number | undefined {
    return this.of(gridId).newestMinute(gridId);
  }

  keptFromMs(gridId: string): number {
    return this.of(gridId).keptFromMs(gridId);
  }

  load<P extends RollupPart>(part: P, gridId: string, from: number, to: number, onlyService?: string): Promise<Rollups[P]> {
    return this.of(gridId).load(part, gridId, from, to, onlyService);
  }

  storedRuns(part: RollupPart, gridId: string, from: number, to: number, byHour: boolean): StoredRun[] {
    return this.of(gridId).storedRuns(part, gridId, from, to, byHour);
  }

  serviceCatalogs(gridId: string): Promise<readonly ServiceCatalog[]> {
    return this.of(gridId).serviceCatalogs(gridId);
  }

  private get allShares(): readonly number[] {
    return Array.from({ length: this.shares.count }, (_, share) => share);
  }

  private of(gridId: string): RollupReader {
    return this.ofShare(this.shareOf(gridId));
  }

  private ofShare(share: number): RollupReader {
    const known = this.readers.get(share) ?? new RollupReader(this.readerOfShare(share), this.memory);
    this.readers.set(share, known);
    return known;
  }
}

/** With one share, one reader of the store. */
export function rollupsByGrid(store: ReadModelReader, shares: SharesOfGrids): GridRollups {
  return shares.count === 1 ? new RollupReader(store) : new SharedRollups(store, shares);
}
