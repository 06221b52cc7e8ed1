import type { Turn } from '../giving-way.js';
import { byStart, type SpanPlace } from './span-place.js';

/**
 * Of the spans of one trace that meet `matches` (at least one does) the one with the fewest ancestors among the spans;
 * of equals the earliest, then the smallest id. A parent that is not known ends the walk, so does a circle.
 */
export async function nearestRoot(spans: readonly SpanPlace[], matches: (span: SpanPlace) => boolean, turn: Turn): Promise<SpanPlace> {
  const depths = new Depths(turn);
  await depths.take(spans);
  let best: { span: SpanPlace; depth: number } | undefined;
  for (const span of spans) {
    if (!matches(span)) continue;
    const depth = await depths.of(span);
    if (best === undefined || (depth - best.depth || byStart(span, best.span)) < 0) best = { span, depth };
  }
  if (best === undefined) throw new RangeError('no span of the trace matches');
  return best.span;
}

/** How many ancestors each span has; each is worked out once, however long the chains are. */
class Depths {
  private readonly byId = new Map<string, SpanPlace>();
  private readonly known = new Map<SpanPlace, number>();

  constructor(private readonly turn: Turn) {}

  /** Where an id is there twice, the earlier span is the parent. */
  async take(spans: readonly SpanPlace[]): Promise<void> {
    for (const span of spans) {
      await this.turn.giveWay();
      const other = this.byId.get(span.spanId);
      if (other === undefined || byStart(span, other) < 0) this.byId.set(span.spanId, span);
    }
  }

  async of(span: SpanPlace): Promise<number> {
    const path: SpanPlace[] = [];
    const onPath = new Map<SpanPlace, number>();
    let at: SpanPlace | undefined = span;
    while (at !== undefined && !this.known.has(at) && !onPath.has(at)) {
      await this.turn.giveWay();
      onPath.set(at, path.push(at) - 1);
      at = at.parentId === '' ? undefined : this.byId.get(at.parentId);
    }
    const circleFrom = at === undefined ? undefined : onPath.get(at);
    if (circleFrom !== undefined) this.settleCircle(path.splice(circleFrom));
    let above = at === undefined ? -1 : this.known.get(at)!;
    for (const member of path.reverse()) {
      await this.turn.giveWay();
      this.known.set(member, ++above);
    }
    return this.known.get(span)!;
  }

  /** Every span of a circle has the others as its ancestors. */
  private settleCircle(circle: readonly SpanPlace[]): void {
    for (const span of circle) this.known.set(span, circle.length - 1);
  }
}
