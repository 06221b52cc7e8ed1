import type { SpanKind } from '../../telemetry/span-kind.js';
import { memoizeWeak } from '../weak-memoize.js';
import type { ServiceRollup } from '../rollups/rollup-types.js';

/**
 * The operations and calls that a rollup lists, in its order. Rollups with the same list share one layout, so that
 * indexes computed for one apply to all.
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

/**
 * The figures of a rollup in the order of its layout: per operation count, duration, self time, own errors, and the
 * counts of its calls.
 */
interface OperationFigures {
  readonly layout: OperationLayout;
  readonly figures: Float64Array;
}

/**
 * Layouts of the rollups that are in memory. The lists of the running minute change with every refresh, and a layout of
 * a busy service takes 100 KB: none may outlive the last rollup that has it.
 */
const layouts = new Map<string, WeakRef<OperationLayout>>();
const unusedLayouts = new FinalizationRegistry<string>((key) => {
  if (layouts.get(key)?.deref() === undefined) layouts.delete(key);
});
export const flattenOperations: (rollup: ServiceRollup) => OperationFigures = memoizeWeak((rollup) => ({
  layout: internLayout(rollup),
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
  const operationList = operations.map(({ operation, kind, entry, calls }) => ({
    operation,
    kind,
    entry,
    calls: calls.map((call) => [call.service, call.operation] as const),
  }));
  const key = JSON.stringify(operationList);
  const known = layouts.get(key)?.deref();
  if (known !== undefined) return known;
  const layout = { operations: operationList };
  layouts.set(key, new WeakRef(layout));
  unusedLayouts.register(layout, key);
  return layout;
}

/** Entries by name, created on demand. */
export interface NameIndex<T> {
  getOrCreate(name: string): T;
  readonly entries: readonly T[];
}

/**
 * Creates an index optimised for names that arrive in the same order minute after minute: usually the next entry is the
 * one after the last, which avoids hashing.
 */
export function createNameIndex<T>(createEntry: (name: string) => T): NameIndex<T> {
  const names: string[] = [];
  const entries: T[] = [];
  const indices = new Map<string, number>();
  let next = 0;
  return { getOrCreate, entries };

  function getOrCreate(name: string): T {
    if (names[next] !== name) next = indices.get(name) ?? add(name);
    const entry = entries[next];
    next = next + 1 === names.length ? 0 : next + 1;
    return entry;
  }

  function add(name: string): number {
    indices.set(name, names.length);
    entries.push(createEntry(name));
    return names.push(name) - 1;
  }
}
