import type { Schemas } from '../../api/api-client';
import { computeCriticalPath, computePathShares, type PathShare, type PathStep } from './critical-path';
import { layOutWaterfall, type LayoutRow, type Waterfall } from './waterfall-layout';

export type Span = Schemas['SpanInTrace'];
export type SpanRow = LayoutRow<Span>;

export interface Trace {
  readonly waterfall: Waterfall<Span>;
  /** The earliest span without a parent; if it is missing, the longest top-level span. */
  readonly root: Span;
  readonly path: readonly PathStep[];
  readonly shares: readonly PathShare[];
  /** Names in order of appearance. */
  readonly services: readonly string[];
}

/** Lays out a trace. Requires at least one span. */
export function buildTrace(spans: readonly Span[]): Trace {
  const waterfall = layOutWaterfall(spans);
  const tops = waterfall.rows.filter(({ parentId }) => parentId === undefined);
  const { span: root } =
    tops.find(({ isOrphan }) => !isOrphan) ??
    tops.reduce((longest, row) => (row.span.duration > longest.span.duration ? row : longest));
  const path = computeCriticalPath(
    waterfall.rows.map(({ span, parentId, at }) => ({ id: span.spanId, parentId, at, duration: span.duration })),
    root.spanId,
  );
  const serviceById = new Map(spans.map(({ spanId, serviceName }) => [spanId, serviceName]));
  return {
    waterfall,
    root,
    path,
    shares: computePathShares(path, (id) => serviceById.get(id)!),
    services: [...new Set(waterfall.rows.map(({ span }) => span.serviceName))],
  };
}
