import { KIND_CONSUMER, KIND_INTERNAL, type SpanKind, spanKindName } from '../../../telemetry/span-kind.js';
import { calleeKey } from './service-rollup-accumulator.js';
import { MAX_NAME_LENGTH, OTHER_NAME, UNKNOWN_TARGET } from '../../../diagnostics/rollups/rollup-types.js';
import type { SpanColumns } from '../../../telemetry/columns/span-batch-columns.js';
import type { ServiceCatalogs } from './service-catalogs.js';

/**
 * Assigns numbers, stable across batches, to what spans are counted by: names; services of Grids; operations that are
 * called; and series, which are the spans of one operation, kind and role (entry or not). A column stores a number
 * where a string would cost an object.
 */
export class SpanSeriesInterner {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];
  private readonly grids = new Map<string, number>();
  private readonly gridIds: string[] = [];
  private readonly services = new PairInterner();
  private readonly callees = new PairInterner();
  private readonly series = new PairInterner();
  private readonly calleeOfSeries: number[] = [];
  private readonly serviceOfSeries: number[] = [];
  private readonly calleeKeys: string[] = [];

  /** Number of series and names. */
  get size(): number {
    return this.series.count + this.texts.length;
  }

  /** Removes everything. Returns the former content. */
  reset(): SpanSeriesInterner {
    const before = Object.assign(new SpanSeriesInterner(), this);
    Object.assign(this, new SpanSeriesInterner());
    return before;
  }

  /** The new number of a series of a former interner. */
  reinternSeries(from: SpanSeriesInterner, series: number): number {
    const service = from.seriesService(series);
    const grid = this.internGrid(from.gridId(from.serviceGrid(service)));
    return this.internSeries(
      grid,
      from.serviceName(service),
      from.seriesOperation(series),
      from.seriesKind(series),
      from.isEntry(series),
    );
  }

  internName(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.numbers.set(text, number);
    }
    return number;
  }

  text(name: number): string {
    return this.texts[name];
  }

  internGrid(gridId: string): number {
    let number = this.grids.get(gridId);
    if (number === undefined) {
      number = this.gridIds.push(gridId) - 1;
      this.grids.set(gridId, number);
    }
    return number;
  }

  gridId(grid: number): string {
    return this.gridIds[grid];
  }

  /** Number of a series by the names that it counts under. `kind` as in OTLP, 1 to 5. */
  internSeries(grid: number, service: string, operation: string, kind: number, entry: boolean): number {
    const callee = this.callees.intern(
      this.services.intern(grid, this.internName(service)),
      this.internName(operation),
    );
    const series = this.series.intern(callee, kind * 2 + Number(entry));
    this.calleeOfSeries[series] = callee;
    this.serviceOfSeries[series] = this.callees.firsts[callee];
    return series;
  }

  seriesCallee(series: number): number {
    return this.calleeOfSeries[series];
  }

  /** 1 to 5, as in OTLP. */
  seriesKind(series: number): number {
    return this.series.seconds[series] >> 1;
  }

  seriesKindName(series: number): SpanKind {
    return spanKindName(this.seriesKind(series));
  }

  isEntry(series: number): boolean {
    return (this.series.seconds[series] & 1) === 1;
  }

  /** Number of the service, which belongs to one Grid. */
  seriesService(series: number): number {
    return this.serviceOfSeries[series];
  }

  seriesOperation(series: number): string {
    return this.calleeOperation(this.calleeOfSeries[series]);
  }

  /** Service and operation of a callee as one key. */
  calleeKey(callee: number): string {
    return (this.calleeKeys[callee] ??= calleeKey(this.calleeService(callee), this.calleeOperation(callee)));
  }

  calleeService(callee: number): string {
    return this.serviceName(this.callees.firsts[callee]);
  }

  calleeOperation(callee: number): string {
    return this.texts[this.callees.seconds[callee]];
  }

  serviceGrid(service: number): number {
    return this.services.firsts[service];
  }

  /** Id of the service's name. */
  serviceNameId(service: number): number {
    return this.services.seconds[service];
  }

  seriesGrid(series: number): number {
    return this.serviceGrid(this.seriesService(series));
  }

  serviceName(service: number): string {
    return this.texts[this.services.seconds[service]];
  }
}

/** Upper bound of the combinations of kind and role. */
const ROLES = 16;

/** Columns by which a row is counted, in the ids of its batch. */
export type SeriesColumns = Pick<SpanColumns, 'strings' | 'service' | 'operation' | 'kind' | 'peer'>;

/** Maps the ids of batches that share their strings to the series of one Grid: each is looked up once. */
export class SpanSeriesResolver {
  private readonly pairs = new PairInterner();
  private readonly series: number[] = [];
  private readonly peers: number[] = [];

  constructor(
    private readonly gridId: string,
    private readonly strings: SpanColumns['strings'],
    private readonly names: SpanSeriesInterner,
    private readonly catalogs: ServiceCatalogs,
  ) {}

  /** Whether it was created for these strings and can be reused. */
  matches(strings: SpanColumns['strings']): boolean {
    return this.strings === strings;
  }

  /** Series of a row. */
  resolveSeries({ service, operation, kind }: SeriesColumns, row: number, isEntry: boolean): number {
    const known = normalizeKind(kind[row]);
    const role = known * 2 + Number(isEntry);
    const pair = this.pairs.intern(service[row], operation[row] * ROLES + role);
    return this.series[pair] ?? (this.series[pair] = this.internSeries(service[row], operation[row], known, isEntry));
  }

  /** Name id of the peer that a row calls. */
  resolvePeer(id: number): number {
    return this.peers[id] ?? (this.peers[id] = this.internPeer(id));
  }

  private internSeries(service: number, operation: number, kind: number, isEntry: boolean): number {
    const { names, strings } = this;
    const counted = this.catalogs.resolve(this.gridId, strings.text(service));
    return names.internSeries(
      names.internGrid(this.gridId),
      counted.service,
      counted.admitOperation(strings.text(operation)),
      kind,
      isEntry,
    );
  }

  private internPeer(id: number): number {
    const text = this.strings.text(id);
    return this.names.internName(text.length > MAX_NAME_LENGTH ? OTHER_NAME : text || UNKNOWN_TARGET);
  }
}

/** 1 to 5; unknown kinds count as INTERNAL. */
function normalizeKind(kind: number): number {
  return kind >= KIND_INTERNAL && kind <= KIND_CONSUMER ? kind : KIND_INTERNAL;
}

const MIN_SLOTS = 1 << 8;

/** Load factor above which the table doubles. */
const MAX_LOAD = 0.5;

/**
 * A slot: both numbers of a pair and the number of the pair plus 1; 0 for a free slot. A fourth word keeps slots within
 * cache lines.
 */
const SLOT_BITS = 2;

const SLOT_WORDS = 1 << SLOT_BITS;

/** Numbers pairs of integers (below 2^31) 0, 1, 2 … in the order of their first occurrence. */
export class PairInterner {
  readonly firsts: number[] = [];
  readonly seconds: number[] = [];
  /** Open-addressed hash table. */
  private words = new Int32Array(MIN_SLOTS * SLOT_WORDS);

  get count(): number {
    return this.firsts.length;
  }

  intern(first: number, second: number): number {
    const { words } = this;
    const mask = words.length - 1;
    let at = (hashSlot(first, second) << SLOT_BITS) & mask;
    for (let number = words[at + 2]; number !== 0; number = words[at + 2]) {
      if (words[at] === first && words[at + 1] === second) return number - 1;
      at = (at + SLOT_WORDS) & mask;
    }
    return this.add(first, second);
  }

  private add(first: number, second: number): number {
    const number = this.firsts.push(first);
    this.seconds.push(second);
    if (number * SLOT_WORDS > this.words.length * MAX_LOAD) this.grow();
    else place(this.words, first, second, number);
    return number - 1;
  }

  private grow(): void {
    this.words = new Int32Array(this.words.length * 2);
    for (let i = 0; i < this.count; i++) place(this.words, this.firsts[i], this.seconds[i], i + 1);
  }
}

function place(words: Int32Array, first: number, second: number, number: number): void {
  const mask = words.length - 1;
  let at = (hashSlot(first, second) << SLOT_BITS) & mask;
  while (words[at + 2] !== 0) at = (at + SLOT_WORDS) & mask;
  words[at] = first;
  words[at + 1] = second;
  words[at + 2] = number;
}

function hashSlot(first: number, second: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ second;
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
