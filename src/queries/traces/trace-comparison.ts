import type { SpanSummary } from '../telemetry/telemetry-query-types.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { compareErrors, type ReportedErrors } from './trace-error-comparison.js';
import type { ComparedPath, ComparedTrace, PathFigures, TraceComparison, TraceSide } from './trace-comparison-types.js';
import { measureSelfTimeNs } from './self-time.js';

/** What is known of one of two traces. */
export interface TraceContent {
  readonly traceId: string;
  /** Oldest first; at least one. */
  readonly spans: readonly SpanSummary[];
  readonly errors: ReportedErrors;
}

/**
 * Compares two traces span by span: spans with the same path, which are the services and operations from the top down, belong
 * together. Yields between spans and between exceptions, because a trace may have any number of them.
 */
export async function compareTraces(
  current: TraceContent,
  baseline: TraceContent,
  timeSlice: TimeSlice,
): Promise<TraceComparison> {
  const tree = new PathTree();
  await tree.add('current', current.spans, timeSlice);
  await tree.add('baseline', baseline.spans, timeSlice);
  return {
    current: describeTrace(current),
    baseline: describeTrace(baseline),
    paths: tree.list(),
    errors: await compareErrors(current.errors, baseline.errors, timeSlice),
  };
}

function describeTrace({ traceId, spans }: TraceContent): ComparedTrace {
  const root = spans.find(({ parentSpanId }) => parentSpanId === null) ?? spans[0];
  const end = spans.reduce((last, span) => (span.end > last ? span.end : last), spans[0].end);
  return {
    traceId,
    serviceName: root.serviceName,
    operationName: root.operationName,
    start: spans[0].start,
    durationNs: Math.max(0, Number(end - spans[0].start)),
    spanCount: spans.length,
    errorCount: spans.filter(({ status }) => status === 'ERROR').length,
  };
}

interface PathNode {
  readonly serviceName: string;
  readonly operationName: string;
  readonly figures: Record<TraceSide, MutableFigures>;
  readonly children: Map<string, PathNode>;
}

type MutableFigures = { -readonly [Name in keyof PathFigures]: PathFigures[Name] };

function createNode(serviceName: string, operationName: string): PathNode {
  const none = (): MutableFigures => ({ count: 0, errorCount: 0, durationNs: 0, selfTimeNs: 0 });
  return { serviceName, operationName, figures: { current: none(), baseline: none() }, children: new Map() };
}

/** The paths of both traces as a tree, each with the figures of its spans in either trace. */
class PathTree {
  private readonly top = createNode('', '');

  async add(side: TraceSide, spans: readonly SpanSummary[], timeSlice: TimeSlice): Promise<void> {
    const children = groupByParent(spans);
    const reached = new Set<SpanSummary>();
    const pending: { readonly span: SpanSummary; readonly parent: PathNode }[] = [];
    // Spans in a cycle are below no other span: they begin a tree of their own.
    for (const first of [...(children.get(undefined) ?? []), ...spans]) {
      if (!reached.has(first)) pending.push({ span: first, parent: this.top });
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        await timeSlice.yieldIfDue();
        const { span, parent } = next;
        if (reached.has(span)) continue;
        reached.add(span);
        const below = children.get(span) ?? [];
        const node = openChild(parent, span);
        addSpan(node.figures[side], span, below);
        for (const child of below.toReversed()) pending.push({ span: child, parent: node });
      }
    }
  }

  /** Each path follows the one that it extends, in the order in which the traces have them. */
  list(): ComparedPath[] {
    const paths: ComparedPath[] = [];
    const pending = [...this.top.children.values()].reverse().map((node) => ({ node, depth: 0 }));
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { node, depth } = next;
      const { serviceName, operationName, figures } = node;
      paths.push({ depth, serviceName, operationName, ...figures });
      for (const child of [...node.children.values()].reverse()) pending.push({ node: child, depth: depth + 1 });
    }
    return paths;
  }
}

function openChild({ children }: PathNode, { serviceName, operationName }: SpanSummary): PathNode {
  const key = JSON.stringify([serviceName, operationName]);
  const child = children.get(key) ?? createNode(serviceName, operationName);
  children.set(key, child);
  return child;
}

function addSpan(figures: MutableFigures, span: SpanSummary, children: readonly SpanSummary[]): void {
  figures.count += 1;
  if (span.status === 'ERROR') figures.errorCount += 1;
  figures.durationNs += Math.max(0, Number(span.end - span.start));
  figures.selfTimeNs += measureSelfTimeNs(span, children);
}

/** Spans by the span that they are below; undefined: those whose parent is not in the trace. */
function groupByParent(spans: readonly SpanSummary[]): ReadonlyMap<SpanSummary | undefined, SpanSummary[]> {
  const byId = new Map<string, SpanSummary>();
  for (const span of spans) if (!byId.has(span.spanId)) byId.set(span.spanId, span);
  const children = new Map<SpanSummary | undefined, SpanSummary[]>();
  for (const span of spans) {
    const parent = span.parentSpanId === null ? undefined : byId.get(span.parentSpanId);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [span]);
    else siblings.push(span);
  }
  return children;
}
