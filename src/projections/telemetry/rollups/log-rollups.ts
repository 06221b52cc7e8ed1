import { boundLog } from '../../../diagnostics/rollup-bounds.js';
import { sumLog } from '../../../diagnostics/rollup-sums.js';
import type { RollupCollections } from '../../../read-models/rollups.js';
import { decodeLogRollup, encodeLogRollup } from '../../../read-models/rollups/log-rollup-codec.js';
import type { Change, ReadModelReader } from '../../../read-models/store.js';
import { isZero, SPAN_ID_BYTES } from '../../../telemetry/ids.js';
import type { LogColumns } from '../../../telemetry/log-columns.js';
import { SEVERITY_LEVELS, severityIndex } from '../../../telemetry/severity.js';
import type { Portion, TelemetryProjection } from '../sections.js';
import { exceptionId } from './exception-id.js';
import { LogTally } from './log-tally.js';
import { PairNumbers } from './pair-numbers.js';
import { ROLLUP_BYTES, RollupShelf } from './rollup-shelf.js';
import type { RollupKind } from './rollup-kind.js';

const MINUTE_US = 60_000_000;
const LEVELS = SEVERITY_LEVELS.length;

/** The name that a service counts under, see FilterNames. */
export type CountedService = (gridId: string, service: string) => string;

/** Log records by service and minute of their time. */
export class LogRollups implements TelemetryProjection<LogColumns> {
  private readonly shelf: RollupShelf<LogTally>;

  /** `memory`: part of the usual bytes kept at hand. */
  constructor(
    collections: RollupCollections,
    store: ReadModelReader,
    private readonly counted: CountedService,
    memory = 1,
  ) {
    this.shelf = new RollupShelf(kindOf(collections), store, ROLLUP_BYTES * memory);
  }

  restore(): Promise<void> {
    return this.shelf.restore();
  }

  async received({ columns, rows }: Portion<LogColumns>): Promise<Change[]> {
    if (rows.size === 0) return [];
    for (const [gridId, chosen] of rows) await this.add(gridId, columns, chosen);
    return this.shelf.changes();
  }

  expired(gridId: string, before: number): Promise<Change[]> {
    return this.shelf.expired(gridId, before);
  }

  private async add(gridId: string, columns: LogColumns, rows: Uint32Array): Promise<void> {
    const counts = new LogCounts(columns, rows);
    const { firsts, seconds } = counts.groups;
    const keys = firsts.map((service, group) => ({ minute: seconds[group], service: this.counted(gridId, columns.strings.text(service)) }));
    counts.addTo(await this.shelf.openAll(gridId, keys));
  }
}

/** Rows counted by numbers alone, before a string is looked at. */
class LogCounts {
  /** Services and minutes. */
  readonly groups = new PairNumbers();
  private readonly groupOf: Uint32Array;
  /** Groups and templates. */
  private readonly templates = new PairNumbers();
  private readonly templateCounts: number[] = [];
  /** Highest severity numbers. */
  private readonly templateSeverities: number[] = [];
  /** LEVELS a group. */
  private readonly levelCounts: number[] = [];

  constructor(
    private readonly columns: LogColumns,
    private readonly rows: Uint32Array,
  ) {
    this.groupOf = new Uint32Array(rows.length);
    for (let i = 0; i < rows.length; i++) this.groupOf[i] = this.count(rows[i]);
  }

  /** `tallies` are those of the groups, by their numbers. */
  addTo(tallies: readonly LogTally[]): void {
    const { columns, templates } = this;
    this.levelCounts.forEach((count, i) => tallies[Math.floor(i / LEVELS)].addSeverity(i % LEVELS, count));
    for (let i = 0; i < templates.count; i++) {
      tallies[templates.firsts[i]].addTemplate(columns.templates.text(templates.seconds[i]), this.templateSeverities[i], this.templateCounts[i]);
    }
    this.rows.forEach((row, i) => {
      if (columns.exception[row] === 1) addException(tallies[this.groupOf[i]], columns, row);
    });
  }

  private count(row: number): number {
    const { service, timeUs, severity, template } = this.columns;
    const group = this.groups.of(service[row], Math.floor(timeUs[row] / MINUTE_US));
    if (this.levelCounts.length <= group * LEVELS) for (let i = 0; i < LEVELS; i++) this.levelCounts.push(0);
    this.levelCounts[group * LEVELS + severityIndex(severity[row])]++;
    const pair = this.templates.of(group, template[row]);
    this.templateCounts[pair] = (this.templateCounts[pair] ?? 0) + 1;
    this.templateSeverities[pair] = Math.max(this.templateSeverities[pair] ?? 0, severity[row]);
    return group;
  }
}

function addException({ exceptions }: LogTally, { exceptionType, exceptionMessage, strings, traceId, spanId }: LogColumns, row: number): void {
  const type = strings.text(exceptionType[row]);
  const message = strings.text(exceptionMessage[row]);
  const namesSpan = !isZero(spanId, row * SPAN_ID_BYTES, (row + 1) * SPAN_ID_BYTES);
  exceptions.add(type, message, namesSpan ? exceptionId(traceId, spanId, row, type, message) : undefined);
}

function kindOf(collections: RollupCollections): RollupKind<LogTally> {
  return {
    collections,
    create: (service) => LogTally.empty(service),
    decode: (blob) => new LogTally(decodeLogRollup(blob)),
    encode: (tally) => encodeLogRollup(tally.toRollup()),
    merge: (blobs) => encodeLogRollup(boundLog(sumLog(blobs.map((blob) => decodeLogRollup(blob))))),
  };
}
