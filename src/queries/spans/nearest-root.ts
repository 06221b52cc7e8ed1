import { byStart, type SpanPlace } from './span-place.js';

/**
 * Of the spans of one trace that meet `matches` (at least one does) the one with the fewest ancestors among the spans;
 * of equals the earliest, then the smallest id. A parent that is not known ends the walk, so does a circle.
 */
export function nearestRoot(spans: readonly SpanPlace[], matches: (span: SpanPlace) => boolean): SpanPlace {
  const depths = new Depths(spans);
  return spans.filter(matches).reduce((best, span) => (depths.of(span) - depths.of(best) || byStart(span, best)) < 0 ? span : best);
}

/** How many ancestors each span has; each is worked out once. */
class Depths {
  private readonly byId = new Map<string, SpanPlace>();
  private readonly known = new Map<SpanPlace, number>();

  /** Where an id is there twice, the earlier span is the parent. */
  constructor(spans: readonly SpanPlace[]) {
    for (const span of spans) {
      const other = this.byId.get(span.spanId);
      if (other === undefined || byStart(span, other) < 0) this.byId.set(span.spanId, span);
    }
  }

  of(span: SpanPlace): number {
    const path: SpanPlace[] = [];
    const onPath = new Map<SpanPlace, number>();
    let at: SpanPlace | undefined = span;
    while (at !== undefined && !this.known.has(at) && !onPath.has(at)) {
      onPath.set(at, path.push(at) - 1);
      at = at.parentId === '' ? undefined : this.byId.get(at.parentId);
    }
    const circleFrom = at === undefined ? undefined : onPath.get(at);
    if (circleFrom !== undefined) this.settleCircle(path.splice(circleFrom));
    let above = circleFrom !== undefined ? this.known.get(at!)! : at === undefined ? -1 : this.known.get(at)!;
    for (const member of path.reverse()) this.known.set(member, ++above);
    return this.known.get(span)!;
  }

  /** Every span of a circle has the others as its ancestors. */
  private settleCircle(circle: readonly SpanPlace[]): void {
    for (const span of circle) this.known.set(span, circle.length - 1);
  }
}
