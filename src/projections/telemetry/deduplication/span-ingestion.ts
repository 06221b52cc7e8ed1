import { setImmediate } from 'node:timers/promises';
import type { SpanBlockSummary } from '../../../read-models/documents/block-documents.js';
import type { ReadModelReader } from '../../../read-models/read-model-store.js';
import type { SpanColumns } from '../../../telemetry/columns/span-batch-columns.js';
import type { SpanRows, SpanSource } from '../../../read-models/blocks/span-block-codec.js';
import { BlockCompactor, type BlockMetadata } from '../blocks/block-compactor.js';
import { spanBlockFormat } from '../blocks/block-format.js';
import { RecentSpans } from './recent-spans.js';
import type { CountedRequest } from './request-journal.js';
import type { TelemetryBatch, EventRows } from '../telemetry-batch.js';
import { ArchivedBlockIndex } from './archived-block-index.js';
import { SpanDeduplicator } from './span-deduplicator.js';
import { StoredSpanLookup } from './stored-span-lookup.js';

/** An event whose spans are being restored. */
interface RestoredEvent {
  /** Its number in RecentSpans. */
  readonly event: number;
  readonly recordedAt: number;
  /** Spans counted before the event. */
  readonly counted: number;
  /** Spans of the event found so far. */
  found: number;
}

/** Events of a Grid, by revision. */
type RestoredEvents = ReadonlyMap<number, RestoredEvent>;

/** Receives the spans within the horizon when the projector starts, in no particular order. */
export interface RecentSpansObserver {
  /** Discards all state; `counted` spans may follow. */
  clear(counted: number): void;
  /** Starts a Grid; spans that started before `floorUs` have expired. */
  beginGrid(gridId: string, seed: number, floorUs: number): Promise<void>;
  /** Adds the span of a row, whose key is the current one in RecentSpans. */
  addRestored(rows: SpanRows, row: number, number: number, event: Pick<RestoredEvent, 'recordedAt' | 'counted'>): void;
  /** All spans have been added. */
  complete(): Promise<void>;
}

/** Admits decoded spans: drops those that are already stored in blocks, and the rest once. */
export class SpanIngestion {
  readonly blocks: BlockCompactor<SpanSource, SpanBlockSummary>;
  readonly recent: RecentSpans;
  private readonly archivedBlocks = new ArchivedBlockIndex();
  private readonly storedSpans: StoredSpanLookup;
  private readonly deduplicator: SpanDeduplicator;

  /**
   * `horizon`: spans that are remembered by identity alone, see RecentSpans. `memory`: fraction of the default cache
   * sizes.
   */
  constructor(version: number, store: ReadModelReader, horizon?: number, memory = 1) {
    const format = spanBlockFormat(version);
    this.recent = new RecentSpans(horizon);
    this.storedSpans = new StoredSpanLookup(format.blocks, store, memory);
    this.blocks = new BlockCompactor(format, store, this.archivedBlocks, memory);
    this.deduplicator = new SpanDeduplicator(this.recent, this.archivedBlocks, this.storedSpans);
  }

  /** Restores the state from `requests`, the content of the journal in log order, and from stored blocks. */
  async restore(requests: readonly CountedRequest[], observer?: RecentSpansObserver): Promise<void> {
    this.recent.clear();
    this.archivedBlocks.clear();
    const grids = this.numberEvents(requests);
    observer?.clear(this.recent.total);
    await this.blocks.restore((gridId, revision) => grids.get(gridId)?.get(revision)?.event ?? -1);
    for (const [gridId, events] of grids) await this.restoreGrid(gridId, events, observer);
    await observer?.complete();
  }

  /** Only between two batches. */
  releaseMemory(): void {
    this.recent.releaseMemory();
  }

  /** Seed that keeps the ids of different Grids apart. */
  gridSeed(gridId: string): number {
    return this.deduplicator.gridSeed(gridId);
  }

  async admitSpans(columns: SpanColumns, eventRows: readonly EventRows[]): Promise<TelemetryBatch<SpanColumns>> {
    const floorUs = (gridId: string): number => this.blocks.expiredBeforeUs(gridId);
    return {
      columns,
      eventRows,
      floorUs,
      rows: await this.deduplicator.selectNewRows(columns, eventRows, floorUs),
    };
  }

  /** Numbers the newest events, as many as can still affect the decision about a repetition. */
  private numberEvents(requests: readonly CountedRequest[]): Map<string, Map<number, RestoredEvent>> {
    let first = requests.length;
    for (let spans = 0; first > 0 && this.recent.remembers(spans + requests[first - 1].spans); first--)
      spans += requests[first - 1].spans;
    this.recent.reserve(requests.slice(first).reduce((sum, { spans }) => sum + spans, 0));
    const grids = new Map<string, Map<number, RestoredEvent>>();
    for (const { gridId, revision, recordedAt, spans } of requests.slice(first)) {
      if (spans === 0) continue;
      const counted = this.recent.total;
      const events = grids.get(gridId) ?? new Map<number, RestoredEvent>();
      grids.set(
        gridId,
        events.set(revision, { event: this.recent.restoreEvent(recordedAt, spans), recordedAt, counted, found: 0 }),
      );
    }
    return grids;
  }

  private async restoreGrid(gridId: string, events: RestoredEvents, observer?: RecentSpansObserver): Promise<void> {
    const oldest = Math.min(...events.keys());
    const seed = this.deduplicator.gridSeed(gridId);
    await observer?.beginGrid(gridId, seed, this.blocks.expiredBeforeUs(gridId));
    for (const block of this.blocks.listBlocks(gridId)) {
      if (block.maxRevision < oldest) continue;
      await this.restoreBlock(block, events, seed, observer);
      await setImmediate(); // health checks are answered during the restore
    }
  }

  private async restoreBlock(
    block: BlockMetadata,
    events: RestoredEvents,
    seed: number,
    observer?: RecentSpansObserver,
  ): Promise<void> {
    const rows = await this.storedSpans.loadRows(block);
    this.recent.setColumns(rows);
    for (let row = 0; row < block.rows; row++) {
      const event = events.get(rows.revision[row]);
      if (event === undefined) continue;
      const number = event.counted + event.found++;
      this.recent.insert(rows, row, seed, event.event, number);
      observer?.addRestored(rows, row, number, event);
    }
  }
}
