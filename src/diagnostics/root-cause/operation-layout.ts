import type { SpanKind } from '../../telemetry/span-kind.js';
import { memoizeWeak } from '../weak-memoize.js';
import type { ServiceRollup } from '../rollups/rollup-types.js';

/**
 * Which operations and calls a rollup lists, in its order. Rollups that list the same share one shape, so that whoever has
 * found the places for one has found them for all.
 */
export interface OperationLayout {
  readonly operations: readonly LayoutOperation[];
}

export interface LayoutOperation {
  readonly operation: string;
  readonly kind: SpanKind;
  readonly entry: boolean;
  readonly calls: readonly (readonly [service: string, operation: string])[];
}

/** The figures of a rollup in the order of its shape: of each operation count, duration, self time, own errors, and its calls' counts. */
interface OperationFigures {
  readonly shape: OperationLayout;
  readonly figures: Float64Array;
}

/** Past this many shapes they are no longer shared with older ones. */
const MAX_LAYOUTS = 5_000;
const layouts = new Map<string, OperationLayout>();
export const flattenOperations: (rollup: ServiceRollup) => OperationFigures = memoizeWeak((rollup) => ({
  shape: internLayout(rollup),
  figures: listFigures(rollup),
}));

function listFigures({ operations }: ServiceRollup): Float64Array {
  const figures: number[] = [];
  for (const { count, durationNs, selfNs, originErrors, calls } of operations) {
    figures.push(count, durationNs, selfNs, originErrors);
    for (const call of calls) figures.push(call.count);
  }
  return Float64Array.from(figures);
}

function internLayout({ operations }: ServiceRollup): OperationLayout {
  const shape = operations.map(({ operation, kind, entry, calls }) => ({
    operation,
    kind,
    entry,
    calls: calls.map((call) => [call.service, call.operation] as const),
  }));
  const key = JSON.stringify(shape);
  const same = layouts.get(key);
  if (same !== undefined) return same;
  if (layouts.size >= MAX_LAYOUTS) layouts.clear();
  const made = { operations: shape };
  layouts.set(key, made);
  return made;
}

/** Finds the entry of a name, and makes it when the name is new. */
export interface NameIndex<T> {
  getOrCreate(name: string): T;
  readonly entries: readonly T[];
}

/**
 * Rollups list names in the same order minute after minute: the entry is most often the one after the last one found,
 * which spares the hashing.
 */
export function createNameIndex<T>(make: (name: string) => T): NameIndex<T> {
  const names: string[] = [];
  const entries: T[] = [];
  const indices = new Map<string, number>();
  let next = 0;
  return { getOrCreate: of, entries };

  function of(name: string): T {
    if (names[next] !== name) next = indices.get(name) ?? add(name);
    const entry = entries[next];
    next = next + 1 === names.length ? 0 : next + 1;
    return entry;
  }

  function add(name: string): number {
    indices.set(name, names.length);
    entries.push(make(name));
    return names.push(name) - 1;
  }
}
