import { digestLogBlock } from '../read-models/blocks/block-digest.js';
import { logFilterNameCollection } from '../read-models/documents/filter-option-documents.js';
import { LOGS_PROJECTION, LOGS_VERSION, type LogBlockSummary } from '../read-models/documents/block-documents.js';
import { logRollupCollections } from '../read-models/documents/rollup-documents.js';
import type { DocumentChange, ReadModelReader } from '../read-models/read-model-store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { TelemetryReceived } from '../streams/events/telemetry-events.js';
import { createLogColumns, type LogColumns } from '../telemetry/columns/log-batch-columns.js';
import { decodeLogs } from '../telemetry/otlp/decoding/log-decoder.js';
import type { Projection } from './projection.js';
import { logBlockFormat } from './telemetry/blocks/block-format.js';
import { BlockCompactor } from './telemetry/blocks/block-compactor.js';
import { blockContents, BlocksProjection, type CompactionHold } from './telemetry/blocks/blocks-projection.js';
import { FilterNamesProjection, LOG_NAME_SOURCE } from './telemetry/filter-names-projection.js';
import type { CountedRequest } from './telemetry/deduplication/request-journal.js';
import { LogRollupProjection } from './telemetry/rollups/log-rollup-projection.js';
import { rollupContents } from './telemetry/rollups/rollup-format.js';
import { RecordAccounts, recordAccountContent } from './telemetry/record-accounts.js';
import {
  createDroppedRecords,
  selectRowsByGrid,
  type TelemetryBatch,
  type EventRows,
  type TelemetryProjection,
} from './telemetry/telemetry-batch.js';
import type { SignalFold } from './telemetry/telemetry-fold.js';

/** Log records in blocks, the filter names of log search, and rollups. */
export const logsProjection: Projection = {
  name: LOGS_PROJECTION,
  schema: LOGS_VERSION,
  contents: (version) => [
    ...blockContents(logBlockFormat(version), digestLogBlock),
    { kind: 'documents', collection: logFilterNameCollection(version) },
    ...rollupContents(logRollupCollections(version)),
    recordAccountContent('logs', version),
  ],
};

/**
 * Folds requests with log records. Equal records of one request are all stored; repeated requests never reach this
 * fold. `memory`: see TracesFold.
 */
export class LogsFold implements SignalFold {
  readonly signal = 'logs';
  readonly accounts: RecordAccounts;
  private readonly columns: LogColumns = createLogColumns();
  private eventRows: EventRows[] = [];
  private readonly blocks: BlockCompactor<LogColumns, LogBlockSummary>;
  private readonly rollups: LogRollupProjection;
  private readonly projections: readonly TelemetryProjection<LogColumns>[];

  constructor(version: number, store: ReadModelReader, hold: CompactionHold, memory = 1) {
    this.accounts = new RecordAccounts('logs', version, store);
    this.blocks = new BlockCompactor(logBlockFormat(version), store, undefined, memory);
    const names = new FilterNamesProjection(logFilterNameCollection(version), LOG_NAME_SOURCE, store);
    // Rollups count services under the names that were admitted before them.
    this.rollups = new LogRollupProjection(
      logRollupCollections(version),
      store,
      (gridId, service) => names.resolveService(gridId, service),
      memory,
    );
    this.projections = [new BlocksProjection(this.blocks, hold), names, this.rollups];
  }

  async restore(): Promise<void> {
    await this.accounts.restore();
    await this.blocks.restore();
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
    decodeLogs(body, revision, data.rejected, data.receivedAt, columns);
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
    const { accounts, blocks, eventRows } = this;
    if (eventRows.length === 0) return accounts.takeChanges();
    const batch = this.createBatch();
    const changes: DocumentChange[] = [];
    for (const projection of this.projections) changes.push(...(await projection.foldBatch(batch)));
    accounts.addRows(eventRows);
    for (const gridId of batch.rows.keys()) accounts.setSearchable(gridId, blocks.countRows(gridId));
    return [...changes, ...accounts.takeChanges()];
  }

  releaseMemory(): void {
    this.rollups.releaseMemory();
  }

  async expire(gridId: string, before: number): Promise<DocumentChange[]> {
    const { accounts, blocks } = this;
    const rows = blocks.countRows(gridId);
    const changes = await Promise.all(this.projections.map((projection) => projection.expire(gridId, before)));
    const left = blocks.countRows(gridId);
    accounts.setSearchable(gridId, left, rows - left);
    return [...changes.flat(), ...accounts.takeChanges()];
  }

  private createBatch(): TelemetryBatch<LogColumns> {
    const { columns, eventRows } = this;
    const floorUs = (gridId: string): number => this.blocks.expiredBeforeUs(gridId);
    let currentEntry: EventRows | undefined;
    let currentFloorUs = 0;
    const rows = selectRowsByGrid(eventRows, (row, entry) => {
      if (entry !== currentEntry) currentFloorUs = floorUs((currentEntry = entry).gridId);
      if (columns.timeUs[row] >= currentFloorUs) return true;
      entry.dropped.expired++;
      return false;
    });
    return { columns, eventRows, rows, floorUs };
  }
}
