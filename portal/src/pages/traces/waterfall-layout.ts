/** The parts of a span that the layout needs. */
export interface WaterfallSpan {
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly serviceName: string;
  readonly startTime: string;
  readonly duration: number;
}

export interface LayoutRow<Span extends WaterfallSpan> {
  readonly span: Span;
  readonly depth: number;
  /** Start in ms since the start of the trace, corrected for clock skew. */
  readonly at: number;
  /** Estimated lag of its service's clock, in ms. */
  readonly skew: number;
  /** The row of its parent; undefined for roots. */
  readonly parentId: string | undefined;
  /** Number of descendants, whose rows follow. */
  readonly below: number;
  /** It refers to a parent span that is missing. */
  readonly isOrphan: boolean;
}

export interface Waterfall<Span extends WaterfallSpan> {
  /** Each span once: parents before their children, children by start. */
  readonly rows: readonly LayoutRow<Span>[];
  /** In ms since 1970. */
  readonly begin: number;
  readonly duration: number;
  readonly orphans: number;
  /** Number of spans without a row because a different span with the same ID came first. */
  readonly repeated: number;
  readonly hasRoot: boolean;
}

interface TimedNode<Span> {
  readonly span: Span;
  readonly start: number;
}

type MutableRow<Span extends WaterfallSpan> = { -readonly [Key in keyof LayoutRow<Span>]: LayoutRow<Span>[Key] };

/** Lays out spans in any order, even if some are missing or form cycles. Takes O(n log n) time and does not recurse. */
export function layOutWaterfall<Span extends WaterfallSpan>(spans: readonly Span[]): Waterfall<Span> {
  const byId = new Map<string, TimedNode<Span>>();
  for (const span of spans) {
    if (!byId.has(span.spanId)) byId.set(span.spanId, { span, start: Date.parse(span.startTime) });
  }
  const children = groupByParent(byId);
  const rows: MutableRow<Span>[] = [];
  const seen = new Set<string>();
  const roots = (children.get(undefined) ?? []).concat([...byId.values()].sort(compareByStart));
  // Spans in a cycle are not below any root, so spans that were not reached start a tree of their own.
  for (const root of roots) {
    if (!seen.has(root.span.spanId)) appendTree(root, children, rows, seen);
  }
  const begin = rows.reduce((least, { at }) => Math.min(least, at), Infinity);
  const end = rows.reduce((most, { at, span }) => Math.max(most, at + span.duration), -Infinity);
  for (const row of rows) row.at -= begin;
  const isEmpty = rows.length === 0;
  return {
    rows,
    begin: isEmpty ? 0 : begin,
    duration: isEmpty ? 0 : end - begin,
    orphans: rows.filter(({ isOrphan }) => isOrphan).length,
    repeated: spans.length - byId.size,
    hasRoot: rows.some(({ span }) => span.parentSpanId === null),
  };
}

const compareByStart = (a: TimedNode<WaterfallSpan>, b: TimedNode<WaterfallSpan>): number =>
  a.start - b.start || (a.span.spanId < b.span.spanId ? -1 : 1);

/** Children by parent ID; roots and spans with a missing parent under undefined. */
function groupByParent<Span extends WaterfallSpan>(
  byId: ReadonlyMap<string, TimedNode<Span>>,
): Map<string | undefined, TimedNode<Span>[]> {
  const children = new Map<string | undefined, TimedNode<Span>[]>();
  for (const node of byId.values()) {
    const { parentSpanId } = node.span;
    const parent = parentSpanId !== null && byId.has(parentSpanId) ? parentSpanId : undefined;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [node]);
    else siblings.push(node);
  }
  for (const siblings of children.values()) siblings.sort(compareByStart);
  return children;
}

function appendTree<Span extends WaterfallSpan>(
  root: TimedNode<Span>,
  children: ReadonlyMap<string | undefined, readonly TimedNode<Span>[]>,
  rows: MutableRow<Span>[],
  seen: Set<string>,
): void {
  const stack: { readonly node: TimedNode<Span>; readonly parent: MutableRow<Span> | undefined }[] = [
    { node: root, parent: undefined },
  ];
  const first = rows.length;
  while (stack.length > 0) {
    const { node, parent } = stack.pop()!;
    if (seen.has(node.span.spanId)) continue;
    seen.add(node.span.spanId);
    const skew = parent === undefined ? 0 : estimateClockSkew(node, parent);
    const row = {
      span: node.span,
      depth: parent === undefined ? 0 : parent.depth + 1,
      at: node.start + skew,
      skew,
      parentId: parent?.span.spanId,
      below: 0,
      isOrphan: parent === undefined && node.span.parentSpanId !== null,
    };
    rows.push(row);
    for (const child of (children.get(node.span.spanId) ?? []).toReversed()) stack.push({ node: child, parent: row });
  }
  countDescendants(rows, first);
}

/** Adds the counts from the last row upwards: parents come before their children. */
function countDescendants<Span extends WaterfallSpan>(rows: readonly MutableRow<Span>[], first: number): void {
  const tree = rows.slice(first);
  const byId = new Map(tree.map((row) => [row.span.spanId, row]));
  for (let row = tree.pop(); row !== undefined; row = tree.pop()) {
    const parent = row.parentId === undefined ? undefined : byId.get(row.parentId);
    if (parent !== undefined) parent.below += row.below + 1;
  }
}

/**
 * A span cannot start before its parent. If one of another service seems to, that service's clock lags: the span is centred in its parent, or
 * aligned with its start if it is longer, as in Jaeger. Spans of one service share a clock, and so the correction.
 */
function estimateClockSkew(child: TimedNode<WaterfallSpan>, parent: LayoutRow<WaterfallSpan>): number {
  if (child.span.serviceName === parent.span.serviceName) return parent.skew;
  if (child.start >= parent.at) return 0;
  return parent.at + Math.max(0, (parent.span.duration - child.span.duration) / 2) - child.start;
}

/** The rows that are visible while some subtrees are collapsed. */
export function filterVisibleRows<Span extends WaterfallSpan>(
  rows: readonly LayoutRow<Span>[],
  folded: ReadonlySet<string>,
): readonly LayoutRow<Span>[] {
  if (folded.size === 0) return rows;
  let hidden = 0;
  return rows.filter(({ span, below }) => {
    if (hidden > 0) {
      hidden -= 1;
      return false;
    }
    if (folded.has(span.spanId)) hidden = below;
    return true;
  });
}

/** A part of a trace, in ms since its start. */
export interface TraceInterval {
  readonly from: number;
  readonly to: number;
}

/** Position and width of a bar in percent of the interval, with a minimum width; undefined if it lies outside. */
export function computeBar(
  at: number,
  duration: number,
  { from, to }: TraceInterval,
): { readonly left: number; readonly width: number } | undefined {
  const all = Math.max(1, to - from);
  if (at > to || at + duration < from) return undefined;
  const begin = Math.max(at, from);
  const width = Math.max(0.2, ((Math.min(at + duration, to) - begin) / all) * 100);
  return { left: Math.min(100 - width, ((begin - from) / all) * 100), width };
}

/** Ticks at round numbers, at most `most` + 1. */
export function computeAxisTicks({ from, to }: TraceInterval, maxTicks: number): readonly number[] {
  const rough = Math.max(1, (to - from) / maxTicks);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step);
}
