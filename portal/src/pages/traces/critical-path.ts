/** A span on the time axis of its trace (ms). */
export interface TimedSpan {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly at: number;
  readonly duration: number;
}

/** A stretch in which a span itself held up the whole trace. */
export interface PathStep {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

interface PathFrame {
  readonly id: string;
  readonly from: number;
  /** Everything after it is explained already. */
  cursor: number;
  /** By their ends, the last one last. */
  readonly children: readonly TimedSpan[];
  left: number;
}

/**
 * The critical path, as CRISP finds it (Zhang et al., "CRISP: Critical Path Analysis of Large-Scale Microservice Architectures", USENIX ATC 2022): from the
 * end of the root back to its start, always through the child that ended last before what is explained already; the time in which no child ran is the
 * span's own. Children are cut to their parents. The steps follow one another without a gap and make up the duration of the root.
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
  // What runs on after its parent has ended holds it up until there.
  const endOf = ({ at, duration }: TimedSpan): number => Math.min(at + duration, to);
  const children = (byParent.get(id) ?? [])
    .map((child) => ({ ...child, duration: endOf(child) - child.at }))
    .filter(({ at, duration }) => duration > 0 && at + duration > from);
  children.sort((a, b) => a.at + a.duration - b.at - b.duration || a.at - b.at);
  return { id, from, cursor: to, children, left: children.length };
}

/** The child that ended last, but not after what is explained already. */
function takeNextChild(frame: PathFrame): TimedSpan | undefined {
  while (frame.left > 0) {
    frame.left -= 1;
    const child = frame.children.at(frame.left);
    if (child !== undefined && child.at + child.duration <= frame.cursor && frame.cursor > frame.from) return child;
  }
  return undefined;
}

export interface PathShare {
  readonly name: string;
  readonly ms: number;
}

/** How much of the path each name holds, the most first. */
export function computePathShares(steps: readonly PathStep[], nameOf: (id: string) => string): readonly PathShare[] {
  const byName = new Map<string, number>();
  for (const { id, from, to } of steps) byName.set(nameOf(id), (byName.get(nameOf(id)) ?? 0) + to - from);
  return [...byName].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms || (a.name < b.name ? -1 : 1));
}
