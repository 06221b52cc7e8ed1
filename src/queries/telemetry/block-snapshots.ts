import { HindsightError } from '../../errors.js';
import { BlockCache, DEFAULT_CACHE_BYTES } from '../../read-models/blocks/block-cache.js';
import {
  type LogBlockDocument,
  logCollections,
  LOGS_PROJECTION,
  type SpanBlockDocument,
  spanCollections,
  TRACES_PROJECTION,
} from '../../read-models/documents/block-documents.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { type TraceIdDictionary, TraceIdDictionaryCache } from '../traces/trace-id-dictionary.js';
import type { BlockLocation, BlockSummary } from '../../read-models/blocks/block.js';
import type { CachedBlock } from '../../read-models/blocks/cached-block.js';

/** Merges may take blocks away while a query runs; after so many tries something else is wrong. */
const MAX_TRIES = 8;

/** Shares of the cache. */
const SPAN_CACHE_FRACTION = 0.65;
const LOG_CACHE_FRACTION = 0.2;
const TRACE_ID_CACHE_FRACTION = 0.15;

/** The blocks that queries run over: those of the projection versions that are active when a query starts. */
export class BlockSnapshotReader {
  private readonly spanCache: BlockCache<SpanBlockDocument>;
  private readonly logCache: BlockCache<LogBlockDocument>;
  private readonly traceNumbers: TraceIdDictionaryCache;

  constructor(
    private readonly readerOf: ReaderForGrid,
    cacheBytes: number = DEFAULT_CACHE_BYTES,
  ) {
    this.spanCache = new BlockCache(readerOf, cacheBytes * SPAN_CACHE_FRACTION);
    this.logCache = new BlockCache(readerOf, cacheBytes * LOG_CACHE_FRACTION);
    this.traceNumbers = new TraceIdDictionaryCache(cacheBytes * TRACE_ID_CACHE_FRACTION);
  }

  async readSpans(gridId: string, turn: TimeSlice): Promise<SpanSnapshot> {
    const version = await readActiveVersion(this.readerOf(gridId), TRACES_PROJECTION);
    const blocks = version === undefined ? [] : await this.spanCache.loadBlocks(spanCollections(version), gridId);
    return { blocks, turn };
  }

  async readForTraceSearch(gridId: string, turn: TimeSlice): Promise<TraceSearchSnapshot> {
    const version = await readActiveVersion(this.readerOf(gridId), TRACES_PROJECTION);
    const traces = this.traceNumbers.get(`${version ?? 0}/${gridId}`);
    return { ...(await this.readSpans(gridId, turn)), traces };
  }

  async readLogs(gridId: string, turn: TimeSlice): Promise<LogSnapshot> {
    const version = await readActiveVersion(this.readerOf(gridId), LOGS_PROJECTION);
    const blocks = version === undefined ? [] : await this.logCache.loadBlocks(logCollections(version), gridId);
    return { blocks, turn };
  }
}

/**
 * Runs a query, and again with a fresh look at the blocks when one of them went away meanwhile: each time with longer
 * slices, so that it gets through between two merges at last.
 */
export async function retryOnCompaction<T>(turn: TimeSlice, query: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await query();
    } catch (error) {
      if (!isBlockGone(error)) throw error;
      if (tries === MAX_TRIES)
        throw new HindsightError('unavailable', 'the read models change faster than they can be read', [], {
          cause: error,
        });
      turn.doubleLength();
    }
  }
}

function isBlockGone(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'block-gone';
}

/** The blocks of a Grid as one question found them, and its turn on the thread. */
interface BlockSnapshot<Document extends BlockSummary & BlockLocation> {
  readonly blocks: readonly CachedBlock<Document>[];
  readonly turn: TimeSlice;
}

export type SpanSnapshot = BlockSnapshot<SpanBlockDocument>;
export type LogSnapshot = BlockSnapshot<LogBlockDocument>;

/** The blocks of a Grid, and the numbers of their traces as far as they are known. */
export interface TraceSearchSnapshot extends SpanSnapshot {
  readonly traces: TraceIdDictionary;
}
