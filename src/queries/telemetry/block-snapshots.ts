import { HindsightError } from '../../errors.js';
import { BlockCache, DEFAULT_CACHE_BYTES } from '../../read-models/blocks/block-cache.js';
import type { CachedBlock } from '../../read-models/blocks/cached-block.js';
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
import type { ReleasableCache } from '../../thread-memory.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { type TraceIdDictionary, TraceIdDictionaryCache } from '../traces/trace-id-dictionary.js';
import type { BlockLocation, BlockSummary } from '../../read-models/blocks/block.js';

/** Compaction may remove blocks while a query runs; after this many attempts the cause must be something else. */
const MAX_TRIES = 8;

/** Fractions of the cache size. */
const SPAN_CACHE_FRACTION = 0.65;
const LOG_CACHE_FRACTION = 0.2;
const TRACE_ID_CACHE_FRACTION = 0.15;

/** Takes snapshots of the blocks of the projection versions that are active when a query starts. */
export class BlockSnapshotReader {
  private readonly spanCache: BlockCache<SpanBlockDocument>;
  private readonly logCache: BlockCache<LogBlockDocument>;
  private readonly traceNumbers: TraceIdDictionaryCache;

  /** `onCache` is called with each cache. */
  constructor(
    private readonly getReader: ReaderForGrid,
    cacheBytes: number = DEFAULT_CACHE_BYTES,
    onCache: (cache: ReleasableCache) => void = () => undefined,
  ) {
    this.spanCache = new BlockCache(getReader, cacheBytes * SPAN_CACHE_FRACTION);
    this.logCache = new BlockCache(getReader, cacheBytes * LOG_CACHE_FRACTION);
    this.traceNumbers = new TraceIdDictionaryCache(cacheBytes * TRACE_ID_CACHE_FRACTION);
    [this.spanCache, this.logCache, this.traceNumbers].forEach(onCache);
  }

  /** Lends memory of the caches to large queries, in place of what was lent before. */
  lend(bytes: number): void {
    const perByte = bytes / (SPAN_CACHE_FRACTION + LOG_CACHE_FRACTION);
    this.spanCache.lend(perByte * SPAN_CACHE_FRACTION);
    this.logCache.lend(perByte * LOG_CACHE_FRACTION);
  }

  async readSpans(gridId: string, timeSlice: TimeSlice): Promise<SpanSnapshot> {
    const version = await readActiveVersion(this.getReader(gridId), TRACES_PROJECTION);
    const blocks = version === undefined ? [] : await this.spanCache.loadBlocks(spanCollections(version), gridId);
    return { blocks, timeSlice };
  }

  async readForTraceSearch(gridId: string, timeSlice: TimeSlice): Promise<TraceSearchSnapshot> {
    const version = await readActiveVersion(this.getReader(gridId), TRACES_PROJECTION);
    const traces = this.traceNumbers.get(`${version ?? 0}/${gridId}`);
    return { ...(await this.readSpans(gridId, timeSlice)), traces };
  }

  async readLogs(gridId: string, timeSlice: TimeSlice): Promise<LogSnapshot> {
    const version = await readActiveVersion(this.getReader(gridId), LOGS_PROJECTION);
    const blocks = version === undefined ? [] : await this.logCache.loadBlocks(logCollections(version), gridId);
    return { blocks, timeSlice };
  }
}

/**
 * Runs a query, and retries it with a new snapshot when compaction has removed a block. Each retry uses longer
 * slices, so that it eventually finishes between two compactions.
 */
export async function retryOnCompaction<T>(timeSlice: TimeSlice, query: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await query();
    } catch (error) {
      if (!isBlockGone(error)) throw error;
      if (attempt === MAX_TRIES)
        throw new HindsightError(
          'unavailable',
          'The read models changed during each attempt to read them. Retry later.',
          [],
          {
            cause: error,
          },
        );
      timeSlice.doubleLength();
    }
  }
}

function isBlockGone(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'block-gone';
}

/** The blocks of a Grid at the start of a query, and the query's time slice. */
interface BlockSnapshot<Document extends BlockSummary & BlockLocation> {
  readonly blocks: readonly CachedBlock<Document>[];
  readonly timeSlice: TimeSlice;
}

export type SpanSnapshot = BlockSnapshot<SpanBlockDocument>;
export type LogSnapshot = BlockSnapshot<LogBlockDocument>;

/** The span blocks of a Grid, and the dictionary of their trace ids. */
export interface TraceSearchSnapshot extends SpanSnapshot {
  readonly traces: TraceIdDictionary;
}
