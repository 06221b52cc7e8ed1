import type { HistogramForm } from './native-histogram-buckets.js';
import type { MetricHead, PointTimes } from './metric-request-writer.js';
import type { Label, PrometheusType } from './remote-write.js';
import type { PendingExemplars } from './exemplar-store.js';
import { toSeriesKey } from './series-key.js';

/** A series whose values are parts of a classic histogram, by its type, name and labels. */
export interface PartSeries {
  readonly head: MetricHead;
  readonly role: Role;
  /** Of a bucket, its upper bound. */
  readonly bound: number | undefined;
  /** Name and labels of the histogram. */
  readonly base: string;
  readonly attributes: readonly Label[];
  /** Text that identifies the histogram. */
  readonly key: string;
  readonly isCounter: boolean;
  readonly exemplars: PendingExemplars | undefined;
}

/** A value of a series that is a part of a classic histogram. */
export interface HistogramPart extends PointTimes {
  readonly series: PartSeries;
  readonly value: number;
}

/** The values of one classic histogram at one time: a point of OTLP, or the parts as they are where one is missing. */
export type ClassicHistogram =
  | {
      readonly kind: 'complete';
      readonly head: MetricHead;
      readonly times: PointTimes;
      readonly form: HistogramForm;
      readonly count: number;
      readonly sum: number;
      readonly parts: readonly HistogramPart[];
    }
  | { readonly kind: 'incomplete'; readonly parts: readonly HistogramPart[] };

type Role = 'bucket' | 'sum' | 'count';

const NAME = /^(.+)_(bucket|sum|count)$/s;
const BOUND = /^[+-]?(?:[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|Inf)$/;
/** Parts that are kept at the same time, and the memory that they take. What is kept then is written, and collecting goes on. */
const MAX_PARTS = 20_000;
const MAX_BYTES = 16 << 20;
/** Approximate memory of a part, and of its series besides texts. */
const PART_BYTES = 300;
const SERIES_BYTES = 300;
const LABEL_BYTES = 40;

/** Undefined if the series is no part of a classic histogram. */
export function toPartSeries(
  { head, type, isCounter }: Pick<PartSeries, 'head' | 'isCounter'> & { readonly type: PrometheusType },
  exemplars: PendingExemplars | undefined,
): PartSeries | undefined {
  if (type !== 'histogram' && type !== 'unknown') return undefined;
  const [, base, role] = NAME.exec(head.name) ?? [];
  if (base === undefined) return undefined;
  const bound = role === 'bucket' ? readBound(head.attributes) : undefined;
  if (role === 'bucket' && bound === undefined) return undefined;
  const attributes = role === 'bucket' ? head.attributes.filter(([name]) => name !== 'le') : head.attributes;
  const key = `${JSON.stringify(base)} ${toSeriesKey(head.resource)} ${toSeriesKey(attributes)}`;
  return { head, role: role as Role, bound, base, attributes, key, isCounter, exemplars };
}

/** Collects the values of classic histograms, whose series may stand anywhere in a request. */
export class ClassicHistogramCollector {
  private groups = new Map<string, Map<bigint, PartGroup>>();
  private newest: PartSeries | undefined;
  private parts = 0;
  private bytes = 0;

  /** Whether what was collected should be taken before more is added. */
  get isFull(): boolean {
    return this.parts >= MAX_PARTS || this.bytes >= MAX_BYTES;
  }

  add(part: HistogramPart): void {
    const { series, timestampMs } = part;
    const byTime = this.getOrCreateGroups(series.key);
    let group = byTime.get(timestampMs);
    if (group === undefined) byTime.set(timestampMs, (group = new PartGroup(series)));
    group.add(part);
    this.parts++;
    this.bytes += PART_BYTES;
    if (series === this.newest) return;
    this.newest = series;
    this.bytes += countSeriesBytes(series);
  }

  /** Removes and returns what was collected, by histogram in the order in which they began. */
  *take(): Generator<ClassicHistogram> {
    const { groups } = this;
    this.groups = new Map();
    this.newest = undefined;
    this.parts = this.bytes = 0;
    for (const byTime of groups.values()) for (const group of byTime.values()) yield group.assemble();
  }

  private getOrCreateGroups(key: string): Map<bigint, PartGroup> {
    let byTime = this.groups.get(key);
    if (byTime === undefined) this.groups.set(key, (byTime = new Map<bigint, PartGroup>()));
    return byTime;
  }
}

/** Its key, and labels about as long as that: up to two bytes a character. */
function countSeriesBytes({ key, head }: PartSeries): number {
  return SERIES_BYTES + LABEL_BYTES * head.attributes.length + 4 * key.length;
}

/** `+Inf` or a number; undefined if there is no such label. */
function readBound(attributes: readonly Label[]): number | undefined {
  const text = attributes.find(([name]) => name === 'le')?.[1];
  if (text === undefined || !BOUND.test(text)) return undefined;
  const bound = Number(text.replace('Inf', 'Infinity'));
  return bound === -Infinity ? undefined : bound;
}

class PartGroup {
  private readonly all: HistogramPart[] = [];
  private readonly buckets = new Map<number, HistogramPart>();
  private sum: HistogramPart | undefined;
  private count: HistogramPart | undefined;
  private isAmbiguous = false;

  constructor(private readonly first: PartSeries) {}

  add(part: HistogramPart): void {
    const { role, bound } = part.series;
    this.all.push(part);
    if (bound !== undefined) {
      this.isAmbiguous ||= this.buckets.has(bound);
      this.buckets.set(bound, part);
    } else {
      this.isAmbiguous ||= (role === 'sum' ? this.sum : this.count) !== undefined;
      if (role === 'sum') this.sum = part;
      else this.count = part;
    }
  }

  /** The count may have come in the request before: the bucket +Inf has the same value. */
  assemble(): ClassicHistogram {
    const { all, sum } = this;
    const total = this.buckets.get(Infinity)?.value;
    const counts = this.computeCounts();
    const fits = total !== undefined && (this.count === undefined || this.count.value === total);
    if (this.isAmbiguous || sum === undefined || counts === undefined || !fits)
      return { kind: 'incomplete', parts: all };
    const bounds = [...this.buckets.keys()].sort((a, b) => a - b).slice(0, -1);
    const { base: name, attributes } = this.first;
    const { help, unit, resource } = sum.series.head;
    return {
      kind: 'complete',
      head: { name, help, unit, resource, attributes },
      times: { timestampMs: sum.timestampMs, startMs: all.find(({ startMs }) => startMs > 0n)?.startMs ?? 0n },
      form: { kind: 'explicit', bounds, counts },
      count: total,
      sum: sum.value,
      parts: all,
    };
  }

  /** Observations of each bucket; undefined if the values are no ascending numbers of observations. */
  private computeCounts(): readonly number[] | undefined {
    const ascending = [...this.buckets].sort(([a], [b]) => a - b).map(([, { value }]) => value);
    const counts = ascending.map((value, i) => value - (i === 0 ? 0 : ascending[i - 1]));
    return ascending.every(Number.isSafeInteger) && counts.every((count) => count >= 0) ? counts : undefined;
  }
}
