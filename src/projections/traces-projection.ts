import { digestSpanBlock } from '../read-models/blocks/block-digest.js';
import { traceFilterNameCollection } from '../read-models/documents/filter-option-documents.js';
import { spanRollupCollections } from '../read-models/documents/rollup-documents.js';
import { TRACES_PROJECTION, TRACES_VERSION } from '../read-models/documents/block-documents.js';
import type { DocumentChange, ReadModelReader } from '../read-models/read-model-store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { TelemetryReceived } from '../streams/events/telemetry-events.js';
import { decodeSpans } from '../telemetry/otlp/decoding/span-decoder.js';
import { createSpanColumns, type SpanColumns } from '../telemetry/columns/span-batch-columns.js';
import type { Projection } from './projection.js';
import { blockContents, BlocksProjection, type CompactionHold } from './telemetry/blocks/blocks-projection.js';
import { FilterNamesProjection, SPAN_NAME_SOURCE } from './telemetry/filter-names-projection.js';
import type { CountedRequest } from './telemetry/deduplication/request-journal.js';
import { rollupContents } from './telemetry/rollups/rollup-format.js';
import { SpanRollupProjection } from './telemetry/rollups/span-rollup-projection.js';
import { spanBlockFormat } from './telemetry/blocks/block-format.js';
import { RecordAccounts, recordAccountContent } from './telemetry/record-accounts.js';
import { createDroppedRecords, type EventRows, type TelemetryProjection } from './telemetry/telemetry-batch.js';
import { SpanIngestion } from './telemetry/deduplication/span-ingestion.js';
import type { SignalFold } from './telemetry/telemetry-fold.js';

/** Spans in blocks, their rollups, and the filter names of trace search. */
export const tracesProjection: Projection = {
  name: TRACES_PROJECTION,
  schema: TRACES_VERSION,
  contents: (version) => [
    ...blockContents(spanBlockFormat(version), digestSpanBlock),
    { kind: 'documents', collection: traceFilterNameCollection(version) },
    ...rollupContents(spanRollupCollections(version).services),
    ...rollupContents(spanRollupCollections(version).grids),
    { kind: 'documents', collection: spanRollupCollections(version).catalogs },
    { kind: 'documents', collection: spanRollupCollections(version).thresholds },
    recordAccountContent('traces', version),
  ],
};

/** Folds requests with spans. `horizon`: see RecentSpans. `memory`: fraction of the default cache sizes. */
export class TracesFold implements SignalFold {
  readonly signal = 'traces';
  readonly accounts: RecordAccounts;
  private readonly columns: SpanColumns = createSpanColumns();
  private eventRows: EventRows[] = [];
  private readonly ingestion: SpanIngestion;
  private readonly rollups: SpanRollupProjection;
  private readonly projections: readonly TelemetryProjection<SpanColumns>[];

  constructor(version: number, store: ReadModelReader, hold: CompactionHold, horizon?: number, memory = 1) {
    this.accounts = new RecordAccounts('traces', version, store);
    this.ingestion = new SpanIngestion(version, store, horizon, memory);
    this.rollups = new SpanRollupProjection(
      spanRollupCollections(version),
      store,
      this.ingestion.recent,
      (gridId) => this.ingestion.gridSeed(gridId),
      memory,
    );
    this.projections = [
      new BlocksProjection(this.ingestion.blocks, hold),
      new FilterNamesProjection(traceFilterNameCollection(version), SPAN_NAME_SOURCE, store),
      this.rollups,
    ];
  }

  async restore(requests: readonly CountedRequest[]): Promise<void> {
    await this.accounts.restore();
    await this.ingestion.restore(requests, this.rollups);
    for (const projection of this.projections) await projection.restore();
  }

  reset(): void {
    this.columns.clear();
    this.eventRows = [];
  }

  addRequest(
    body: Uint8Array,
    { revision, recordedAt, data }: RecordedEvent<TelemetryReceived>,
    request: CountedRequest,
  ): void {
    const { columns } = this;
    const from = columns.count;
    decodeSpans(body, revision, data.rejected, columns);
    this.eventRows.push({
      gridId: data.gridId,
      from,
      to: columns.count,
      recordedAt,
      keys: [...columns.keys],
      request,
      event: -1,
      dropped: createDroppedRecords(),
    });
    columns.keys.clear();
  }

  async fold(): Promise<DocumentChange[]> {
    const { accounts, eventRows, ingestion } = this;
    if (eventRows.length === 0) return accounts.takeChanges();
    const batch = await ingestion.admitSpans(this.columns, eventRows);
    const changes: DocumentChange[] = [];
    for (const projection of this.projections) changes.push(...(await projection.foldBatch(batch)));
    accounts.addRows(eventRows);
    for (const gridId of batch.rows.keys()) accounts.setSearchable(gridId, ingestion.blocks.countRows(gridId));
    return [...changes, ...accounts.takeChanges()];
  }

  setApdexThreshold(gridId: string, apdexThresholdMs: number): DocumentChange[] {
    return this.rollups.thresholds.setThreshold(gridId, apdexThresholdMs);
  }

  releaseMemory(): void {
    this.ingestion.releaseMemory();
    this.rollups.releaseMemory();
  }

  async expire(gridId: string, before: number): Promise<DocumentChange[]> {
    const { accounts, ingestion } = this;
    const rows = ingestion.blocks.countRows(gridId);
    const changes = await Promise.all(this.projections.map((projection) => projection.expire(gridId, before)));
    const left = ingestion.blocks.countRows(gridId);
    accounts.setSearchable(gridId, left, rows - left);
    return [...changes.flat(), ...accounts.takeChanges()];
  }
}
