import { setImmediate } from 'node:timers/promises';
import type { SpanRows } from '../../../read-models/blocks/span-block-codec.js';
import { asWords32 } from '../../../read-models/blocks/uint32-words.js';
import type { SpanRollupCollections } from '../../../read-models/documents/rollup-documents.js';
import type { DocumentChange, ReadModelReader } from '../../../read-models/read-model-store.js';
import { STATUS_ERROR, type SpanColumns } from '../../../telemetry/columns/span-batch-columns.js';
import { isCallKind, isEntryKind } from '../../../telemetry/span-kind.js';
import type { RecentSpans } from '../deduplication/recent-spans.js';
import type { TelemetryBatch, EventRows, TelemetryProjection } from '../telemetry-batch.js';
import type { RecentSpansObserver } from '../deduplication/span-ingestion.js';
import { ApdexThresholds } from './apdex-thresholds.js';
import { type SeriesColumns, SpanSeriesInterner, SpanSeriesResolver } from './span-series-interner.js';
import { type GridRollupAccumulator, gridRollupFormat } from './grid-rollup-accumulator.js';
import { ROLLUP_BUFFER_BYTES, RollupBuffer } from './rollup-buffer.js';
import { ServiceCatalogs } from './service-catalogs.js';
import { type ServiceRollupAccumulator, serviceRollupFormat } from './service-rollup-accumulator.js';
import { PendingSpanIncrements } from './pending-span-increments.js';
import { SpanBatchCounts } from './span-batch-counts.js';
import { SpanLinker } from './span-linker.js';
import { ERROR, toMinute, NONE, SpanRingBuffer } from './span-ring-buffer.js';

/**
 * Minimum number of names and series to retain; beyond that, those that no span in the ring buffer needs are dropped.
 */
const MIN_KEPT_NAMES = 1 << 18;

/** Spans that a restart links before it yields the thread. */
const SPANS_PER_LINK_SLICE = 1 << 15;

interface SpanKeys {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly parentA: Uint32Array;
  readonly parentB: Uint32Array;
}

/** State while spans are restored from their blocks. */
interface RestoreState {
  readonly keys: SpanKeys;
  readonly floorsUs: number[];
  gridId: string;
  seed: number;
  /** The current block, and its parent ids as words. */
  rows: SpanRows | undefined;
  parents: Uint32Array;
}

/** Folds spans into rollups of services and Grids by minute, and into the catalogs of their names. */
export class SpanRollupProjection implements TelemetryProjection<SpanColumns>, RecentSpansObserver {
  readonly thresholds: ApdexThresholds;
  private readonly names = new SpanSeriesInterner();
  private readonly ring: SpanRingBuffer;
  private readonly links: SpanLinker;
  private readonly catalogs: ServiceCatalogs;
  private readonly services: RollupBuffer<ServiceRollupAccumulator>;
  private readonly grids: RollupBuffer<GridRollupAccumulator>;
  private readonly resolvers = new Map<string, SpanSeriesResolver>();
  private keptNames = MIN_KEPT_NAMES;
  private restoreState: RestoreState | undefined;

  /** `memory`: fraction of the default buffer sizes. */
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
    this.services = new RollupBuffer(serviceRollupFormat(collections.services), store, ROLLUP_BUFFER_BYTES * memory);
    this.grids = new RollupBuffer(gridRollupFormat(collections.grids), store, ROLLUP_BUFFER_BYTES * memory);
  }

  /** Recently counted spans are restored before this, by `clear` to `complete`. */
  async restore(): Promise<void> {
    await Promise.all([this.thresholds.restore(), this.services.restore(), this.grids.restore()]);
  }

  async foldBatch(batch: TelemetryBatch<SpanColumns>): Promise<DocumentChange[]> {
    if (batch.rows.size === 0) return [];
    this.catalogs.evict();
    for (const gridId of batch.rows.keys()) await this.catalogs.load(gridId);
    const counts = this.fold(batch);
    await counts.applyTo(this.services, this.grids, this.thresholds, this.catalogs);
    const changes = [...(await this.services.changes()), ...(await this.grids.changes())];
    for (const gridId of batch.rows.keys()) changes.push(...this.catalogs.changes(gridId));
    return changes;
  }

  releaseMemory(): void {
    this.services.releaseMemory();
    this.grids.releaseMemory();
  }

  async expire(gridId: string, before: number): Promise<DocumentChange[]> {
    this.resolvers.delete(gridId);
    this.links.expire(this.names.internGrid(gridId), before * 1000);
    return [
      ...(await this.services.expire(gridId, before)),
      ...(await this.grids.expire(gridId, before)),
      ...(await this.catalogs.expire(gridId, before)),
    ];
  }

  clear(counted: number): void {
    this.catalogs.clear();
    this.resolvers.clear();
    this.links.clear();
    this.ring.clear(0);
    this.ring.reserve(counted);
    const words = (): Uint32Array => new Uint32Array(counted);
    this.restoreState = {
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
    Object.assign(this.restoreState!, { gridId, seed });
    this.restoreState!.floorsUs[this.names.internGrid(gridId)] = floorUs;
  }

  addRestored(
    rows: SpanRows,
    row: number,
    number: number,
    { recordedAt, counted }: { readonly recordedAt: number; readonly counted: number },
  ): void {
    const { restoreState } = this;
    if (restoreState!.rows !== rows) Object.assign(restoreState!, { rows, parents: asWords32(rows.parentId) });
    const { keys, gridId, seed, parents } = restoreState!;
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
    const restoreState = this.restoreState!;
    this.restoreState = undefined;
    // Spans that are trimmed meanwhile have already been visited.
    for (
      let from = ring.oldest, left = ring.size;
      left > 0;
      from += SPANS_PER_LINK_SLICE, left -= SPANS_PER_LINK_SLICE
    ) {
      ring.forEachInRange(from, Math.min(left, SPANS_PER_LINK_SLICE), (number, slot) =>
        this.relinkSpan(number, slot, restoreState),
      );
      await setImmediate();
    }
    links.flush();
  }

  private relinkSpan(number: number, slot: number, { keys: { a, b, parentA, parentB }, floorsUs }: RestoreState): void {
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

  /** Links and counts the spans, by numeric ids only. */
  private fold(batch: TelemetryBatch<SpanColumns>): SpanBatchCounts {
    const { columns, eventRows, rows } = batch;
    const { ring, links, recent } = this;
    const first = eventRows.find(({ request }) => request.spans > 0) ?? eventRows[0];
    const increments = new PendingSpanIncrements(this.names);
    links.begin(first.recordedAt, recent.countedBefore(first.event), increments);
    this.compactNames();
    let total = 0;
    for (const gridRows of rows.values()) total += gridRows.length;
    const counts = new SpanBatchCounts(columns, this.names, ring, increments, total);
    ring.reserve(total);
    const nextIndexes = new Map([...rows.keys()].map((gridId) => [gridId, 0]));
    for (const entry of eventRows) {
      const gridRows = rows.get(entry.gridId);
      if (gridRows === undefined) continue;
      const from = nextIndexes.get(entry.gridId)!;
      nextIndexes.set(
        entry.gridId,
        this.foldEvent(columns, entry, gridRows, from, batch.floorUs(entry.gridId), counts),
      );
    }
    links.flush();
    return counts;
  }

  /** Folds the rows of an event, which start at index `from` of the selected rows; returns where they end. */
  private foldEvent(
    columns: SpanColumns,
    { gridId, to, recordedAt, event }: EventRows,
    gridRows: Uint32Array,
    from: number,
    floorUs: number,
    counts: SpanBatchCounts,
  ): number {
    const { recent } = this;
    const { a, b, number: numbers } = recent.rows;
    const parents = asWords32(columns.parentId);
    const counted = recent.countedBefore(event);
    const seed = this.seedOf(gridId);
    const resolver = this.seriesResolver(gridId, columns.strings);
    this.links.beginGrid(floorUs);
    let i = from;
    for (; i < gridRows.length && gridRows[i] < to; i++) {
      const row = gridRows[i];
      const isRoot = isRootSpan(parents, row);
      this.putSpan(numbers[row], columns, row, recordedAt, counted, resolver, isRoot);
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

  /** Stores a row in the ring buffer. */
  private putSpan(
    number: number,
    columns: SeriesColumns & Pick<SpanColumns, 'startUs' | 'startNs' | 'durationNs' | 'status'>,
    row: number,
    time: number,
    counted: number,
    resolver: SpanSeriesResolver,
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
    ring.series[slot] = resolver.resolveSeries(columns, row, isRoot || isEntryKind(kind));
    ring.flags[slot] = columns.status[row] === STATUS_ERROR ? ERROR : 0;
    if (isCallKind(kind)) ring.peer[slot] = resolver.resolvePeer(columns.peer[row]);
  }

  /** Links a span. The key of its parent is the current one in `recent`, unless it is a root. */
  private linkSpan(number: number, a: number, b: number, parent: number, isRoot: boolean): void {
    const isOwn = parent === number;
    this.links.add(number, a, b, isOwn ? NONE : parent, isRoot || isOwn);
  }

  private seriesResolver(gridId: string, strings: SpanColumns['strings']): SpanSeriesResolver {
    let resolver = this.resolvers.get(gridId);
    if (resolver === undefined || !resolver.matches(strings))
      this.resolvers.set(gridId, (resolver = new SpanSeriesResolver(gridId, strings, this.names, this.catalogs)));
    return resolver;
  }

  /** Drops names that no span in the ring buffer needs. */
  private compactNames(): void {
    const { names, ring } = this;
    if (names.size <= this.keptNames) return;
    const before = names.reset();
    ring.forEach((_, slot) => {
      ring.series[slot] = names.reinternSeries(before, ring.series[slot]);
      if (isCallKind(names.seriesKind(ring.series[slot])))
        ring.peer[slot] = names.internName(before.text(ring.peer[slot]));
    });
    this.resolvers.clear();
    this.keptNames = Math.max(MIN_KEPT_NAMES, names.size * 2);
  }
}

function isRootSpan(parents: Uint32Array, row: number): boolean {
  return parents[row * 2] === 0 && parents[row * 2 + 1] === 0;
}
