/** What the layout needs to know of a span. */
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
  /** Start in ms since the start of the trace, by a clock that agrees with the parent's. */
  readonly at: number;
  /** By so many ms the clock of its service was found to be behind. */
  readonly skew: number;
  /** The row of its parent; undefined for roots. */
  readonly parentId: string | undefined;
  /** Spans below, at any depth; their rows follow. */
  readonly below: number;
  /** It has a parent by its own word, which has not come. */
  readonly isOrphan: boolean;
}

export interface Waterfall<Span extends WaterfallSpan> {
  /** Every span once, a parent before its children, children in the order of their starts. */
  readonly rows: readonly LayoutRow<Span>[];
  /** In ms since 1970. */
  readonly begin: number;
  readonly duration: number;
  readonly orphans: number;
  /** Spans that came again under an id that was there, with other contents, and have no row. */
  readonly repeated: number;
  readonly hasRoot: boolean;
}

interface TimedNode<Span> {
  readonly span: Span;
  readonly start: number;
}

type MutableRow<Span extends WaterfallSpan> = { -readonly [Key in keyof LayoutRow<Span>]: LayoutRow<Span>[Key] };

/** Rows of a trace from its spans, in whatever order and however incomplete they are. Needs n log n time and no deep call stack. */
export function layOutWaterfall<Span extends WaterfallSpan>(spans: readonly Span[]): Waterfall<Span> {
  const byId = new Map<string, TimedNode<Span>>();
  for (const span of spans) {
    if (!byId.has(span.spanId)) byId.set(span.spanId, { span, start: Date.parse(span.startTime) });
  }
  const children = groupByParent(byId);
  const rows: MutableRow<Span>[] = [];
  const seen = new Set<string>();
  const roots = (children.get(undefined) ?? []).concat([...byId.values()].sort(compareByStart));
  // Spans that are one another's ancestors hang below no root: those that no root has reached begin one of their own.
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

/** By the id of the parent that is there; undefined for roots. */
function groupByParent<Span extends WaterfallSpan>(
  byId: ReadonlyMap<string, TimedNode<Span>>,
): Map<string | undefined, TimedNode<Span>[]> {
  const children = new Map<string | undefined, TimedNode<Span>[]>();
  for (const placed of byId.values()) {
    const { parentSpanId } = placed.span;
    const parent = parentSpanId !== null && byId.has(parentSpanId) ? parentSpanId : undefined;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [placed]);
    else siblings.push(placed);
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
  const open: { readonly placed: TimedNode<Span>; readonly parent: MutableRow<Span> | undefined }[] = [
    { placed: root, parent: undefined },
  ];
  const first = rows.length;
  while (open.length > 0) {
    const { placed, parent } = open.pop()!;
    if (seen.has(placed.span.spanId)) continue;
    seen.add(placed.span.spanId);
    const skew = parent === undefined ? 0 : estimateClockSkew(placed, parent);
    const row = {
      span: placed.span,
      depth: parent === undefined ? 0 : parent.depth + 1,
      at: placed.start + skew,
      skew,
      parentId: parent?.span.spanId,
      below: 0,
      isOrphan: parent === undefined && placed.span.parentSpanId !== null,
    };
    rows.push(row);
    for (const child of (children.get(placed.span.spanId) ?? []).toReversed())
      open.push({ placed: child, parent: row });
  }
  countDescendants(rows, first);
}

/** From the last row up, every row is counted by its parent, which stands before it. */
function countDescendants<Span extends WaterfallSpan>(rows: readonly MutableRow<Span>[], first: number): void {
  const tree = rows.slice(first);
  const byId = new Map(tree.map((row) => [row.span.spanId, row]));
  for (let row = tree.pop(); row !== undefined; row = tree.pop()) {
    const parent = row.parentId === undefined ? undefined : byId.get(row.parentId);
    if (parent !== undefined) parent.below += row.below + 1;
  }
}

/**
 * Nothing begins before what caused it. A span of another service that seems to is by a clock that is behind: it is shown in the middle of its parent, or
 * at its start where it is the longer one, as Jaeger does. Spans of one service share a clock, hence also what was corrected of it.
 */
function estimateClockSkew(child: TimedNode<WaterfallSpan>, parent: LayoutRow<WaterfallSpan>): number {
  if (child.span.serviceName === parent.span.serviceName) return parent.skew;
  if (child.start >= parent.at) return 0;
  return parent.at + Math.max(0, (parent.span.duration - child.span.duration) / 2) - child.start;
}

/** The rows that are seen while some subtrees are folded. */
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

/** A stretch of a trace, in ms since its start. */
export interface TraceInterval {
  readonly from: number;
  readonly to: number;
}

/** Where a bar lies within what is looked at, in percent; undefined where it lies outside. A bar too short to be seen has its least width. */
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

/** Round places for the marks of an axis, at most so many and one. */
export function computeAxisTicks({ from, to }: TraceInterval, most: number): readonly number[] {
  const rough = Math.max(1, (to - from) / most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step);
}
