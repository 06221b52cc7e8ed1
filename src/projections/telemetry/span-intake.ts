import type { SpanBlockSummary } from '../../read-models/spans.js';
import type { ReadModelReader } from '../../read-models/store.js';
import type { SpanColumns } from '../../telemetry/span-columns.js';
import { BlockShelves, type ShelvedBlock } from './block-shelves.js';
import { spanBlockFormat } from './block-format.js';
import { RecentSpans } from './recent-spans.js';
import type { CountedRequest } from './request-journal.js';
import type { Portion, Section } from './sections.js';
import { SpanArchive } from './span-archive.js';
import { StoredSpans } from './span-lookup.js';
import { SpanSieve } from './span-sieve.js';

/** Numbers of a Grid's events in RecentSpans, by revision. */
type EventNumbers = ReadonlyMap<number, number>;

/** Takes in decoded spans: knows which ones stand in the blocks, and lets the others through once. */
export class SpanIntake {
  readonly shelves: BlockShelves<SpanColumns, SpanBlockSummary>;
  private readonly recent: RecentSpans;
  private readonly archive = new SpanArchive();
  private readonly stored: StoredSpans;
  private readonly sieve: SpanSieve;

  /** `horizon`: spans that are remembered by identity alone, see RecentSpans. */
  constructor(version: number, store: ReadModelReader, horizon?: number) {
    const format = spanBlockFormat(version);
    this.recent = new RecentSpans(horizon);
    this.stored = new StoredSpans(format.blocks, store);
    this.shelves = new BlockShelves(format, store, this.archive);
    this.sieve = new SpanSieve(this.recent, this.archive, this.stored);
  }

  /** `requests`: what the journal holds, in the order of the log. */
  async restore(requests: readonly CountedRequest[]): Promise<void> {
    this.recent.clear();
    this.archive.clear();
    const numbers = this.numberEvents(requests);
    await this.shelves.restore((gridId, revision) => numbers.get(gridId)?.get(revision) ?? -1);
    for (const [gridId, events] of numbers) await this.restoreGrid(gridId, events);
  }

  async take(columns: SpanColumns, sections: readonly Section[]): Promise<Portion<SpanColumns>> {
    const floorUs = (gridId: string): number => this.shelves.expiredBeforeUs(gridId);
    return { columns, sections, floorUs, rows: await this.sieve.sift(columns, sections, floorUs) };
  }

  /** Begins the newest events, as many as can still decide about a repetition. */
  private numberEvents(requests: readonly CountedRequest[]): Map<string, Map<number, number>> {
    let first = requests.length;
    for (let spans = 0; first > 0 && this.recent.reaches(spans + requests[first - 1].spans); first--) spans += requests[first - 1].spans;
    const numbers = new Map<string, Map<number, number>>();
    for (const { gridId, revision, recordedAt, spans } of requests.slice(first)) {
      if (spans === 0) continue;
      const events = numbers.get(gridId) ?? new Map<number, number>();
      numbers.set(gridId, events.set(revision, this.recent.restoreEvent(recordedAt, spans)));
    }
    return numbers;
  }

  private async restoreGrid(gridId: string, events: EventNumbers): Promise<void> {
    const oldest = Math.min(...events.keys());
    const seed = this.sieve.seedOf(gridId);
    for (const block of this.shelves.blocksOf(gridId)) if (block.maxRevision >= oldest) await this.restoreBlock(block, events, seed);
  }

  private async restoreBlock(block: ShelvedBlock, events: EventNumbers, seed: number): Promise<void> {
    const ids = await this.stored.idsOf(block);
    this.recent.read(ids);
    for (let row = 0; row < ids.rows; row++) {
      const event = events.get(ids.revision[row]);
      if (event !== undefined) this.recent.insert(ids, row, seed, event);
    }
  }
}
