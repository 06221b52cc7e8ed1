import type { TelemetryQueries } from '../../../../../src/queries/telemetry/telemetry-query-types.js';
import {
  createTelemetryQueries,
  type TelemetryQueryOptions,
} from '../../../../../src/queries/telemetry/telemetry-queries.js';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import {
  blockId,
  type BlockLocation,
  type BlockSummary,
  type EncodedBlock,
  type StoredBlock,
} from '../../../../../src/read-models/blocks/block.js';
import { allRows } from '../../../../../src/read-models/blocks/column-operations.js';
import { encodeLogBlock } from '../../../../../src/read-models/blocks/log-block-codec.js';
import { mergeLogBlocks, mergeSpanBlocks } from '../../../../../src/read-models/blocks/block-merge.js';
import { encodeSpanBlock } from '../../../../../src/read-models/blocks/span-block-codec.js';
import { toFormerLogBlock } from '../../../read-models/blocks/support/former-words.js';
import type { TelemetryBodyReader } from '../../../../../src/telemetry/telemetry-body-reader.js';
import {
  type LogBlockSummary,
  logCollections,
  LOGS_PROJECTION,
  type SpanBlockSummary,
  spanCollections,
  TRACES_PROJECTION,
} from '../../../../../src/read-models/documents/block-documents.js';
import { PROJECTIONS } from '../../../../../src/read-models/documents/projection-documents.js';
import type { DocumentChange, Collection } from '../../../../../src/read-models/read-model-store.js';
import { createLogColumns } from '../../../../../src/telemetry/columns/log-batch-columns.js';
import { decodeLogs } from '../../../../../src/telemetry/otlp/decoding/log-decoder.js';
import { decodeSpans } from '../../../../../src/telemetry/otlp/decoding/span-decoder.js';
import { createSpanColumns } from '../../../../../src/telemetry/columns/span-batch-columns.js';
import { logRequest, traceRequest, type GivenLog, type GivenSpan } from './requests.js';

export const GRID = '3f2b8c54-93a1-4b0e-8a51-0d4f6f7c2e10';

/** Blocks of one kind, staged and stored. */
class BlockStaging<Summary extends BlockSummary> {
  readonly blocks = new Map<number, StoredBlock<Summary & BlockLocation>>();
  private nextSeq = 1;

  constructor(
    private readonly collection: Collection<Summary & BlockLocation>,
    private readonly merged: (
      blocks: readonly StoredBlock<Summary & BlockLocation>[],
      keep?: { fromUs: number },
    ) => EncodedBlock<Summary> | undefined,
  ) {}

  put({ document: summary, blobs }: EncodedBlock<Summary>): DocumentChange {
    const document = { ...summary, gridId: GRID, seq: this.nextSeq++ };
    this.blocks.set(document.seq, { document, blobs });
    return { kind: 'put', collection: this.collection, id: blockId(GRID, document.seq), document, blobs };
  }

  merge(seqs: readonly number[], keep?: { fromUs: number }): DocumentChange[] {
    const sources = seqs.map((seq) => this.blocks.get(seq)!);
    const merged = this.merged(sources, keep);
    const changes = seqs.map((seq) => this.remove(seq));
    if (merged !== undefined) changes.push(this.put(merged));
    return changes;
  }

  remove(seq: number): DocumentChange {
    this.blocks.delete(seq);
    return { kind: 'delete', collection: this.collection, id: blockId(GRID, seq) };
  }
}

const UNLIMITED_MS = 60 * 60_000;

/** Telemetry of one Grid in a memory store: requests are decoded as in the projector, bodies stay readable. */
export class TelemetryWorld {
  readonly store = new MemoryReadModelStore();
  readonly spanCollections = spanCollections(1);
  readonly logCollections = logCollections(1);
  readonly spanShelf = new BlockStaging<SpanBlockSummary>(this.spanCollections.blocks, mergeSpanBlocks);
  readonly logShelf = new BlockStaging<LogBlockSummary>(this.logCollections.blocks, mergeLogBlocks);
  readonly requests: Uint8Array[] = [];
  /** Every body that was read, by revision. */
  readonly reads: number[] = [];

  /** Log records are stored as versions before 4 of their projection did. */
  writesFormerLogBlocks = false;

  /** Revisions whose events are damaged. */
  readonly damaged = new Set<number>();

  readonly bodies: TelemetryBodyReader = {
    body: (gridId, revision) => {
      this.reads.push(revision);
      if (this.damaged.has(revision)) return Promise.resolve('damaged');
      return Promise.resolve(gridId === GRID ? this.requests[revision] : undefined);
    },
  };

  static async empty(): Promise<TelemetryWorld> {
    const world = new TelemetryWorld();
    await world.commit([
      { kind: 'put', collection: PROJECTIONS, id: TRACES_PROJECTION, document: { active: 1 } },
      { kind: 'put', collection: PROJECTIONS, id: LOGS_PROJECTION, document: { active: 1 } },
    ]);
    return world;
  }

  /** Without the usual time limit, which a busy machine may exceed. */
  queries(options?: TelemetryQueryOptions): TelemetryQueries {
    return createTelemetryQueries(this.store, this.bodies, { timeoutMs: UNLIMITED_MS, ...options });
  }

  /** One request and one block with these spans. */
  async addSpans(spans: readonly GivenSpan[]): Promise<void> {
    if (spans.length > 0) await this.addTraceRequests([traceRequest(spans)]);
  }

  /** One block with the spans of these requests. */
  async addTraceRequests(requests: readonly Uint8Array[]): Promise<void> {
    const columns = createSpanColumns(16);
    for (const request of requests) decodeSpans(request, this.requests.push(request) - 1, [], columns);
    await this.commit([this.spanShelf.put(encodeSpanBlock(columns, allRows(columns.count)))]);
  }

  async addLogs(logs: readonly GivenLog[]): Promise<void> {
    if (logs.length > 0) await this.addLogRequests([logRequest(logs)]);
  }

  async addLogRequests(requests: readonly Uint8Array[]): Promise<void> {
    const columns = createLogColumns(16);
    for (const request of requests) decodeLogs(request, this.requests.push(request) - 1, [], 0, columns);
    const block = encodeLogBlock(columns, allRows(columns.count));
    await this.commit([this.logShelf.put(this.writesFormerLogBlocks ? toFormerLogBlock(block) : block)]);
  }

  async commit(changes: readonly DocumentChange[]): Promise<void> {
    const result = await this.store.commit(changes, []);
    if (!result.ok) throw new Error('fenced');
  }
}
