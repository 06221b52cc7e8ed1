import { digestLogBlock } from '../read-models/blocks/digest.js';
import { logNames } from '../read-models/filter-options.js';
import { LOGS_PROJECTION, LOGS_VERSION, type LogBlockSummary } from '../read-models/logs.js';
import { logRollups } from '../read-models/rollups.js';
import type { Change, ReadModelReader } from '../read-models/store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { TelemetryReceived } from '../streams/events/telemetry-events.js';
import { createLogColumns, type LogColumns } from '../telemetry/log-columns.js';
import { decodeLogs } from '../telemetry/otlp/log-decoder.js';
import type { Projection } from './projection.js';
import { logBlockFormat } from './telemetry/block-format.js';
import { BlockShelves } from './telemetry/block-shelves.js';
import { BlocksProjection, type Hold } from './telemetry/blocks-projection.js';
import { FilterNames, LOG_NAMES } from './telemetry/filter-names.js';
import type { CountedRequest } from './telemetry/request-journal.js';
import { LogRollups } from './telemetry/rollups/log-rollups.js';
import { rollupContents } from './telemetry/rollups/rollup-kind.js';
import { rowsByGrid, type Portion, type Section, type TelemetryProjection } from './telemetry/sections.js';
import { shelfContents } from './telemetry/shelf-content.js';
import type { SignalFold } from './telemetry/telemetry-fold.js';

/** Log records in blocks, the names that a search for logs can filter by, and rollups. */
export const logs: Projection = {
  name: LOGS_PROJECTION,
  schema: LOGS_VERSION,
  contents: (version) => [
    ...shelfContents(logBlockFormat(version), digestLogBlock),
    { kind: 'documents', collection: logNames(version) },
    ...rollupContents(logRollups(version)),
  ],
};

/** Folds requests with log records. Equal records of one request are all kept; a repeated request is not seen here. `memory`: as of traces. */
export class LogsFold implements SignalFold {
  readonly signal = 'logs';
  private readonly columns: LogColumns = createLogColumns();
  private sections: Section[] = [];
  private readonly shelves: BlockShelves<LogColumns, LogBlockSummary>;
  private readonly projections: readonly TelemetryProjection<LogColumns>[];

  constructor(version: number, store: ReadModelReader, hold: Hold, memory = 1) {
    this.shelves = new BlockShelves(logBlockFormat(version), store, undefined, memory);
    const names = new FilterNames(logNames(version), LOG_NAMES, store);
    // Rollups count services by the names that are known before.
    const rollups = new LogRollups(logRollups(version), store, (gridId, service) => names.countedService(gridId, service), memory);
    this.projections = [new BlocksProjection(this.shelves, hold), names, rollups];
  }

  async restore(): Promise<void> {
    await this.shelves.restore();
    for (const projection of this.projections) await projection.restore();
  }

  begin(): void {
    this.columns.clear();
    this.sections = [];
  }

  gather(body: Uint8Array, { revision, recordedAt, data }: RecordedEvent<TelemetryReceived>, request: CountedRequest): void {
    const { columns } = this;
    const from = columns.count;
    decodeLogs(body, revision, data.rejected, data.receivedAt, columns);
    this.sections.push({ gridId: data.gridId, from, to: columns.count, recordedAt, keys: [...columns.keys], request, event: -1 });
    columns.keys.clear();
  }

  async fold(): Promise<Change[]> {
    if (this.sections.length === 0) return [];
    const portion = this.portion();
    const changes: Change[] = [];
    for (const projection of this.projections) changes.push(...(await projection.received(portion)));
    return changes;
  }

  async expired(gridId: string, before: number): Promise<Change[]> {
    const changes = await Promise.all(this.projections.map((projection) => projection.expired(gridId, before)));
    return changes.flat();
  }

  private portion(): Portion<LogColumns> {
    const { columns, sections } = this;
    const floorUs = (gridId: string): number => this.shelves.expiredBeforeUs(gridId);
    let at: Section | undefined;
    let floor = 0;
    const rows = rowsByGrid(sections, (row, section) => {
      if (section !== at) floor = floorUs((at = section).gridId);
      return columns.timeUs[row] >= floor;
    });
    return { columns, sections, rows, floorUs };
  }
}
