import { boundLog } from '../../../diagnostics/rollups/rollup-bounds.js';
import { sumLog } from '../../../diagnostics/rollups/rollup-sums.js';
import type { RollupCollections } from '../../../read-models/documents/rollup-documents.js';
import { decodeLogRollup, encodeLogRollup } from '../../../read-models/rollups/log-rollup-codec.js';
import type { DocumentChange, ReadModelReader } from '../../../read-models/read-model-store.js';
import { isAllZero, SPAN_ID_BYTES } from '../../../telemetry/trace-identifiers.js';
import type { LogColumns } from '../../../telemetry/columns/log-batch-columns.js';
import { SEVERITY_LEVELS, severityIndex } from '../../../telemetry/log-severity.js';
import type { TelemetryBatch, TelemetryProjection } from '../telemetry-batch.js';
import { ExceptionAccumulator, hashException } from './exception-accumulator.js';
import { PairInterner } from './span-series-interner.js';
import { ROLLUP_BUFFER_BYTES, RollupBuffer } from './rollup-buffer.js';
import type { RollupFormat } from './rollup-format.js';
import { type LogRollup, OTHER_NAME, ROLLUP_BOUNDS } from '../../../diagnostics/rollups/rollup-types.js';

const MINUTE_US = 60_000_000;
const LEVELS = SEVERITY_LEVELS.length;

/** Returns the name that a service counts under, see FilterNamesProjection. */
export type ServiceNameResolver = (gridId: string, service: string) => string;

/** Rollups of log records by service and minute of their time. */
export class LogRollupProjection implements TelemetryProjection<LogColumns> {
  private readonly buffer: RollupBuffer<LogRollupAccumulator>;

  /** `memory`: fraction of the default buffer size. */
  constructor(
    collections: RollupCollections,
    store: ReadModelReader,
    private readonly resolveService: ServiceNameResolver,
    memory = 1,
  ) {
    this.buffer = new RollupBuffer(logRollupFormat(collections), store, ROLLUP_BUFFER_BYTES * memory);
  }

  restore(): Promise<void> {
    return this.buffer.restore();
  }

  async foldBatch({ columns, rows }: TelemetryBatch<LogColumns>): Promise<DocumentChange[]> {
    if (rows.size === 0) return [];
    for (const [gridId, gridRows] of rows) await this.add(gridId, columns, gridRows);
    return this.buffer.changes();
  }

  releaseMemory(): void {
    this.buffer.releaseMemory();
  }

  expire(gridId: string, before: number): Promise<DocumentChange[]> {
    return this.buffer.expire(gridId, before);
  }

  private async add(gridId: string, columns: LogColumns, rows: Uint32Array): Promise<void> {
    const counts = new LogCounts(columns, rows);
    const { firsts, seconds } = counts.groups;
    const keys = firsts.map((service, group) => ({
      minute: seconds[group],
      service: this.resolveService(gridId, columns.strings.text(service)),
    }));
    counts.addTo(await this.buffer.openAll(gridId, keys));
  }
}

/** Counts rows by numeric ids, before any string is read. */
class LogCounts {
  /** Pairs of service and minute. */
  readonly groups = new PairInterner();
  private readonly groupOf: Uint32Array;
  /** Pairs of group and template. */
  private readonly templates = new PairInterner();
  private readonly templateCounts: number[] = [];
  /** Highest severity number by pair. */
  private readonly templateSeverities: number[] = [];
  /** LEVELS counts per group. */
  private readonly levelCounts: number[] = [];

  constructor(
    private readonly columns: LogColumns,
    private readonly rows: Uint32Array,
  ) {
    this.groupOf = new Uint32Array(rows.length);
    for (let i = 0; i < rows.length; i++) this.groupOf[i] = this.count(rows[i]);
  }

  /** `accumulators`: one per group, by group number. */
  addTo(accumulators: readonly LogRollupAccumulator[]): void {
    const { columns, templates } = this;
    this.levelCounts.forEach((count, i) => accumulators[Math.floor(i / LEVELS)].addSeverity(i % LEVELS, count));
    for (let i = 0; i < templates.count; i++) {
      accumulators[templates.firsts[i]].addTemplate(
        columns.templates.text(templates.seconds[i]),
        this.templateSeverities[i],
        this.templateCounts[i],
      );
    }
    this.rows.forEach((row, i) => {
      if (columns.exception[row] === 1) addException(accumulators[this.groupOf[i]], columns, row);
    });
  }

  private count(row: number): number {
    const { service, timeUs, severity, template } = this.columns;
    const group = this.groups.intern(service[row], Math.floor(timeUs[row] / MINUTE_US));
    if (this.levelCounts.length <= group * LEVELS) for (let i = 0; i < LEVELS; i++) this.levelCounts.push(0);
    this.levelCounts[group * LEVELS + severityIndex(severity[row])]++;
    const pair = this.templates.intern(group, template[row]);
    this.templateCounts[pair] = (this.templateCounts[pair] ?? 0) + 1;
    this.templateSeverities[pair] = Math.max(this.templateSeverities[pair] ?? 0, severity[row]);
    return group;
  }
}

function addException(
  { exceptions }: LogRollupAccumulator,
  { exceptionType, exceptionMessage, strings, traceId, spanId }: LogColumns,
  row: number,
): void {
  const type = strings.text(exceptionType[row]);
  const message = strings.text(exceptionMessage[row]);
  const namesSpan = !isAllZero(spanId, row * SPAN_ID_BYTES, (row + 1) * SPAN_ID_BYTES);
  exceptions.add(type, message, namesSpan ? hashException(traceId, spanId, row, type, message) : undefined);
}

function logRollupFormat(collections: RollupCollections): RollupFormat<LogRollupAccumulator> {
  return {
    collections,
    create: (service) => LogRollupAccumulator.empty(service),
    decode: (blob) => new LogRollupAccumulator(decodeLogRollup(blob)),
    encode: (entry) => encodeLogRollup(entry.toRollup()),
    merge: (blobs) => encodeLogRollup(boundLog(sumLog(blobs.map((blob) => decodeLogRollup(blob))))),
  };
}

interface TemplateCount {
  severity: number;
  count: number;
}

/** A mutable LogRollup. */
class LogRollupAccumulator {
  readonly exceptions: ExceptionAccumulator;
  private readonly severities: number[];
  private readonly templates = new Map<string, TemplateCount>();

  constructor(private readonly rollup: LogRollup) {
    this.severities = [...rollup.severities];
    this.exceptions = new ExceptionAccumulator(rollup.exceptions);
    for (const { template, severity, count } of rollup.templates) this.templates.set(template, { severity, count });
  }

  static empty(service: string): LogRollupAccumulator {
    return new LogRollupAccumulator({ service, severities: [0, 0, 0, 0, 0, 0], templates: [], exceptions: [] });
  }

  /** `level`: 0 for Trace to 5 for Fatal. */
  addSeverity(level: number, count: number): void {
    this.severities[level] += count;
  }

  /** `severity`: highest number of these records. Templates beyond the limit count as `__other__`. */
  addTemplate(template: string, severity: number, count: number): void {
    const { templates } = this;
    const isFull = templates.size - (templates.has(OTHER_NAME) ? 1 : 0) >= ROLLUP_BOUNDS.templates;
    const name = isFull && !templates.has(template) ? OTHER_NAME : template;
    const entry = templates.get(name);
    if (entry === undefined) templates.set(name, { severity, count });
    else {
      entry.count += count;
      entry.severity = Math.max(entry.severity, severity);
    }
  }

  toRollup(): LogRollup {
    const [trace, debug, information, warning, error, fatal] = this.severities;
    return {
      service: this.rollup.service,
      severities: [trace, debug, information, warning, error, fatal],
      templates: [...this.templates].map(([template, entry]) => ({ template, ...entry })),
      exceptions: this.exceptions.toRollups(),
    };
  }
}
