import type { ImpactFilter } from '../../diagnostics/root-cause/ranked-cause.js';
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

/** What was found of one harm, block by block: blocks never change, so it holds as long as the block lasts. */
interface Memo {
  readonly byBlock: WeakMap<SpanBlock, MatchingSpans>;
  bytes: number;
  /** False once it was forgotten; a count under way may still use it. */
  kept: boolean;
}

const US_PER_MS = 1000;
const NS_PER_US = 1000;
const DEFAULT_MEMO_BYTES = 48 * 1024 * 1024;
/** What a block costs in a memo beside its matches. */
const BLOCK_BYTES = 200;

/**
 * Counts the traces that a cause did harm to, exactly, from the blocks. What a block says is remembered, so that a count
 * that is taken every second reads only new blocks.
 */
export class ImpactedTraceCounter {
  /** By harm, the one that was asked for the longest ago first. */
  private readonly memos = new Map<string, Memo>();
  private bytes = 0;

  constructor(
    private readonly blocks: BlockSnapshotReader,
    private readonly maxBytes = DEFAULT_MEMO_BYTES,
  ) {}

  /** Spans count in the minute of their end, as in rollups. */
  count(
    gridId: string,
    { window, ...harm }: ImpactFilter,
    telling: SampleOrder,
    turn: TimeSlice,
  ): Promise<ImpactedTraceCount> {
    const [fromUs, toUs] = [window.fromMs * US_PER_MS, window.toMs * US_PER_MS];
    return retryOnCompaction(turn, async () => {
      const { blocks } = await this.blocks.readSpans(gridId, turn);
      const memo = this.memoFor(gridId, harm);
      const tally = new ImpactedTraceAccumulator(telling);
      for (const block of blocks) {
        await turn.yieldIfDue();
        if (mayEndWithin(block, fromUs, toUs)) tally.add(await this.matchBlock(block, harm, memo), fromUs, toUs);
      }
      this.evictLeastRecent();
      return { count: tally.count, sampleTraceIds: tally.sampleTraceIds() };
    });
  }

  private async matchBlock(block: SpanBlock, harm: ImpactCriteria, memo: Memo): Promise<MatchingSpans> {
    const known = memo.byBlock.get(block);
    if (known !== undefined) return known;
    const matches = await findMatchingSpans(block, harm);
    memo.byBlock.set(block, matches);
    if (!memo.kept) return matches;
    const bytes = BLOCK_BYTES + matches.size * MATCHING_SPAN_BYTES;
    memo.bytes += bytes;
    this.bytes += bytes;
    return matches;
  }

  private memoFor(gridId: string, harm: ImpactCriteria): Memo {
    const key = JSON.stringify([gridId, harm.service, harm.operation, harm.slowerThanNs]);
    const memo = this.memos.get(key) ?? { byBlock: new WeakMap<SpanBlock, MatchingSpans>(), bytes: 0, kept: true };
    this.memos.delete(key);
    this.memos.set(key, memo);
    return memo;
  }

  /** Blocks that were merged away take their matches with them, which nobody tells: a memo that grew too large starts anew. */
  private evictLeastRecent(): void {
    for (const [key, memo] of this.memos) {
      if (this.bytes <= this.maxBytes) return;
      this.memos.delete(key);
      this.bytes -= memo.bytes;
      memo.kept = false;
    }
  }
}

/** False when the summary alone tells that no span of the block ended in the window. Starts are rounded down to µs. */
function mayEndWithin({ document }: SpanBlock, fromUs: number, toUs: number): boolean {
  return document.minStartUs < toUs && document.maxStartUs + 1 + document.maxDurationNs / NS_PER_US >= fromUs;
}
