/** A span on the time axis of its trace (ms). */
export interface TimedSpan {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly at: number;
  readonly duration: number;
}

/** A section of the critical path: the time (ms) in which a span itself determined the duration of the trace. */
export interface PathStep {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

interface PathFrame {
  readonly id: string;
  readonly from: number;
  /** The time after it is already attributed. */
  cursor: number;
  /** Sorted by end, ascending. */
  readonly children: readonly TimedSpan[];
  remaining: number;
}

/**
 * The critical path, as CRISP finds it (Zhang et al., "CRISP: Critical Path Analysis of Large-Scale Microservice Architectures", USENIX ATC 2022): from the
 * end of the root back to its start, always through the child that ended last before the time already attributed; time without a running child
 * belongs to the span itself. Children are cut to their parents. The steps are contiguous and cover the duration of the root.
 */
export function computeCriticalPath(spans: readonly TimedSpan[], rootId: string): readonly PathStep[] {
  const byParent = new Map<string, TimedSpan[]>();
  for (const span of spans) {
    if (span.parentId === undefined) continue;
    const siblings = byParent.get(span.parentId);
    if (siblings === undefined) byParent.set(span.parentId, [span]);
    else siblings.push(span);
  }
  const root = spans.find(({ id }) => id === rootId);
  if (root === undefined) return [];
  const steps: PathStep[] = [];
  const frames = [createFrame(root, root.at, root.at + root.duration, byParent)];
  while (frames.length > 0) {
    const frame = frames.at(-1)!;
    const child = takeNextChild(frame);
    const from = child === undefined ? frame.from : Math.min(frame.cursor, child.at + child.duration);
    if (from < frame.cursor) steps.push({ id: frame.id, from, to: frame.cursor });
    if (child === undefined) frames.pop();
    else {
      frame.cursor = Math.max(child.at, frame.from);
      frames.push(createFrame(child, frame.cursor, from, byParent));
    }
  }
  return steps.reverse();
}

function createFrame(
  { id }: TimedSpan,
  from: number,
  to: number,
  byParent: ReadonlyMap<string, readonly TimedSpan[]>,
): PathFrame {
  // A child that outlives its parent counts up to the parent's end.
  const cutEnd = ({ at, duration }: TimedSpan): number => Math.min(at + duration, to);
  const children = (byParent.get(id) ?? [])
    .map((child) => ({ ...child, duration: cutEnd(child) - child.at }))
    .filter(({ at, duration }) => duration > 0 && at + duration > from);
  children.sort((a, b) => a.at + a.duration - b.at - b.duration || a.at - b.at);
  return { id, from, cursor: to, children, remaining: children.length };
}

/** The child that ended last, but not after the cursor. */
function takeNextChild(frame: PathFrame): TimedSpan | undefined {
  while (frame.remaining > 0) {
    frame.remaining -= 1;
    const child = frame.children.at(frame.remaining);
    if (child !== undefined && child.at + child.duration <= frame.cursor && frame.cursor > frame.from) return child;
  }
  return undefined;
}

export interface PathShare {
  readonly name: string;
  readonly ms: number;
}

/** Time on the critical path by name, largest first. */
export function computePathShares(steps: readonly PathStep[], getName: (id: string) => string): readonly PathShare[] {
  const byName = new Map<string, number>();
  for (const { id, from, to } of steps) byName.set(getName(id), (byName.get(getName(id)) ?? 0) + to - from);
  return [...byName].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms || (a.name < b.name ? -1 : 1));
}
