import { eq } from '../../read-models/filter.js';
import { OTHER, type NamesDocument } from '../../read-models/filter-options.js';
import type { Change, Collection, ReadModelReader } from '../../read-models/store.js';
import type { LogColumns } from '../../telemetry/log-columns.js';
import { severityLevel } from '../../telemetry/severity.js';
import type { SpanColumns } from '../../telemetry/span-columns.js';
import { distinctPairs } from './distinct-pairs.js';
import { GridNames } from './grid-names.js';
import type { Portion, Section, TelemetryProjection } from './sections.js';

const HOUR_MS = 3_600_000;
const HOUR_US = HOUR_MS * 1000;

/** Names of all Grids kept in memory; Grids that were quiet longest are loaded again when they speak. */
const MAX_NAMES = 1_000_000;

/** What of a signal's columns the names are found in. */
export interface NameSource<Columns> {
  timeUs(columns: Columns): Float64Array;
  /** Notes the names that rows of one Grid carry. */
  note(columns: Columns, rows: Uint32Array, names: GridNames): void;
}

/** Services, their operations and attribute keys. */
export const SPAN_NAMES: NameSource<SpanColumns> = {
  timeUs: ({ startUs }) => startUs,
  note({ service, operation, startUs, strings }, rows, names) {
    for (const { first, second, newestUs } of distinctPairs(service, operation, startUs, rows)) {
      const hour = Math.floor(newestUs / HOUR_US);
      const counted = names.see('services', strings.text(first), hour);
      names.see('operations', strings.text(second), hour, counted);
    }
  },
};

/** Services, severity levels and attribute keys. */
export const LOG_NAMES: NameSource<LogColumns> = {
  timeUs: ({ timeUs }) => timeUs,
  note({ service, severity, timeUs, strings }, rows, names) {
    for (const { first, second, newestUs } of distinctPairs(service, severity, timeUs, rows)) {
      const hour = Math.floor(newestUs / HOUR_US);
      names.see('services', strings.text(first), hour);
      names.see('severities', severityLevel(second), hour);
    }
  },
};

/** Keeps the names that searches can filter by. Steady telemetry changes a document once an hour. */
export class FilterNames<Columns> implements TelemetryProjection<Columns> {
  /** In the order of use, the Grid that was quiet longest first. */
  private readonly grids = new Map<string, GridNames>();

  constructor(
    private readonly collection: Collection<NamesDocument>,
    private readonly source: NameSource<Columns>,
    private readonly store: ReadModelReader,
  ) {}

  restore(): Promise<void> {
    this.grids.clear();
    return Promise.resolve();
  }

  async received(portion: Portion<Columns>): Promise<Change[]> {
    const { columns, sections, rows } = portion;
    this.trim();
    const touched = new Set<GridNames>();
    for (const [gridId, chosen] of rows) {
      const names = await this.namesOf(gridId);
      this.source.note(columns, chosen, names);
      touched.add(names);
    }
    for (const section of sections) {
      const names = await this.namesOf(section.gridId);
      this.noteKeys(columns, section, portion.floorUs(section.gridId), names);
      touched.add(names);
    }
    return [...touched].flatMap((names) => this.changesOf(names));
  }

  /** The name that a service of the portion received last counts under: itself, or `__other__` past the bounds. */
  countedService(gridId: string, service: string): string {
    return this.grids.get(gridId)?.counted('services', service) ?? OTHER;
  }

  async expired(gridId: string, before: number): Promise<Change[]> {
    const names = await this.namesOf(gridId);
    names.forgetBefore(Math.floor(before / HOUR_MS));
    return this.changesOf(names);
  }

  /** Keys are known by event, not by record: they count for the event's newest record, repeated or not. */
  private noteKeys(columns: Columns, { from, to, keys }: Section, floorUs: number, names: GridNames): void {
    const timeUs = this.source.timeUs(columns);
    let newestUs = -Infinity;
    for (let row = from; row < to; row++) if (timeUs[row] > newestUs) newestUs = timeUs[row];
    const hour = Math.floor(newestUs / HOUR_US);
    if (hour >= Math.floor(floorUs / HOUR_US)) for (const key of keys) names.see('keys', key, hour);
  }

  private async namesOf(gridId: string): Promise<GridNames> {
    let names = this.grids.get(gridId);
    if (names === undefined) {
      const found = await this.store.find(this.collection, { filter: eq('gridId', gridId) });
      names = new GridNames(gridId, found.map(({ document }) => document));
    } else this.grids.delete(gridId);
    this.grids.set(gridId, names);
    return names;
  }

  private changesOf(names: GridNames): Change[] {
    const { collection } = this;
    return names.takeChanges().map(([key, document]) => {
      const id = `${names.gridId}/${key}`;
      return document === undefined ? { kind: 'delete', collection, id } : { kind: 'put', collection, id, document };
    });
  }

  /** Called when all changes are committed. */
  private trim(): void {
    let total = 0;
    for (const { size } of this.grids.values()) total += size;
    for (const [gridId, { size }] of this.grids) {
      if (total <= MAX_NAMES) return;
      this.grids.delete(gridId);
      total -= size;
    }
  }
}
