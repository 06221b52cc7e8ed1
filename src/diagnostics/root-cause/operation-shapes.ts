import type { SpanKind } from '../../telemetry/span-kind.js';
import { remembered } from '../remembered.js';
import type { ServiceRollup } from '../rollups.js';

/**
 * Which operations and calls a rollup lists, in its order. Rollups that list the same share one shape, so that whoever has
 * found the places for one has found them for all.
 */
export interface Shape {
  readonly operations: readonly ShapedOperation[];
}

export interface ShapedOperation {
  readonly operation: string;
  readonly kind: SpanKind;
  readonly entry: boolean;
  readonly calls: readonly (readonly [service: string, operation: string])[];
}

/** The figures of a rollup in the order of its shape: of each operation count, duration, self time, own errors, and its calls' counts. */
interface OperationFigures {
  readonly shape: Shape;
  readonly figures: Float64Array;
}

/** Past this many shapes they are no longer shared with older ones. */
const MAX_SHAPES = 5_000;
const shapes = new Map<string, Shape>();

export const operationFiguresOf: (rollup: ServiceRollup) => OperationFigures = remembered((rollup) => ({ shape: shapeOf(rollup), figures: figuresOf(rollup) }));

function figuresOf({ operations }: ServiceRollup): Float64Array {
  const figures: number[] = [];
  for (const { count, durationNs, selfNs, originErrors, calls } of operations) {
    figures.push(count, durationNs, selfNs, originErrors);
    for (const call of calls) figures.push(call.count);
  }
  return Float64Array.from(figures);
}

function shapeOf({ operations }: ServiceRollup): Shape {
  const shape = operations.map(({ operation, kind, entry, calls }) => ({ operation, kind, entry, calls: calls.map((call) => [call.service, call.operation] as const) }));
  const key = JSON.stringify(shape);
  const same = shapes.get(key);
  if (same !== undefined) return same;
  if (shapes.size >= MAX_SHAPES) shapes.clear();
  const made = { operations: shape };
  shapes.set(key, made);
  return made;
}
