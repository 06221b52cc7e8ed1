import { digestSpanBlock } from '../read-models/blocks/digest.js';
import { traceNames } from '../read-models/filter-options.js';
import { spanRollups } from '../read-models/rollups.js';
import { TRACES_PROJECTION, TRACES_VERSION } from '../read-models/spans.js';
import type { Change, ReadModelReader } from '../read-models/store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { TelemetryReceived } from '../streams/events/telemetry-events.js';
import { decodeSpans } from '../telemetry/otlp/span-decoder.js';
import { createSpanColumns, type SpanColumns } from '../telemetry/span-columns.js';
import type { Projection } from './projection.js';
import { BlocksProjection, type Hold } from './telemetry/blocks-projection.js';
import { FilterNames, SPAN_NAMES } from './telemetry/filter-names.js';
import type { CountedRequest } from './telemetry/request-journal.js';
import { rollupContents } from './telemetry/rollups/rollup-kind.js';
import { SpanRollups } from './telemetry/rollups/span-rollups.js';
import { shelfContents } from './telemetry/shelf-content.js';
import { spanBlockFormat } from './telemetry/block-format.js';
import type { Section, TelemetryProjection } from './telemetry/sections.js';
import { SpanIntake } from './telemetry/span-intake.js';
import type { SignalFold } from './telemetry/telemetry-fold.js';

/** Spans in blocks, their rollups, and the names that a search for traces can filter by. */
export const traces: Projection = {
  name: TRACES_PROJECTION,
  schema: TRACES_VERSION,
  contents: (version) => [
    ...shelfContents(spanBlockFormat(version), digestSpanBlock),
    { kind: 'documents', collection: traceNames(version) },
    ...rollupContents(spanRollups(version).services),
    ...rollupContents(spanRollups(version).grids),
    { kind: 'documents', collection: spanRollups(version).catalogs },
    { kind: 'documents', collection: spanRollups(version).thresholds },
  ],
};

/** Folds requests with spans. `horizon`: see RecentSpans. `memory`: part of the usual bytes kept at hand. */
export class TracesFold implements SignalFold {
  readonly signal = 'traces';
  private readonly columns: SpanColumns = createSpanColumns();
  private sections: Section[] = [];
  private readonly intake: SpanIntake;
  private readonly rollups: SpanRollups;
  private readonly projections: readonly TelemetryProjection<SpanColumns>[];

  constructor(version: number, store: ReadModelReader, hold: Hold, horizon?: number, memory = 1) {
    this.intake = new SpanIntake(version, store, horizon, memory);
    this.rollups = new SpanRollups(spanRollups(version), store, this.intake.recent, (gridId) => this.intake.seedOf(gridId), memory);
    this.projections = [new BlocksProjection(this.intake.shelves, hold), new FilterNames(traceNames(version), SPAN_NAMES, store), this.rollups];
  }

  async restore(requests: readonly CountedRequest[]): Promise<void> {
    await this.intake.restore(requests, this.rollups);
    for (const projection of this.projections) await projection.restore();
  }

  begin(): void {
    this.columns.clear();
    this.sections = [];
  }

  gather(body: Uint8Array, { revision, recordedAt, data }: RecordedEvent<TelemetryReceived>, request: CountedRequest): void {
    const { columns } = this;
    const from = columns.count;
    decodeSpans(body, revision, data.rejected, columns);
    this.sections.push({ gridId: data.gridId, from, to: columns.count, recordedAt, keys: [...columns.keys], request, event: -1 });
    columns.keys.clear();
  }

  async fold(): Promise<Change[]> {
    if (this.sections.length === 0) return [];
    const portion = await this.intake.take(this.columns, this.sections);
    const changes: Change[] = [];
    for (const projection of this.projections) changes.push(...(await projection.received(portion)));
    return changes;
  }

  apdexChanged(gridId: string, apdexThresholdMs: number): Change[] {
    return this.rollups.thresholds.set(gridId, apdexThresholdMs);
  }

  async expired(gridId: string, before: number): Promise<Change[]> {
    const changes = await Promise.all(this.projections.map((projection) => projection.expired(gridId, before)));
    return changes.flat();
  }
}
