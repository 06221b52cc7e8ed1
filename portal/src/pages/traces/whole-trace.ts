import type { Schemas } from '../../api/client';
import { criticalPath, sharesOf, type PathShare, type PathStep } from './critical-path';
import { layOut, type Row, type Waterfall } from './waterfall';

export type Span = Schemas['SpanInTrace'];
export type SpanRow = Row<Span>;

export interface Trace {
  readonly waterfall: Waterfall<Span>;
  /** What began first without a parent; while none has come, the longest of the topmost spans. */
  readonly root: Span;
  readonly path: readonly PathStep[];
  readonly shares: readonly PathShare[];
  /** In the order in which they come into play. */
  readonly services: readonly string[];
}

/** A trace as it is drawn; of at least one span. */
export function traceOf(spans: readonly Span[]): Trace {
  const waterfall = layOut(spans);
  const tops = waterfall.rows.filter(({ parentId }) => parentId === undefined);
  const { span: root } =
    tops.find(({ isOrphan }) => !isOrphan) ??
    tops.reduce((longest, row) => (row.span.duration > longest.span.duration ? row : longest));
  const path = criticalPath(
    waterfall.rows.map(({ span, parentId, at }) => ({ id: span.spanId, parentId, at, duration: span.duration })),
    root.spanId,
  );
  const serviceById = new Map(spans.map(({ spanId, serviceName }) => [spanId, serviceName]));
  return {
    waterfall,
    root,
    path,
    shares: sharesOf(path, (id) => serviceById.get(id)!),
    services: [...new Set(waterfall.rows.map(({ span }) => span.serviceName))],
  };
}
