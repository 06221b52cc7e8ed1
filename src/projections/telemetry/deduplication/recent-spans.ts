import { asWords32 } from '../../../read-models/blocks/uint32-words.js';
import type { SpanColumns } from '../../../telemetry/columns/span-batch-columns.js';
import { OpenAddressedTable } from '../open-addressed-table.js';
import { BatchSpanIndex, LINK_WINDOW_MS } from './batch-span-index.js';

/** How long (ms of log time) a repetition is recognised by its identity alone. */
export const DUPLICATE_WINDOW_MS = 15 * 60_000;

/** Minimum number of spans in the table; the maximum is twice that. */
export const SPAN_HORIZON = 1 << 20;

/** The columns that make up the identity of a span. */
export type SpanIds = Pick<SpanColumns, 'traceId' | 'spanId' | 'startUs' | 'startNs'>;

/** What is known about a span id: nothing, a span with the same start, or a recent one with another start. */
export type SpanMatch = 'new' | 'same' | 'other';

/**
 * Reach as a fraction of the horizon: relatives of relatives are within twice the reach, and together with another
 * commit they fit into a ring of 2^20 spans.
 */
const LINK_HORIZON_RATIO = 15 / 32;

/** Window of the request journal: a span within reach of another one may have relatives within its own reach. */
export const JOURNAL_WINDOW_MS = 2 * LINK_WINDOW_MS;

/** Span numbers increase and wrap around: only their differences matter. */
export const SPAN_NUMBER_RANGE = 2 ** 31;

/** Two words of key, two of start, one for the event, one for the span number. */
const ENTRY_WORDS = 6;
const START_LOW = 2;
const START_HIGH = 3;
const EVENT = 4;
const NUMBER = 5;
const TWO_32 = 4_294_967_296;

/**
 * The most recently counted spans, by 64 bits of (Grid, trace id, span id), with their starts. Two generations: when
 * the younger one is full, the older one is dropped as a whole, so nothing ever has to be searched for removal. What a
 * repetition with another start means depends on counts and log times only, never on when a generation ends: a replay
 * decides as the live projector did.
 */
export class RecentSpans {
  private current: Generation;
  private previous: Generation | undefined;
  private events = 0;
  private counted = 0;
  private now = 0;
  private countedBeforeEvent = 0;
  private traces: Uint32Array = new Uint32Array();
  private spans: Uint32Array = new Uint32Array();
  /** Rows that were admitted in the current batch. */
  readonly rows = new BatchSpanIndex();
  /** Maximum number of spans counted between a span and its child, by whole events. */
  readonly reach: number;
  /** The current identity: key and start, in the form of a table entry. */
  a = 0;
  b = 0;
  private low = 0;
  private high = 0;
  /** Whether no span was found with the current key. */
  private isOnly = true;

  constructor(private readonly horizon = SPAN_HORIZON) {
    this.current = new Generation(0);
    this.reach = Math.floor(horizon * LINK_HORIZON_RATIO);
  }

  clear(): void {
    this.current = new Generation(0);
    this.previous = undefined;
    this.events = 0;
    this.counted = 0;
    this.rows.begin([]);
  }

  /** Allocates space for this many spans; only directly after `clear`. */
  reserve(spans: number): void {
    this.current = new Generation(0, OpenAddressedTable.sizeFor(spans));
  }

  /** Whether spans are remembered that were counted before the last `spans` ones. */
  remembers(spans: number): boolean {
    return spans <= this.horizon;
  }

  /**
   * Forgets what cannot affect a decision any more, so that one table is left, as after a restart: the next batch looks for
   * the forgotten spans in stored blocks. Only between two batches.
   */
  releaseMemory(): void {
    const { previous, current, counted } = this;
    if (previous === undefined) return;
    const countedBefore = [...previous.countedBefore, ...current.countedBefore];
    const dropped = countedBefore.findIndex((before) => this.remembers(counted - before));
    const from = previous.firstEvent + (dropped < 0 ? countedBefore.length : dropped);
    const spans = dropped < 0 ? 0 : counted - countedBefore[dropped];
    const joined = new Generation(from, OpenAddressedTable.sizeFor(spans));
    for (const generation of [previous, current]) joined.addRecent(generation);
    this.current = joined;
    this.previous = undefined;
  }

  /** Every span of this event and of later ones stays in the table until the next batch starts. */
  get oldestEvent(): number {
    return (this.previous ?? this.current).firstEvent;
  }

  /** Starts a batch of spans in these columns. Spans are forgotten only here. */
  beginBatch(columns: SpanIds): void {
    this.setColumns(columns);
    this.rows.begin(columns.startUs);
    const { slots, times } = this.current;
    // Events without a new span take space too; they are dropped once nothing before them can affect a decision.
    const isLong = times.length >= this.horizon && this.now - times[0] >= DUPLICATE_WINDOW_MS;
    if (slots.count < this.horizon && !isLong) return;
    this.previous = this.current;
    this.current = new Generation(this.events, this.previous.slots.size);
  }

  /** Starts an event recorded at this log time. Returns the number of the event. */
  beginEvent(recordedAt: number): number {
    this.now = recordedAt;
    this.countedBeforeEvent = this.counted;
    this.current.times.push(recordedAt);
    this.current.countedBefore.push(this.counted);
    this.rows.beginEvent(recordedAt, this.counted);
    return this.events++;
  }

  /** Looks up the span of this row. Spans that started before `floorUs` have expired and are ignored. */
  find(columns: SpanIds, row: number, seed: number, floorUs: number): SpanMatch {
    this.setIdentity(columns, row, seed);
    this.isOnly = true;
    const found = this.findIn(this.current, floorUs);
    if (found === 'same' || this.previous === undefined) return found;
    const before = this.findIn(this.previous, floorUs);
    return before === 'new' ? found : before;
  }

  /**
   * Counts the span of this row, which belongs to the current event, unless it is a repetition. Returns whether it
   * counts.
   */
  admit(columns: SpanIds, row: number, seed: number, floorUs: number): boolean {
    if (this.find(columns, row, seed, floorUs) !== 'new') return false;
    const number = this.counted++ % SPAN_NUMBER_RANGE;
    this.place(this.events - 1, number);
    this.rows.add(row, this.a, this.b, number, this.isOnly);
    return true;
  }

  /** Sets the columns whose ids the next calls read. */
  setColumns(columns: SpanIds): void {
    this.traces = asWords32(columns.traceId);
    this.spans = asWords32(columns.spanId);
  }

  /** Spans counted since the table was empty, including those restored from before the restart. */
  get total(): number {
    return this.counted;
  }

  /** Starts an event of which `spans` were counted before the restart; `insert` adds them. Returns its number. */
  restoreEvent(recordedAt: number, spans: number): number {
    const event = this.beginEvent(recordedAt);
    this.counted += spans;
    return event;
  }

  /** Adds the span of this row, which belongs to the event with this number, without counting it. */
  insert(columns: SpanIds, row: number, seed: number, event: number, number: number): void {
    this.setIdentity(columns, row, seed);
    this.place(event, number);
  }

  /**
   * Sets `a` and `b` to the key of the span with this id in the trace of this row. `ids`: words, as in the current
   * columns.
   */
  setKey(ids: Uint32Array, row: number, seed: number): void {
    this.hash(ids, row, seed);
  }

  /** Spans counted before an event of this batch. */
  countedBefore(event: number): number {
    return this.current.countedBefore[event - this.current.firstEvent];
  }

  /**
   * Number of the earliest span with the current key among those within reach of an event recorded at `time` after
   * `counted` spans; -1: none. Spans that started before `floorUs` have expired and are ignored.
   */
  findNear(time: number, counted: number, floorUs: number): number {
    const found = this.previous === undefined ? -1 : this.findNearIn(this.previous, time, counted, floorUs);
    return found >= 0 ? found : this.findNearIn(this.current, time, counted, floorUs);
  }

  /** The same for an event of this batch. */
  findNearInBatch(time: number, counted: number, floorUs: number): number {
    const found = this.rows.areNear(this.reach) ? this.rows.find(this.a, this.b, floorUs) : -1;
    return found >= 0 ? found : this.findNear(time, counted, floorUs);
  }

  private findNearIn(
    { slots, times, countedBefore }: Generation,
    time: number,
    counted: number,
    floorUs: number,
  ): number {
    const { words } = slots;
    let first = -1;
    let before = Infinity;
    for (let at = slots.find(this.a, this.b); at >= 0; at = slots.findNext(at)) {
      const event = words[at + EVENT];
      const isNear =
        Math.abs(time - times[event]) < LINK_WINDOW_MS && Math.abs(counted - countedBefore[event]) <= this.reach;
      if (!isNear || countedBefore[event] >= before || readStartUs(words, at) < floorUs) continue;
      first = words[at + NUMBER];
      before = countedBefore[event];
    }
    return first;
  }

  private findIn(generation: Generation, floorUs: number): SpanMatch {
    const { slots } = generation;
    const { low, high } = this;
    let match: SpanMatch = 'new';
    for (let at = slots.find(this.a, this.b); at >= 0; at = slots.findNext(at)) {
      const { words } = slots;
      this.isOnly = false;
      if (words[at + START_LOW] === low && words[at + START_HIGH] === high) return 'same';
      if (this.isRecent(generation, words[at + EVENT]) && readStartUs(words, at) >= floorUs) match = 'other';
    }
    return match;
  }

  /** Adds the current identity. */
  private place(event: number, number: number): void {
    const { slots, firstEvent } = this.current;
    const at = slots.add(this.a, this.b);
    slots.words[at + START_LOW] = this.low;
    slots.words[at + START_HIGH] = this.high;
    slots.words[at + EVENT] = event - firstEvent;
    slots.words[at + NUMBER] = number;
  }

  private isRecent(generation: Generation, event: number): boolean {
    return (
      this.now - generation.times[event] < DUPLICATE_WINDOW_MS &&
      this.countedBeforeEvent - generation.countedBefore[event] <= this.horizon
    );
  }

  /** Sets `a`, `b`, `low` and `high` to the identity of a row. */
  private setIdentity({ startUs, startNs }: SpanIds, row: number, seed: number): void {
    this.hash(this.spans, row, seed);
    this.low = startLowWord(startUs[row]);
    this.high = startHighWord(startUs[row], startNs[row]);
  }

  /**
   * Sets `a` and `b` to 64 well-mixed bits of the row's ids and the Grid's seed. Every two words affect both before the
   * next are read, and no two states are merged: sequential ids collide no more often than random ones.
   */
  private hash(spans: Uint32Array, row: number, seed: number): void {
    const { traces } = this;
    const t = row * 4;
    const s = row * 2;
    let b = mixBits(Math.imul(seed, 0x9e3779b1) ^ traces[t + 1]);
    let a = mixBits((seed ^ traces[t]) + b);
    b = mixBits(b ^ a ^ traces[t + 3]);
    a = mixBits((a ^ traces[t + 2]) + b);
    b = mixBits(b ^ a ^ spans[s + 1]);
    a = mixBits((a ^ spans[s]) + b);
    this.a = a >>> 0;
    this.b = (b ^ a) >>> 0;
  }
}

/** A bijection on 32 bits. */
function mixBits(word: number): number {
  const mixed = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  return mixed ^ (mixed >>> 15);
}

class Generation {
  readonly slots: OpenAddressedTable;
  /** Log time of each event from `firstEvent` on, and spans counted before it. */
  readonly times: number[] = [];
  readonly countedBefore: number[] = [];

  constructor(
    readonly firstEvent: number,
    slots?: number,
  ) {
    this.slots = new OpenAddressedTable(ENTRY_WORDS, slots);
  }

  /** Adds the events of a generation, and their spans, without those before `firstEvent`. */
  addRecent({ slots, firstEvent, times, countedBefore }: Generation): void {
    const earlier = this.firstEvent - firstEvent;
    for (let event = Math.max(0, earlier); event < times.length; event++) {
      this.times.push(times[event]);
      this.countedBefore.push(countedBefore[event]);
    }
    const { words } = slots;
    slots.forEach((from) => {
      if (words[from + EVENT] < earlier) return;
      const at = this.slots.add(words[from], words[from + 1]);
      for (const word of [START_LOW, START_HIGH, NUMBER]) this.slots.words[at + word] = words[from + word];
      this.slots.words[at + EVENT] = words[from + EVENT] - earlier;
    });
  }
}

function startLowWord(startUs: number): number {
  return startUs % TWO_32;
}

/** Upper 21 bits of the microseconds and 10 bits of nanoseconds. */
function startHighWord(startUs: number, startNs: number): number {
  return ((Math.floor(startUs / TWO_32) << 10) | startNs) >>> 0;
}

function readStartUs(words: Uint32Array, at: number): number {
  return (words[at + START_HIGH] >>> 10) * TWO_32 + words[at + START_LOW];
}
