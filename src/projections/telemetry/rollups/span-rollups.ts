import { setImmediate } from 'node:timers/promises';
import { boundGrid, boundService } from '../../../diagnostics/rollup-bounds.js';
import { sumGrid, sumService } from '../../../diagnostics/rollup-sums.js';
import type { SpanRows } from '../../../read-models/blocks/span-rows.js';
import { words32 } from '../../../read-models/blocks/words32.js';
import type { SpanRollupCollections } from '../../../read-models/rollups.js';
import { decodeGridRollup, encodeGridRollup } from '../../../read-models/rollups/grid-rollup-codec.js';
import { decodeServiceRollup, encodeServiceRollup } from '../../../read-models/rollups/service-rollup-codec.js';
import type { Change, ReadModelReader } from '../../../read-models/store.js';
import { STATUS_ERROR, type SpanColumns } from '../../../telemetry/span-columns.js';
import { isCallKind, isEntryKind } from '../../../telemetry/span-kind.js';
import type { RecentSpans } from '../recent-spans.js';
import type { Portion, Section, TelemetryProjection } from '../sections.js';
import type { RecentSpansObserver } from '../span-intake.js';
import { ApdexThresholds } from './apdex-thresholds.js';
import { BatchSeries, type LabelColumns } from './batch-series.js';
import { GridTally } from './grid-tally.js';
import type { RollupKind } from './rollup-kind.js';
import { ROLLUP_BYTES, RollupShelf } from './rollup-shelf.js';
import { ServiceCatalogs } from './service-catalogs.js';
import { ServiceTally } from './service-tally.js';
import { SpanBookings } from './span-bookings.js';
import { SpanCounts } from './span-counts.js';
import { SpanLinks } from './span-links.js';
import { SpanNames } from './span-names.js';
import { ERROR, minuteOf, NONE, SpanRing } from './span-ring.js';

/** Numbers of names and series kept at hand at least; past that, those go that no span in the ring needs. */
const KEPT_NAMES = 1 << 18;

/** Spans that a restart links before others get the thread. */
const LINKED_AT_ONCE = 1 << 15;

interface SpanKeys {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly parentA: Uint32Array;
  readonly parentB: Uint32Array;
}

/** What is at hand while spans come back from their blocks. */
interface Restoring {
  readonly keys: SpanKeys;
  readonly floorsUs: number[];
  gridId: string;
  seed: number;
  /** The block that is read, and its parents' ids as words. */
  rows: SpanRows | undefined;
  parents: Uint32Array;
}

/** Folds spans into rollups of services and of Grids, minute by minute, and into the catalogs of their names. */
export class SpanRollups implements TelemetryProjection<SpanColumns>, RecentSpansObserver {
  readonly thresholds: ApdexThresholds;
  private readonly names = new SpanNames();
  private readonly ring: SpanRing;
  private readonly links: SpanLinks;
  private readonly catalogs: ServiceCatalogs;
  private readonly services: RollupShelf<ServiceTally>;
  private readonly grids: RollupShelf<GridTally>;
  private readonly batches = new Map<string, BatchSeries>();
  private keptNames = KEPT_NAMES;
  private restoring: Restoring | undefined;

  /** `memory`: part of the usual bytes kept at hand. */
  constructor(
    collections: SpanRollupCollections,
    store: ReadModelReader,
    private readonly recent: RecentSpans,
    private readonly seedOf: (gridId: string) => number,
    memory = 1,
  ) {
    this.ring = new SpanRing(recent.reach);
    this.links = new SpanLinks(this.ring, recent, this.names);
    this.thresholds = new ApdexThresholds(collections.thresholds, store);
    this.catalogs = new ServiceCatalogs(collections.catalogs, store);
    this.services = new RollupShelf(serviceKind(collections), store, ROLLUP_BYTES * memory);
    this.grids = new RollupShelf(gridKind(collections), store, ROLLUP_BYTES * memory);
  }

  /** What was counted lately is brought back by `clear` to `complete`, before this. */
  async restore(): Promise<void> {
    await Promise.all([this.thresholds.restore(), this.services.restore(), this.grids.restore()]);
  }

  async received(portion: Portion<SpanColumns>): Promise<Change[]> {
    if (portion.rows.size === 0) return [];
    this.catalogs.trim();
    for (const gridId of portion.rows.keys()) await this.catalogs.load(gridId);
    const counts = this.fold(portion);
    await counts.book(this.services, this.grids, this.thresholds, this.catalogs);
    const changes = [...(await this.services.changes()), ...(await this.grids.changes())];
    for (const gridId of portion.rows.keys()) changes.push(...this.catalogs.changes(gridId));
    return changes;
  }

  async expired(gridId: string, before: number): Promise<Change[]> {
    this.batches.delete(gridId);
    this.links.expire(this.names.grid(gridId), before * 1000);
    return [...(await this.services.expired(gridId, before)), ...(await this.grids.expired(gridId, before)), ...(await this.catalogs.expired(gridId, before))];
  }

  clear(counted: number): void {
    this.catalogs.clear();
    this.batches.clear();
    this.links.clear();
    this.ring.clear(0);
    this.ring.append(counted);
    const words = (): Uint32Array => new Uint32Array(counted);
    this.restoring = { keys: { a: words(), b: words(), parentA: words(), parentB: words() }, floorsUs: [], gridId: '', seed: 0, rows: undefined, parents: new Uint32Array() };
  }

  async enter(gridId: string, seed: number, floorUs: number): Promise<void> {
    await this.catalogs.load(gridId);
    Object.assign(this.restoring!, { gridId, seed });
    this.restoring!.floorsUs[this.names.grid(gridId)] = floorUs;
  }

  restored(rows: SpanRows, row: number, number: number, { recordedAt, counted }: { readonly recordedAt: number; readonly counted: number }): void {
    const { restoring } = this;
    if (restoring!.rows !== rows) Object.assign(restoring!, { rows, parents: words32(rows.parentId) });
    const { keys, gridId, seed, parents } = restoring!;
    this.put(number, rows, row, recordedAt, counted, this.batchOf(gridId, rows.strings), isRootAt(parents, row));
    keys.a[number] = this.recent.a;
    keys.b[number] = this.recent.b;
    if (isRootAt(parents, row)) return;
    this.recent.keyOf(parents, row, seed);
    keys.parentA[number] = this.recent.a;
    keys.parentB[number] = this.recent.b;
  }

  async complete(): Promise<void> {
    const { ring, links } = this;
    const restoring = this.restoring!;
    this.restoring = undefined;
    // What trimming lets go on the way is behind what is visited.
    for (let from = ring.oldest, left = ring.size; left > 0; from += LINKED_AT_ONCE, left -= LINKED_AT_ONCE) {
      ring.eachOf(from, Math.min(left, LINKED_AT_ONCE), (number, slot) => this.linkAgain(number, slot, restoring));
      await setImmediate();
    }
    links.settle();
  }

  private linkAgain(number: number, slot: number, { keys: { a, b, parentA, parentB }, floorsUs }: Restoring): void {
    const { ring, links, recent } = this;
    links.begin(ring.time[slot], ring.counted[slot]);
    links.enter(floorsUs[this.names.gridOfSeries(ring.series[slot])]);
    recent.a = parentA[number];
    recent.b = parentB[number];
    const isRoot = (recent.a | recent.b) === 0;
    this.link(number, a[number], b[number], isRoot ? NONE : recent.within(ring.time[slot], ring.counted[slot], 0), isRoot);
  }

  /** Links the spans and counts them, in numbers alone. */
  private fold(portion: Portion<SpanColumns>): SpanCounts {
    const { columns, sections, rows } = portion;
    const { ring, links, recent } = this;
    const first = sections.find(({ request }) => request.spans > 0) ?? sections[0];
    const bookings = new SpanBookings(this.names);
    links.begin(first.recordedAt, recent.countedBefore(first.event), bookings);
    this.compact();
    let total = 0;
    for (const chosen of rows.values()) total += chosen.length;
    const counts = new SpanCounts(columns, this.names, ring, bookings, total);
    ring.append(total);
    const places = new Map([...rows.keys()].map((gridId) => [gridId, 0]));
    for (const section of sections) {
      const chosen = rows.get(section.gridId);
      if (chosen === undefined) continue;
      const from = places.get(section.gridId)!;
      places.set(section.gridId, this.foldSection(columns, section, chosen, from, portion.floorUs(section.gridId), counts));
    }
    links.settle();
    return counts;
  }

  /** Folds the rows of a section, which begin at index `from` of those chosen; answers where they end. */
  private foldSection(columns: SpanColumns, { gridId, to, recordedAt, event }: Section, chosen: Uint32Array, from: number, floorUs: number, counts: SpanCounts): number {
    const { recent } = this;
    const { a, b, number: numbers } = recent.rows;
    const parents = words32(columns.parentId);
    const counted = recent.countedBefore(event);
    const seed = this.seedOf(gridId);
    const batch = this.batchOf(gridId, columns.strings);
    this.links.enter(floorUs);
    let i = from;
    for (; i < chosen.length && chosen[i] < to; i++) {
      const row = chosen[i];
      const isRoot = isRootAt(parents, row);
      this.put(numbers[row], columns, row, recordedAt, counted, batch, isRoot);
      counts.add(row, numbers[row]);
      if (!isRoot) recent.keyOf(parents, row, seed);
      this.link(numbers[row], a[row], b[row], isRoot ? NONE : recent.withinFromPortion(recordedAt, counted, floorUs), isRoot);
    }
    return i;
  }

  /** Puts a row into the ring. */
  private put(number: number, columns: LabelColumns & Pick<SpanColumns, 'startUs' | 'startNs' | 'durationNs' | 'status'>, row: number, time: number, counted: number, batch: BatchSeries, isRoot: boolean): void {
    const { ring } = this;
    const slot = ring.slot(number);
    const kind = columns.kind[row];
    ring.time[slot] = time;
    ring.counted[slot] = counted;
    ring.startUs[slot] = columns.startUs[row];
    if (columns.startUs[row] < ring.oldestUs) ring.oldestUs = columns.startUs[row];
    ring.startNs[slot] = columns.startNs[row];
    ring.durationNs[slot] = ring.selfNs[slot] = Math.max(0, columns.durationNs[row]);
    ring.minute[slot] = minuteOf(ring.endUs(slot));
    ring.series[slot] = batch.of(columns, row, isRoot || isEntryKind(kind));
    ring.flags[slot] = columns.status[row] === STATUS_ERROR ? ERROR : 0;
    if (isCallKind(kind)) ring.peer[slot] = batch.peer(columns.peer[row]);
  }

  /** Links a span. The key of its parent is at hand in `recent`, unless it is a root. */
  private link(number: number, a: number, b: number, parent: number, isRoot: boolean): void {
    const isOwn = parent === number;
    this.links.add(number, a, b, isOwn ? NONE : parent, isRoot || isOwn);
  }

  private batchOf(gridId: string, strings: SpanColumns['strings']): BatchSeries {
    let batch = this.batches.get(gridId);
    if (batch === undefined || !batch.serves(strings)) this.batches.set(gridId, (batch = new BatchSeries(gridId, strings, this.names, this.catalogs)));
    return batch;
  }

  /** Forgets names that no span in the ring needs. */
  private compact(): void {
    const { names, ring } = this;
    if (names.size <= this.keptNames) return;
    const before = names.renew();
    ring.each((_, slot) => {
      ring.series[slot] = names.takeSeries(before, ring.series[slot]);
      if (isCallKind(names.kindOf(ring.series[slot]))) ring.peer[slot] = names.name(before.text(ring.peer[slot]));
    });
    this.batches.clear();
    this.keptNames = Math.max(KEPT_NAMES, names.size * 2);
  }
}

function isRootAt(parents: Uint32Array, row: number): boolean {
  return parents[row * 2] === 0 && parents[row * 2 + 1] === 0;
}

function serviceKind({ services: collections }: SpanRollupCollections): RollupKind<ServiceTally> {
  return {
    collections,
    create: (service) => new ServiceTally(service),
    decode: (blob) => {
      const rollup = decodeServiceRollup(blob);
      return new ServiceTally(rollup.service, rollup);
    },
    encode: (tally) => encodeServiceRollup(tally.rollup()),
    merge: (blobs) => encodeServiceRollup(boundService(sumService(blobs.map((blob) => decodeServiceRollup(blob))))),
  };
}

function gridKind({ grids: collections }: SpanRollupCollections): RollupKind<GridTally> {
  return {
    collections,
    create: () => new GridTally(),
    decode: (blob) => new GridTally(decodeGridRollup(blob)),
    encode: (tally) => encodeGridRollup(tally.rollup()),
    merge: (blobs) => encodeGridRollup(boundGrid(sumGrid(blobs.map((blob) => decodeGridRollup(blob))))),
  };
}
