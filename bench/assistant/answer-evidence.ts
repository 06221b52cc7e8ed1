import { MINUTE_MS } from '../../src/diagnostics/time-windows.js';
import { extractNumbers, extractWordsWithDigits, type PrintedNumber } from './number-extraction.js';

/** Range of times from 2001 to 2286, in ms, µs and ns since 1970. */
const TIMESTAMP_SCALES: readonly (readonly [from: number, perMs: number])[] = [
  [1e12, 1],
  [1e15, 1e3],
  [1e18, 1e6],
];
/** Default time windows of questions without a time (contract §5), and words for them. */
const DEFAULT_WINDOW_MINUTES = [15, 60, 75, 120, 24 * 60];

/** Kind of a number by the name of its property: percentage, count, duration in ms … */
const KINDS = ['percent', 'count', 'ms', 'perSecond', 'apdex', 'other'] as const;
type Kind = (typeof KINDS)[number];
const KEYS: readonly (readonly [Kind, RegExp])[] = [
  ['percent', /rate$|percent|utilization|confidence/i],
  ['count', /count|capacity|depth|rank|total|used|limit$|prompts|energy|sessions|requests|page/i],
  ['perSecond', /rps$/i],
  ['apdex', /apdex/i],
  ['ms', /ms$|^p\d\d$|latency/i],
];
/** Words before a number that determine its kind where it has no unit. */
const MEASURED = /(?:%|\bms\b|percent|latency|\bp\d\d\b|\brate\b|apdex|confidence|average|seconds?)[^.;\n]{0,24}$/i;
/** Nouns that are counted. */
const COUNTED_NOUNS =
  /^\s*(?:[a-z-]+ )?(?:requests?|calls?|errors?|failures?|exceptions?|traces?|spans?|logs?|entries|records?|alerts?|services?|instances?|endpoints?|operations?|events?|deployments?|changes?|prompts?|sessions?|metrics?|charts?|dashboards?|rules?|points?)\b/i;
/** Words for the rest of a list. */
const REMAINDER = /^\s*(?:more|others?|further)\b/i;
/** Prefixes in property names that distinguish a former value from the current one. */
const PERIOD_WORDS = /current|baseline|previous|before|after/i;

/** With more requests than this, half of the last decimal of a rate is more than one request. */
const MAX_EXACT_REQUESTS = 10_000;

type Scalars = Map<string, number>;
/** A time, and figures of the step. */
type Point = readonly [time: string, count?: number, errorRate?: number];
interface Series {
  readonly points?: readonly Point[];
}

/**
 * All numbers that an answer may print: arguments and results of the tools, and what follows from them by counting,
 * summing, and taking the difference or ratio of two related properties.
 */
export class Evidence {
  private readonly numbers: Readonly<Record<Kind, Set<number>>> = {
    percent: new Set(),
    count: new Set(),
    ms: new Set(),
    perSecond: new Set(),
    apdex: new Set(),
    other: new Set(),
  };
  /** Sums, counts and lengths of whole results, never of parts of records. */
  private readonly counts = new Set<number>();
  private readonly differences = new Set<number>();
  private readonly ratios = new Set<number>();
  /** ms since 1970. */
  private readonly moments = new Set<number>();
  /** ms. */
  private readonly spans = new Set<number>();
  private readonly texts = new Set<string>();
  private readonly clocks = new Set<string>();
  /** Upper bound of a count: an answer may show up to so many items. */
  private longest = 0;
  /** Length of the range that the last tool was asked for. */
  private windowSeconds = 0;

  constructor(private readonly nowMs: number) {
    this.addMoment(nowMs);
    for (const minutes of DEFAULT_WINDOW_MINUTES) this.spans.add(minutes * MINUTE_MS);
    this.addWindowsBefore(nowMs);
  }

  /** Collects what a tool was asked for: with a moment also the starts of the windows that end there. */
  addArgument(argument: unknown): void {
    this.add(argument);
    const { range } = isObject(argument) ? (argument as { readonly range?: Partial<Record<string, number>> }) : {};
    if (range?.fromUs !== undefined && range.toUs !== undefined)
      this.windowSeconds = (Math.min(range.toUs / 1e3, this.nowMs) - range.fromUs / 1e3) / 1e3;
    const { asOfMs } = isObject(argument) ? (argument as { readonly asOfMs?: unknown }) : {};
    if (typeof asOfMs === 'number') this.addWindowsBefore(asOfMs);
  }

  /** Collects numbers from plain data; `key` is the name of the value. */
  add(value: unknown, key = ''): void {
    if (typeof value === 'bigint') this.addNumber(Number(value), key);
    else if (typeof value === 'number') this.addNumber(value, key);
    else if (typeof value === 'string') this.addText(value);
    else if (Array.isArray(value)) this.addList(value);
    else if (typeof value === 'object' && value !== null) this.addMembers(value);
  }

  addText(text: string): void {
    if (this.texts.has(text)) return;
    this.texts.add(text);
    for (const { value, unit } of extractNumbers(text)) {
      this.numbers.other.add(Math.abs(value));
      const ms = { s: 1000, min: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS }[unit as string];
      if (ms !== undefined) this.spans.add(Math.abs(value) * ms);
    }
    for (const clock of extractWordsWithDigits(text).clocks) this.clocks.add(clock.padStart(5, '0').slice(0, 5));
  }

  addMoment(ms: number): void {
    this.moments.add(ms);
    this.spans.add(Math.abs(this.nowMs - ms));
  }

  has(printed: PrintedNumber): boolean {
    if (printed.unit === '' && REMAINDER.test(printed.after)) return this.isRemainder(printed);
    return this.hasNumber(printed) || this.hasSpan(printed) || this.hasCount(printed);
  }

  hasClock(clock: string): boolean {
    const printed = clock.padStart(5, '0').slice(0, 5);
    if (this.clocks.has(printed)) return true;
    // Answers round down, and up at the end of a window.
    return [...this.moments].some((ms) =>
      [ms, ms + MINUTE_MS - 1].some((each) => new Date(each).toISOString().slice(11, 16) === printed),
    );
  }

  hasDate(date: string): boolean {
    if (this.hasName(date)) return true;
    const day = Number(/\b(\d{1,2})(?:st|nd|rd|th)?\b/.exec(date.replace(/^\d{4}-\d{2}-/, ''))?.[1]);
    return [...this.moments].some((ms) => new Date(ms).getUTCDate() === day);
  }

  hasName(name: string): boolean {
    const printed = name.toLowerCase().replace(/^v(?=\d)/, '');
    return (
      /^(?:p\d\d|[1-5]xx|utc[+-]?0?)$/.test(printed) ||
      [...this.texts].some((text) => text.toLowerCase().includes(printed))
    );
  }

  private addWindowsBefore(endMs: number): void {
    for (const minutes of DEFAULT_WINDOW_MINUTES) this.moments.add(endMs - minutes * MINUTE_MS);
  }

  private addNumber(value: number, key: string): void {
    if (!Number.isFinite(value)) return;
    const unit = TIMESTAMP_SCALES.find(([from]) => value >= from && value < from * 10);
    if (unit !== undefined) this.addMoment(value / unit[1]);
    if (/minutes$/i.test(key)) this.spans.add(value * MINUTE_MS);
    if (/seconds/i.test(key)) this.spans.add(value * 1000);
    this.numbers[classifyKey(key)].add(Math.abs(value));
  }

  private addList(items: readonly unknown[]): void {
    this.counts.add(items.length);
    this.longest = Math.max(this.longest, items.length);
    const tallies = new Map<string, number>();
    const sums = new Map<string, number>();
    for (const item of items) {
      this.add(item);
      for (const [key, value] of isObject(item) ? Object.entries(item) : []) {
        if (typeof value === 'number' && classifyKey(key) === 'count') sums.set(key, (sums.get(key) ?? 0) + value);
        else if (typeof value === 'string' || typeof value === 'boolean')
          tallies.set(`${key} ${value}`, (tallies.get(`${key} ${value}`) ?? 0) + 1);
      }
    }
    for (const value of [...sums.values(), ...tallies.values()]) this.counts.add(value);
    // Items without the value are counted too: "6 of 8 are healthy" in a list of the others.
    for (const key of new Set([...tallies.keys()].map((each) => each.split(' ')[0])))
      this.counts.add([...tallies.keys()].filter((each) => each.startsWith(`${key} `)).length);
  }

  private addMembers(record: object): void {
    for (const [key, value] of Object.entries(record)) {
      if (key === 'totalCount' && typeof value === 'number') this.longest = Math.max(this.longest, value);
      this.add(value, key);
    }
    this.comparePairs([...listScalars(record)]);
    this.addOutcomes(record);
    const { series } = record as { readonly series?: unknown };
    if (Array.isArray(series) && this.windowSeconds > 0) this.addMeans(series as readonly Series[]);
    const { current, baseline } = record as { readonly current?: unknown; readonly baseline?: unknown };
    if (isObject(current) && isObject(baseline)) {
      const [now, then] = [listScalars(current), listScalars(baseline)];
      for (const [key, value] of now) this.compare(value, then.get(key));
    }
  }

  /** Means a second, a minute and an hour of counts by time step, whose second value is a count and whose third may be an error rate. */
  private addMeans(series: readonly Series[]): void {
    for (const { points = [] } of series) {
      // Those of charts are no counts.
      if (!Array.isArray(points[0])) continue;
      const sum = (valueOf: (point: Point) => number): number =>
        points.reduce((total, point) => total + valueOf(point), 0);
      const counts = sum(([, count = 0]) => count);
      const failures = sum(([, count = 0, errorRate = 0]) => Math.round((count * errorRate) / 100));
      for (const total of [counts, failures])
        for (const seconds of [1, 60, 3_600]) this.numbers.other.add((total * seconds) / this.windowSeconds);
    }
  }

  /** Numbers of failed and of successful requests: for few requests a rate with two decimals determines them. */
  private addOutcomes({
    requestCount,
    errorRate,
  }: {
    readonly requestCount?: unknown;
    readonly errorRate?: unknown;
  }): void {
    if (typeof requestCount !== 'number' || typeof errorRate !== 'number' || requestCount > MAX_EXACT_REQUESTS) return;
    const failed = Math.round((requestCount * errorRate) / 100);
    this.counts.add(failed).add(requestCount - failed);
  }

  /** Whether two properties of a record are related: two ends of a time range, or former and current value. */
  private comparePairs(scalars: readonly (readonly [key: string, value: number])[]): void {
    const isMoment = (value: number): boolean => value >= TIMESTAMP_SCALES[0][0];
    const isOfAnEra = (key: string, other: string): boolean =>
      PERIOD_WORDS.test(key) &&
      key.replace(PERIOD_WORDS, '').toLowerCase() === other.replace(PERIOD_WORDS, '').toLowerCase();
    for (const [i, [key, value]] of scalars.entries()) {
      for (const [other, otherValue] of scalars.slice(i + 1))
        if ((isMoment(value) && isMoment(otherValue)) || isOfAnEra(key, other)) this.compare(value, otherValue);
    }
  }

  private compare(a: number, b: number | undefined): void {
    if (b === undefined) return;
    if (a >= TIMESTAMP_SCALES[0][0] && b >= TIMESTAMP_SCALES[0][0]) {
      const perMs = TIMESTAMP_SCALES.findLast(([from]) => a >= from)?.[1] ?? 1;
      this.spans.add(Math.abs(a - b) / perMs);
      return;
    }
    this.differences.add(Math.abs(a - b));
    for (const [one, other] of [
      [a, b],
      [b, a],
    ])
      if (other !== 0) this.ratios.add(Math.abs(one / other));
  }

  private hasNumber(printed: PrintedNumber): boolean {
    const { value, slack, unit } = printed;
    const magnitude = Math.abs(value);
    const near = (each: number): boolean => Math.abs(each - magnitude) <= slack;
    const scales = SCALES[unit] ?? [1];
    if (
      classifyNumber(printed).some((kind) =>
        anyMatches(this.numbers[kind], (each) => scales.some((scale) => near(each * scale))),
      )
    )
      return true;
    if (unit === 'x') return anyMatches(this.ratios, near);
    return (
      anyMatches(this.differences, near) ||
      (unit === '%' && anyMatches(this.ratios, (ratio) => near(100 * ratio) || near(100 * Math.abs(ratio - 1))))
    );
  }

  private hasSpan({ value, slack, unit }: PrintedNumber): boolean {
    const ms = { ms: 1, s: 1000, min: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS }[unit as string];
    // Whole units are as often rounded down as not.
    return (
      ms !== undefined &&
      anyMatches(this.spans, (each) => Math.abs(each / ms - value) <= slack || Math.floor(each / ms) === value)
    );
  }

  private hasCount({ value, unit, before, after }: PrintedNumber): boolean {
    if (unit !== '' || !Number.isInteger(value) || value < 0) return false;
    if (this.counts.has(value)) return true;
    const isShown =
      /\b(?:top|first|newest|latest|last|slowest|worst|largest|showing|shown?|here are|these|the)\s*$/i.test(before) ||
      /^\s*(?:newest|latest|slowest|worst|largest)\b/i.test(after);
    return isShown && value <= this.longest;
  }

  /** Number after the items of a list: together they are all. Within a sentence items cannot be distinguished. */
  private isRemainder({ value, before }: PrintedNumber): boolean {
    const lines = before.trimEnd().split('\n');
    const items = lines.slice(0, -1).reverse();
    const listed = items.findIndex((line) => !/^\s*-/.test(line));
    const shownItems = listed < 0 ? items.length : listed;
    if (shownItems === 0 || !/^\s*-/.test(lines[lines.length - 1])) return value < this.longest;
    return this.counts.has(value + shownItems) || anyMatches(this.numbers.count, (each) => each === value + shownItems);
  }
}

/** Values that a printed number in this unit may come from. */
const SCALES: Readonly<Record<string, readonly number[]>> = {
  '%': [1, 100],
  s: [1, 1e-3],
  '/min': [1, 60],
  k: [1e-3],
  kB: [1e-3],
  MB: [1e-6],
  GB: [1e-9],
  KiB: [2 ** -10],
  MiB: [2 ** -20],
  GiB: [2 ** -30],
};

function classifyKey(key: string): Kind {
  return KEYS.find(([, pattern]) => pattern.test(key))?.[0] ?? 'other';
}

/** Numbers that may be meant. Without a unit or a word before it, a whole number is a count. */
function classifyNumber({ unit, value, before, after }: PrintedNumber): readonly Kind[] {
  if (unit === '%') return ['percent', 'other'];
  if (unit === 'ms' || unit === 's') return ['ms', 'other'];
  if (unit === '/s' || unit === '/min') return ['perSecond', 'count', 'other'];
  // Durations may come from two times, and from values in minutes.
  if (unit === 'min' || unit === 'h' || unit === 'd') return [];
  // "6 times" is a count, and "0.5 times a request" a ratio.
  if (unit === 'x') return ['count', 'other'];
  if (/\bapdex\b[^.;,\n\d]*$/i.test(before)) return ['apdex', 'other'];
  const counts = unit === '' && (COUNTED_NOUNS.test(after) || (Number.isInteger(value) && !MEASURED.test(before)));
  return counts ? ['count', 'other'] : KINDS;
}

function listScalars(record: object): Scalars {
  return new Map(
    Object.entries(record).flatMap(([key, value]) =>
      typeof value === 'number' && Number.isFinite(value) ? [[key, value] as const] : [],
    ),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function anyMatches(values: Iterable<number>, is: (value: number) => boolean): boolean {
  for (const value of values) if (is(value)) return true;
  return false;
}
