import { HindsightError } from '../errors.js';
import { BlockCache, DEFAULT_CACHE_BYTES } from '../read-models/blocks/block-cache.js';
import { logCollections, LOGS_PROJECTION, type LogBlockDocument } from '../read-models/logs.js';
import { activeVersion } from '../read-models/projections.js';
import { spanCollections, TRACES_PROJECTION, type SpanBlockDocument } from '../read-models/spans.js';
import type { ReaderOf } from '../read-models/shares/readers-by-grid.js';
import type { Turn } from './giving-way.js';
import type { LogSnapshot, SpanSnapshot } from './snapshot.js';
import type { SpanSearch } from './spans/span-search.js';
import { RecentTraceNumbers } from './spans/trace-numbers.js';

/** Merges may take blocks away while a query runs; after so many tries something else is wrong. */
const MAX_TRIES = 8;

/** Shares of the cache. */
const SPANS_SHARE = 0.65;
const LOGS_SHARE = 0.2;
const TRACE_NUMBERS_SHARE = 0.15;

/** The blocks that queries run over: those of the projection versions that are active when a query starts. */
export class TelemetryBlocks {
  private readonly spanCache: BlockCache<SpanBlockDocument>;
  private readonly logCache: BlockCache<LogBlockDocument>;
  private readonly traceNumbers: RecentTraceNumbers;

  constructor(
    private readonly readerOf: ReaderOf,
    cacheBytes: number = DEFAULT_CACHE_BYTES,
  ) {
    this.spanCache = new BlockCache(readerOf, cacheBytes * SPANS_SHARE);
    this.logCache = new BlockCache(readerOf, cacheBytes * LOGS_SHARE);
    this.traceNumbers = new RecentTraceNumbers(cacheBytes * TRACE_NUMBERS_SHARE);
  }

  async spans(gridId: string, turn: Turn): Promise<SpanSnapshot> {
    const version = await activeVersion(this.readerOf(gridId), TRACES_PROJECTION);
    const blocks = version === undefined ? [] : await this.spanCache.blocks(spanCollections(version), gridId);
    return { blocks, turn };
  }

  async spanSearch(gridId: string, turn: Turn): Promise<SpanSearch> {
    const version = await activeVersion(this.readerOf(gridId), TRACES_PROJECTION);
    const traces = this.traceNumbers.of(`${version ?? 0}/${gridId}`);
    return { ...(await this.spans(gridId, turn)), traces };
  }

  async logs(gridId: string, turn: Turn): Promise<LogSnapshot> {
    const version = await activeVersion(this.readerOf(gridId), LOGS_PROJECTION);
    const blocks = version === undefined ? [] : await this.logCache.blocks(logCollections(version), gridId);
    return { blocks, turn };
  }
}

/**
 * Runs a query, and again with a fresh look at the blocks when one of them went away meanwhile: each time with longer
 * slices, so that it gets through between two merges at last.
 */
export async function retryWhenBlocksMove<T>(turn: Turn, query: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await query();
    } catch (error) {
      if (!isBlockGone(error)) throw error;
      if (tries === MAX_TRIES) throw new HindsightError('unavailable', 'the read models change faster than they can be read', [], { cause: error });
      turn.hurry();
    }
  }
}

function isBlockGone(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'block-gone';
}
