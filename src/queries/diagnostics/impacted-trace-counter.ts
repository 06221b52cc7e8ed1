import type { ImpactFilter } from '../../diagnostics/root-cause/diagnose.js';
import type { ReleasableCache } from '../../thread-memory.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import type { SpanBlock } from '../traces/span-conditions.js';
import { retryOnCompaction, type BlockSnapshotReader } from '../telemetry/block-snapshots.js';
import {
  findMatchingSpans,
  type ImpactCriteria,
  ImpactedTraceAccumulator,
  MATCHING_SPAN_BYTES,
  type MatchingSpans,
  type SampleOrder,
} from './impacted-trace-accumulator.js';

export interface ImpactedTraceCount {
  readonly count: number;
  readonly sampleTraceIds: readonly string[];
}

/** Matches of one filter by block. Blocks are immutable, so the matches stay valid as long as the block exists. */
interface Memo {
  readonly byBlock: WeakMap<SpanBlock, MatchingSpans>;
  bytes: number;
  /** False after eviction; running counts may still use the memo. */
  cached: boolean;
  /** Number of the count that last used it. */
  usedAt: number;
}

const US_PER_MS = 1000;
const NS_PER_US = 1000;
const DEFAULT_MEMO_BYTES = 48 * 1024 * 1024;
/** Overhead per block in a memo, beside its matches. */
const BLOCK_BYTES = 200;
/** Overhead of a memo, beside its blocks and its filter. */
const MEMO_BYTES = 500;

/**
 * Counts the traces affected by a cause exactly, from span blocks. Matches are memoized per block, so that a count
 * that is repeated every second reads only new blocks.
 */
export class ImpactedTraceCounter implements ReleasableCache {
  /** By filter, least recently used first. */
  private readonly memos = new Map<string, Memo>();
  private bytes = 0;
  /** Number of counts so far, and at the last release. */
  private counts = 0;
  private releasedAt = 0;

  constructor(
    private readonly blocks: BlockSnapshotReader,
    private readonly maxBytes = DEFAULT_MEMO_BYTES,
  ) {}

  get size(): number {
    return this.bytes;
  }

  /** A span belongs to the minute of its end, as in rollups. */
  count(
    gridId: string,
    { window, ...criteria }: ImpactFilter,
    order: SampleOrder,
    timeSlice: TimeSlice,
  ): Promise<ImpactedTraceCount> {
    const [fromUs, toUs] = [window.fromMs * US_PER_MS, window.toMs * US_PER_MS];
    return retryOnCompaction(timeSlice, async () => {
      const { blocks } = await this.blocks.readSpans(gridId, timeSlice);
      const memo = this.getMemo(gridId, criteria);
      const accumulator = new ImpactedTraceAccumulator(order);
      for (const block of blocks) {
        await timeSlice.yieldIfDue();
        if (mayEndWithin(block, fromUs, toUs))
          accumulator.add(await this.matchBlock(block, criteria, memo), fromUs, toUs);
      }
      this.shrinkTo(this.maxBytes);
      return { count: accumulator.count, sampleTraceIds: accumulator.sampleTraceIds() };
    });
  }

  private async matchBlock(block: SpanBlock, criteria: ImpactCriteria, memo: Memo): Promise<MatchingSpans> {
    const known = memo.byBlock.get(block);
    if (known !== undefined) return known;
    const matches = await findMatchingSpans(block, criteria);
    memo.byBlock.set(block, matches);
    if (!memo.cached) return matches;
    const bytes = BLOCK_BYTES + matches.size * MATCHING_SPAN_BYTES;
    memo.bytes += bytes;
    this.bytes += bytes;
    return matches;
  }

  private getMemo(gridId: string, criteria: ImpactCriteria): Memo {
    const key = JSON.stringify([gridId, criteria.service, criteria.operation, criteria.slowerThanNs]);
    const memo = this.memos.get(key) ?? this.createMemo(key);
    memo.usedAt = ++this.counts;
    this.memos.delete(key);
    this.memos.set(key, memo);
    return memo;
  }

  /** The slowness that a filter looks for changes every minute: memos of filters without any matches count as well. */
  private createMemo(key: string): Memo {
    const bytes = MEMO_BYTES + key.length;
    this.bytes += bytes;
    return { byBlock: new WeakMap(), bytes, cached: true, usedAt: 0 };
  }

  /**
   * The matches of compacted blocks are garbage collected without notice, so `bytes` is an upper bound; a memo that
   * exceeds the limit is discarded as a whole.
   */
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
    this.releasedAt = this.counts;
  }

  private dropMemo(key: string, memo: Memo): void {
    this.memos.delete(key);
    this.bytes -= memo.bytes;
    memo.cached = false;
  }
}

/** False if the block summary shows that no span ended in the window. Starts are rounded down to µs. */
function mayEndWithin({ document }: SpanBlock, fromUs: number, toUs: number): boolean {
  return document.minStartUs < toUs && document.maxStartUs + 1 + document.maxDurationNs / NS_PER_US >= fromUs;
}
