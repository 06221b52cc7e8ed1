import type { Timed } from '../../diagnostics/rollups.js';
import { activeVersion } from '../projections.js';
import type { RollupCollections } from '../rollups.js';
import type { ReadModelReader } from '../store.js';
import type { Decoding } from './decoded-rollups.js';
import { RollupSource, type RollupMemory, type StoredRun } from './rollup-source.js';

/** Rollups of one kind, of whichever version of their projection answers queries. */
export class CurrentRollups<T> {
  private version: number | undefined;
  private source: RollupSource<T> | undefined;

  constructor(
    private readonly store: ReadModelReader,
    private readonly projection: string,
    private readonly collections: (version: number) => RollupCollections,
    private readonly decoding: Decoding<T>,
    private readonly memory: RollupMemory,
  ) {}

  /** Takes in what was committed since the last look; answers the Grids concerned: all, where another version took over. */
  async look(): Promise<ReadonlySet<string> | 'all'> {
    const version = await activeVersion(this.store, this.projection);
    const isOther = version !== this.version;
    if (isOther) this.turnTo(version);
    const changed = (await this.source?.look()) ?? new Set<string>();
    return isOther ? 'all' : changed;
  }

  /** Rollups of from ≤ minute < to, ascending by minute and service. */
  async load(gridId: string, from: number, to: number, service?: string): Promise<Timed<T>[]> {
    return (await this.source?.load(gridId, from, to, service)) ?? [];
  }

  storedRuns(gridId: string, from: number, to: number, byHour: boolean): StoredRun[] {
    return this.source?.storedRuns(gridId, from, to, byHour) ?? [];
  }

  grids(): Iterable<string> {
    return this.source?.grids() ?? [];
  }

  newestMinute(gridId: string): number | undefined {
    return this.source?.newestMinute(gridId);
  }

  keptFromMs(gridId: string): number {
    return this.source?.keptFromMs(gridId) ?? 0;
  }

  /** Gives back what it holds in memory; the next look begins anew. */
  clear(): void {
    this.turnTo(undefined);
  }

  private turnTo(version: number | undefined): void {
    this.source?.clear();
    this.version = version;
    this.source = version === undefined ? undefined : new RollupSource(this.store, this.collections(version), this.decoding, this.memory);
  }
}
