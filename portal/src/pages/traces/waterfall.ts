/** What the layout needs to know of a span. */
export interface LaidSpan {
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly serviceName: string;
  readonly startTime: string;
  readonly duration: number;
}

export interface Row<Span extends LaidSpan> {
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

export interface Waterfall<Span extends LaidSpan> {
  /** Every span once, a parent before its children, children in the order of their starts. */
  readonly rows: readonly Row<Span>[];
  /** In ms since 1970. */
  readonly begin: number;
  readonly duration: number;
  readonly orphans: number;
  /** Spans that came again under an id that was there, with other contents, and have no row. */
  readonly repeated: number;
  readonly hasRoot: boolean;
}

interface Placed<Span> {
  readonly span: Span;
  readonly start: number;
}

type Draft<Span extends LaidSpan> = { -readonly [Key in keyof Row<Span>]: Row<Span>[Key] };

/** Rows of a trace from its spans, in whatever order and however incomplete they are. Needs n log n time and no deep call stack. */
export function layOut<Span extends LaidSpan>(spans: readonly Span[]): Waterfall<Span> {
  const byId = new Map<string, Placed<Span>>();
  for (const span of spans) {
    if (!byId.has(span.spanId)) byId.set(span.spanId, { span, start: Date.parse(span.startTime) });
  }
  const children = childrenOf(byId);
  const rows: Draft<Span>[] = [];
  const seen = new Set<string>();
  const roots = (children.get(undefined) ?? []).concat([...byId.values()].sort(byStart));
  // Spans that are one another's ancestors hang below no root: those that no root has reached begin one of their own.
  for (const root of roots) {
    if (!seen.has(root.span.spanId)) addTree(root, children, rows, seen);
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

const byStart = (a: Placed<LaidSpan>, b: Placed<LaidSpan>): number =>
  a.start - b.start || (a.span.spanId < b.span.spanId ? -1 : 1);

/** By the id of the parent that is there; undefined for roots. */
function childrenOf<Span extends LaidSpan>(
  byId: ReadonlyMap<string, Placed<Span>>,
): Map<string | undefined, Placed<Span>[]> {
  const children = new Map<string | undefined, Placed<Span>[]>();
  for (const placed of byId.values()) {
    const { parentSpanId } = placed.span;
    const parent = parentSpanId !== null && byId.has(parentSpanId) ? parentSpanId : undefined;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [placed]);
    else siblings.push(placed);
  }
  for (const siblings of children.values()) siblings.sort(byStart);
  return children;
}

function addTree<Span extends LaidSpan>(
  root: Placed<Span>,
  children: ReadonlyMap<string | undefined, readonly Placed<Span>[]>,
  rows: Draft<Span>[],
  seen: Set<string>,
): void {
  const open: { readonly placed: Placed<Span>; readonly parent: Draft<Span> | undefined }[] = [
    { placed: root, parent: undefined },
  ];
  const first = rows.length;
  while (open.length > 0) {
    const { placed, parent } = open.pop()!;
    if (seen.has(placed.span.spanId)) continue;
    seen.add(placed.span.spanId);
    const skew = parent === undefined ? 0 : skewOf(placed, parent);
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
  countBelow(rows, first);
}

/** From the last row up, every row is counted by its parent, which stands before it. */
function countBelow<Span extends LaidSpan>(rows: readonly Draft<Span>[], first: number): void {
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
function skewOf(child: Placed<LaidSpan>, parent: Row<LaidSpan>): number {
  if (child.span.serviceName === parent.span.serviceName) return parent.skew;
  if (child.start >= parent.at) return 0;
  return parent.at + Math.max(0, (parent.span.duration - child.span.duration) / 2) - child.start;
}

/** The rows that are seen while some subtrees are folded. */
export function unfolded<Span extends LaidSpan>(
  rows: readonly Row<Span>[],
  folded: ReadonlySet<string>,
): readonly Row<Span>[] {
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
