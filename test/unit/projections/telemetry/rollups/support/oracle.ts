import { Sketch } from '../../../../../../src/diagnostics/rollups/sketch.js';
import type { PlainSpan } from '../../../../../support/naive-rollups.js';

/*
 * What rollups must say, straight from the definitions in the contract: all spans of a Grid at hand, each compared with
 * all others, nothing bounded. Plain data, to be compared with decoded rollups in the same form.
 */

type Interval = readonly [from: number, to: number];

export function oracle(spans: readonly PlainSpan[], apdexMs = 500): Record<string, unknown> {
  const rollups: Record<string, unknown> = {};
  const calls = spans.flatMap((span) => callsOf(span, spans));
  for (const minute of new Set(spans.map(minuteOf))) {
    const ended = spans.filter((span) => minuteOf(span) === minute);
    const services = sorted(new Set(ended.map(({ service }) => service)));
    for (const service of services) {
      const own = ended.filter((span) => span.service === service);
      rollups[`${minute}/${service}`] = serviceRollup(service, own, spans, apdexMs);
    }
    rollups[`${minute}/`] = {
      services: services.map((service) =>
        totals(
          service,
          ended.filter((span) => span.service === service),
          apdexMs,
        ),
      ),
      edges: edges(calls.filter(({ timed }) => minuteOf(timed) === minute)),
    };
  }
  return rollups;
}

/** Sketches as their buckets, lists in order: so that decoded rollups compare with what the oracle says. */
export function plain(value: unknown): unknown {
  if (value instanceof Sketch) return value.entries();
  if (Array.isArray(value)) return value.map(plain).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'ids')
      .map(([key, member]) => [key, key === 'kinds' || key === 'entryKinds' ? member : plain(member)]),
  );
}

const isCall = ({ kind }: PlainSpan): boolean => kind === 'CLIENT' || kind === 'PRODUCER';
const isEntry = ({ kind, parentId }: PlainSpan): boolean => kind === 'SERVER' || kind === 'CONSUMER' || parentId === '';
const durationOf = ({ startNs, endNs }: PlainSpan): number => Math.max(0, Number(endNs - startNs));
const endUsOf = (span: PlainSpan): number =>
  Math.floor((Number(span.startNs % 60_000_000_000n) + durationOf(span)) / 1000) +
  Number(span.startNs / 60_000_000_000n) * 60_000_000;
const minuteOf = (span: PlainSpan): number => Math.floor(endUsOf(span) / 60_000_000);

function childrenOf(parent: PlainSpan, spans: readonly PlainSpan[]): PlainSpan[] {
  return spans.filter((span) => span !== parent && span.traceId === parent.traceId && span.parentId === parent.spanId);
}

function parentOf(child: PlainSpan, spans: readonly PlainSpan[]): PlainSpan | undefined {
  return spans.find((span) => span !== child && span.traceId === child.traceId && span.spanId === child.parentId);
}

function selfOf(span: PlainSpan, spans: readonly PlainSpan[]): number {
  const parent = parentOf(span, spans);
  const covering = childrenOf(span, spans);
  if (parent !== undefined && parent.service === span.service && !isCall(span)) {
    covering.push(
      ...childrenOf(parent, spans).filter(
        (sibling) => sibling !== span && (isCall(sibling) || sibling.service !== parent.service),
      ),
    );
  }
  const intervals = covering.map((other): Interval => [
    Number(other.startNs - span.startNs),
    Number(other.startNs - span.startNs) + durationOf(other),
  ]);
  const duration = durationOf(span);
  const edgesOf = sorted(
    new Set([0, duration, ...intervals.flat()].filter((at) => at >= 0 && at <= duration)),
    (a, b) => a - b,
  );
  let self = 0;
  for (let i = 1; i < edgesOf.length; i++) {
    const [from, to] = [edgesOf[i - 1], edgesOf[i]];
    if (!intervals.some(([start, end]) => start <= from && to <= end)) self += to - from;
  }
  return self;
}

interface Call {
  readonly source: string;
  readonly target: string;
  readonly virtual: boolean;
  readonly timed: PlainSpan;
  readonly wireNs?: number;
}

/** Calls that a span makes as a parent. */
function callsOf(span: PlainSpan, spans: readonly PlainSpan[]): Call[] {
  const children = childrenOf(span, spans);
  const remote = children.filter(({ service }) => service !== span.service);
  if (!isCall(span) || span.kind === 'PRODUCER') {
    const calls = remote.map((child): Call => ({
      source: span.service,
      target: child.service,
      virtual: false,
      timed: child,
    }));
    const isAnswered = remote.length > 0 || children.some(({ kind }) => kind === 'SERVER' || kind === 'CONSUMER');
    return isCall(span) && !isAnswered ? [virtualCall(span)] : calls;
  }
  const [first] = sorted(remote, (a, b) => Number(a.startNs - b.startNs) || durationOf(b) - durationOf(a));
  if (first !== undefined)
    return [
      {
        source: span.service,
        target: first.service,
        virtual: false,
        timed: span,
        wireNs: Math.max(0, durationOf(span) - durationOf(first)),
      },
    ];
  return children.some(({ kind }) => kind === 'SERVER' || kind === 'CONSUMER' || kind === 'CLIENT')
    ? []
    : [virtualCall(span)];
}

function virtualCall(span: PlainSpan): Call {
  return { source: span.service, target: span.peer || 'unknown', virtual: true, timed: span };
}

function edges(calls: readonly Call[]): unknown[] {
  return grouped(calls, ({ source, target, virtual }) => JSON.stringify([source, target, virtual])).map((own) => {
    const wires = own.flatMap(({ wireNs }) => wireNs ?? []);
    const { source, target, virtual } = own[0];
    const durations = own.map(({ timed }) => durationOf(timed));
    return {
      source,
      target,
      virtual,
      count: own.length,
      errors: own.filter(({ timed }) => timed.error).length,
      durationNs: sum(durations),
      latency: sketch(durations),
      paired: wires.length,
      wireNs: sum(wires),
      wire: sketch(wires),
    };
  });
}

function measures(spans: readonly PlainSpan[], apdexMs: number) {
  const durations = spans.map(durationOf);
  const fine = spans.filter(({ error }) => !error).map(durationOf);
  const satisfied = fine.filter((ns) => ns <= apdexMs * 1e6).length;
  return {
    count: spans.length,
    errors: spans.length - fine.length,
    durationNs: sum(durations),
    satisfied,
    tolerating: fine.filter((ns) => ns <= apdexMs * 4e6).length - satisfied,
    latency: sketch(durations),
  };
}

function totals(service: string, spans: readonly PlainSpan[], apdexMs: number): unknown {
  const kinds = (some: readonly PlainSpan[]): number[] =>
    ['INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
      (kind) => some.filter((span) => span.kind === kind).length,
    );
  const entries = spans.filter(isEntry);
  return { service, ...measures(entries, apdexMs), kinds: kinds(spans), entryKinds: kinds(entries) };
}

function serviceRollup(
  service: string,
  own: readonly PlainSpan[],
  spans: readonly PlainSpan[],
  apdexMs: number,
): unknown {
  return {
    service,
    operations: grouped(own, (span) => JSON.stringify([span.operation, span.kind, isEntry(span)])).map((some) =>
      operation(some, spans, apdexMs),
    ),
    exceptions: grouped(
      own.flatMap((span) => distinct(span.exceptions ?? [])),
      (one) => JSON.stringify(one),
    ).map((some) => ({ ...some[0], count: some.length })),
    versions: grouped(
      own.filter(({ version }) => version),
      ({ version }) => version!,
    ).map((some) => ({ version: some[0].version, spans: some.length, ...seen(some) })),
    instances: grouped(
      own.filter(({ instance }) => instance),
      (span) => span.instance!,
    ).map((some) => {
      const entries = some.filter(isEntry);
      return {
        instance: some[0].instance,
        spans: some.length,
        requests: entries.length,
        errors: entries.filter(({ error }) => error).length,
        durationNs: sum(entries.map(durationOf)),
        ...seen(some),
      };
    }),
  };
}

function operation(some: readonly PlainSpan[], spans: readonly PlainSpan[], apdexMs: number): unknown {
  const selves = some.map((span) => selfOf(span, spans));
  const children = some.flatMap((span) => childrenOf(span, spans));
  return {
    operation: some[0].operation,
    kind: some[0].kind,
    entry: isEntry(some[0]),
    ...measures(some, apdexMs),
    selfNs: sum(selves),
    self: sketch(selves),
    originErrors: some.filter((span) => span.error && !childrenOf(span, spans).some(({ error }) => error)).length,
    calls: grouped(children, (child) => JSON.stringify([child.service, child.operation])).map((own) => ({
      service: own[0].service,
      operation: own[0].operation,
      count: own.length,
    })),
  };
}

function seen(spans: readonly PlainSpan[]): { firstUs: number; lastUs: number } {
  const ends = spans.map(endUsOf);
  return { firstUs: Math.min(...ends), lastUs: Math.max(...ends) };
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}

function sorted<T>(items: Iterable<T>, compare?: (a: T, b: T) => number): T[] {
  return [...items].sort(compare);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function sketch(values: readonly number[]): Sketch {
  const counts = new Sketch();
  for (const value of values) counts.add(value);
  return counts;
}
