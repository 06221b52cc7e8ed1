import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { compareByStart, type SpanLocation } from './span-location.js';

/**
 * Of the spans of one trace that meet `matches` (at least one does), the one with the fewest ancestors among the
 * spans; then the earliest, then the one with the smallest id. The ancestor walk ends at unknown parents and at
 * cycles.
 */
export async function findSpanNearestRoot(
  spans: readonly SpanLocation[],
  matches: (span: SpanLocation) => boolean,
  timeSlice: TimeSlice,
): Promise<SpanLocation> {
  const depths = new SpanDepths(timeSlice);
  await depths.addSpans(spans);
  let best: { span: SpanLocation; depth: number } | undefined;
  for (const span of spans) {
    if (!matches(span)) continue;
    const depth = await depths.computeDepth(span);
    if (best === undefined || (depth - best.depth || compareByStart(span, best.span)) < 0) best = { span, depth };
  }
  if (best === undefined) throw new RangeError('No span of the trace matches the conditions');
  return best.span;
}

/** Number of ancestors of each span, memoized so that long chains are walked once. */
class SpanDepths {
  private readonly byId = new Map<string, SpanLocation>();
  private readonly known = new Map<SpanLocation, number>();

  constructor(private readonly timeSlice: TimeSlice) {}

  /** If an id occurs twice, the earlier span counts as the parent. */
  async addSpans(spans: readonly SpanLocation[]): Promise<void> {
    for (const span of spans) {
      await this.timeSlice.yieldIfDue();
      const other = this.byId.get(span.spanId);
      if (other === undefined || compareByStart(span, other) < 0) this.byId.set(span.spanId, span);
    }
  }

  async computeDepth(span: SpanLocation): Promise<number> {
    const path: SpanLocation[] = [];
    const onPath = new Map<SpanLocation, number>();
    let at: SpanLocation | undefined = span;
    while (at !== undefined && !this.known.has(at) && !onPath.has(at)) {
      await this.timeSlice.yieldIfDue();
      onPath.set(at, path.push(at) - 1);
      at = at.parentId === '' ? undefined : this.byId.get(at.parentId);
    }
    const circleFrom = at === undefined ? undefined : onPath.get(at);
    if (circleFrom !== undefined) this.resolveCycle(path.splice(circleFrom));
    let above = at === undefined ? -1 : this.known.get(at)!;
    for (const member of path.reverse()) {
      await this.timeSlice.yieldIfDue();
      this.known.set(member, ++above);
    }
    return this.known.get(span)!;
  }

  /** In a cycle, all other spans count as ancestors. */
  private resolveCycle(circle: readonly SpanLocation[]): void {
    for (const span of circle) this.known.set(span, circle.length - 1);
  }
}
