import { setImmediate } from 'node:timers/promises';
import { boundGrid, boundService } from '../../../diagnostics/rollups/rollup-bounds.js';
import { sumGrid, sumService } from '../../../diagnostics/rollups/rollup-sums.js';
import type { SpanRows } from '../../../read-models/blocks/span-block-codec.js';
import { asWords32 } from '../../../read-models/blocks/uint32-words.js';
import type { SpanRollupCollections } from '../../../read-models/documents/rollup-documents.js';
import { decodeGridRollup, encodeGridRollup } from '../../../read-models/rollups/grid-rollup-codec.js';
import { decodeServiceRollup, encodeServiceRollup } from '../../../read-models/rollups/service-rollup-codec.js';
import type { DocumentChange, ReadModelReader } from '../../../read-models/read-model-store.js';
import { STATUS_ERROR, type SpanColumns } from '../../../telemetry/columns/span-batch-columns.js';
import { isCallKind, isEntryKind } from '../../../telemetry/span-kind.js';
import type { RecentSpans } from '../deduplication/recent-spans.js';
import type { TelemetryBatch, EventRows, TelemetryProjection } from '../telemetry-batch.js';
import type { RecentSpansObserver } from '../deduplication/span-ingestion.js';
import { ApdexThresholds } from './apdex-thresholds.js';
import { type SeriesColumns, SpanSeriesInterner, SpanSeriesResolver } from './span-series-interner.js';
import { GridRollupAccumulator } from './grid-rollup-accumulator.js';
import type { RollupFormat } from './rollup-format.js';
import { ROLLUP_BUFFER_BYTES, RollupBuffer } from './rollup-buffer.js';
import { ServiceCatalogs } from './service-catalogs.js';
import { ServiceRollupAccumulator } from './service-rollup-accumulator.js';
import { PendingSpanIncrements } from './pending-span-increments.js';
import { SpanBatchCounts } from './span-batch-counts.js';
import { SpanLinker } from './span-linker.js';
import { ERROR, toMinute, NONE, SpanRingBuffer } from './span-ring-buffer.js';

/** Numbers of names and series kept at hand at least; past that, those go that no span in the ring needs. */
const MIN_KEPT_NAMES = 1 << 18;

/** Spans that a restart links before others get the thread. */
const SPANS_PER_LINK_SLICE = 1 << 15;

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
export class SpanRollupProjection implements TelemetryProjection<SpanColumns>, RecentSpansObserver {
  readonly thresholds: ApdexThresholds;
  private readonly names = new SpanSeriesInterner();
  private readonly ring: SpanRingBuffer;
  private readonly links: SpanLinker;
  private readonly catalogs: ServiceCatalogs;
  private readonly services: RollupBuffer<ServiceRollupAccumulator>;
  private readonly grids: RollupBuffer<GridRollupAccumulator>;
  private readonly batches = new Map<string, SpanSeriesResolver>();
  private keptNames = MIN_KEPT_NAMES;
  private restoring: Restoring | undefined;

  /** `memory`: part of the usual bytes kept at hand. */
  constructor(
    collections: SpanRollupCollections,
    store: ReadModelReader,
    private readonly recent: RecentSpans,
    private readonly seedOf: (gridId: string) => number,
    memory = 1,
  ) {
    this.ring = new SpanRingBuffer(recent.reach);
    this.links = new SpanLinker(this.ring, recent, this.names);
    this.thresholds = new ApdexThresholds(collections.thresholds, store);
    this.catalogs = new ServiceCatalogs(collections.catalogs, store);
    this.services = new RollupBuffer(serviceRollupFormat(collections), store, ROLLUP_BUFFER_BYTES * memory);
    this.grids = new RollupBuffer(gridRollupFormat(collections), store, ROLLUP_BUFFER_BYTES * memory);
  }

  /** What was counted lately is brought back by `clear` to `complete`, before this. */
  async restore(): Promise<void> {
    await Promise.all([this.thresholds.restore(), this.services.restore(), this.grids.restore()]);
  }

  async foldBatch(portion: TelemetryBatch<SpanColumns>): Promise<DocumentChange[]> {
    if (portion.rows.size === 0) return [];
    this.catalogs.evict();
    for (const gridId of portion.rows.keys()) await this.catalogs.load(gridId);
    const counts = this.fold(portion);
    await counts.applyTo(this.services, this.grids, this.thresholds, this.catalogs);
    const changes = [...(await this.services.changes()), ...(await this.grids.changes())];
    for (const gridId of portion.rows.keys()) changes.push(...this.catalogs.changes(gridId));
    return changes;
  }

  async expire(gridId: string, before: number): Promise<DocumentChange[]> {
    this.batches.delete(gridId);
    this.links.expire(this.names.internGrid(gridId), before * 1000);
    return [
      ...(await this.services.expire(gridId, before)),
      ...(await this.grids.expire(gridId, before)),
      ...(await this.catalogs.expire(gridId, before)),
    ];
  }

  clear(counted: number): void {
    this.catalogs.clear();
    this.batches.clear();
    this.links.clear();
    this.ring.clear(0);
    this.ring.reserve(counted);
    const words = (): Uint32Array => new Uint32Array(counted);
    this.restoring = {
      keys: { a: words(), b: words(), parentA: words(), parentB: words() },
      floorsUs: [],
      gridId: '',
      seed: 0,
      rows: undefined,
      parents: new Uint32Array(),
    };
  }

  async beginGrid(gridId: string, seed: number, floorUs: number): Promise<void> {
    await this.catalogs.load(gridId);
    Object.assign(this.restoring!, { gridId, seed });
    this.restoring!.floorsUs[this.names.internGrid(gridId)] = floorUs;
  }

  addRestored(
    rows: SpanRows,
    row: number,
    number: number,
    { recordedAt, counted }: { readonly recordedAt: number; readonly counted: number },
  ): void {
    const { restoring } = this;
    if (restoring!.rows !== rows) Object.assign(restoring!, { rows, parents: asWords32(rows.parentId) });
    const { keys, gridId, seed, parents } = restoring!;
    this.putSpan(
      number,
      rows,
      row,
      recordedAt,
      counted,
      this.seriesResolver(gridId, rows.strings),
      isRootSpan(parents, row),
    );
    keys.a[number] = this.recent.a;
    keys.b[number] = this.recent.b;
    if (isRootSpan(parents, row)) return;
    this.recent.setKey(parents, row, seed);
    keys.parentA[number] = this.recent.a;
    keys.parentB[number] = this.recent.b;
  }

  async complete(): Promise<void> {
    const { ring, links } = this;
    const restoring = this.restoring!;
    this.restoring = undefined;
    // What trimming lets go on the way is behind what is visited.
    for (
      let from = ring.oldest, left = ring.size;
      left > 0;
      from += SPANS_PER_LINK_SLICE, left -= SPANS_PER_LINK_SLICE
    ) {
      ring.forEachInRange(from, Math.min(left, SPANS_PER_LINK_SLICE), (number, slot) =>
        this.relinkSpan(number, slot, restoring),
      );
      await setImmediate();
    }
    links.flush();
  }

  private relinkSpan(number: number, slot: number, { keys: { a, b, parentA, parentB }, floorsUs }: Restoring): void {
    const { ring, links, recent } = this;
    links.begin(ring.time[slot], ring.counted[slot]);
    links.beginGrid(floorsUs[this.names.seriesGrid(ring.series[slot])]);
    recent.a = parentA[number];
    recent.b = parentB[number];
    const isRoot = (recent.a | recent.b) === 0;
    this.linkSpan(
      number,
      a[number],
      b[number],
      isRoot ? NONE : recent.findNear(ring.time[slot], ring.counted[slot], 0),
      isRoot,
    );
  }

  /** Links the spans and counts them, in numbers alone. */
  private fold(portion: TelemetryBatch<SpanColumns>): SpanBatchCounts {
    const { columns, eventRows: sections, rows } = portion;
    const { ring, links, recent } = this;
    const first = sections.find(({ request }) => request.spans > 0) ?? sections[0];
    const bookings = new PendingSpanIncrements(this.names);
    links.begin(first.recordedAt, recent.countedBefore(first.event), bookings);
    this.compactNames();
    let total = 0;
    for (const chosen of rows.values()) total += chosen.length;
    const counts = new SpanBatchCounts(columns, this.names, ring, bookings, total);
    ring.reserve(total);
    const places = new Map([...rows.keys()].map((gridId) => [gridId, 0]));
    for (const section of sections) {
      const chosen = rows.get(section.gridId);
      if (chosen === undefined) continue;
      const from = places.get(section.gridId)!;
      places.set(
        section.gridId,
        this.foldSection(columns, section, chosen, from, portion.floorUs(section.gridId), counts),
      );
    }
    links.flush();
    return counts;
  }

  /** Folds the rows of a section, which begin at index `from` of those chosen; answers where they end. */
  private foldSection(
    columns: SpanColumns,
    { gridId, to, recordedAt, event }: EventRows,
    chosen: Uint32Array,
    from: number,
    floorUs: number,
    counts: SpanBatchCounts,
  ): number {
    const { recent } = this;
    const { a, b, number: numbers } = recent.rows;
    const parents = asWords32(columns.parentId);
    const counted = recent.countedBefore(event);
    const seed = this.seedOf(gridId);
    const batch = this.seriesResolver(gridId, columns.strings);
    this.links.beginGrid(floorUs);
    let i = from;
    for (; i < chosen.length && chosen[i] < to; i++) {
      const row = chosen[i];
      const isRoot = isRootSpan(parents, row);
      this.putSpan(numbers[row], columns, row, recordedAt, counted, batch, isRoot);
      counts.add(row, numbers[row]);
      if (!isRoot) recent.setKey(parents, row, seed);
      this.linkSpan(
        numbers[row],
        a[row],
        b[row],
        isRoot ? NONE : recent.findNearInBatch(recordedAt, counted, floorUs),
        isRoot,
      );
    }
    return i;
  }

  /** Puts a row into the ring. */
  private putSpan(
    number: number,
    columns: SeriesColumns & Pick<SpanColumns, 'startUs' | 'startNs' | 'durationNs' | 'status'>,
    row: number,
    time: number,
    counted: number,
    batch: SpanSeriesResolver,
    isRoot: boolean,
  ): void {
    const { ring } = this;
    const slot = ring.slot(number);
    const kind = columns.kind[row];
    ring.time[slot] = time;
    ring.counted[slot] = counted;
    ring.startUs[slot] = columns.startUs[row];
    if (columns.startUs[row] < ring.oldestUs) ring.oldestUs = columns.startUs[row];
    ring.startNs[slot] = columns.startNs[row];
    ring.durationNs[slot] = ring.selfNs[slot] = Math.max(0, columns.durationNs[row]);
    ring.minute[slot] = toMinute(ring.endUs(slot));
    ring.series[slot] = batch.resolveSeries(columns, row, isRoot || isEntryKind(kind));
    ring.flags[slot] = columns.status[row] === STATUS_ERROR ? ERROR : 0;
    if (isCallKind(kind)) ring.peer[slot] = batch.resolvePeer(columns.peer[row]);
  }

  /** Links a span. The key of its parent is at hand in `recent`, unless it is a root. */
  private linkSpan(number: number, a: number, b: number, parent: number, isRoot: boolean): void {
    const isOwn = parent === number;
    this.links.add(number, a, b, isOwn ? NONE : parent, isRoot || isOwn);
  }

  private seriesResolver(gridId: string, strings: SpanColumns['strings']): SpanSeriesResolver {
    let batch = this.batches.get(gridId);
    if (batch === undefined || !batch.matches(strings))
      this.batches.set(gridId, (batch = new SpanSeriesResolver(gridId, strings, this.names, this.catalogs)));
    return batch;
  }

  /** Forgets names that no span in the ring needs. */
  private compactNames(): void {
    const { names, ring } = this;
    if (names.size <= this.keptNames) return;
    const before = names.reset();
    ring.forEach((_, slot) => {
      ring.series[slot] = names.reinternSeries(before, ring.series[slot]);
      if (isCallKind(names.seriesKind(ring.series[slot])))
        ring.peer[slot] = names.internName(before.text(ring.peer[slot]));
    });
    this.batches.clear();
    this.keptNames = Math.max(MIN_KEPT_NAMES, names.size * 2);
  }
}

function isRootSpan(parents: Uint32Array, row: number): boolean {
  return parents[row * 2] === 0 && parents[row * 2 + 1] === 0;
}

function serviceRollupFormat({ services: collections }: SpanRollupCollections): RollupFormat<ServiceRollupAccumulator> {
  return {
    collections,
    create: (service) => new ServiceRollupAccumulator(service),
    decode: (blob) => {
      const rollup = decodeServiceRollup(blob);
      return new ServiceRollupAccumulator(rollup.service, rollup);
    },
    encode: (tally) => encodeServiceRollup(tally.toRollup()),
    merge: (blobs) => encodeServiceRollup(boundService(sumService(blobs.map((blob) => decodeServiceRollup(blob))))),
  };
}

function gridRollupFormat({ grids: collections }: SpanRollupCollections): RollupFormat<GridRollupAccumulator> {
  return {
    collections,
    create: () => new GridRollupAccumulator(),
    decode: (blob) => new GridRollupAccumulator(decodeGridRollup(blob)),
    encode: (tally) => encodeGridRollup(tally.toRollup()),
    merge: (blobs) => encodeGridRollup(boundGrid(sumGrid(blobs.map((blob) => decodeGridRollup(blob))))),
  };
}
