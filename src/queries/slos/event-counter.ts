import { MinuteCounts } from '../../diagnostics/slos/minute-counts.js';
import { formatIndicator, type Indicator } from '../../diagnostics/slos/slo-model.js';
import { compareText } from '../../diagnostics/text-order.js';
import { MINUTE_MS, type TimeWindow } from '../../diagnostics/time-windows.js';
import type { ReleasableCache } from '../../thread-memory.js';
import type { TelemetryBodyReader } from '../../telemetry/telemetry-body-reader.js';
import type { BatchContext } from '../query/columns/block-batch.js';
import { ResourceAttributeCache } from '../query/columns/resource-attributes.js';
import { StoredRecords } from '../query/columns/stored-records.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { retryOnCompaction, type BlockSnapshotReader } from '../telemetry/block-snapshots.js';
import { type BlockCounts, COUNTS_MINUTE_BYTES } from './block-counts.js';
import { countLogs, countSpans, type LogBlock, type SpanBlock } from './indicator-counting.js';

const US_PER_MS = 1e3;
const NS_PER_US = 1e3;
/** Overhead of the counts of a block, and of a memo beside its text. */
const COUNTS_BYTES = 250;
const MEMO_BYTES = 500;
/** In place of a window: all events. */
export const ALL_TIME: TimeWindow = { fromMs: -Infinity, toMs: Infinity };

/** What to count of an indicator. */
export interface CountRequest {
  readonly gridId: string;
  readonly indicator: Indicator;
  /** Minutes of the events. */
  readonly window: TimeWindow;
  /** Only telemetry with a higher revision counts; −1: all. */
  readonly after: number;
}

export interface CountedEvents {
  readonly minutes: MinuteCounts;
  /** All telemetry up to this revision was seen; −1 without any. */
  readonly through: number;
}

type Block = SpanBlock | LogBlock;

/** Tallies of one indicator by block, of all rows or of those above a revision. Blocks are immutable. */
interface Memo {
  readonly whole: WeakMap<Block, BlockCounts>;
  readonly parts: WeakMap<Block, { readonly after: number; readonly counts: BlockCounts }>;
  bytes: number;
  /** False after eviction; running counts may still use the memo. */
  cached: boolean;
  usedAt: number;
}

/**
 * Counts the events of indicators exactly, from blocks of spans and logs. The counts of each block are kept, so that a
 * count that is repeated reads only new blocks: late telemetry is in blocks that are new.
 */
export class EventCounter implements ReleasableCache {
  /** By Grid and indicator, least recently used first. */
  private readonly memos = new Map<string, Memo>();
  private readonly resources = new ResourceAttributeCache();
  private bytes = 0;
  private uses = 0;
  private releasedAt = 0;

  constructor(
    private readonly blocks: BlockSnapshotReader,
    private readonly bodies: TelemetryBodyReader,
    private readonly maxBytes: number,
  ) {}

  get size(): number {
    return this.bytes;
  }

  async count(request: CountRequest, timeSlice: TimeSlice): Promise<CountedEvents> {
    const { gridId, indicator } = request;
    return retryOnCompaction(timeSlice, async () => {
      const context = { records: new StoredRecords(this.bodies, gridId, timeSlice), resources: this.resources };
      const memo = this.getMemo(gridId, indicator);
      const counted =
        indicator.signal === 'logs'
          ? await this.countBlocks(request, memo, (await this.blocks.readLogs(gridId, timeSlice)).blocks, {
              context,
              timeRangeUs: ({ document }) => [document.minTimeUs, document.maxTimeUs],
              countBlock: countLogs,
            })
          : await this.countBlocks(request, memo, (await this.blocks.readSpans(gridId, timeSlice)).blocks, {
              context,
              // Starts are rounded down to µs.
              timeRangeUs: ({ document: { minStartUs, maxStartUs, maxDurationNs } }) => [
                minStartUs,
                maxStartUs + 1 + maxDurationNs / NS_PER_US,
              ],
              countBlock: countSpans,
            });
      this.shrinkTo(this.maxBytes);
      return counted;
    });
  }

  /** Services of a Grid with their spans, busiest first. */
  async listServices(gridId: string, timeSlice: TimeSlice): Promise<readonly string[]> {
    const rows = new Map<string, number>();
    for (const { document } of (await this.blocks.readSpans(gridId, timeSlice)).blocks) {
      await timeSlice.yieldIfDue();
      for (const [name, count] of document.services) rows.set(name, (rows.get(name) ?? 0) + count);
    }
    return [...rows].sort(([a, x], [b, y]) => y - x || compareText(a, b)).map(([name]) => name);
  }

  private async countBlocks<B extends Block>(
    { indicator, window, after }: CountRequest,
    memo: Memo,
    blocks: readonly B[],
    signal: {
      readonly context: BatchContext;
      /** Earliest and latest time (µs) that an event of the block can have. */
      readonly timeRangeUs: (block: B) => readonly [number, number];
      readonly countBlock: (
        block: B,
        indicator: Indicator,
        after: number,
        context: BatchContext,
      ) => Promise<BlockCounts>;
    },
  ): Promise<CountedEvents> {
    const minutes = new MinuteCounts();
    const [fromMinute, toMinute] = [window.fromMs / MINUTE_MS, window.toMs / MINUTE_MS];
    let through = -1;
    for (const block of blocks) {
      await signal.context.records.timeSlice.yieldIfDue();
      const { minRevision, maxRevision } = block.document;
      through = Math.max(through, maxRevision);
      const [firstUs, lastUs] = signal.timeRangeUs(block);
      if (maxRevision <= after || firstUs >= window.toMs * US_PER_MS || lastUs < window.fromMs * US_PER_MS) continue;
      const part = minRevision > after ? -1 : after;
      addCounts(
        await this.countOnce(memo, block, part, () => signal.countBlock(block, indicator, part, signal.context)),
        minutes,
        fromMinute,
        toMinute,
      );
    }
    return { minutes, through };
  }

  private async countOnce(
    memo: Memo,
    block: Block,
    after: number,
    count: () => Promise<BlockCounts>,
  ): Promise<BlockCounts> {
    const known = after === -1 ? memo.whole.get(block) : memo.parts.get(block);
    if (known !== undefined && (!('after' in known) || known.after === after))
      return 'after' in known ? known.counts : known;
    const counts = await count();
    if (after === -1) memo.whole.set(block, counts);
    else memo.parts.set(block, { after, counts });
    if (memo.cached) this.addBytes(memo, COUNTS_BYTES + counts.minutes.length * COUNTS_MINUTE_BYTES);
    return counts;
  }

  private getMemo(gridId: string, indicator: Indicator): Memo {
    const key = `${gridId}/${formatIndicator(indicator)}`;
    const known = this.memos.get(key);
    const memo = known ?? { whole: new WeakMap(), parts: new WeakMap(), bytes: 0, cached: true, usedAt: 0 };
    if (known === undefined) this.addBytes(memo, MEMO_BYTES + key.length);
    memo.usedAt = ++this.uses;
    this.memos.delete(key);
    this.memos.set(key, memo);
    return memo;
  }

  private addBytes(memo: Memo, bytes: number): void {
    memo.bytes += bytes;
    this.bytes += bytes;
  }

  /** Tallies of merged blocks are garbage collected without notice, so `bytes` is an upper bound. */
  shrinkTo(bytes: number): void {
    for (const [key, memo] of this.memos) {
      if (this.bytes <= bytes) return;
      this.dropMemo(key, memo);
    }
  }

  releaseUnused(): void {
    for (const [key, memo] of this.memos) {
      if (memo.usedAt > this.releasedAt) break;
      this.dropMemo(key, memo);
    }
    this.releasedAt = this.uses;
  }

  private dropMemo(key: string, memo: Memo): void {
    this.memos.delete(key);
    this.bytes -= memo.bytes;
    memo.cached = false;
  }
}

function addCounts(counts: BlockCounts, minutes: MinuteCounts, fromMinute: number, toMinute: number): void {
  for (let i = 0; i < counts.minutes.length; i++) {
    const minute = counts.minutes[i];
    if (minute >= fromMinute && minute < toMinute) minutes.add(minute, counts.good[i], counts.total[i]);
  }
}
