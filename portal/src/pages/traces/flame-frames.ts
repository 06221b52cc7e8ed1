import { hashPath } from './path-hash.js';

/** The parts of a row of the waterfall that a flame graph needs; parents come before their children. */
export interface FlameRow {
  readonly span: {
    readonly spanId: string;
    readonly serviceName: string;
    readonly operationName: string;
    readonly startTimeUnixNano: string;
    readonly durationNs: number;
    readonly status: string;
  };
  readonly parentId: string | undefined;
  /** Estimated lag of its service's clock, in ms. */
  readonly skew: number;
}

/** Spans of the same service and operation that were called on the same path. */
export interface FlameFrame {
  /** Unique in the graph, the same for the same path, whatever other spans the trace has. */
  readonly id: string;
  readonly parentId: string | undefined;
  readonly depth: number;
  readonly serviceName: string;
  readonly operationName: string;
  readonly spanIds: readonly string[];
  readonly failed: number;
  /** Work of the spans themselves in ns: time that none of their children covers. */
  readonly selfNs: number;
  /** `selfNs` and that of all frames below: work that ran at the same time counts more than once. */
  readonly totalNs: number;
  /** Place and width in the graph, as parts of the whole. */
  readonly from: number;
  readonly width: number;
}

type MutableFrame = { -readonly [Key in keyof FlameFrame]: FlameFrame[Key] } & {
  readonly spanIds: string[];
  readonly children: MutableFrame[];
};

/** Merges the spans of a trace by their path of calls. Frames come before those below them, the widest first. */
export function layOutFlames(rows: readonly FlameRow[]): readonly FlameFrame[] {
  const selfNs = computeSelfTimes(rows);
  const frames = new Map<string, MutableFrame>();
  const ids = new Set<string>();
  const frameOfSpan = new Map<string, MutableFrame>();
  const tops: MutableFrame[] = [];
  for (const { span, parentId } of rows) {
    const parent = parentId === undefined ? undefined : frameOfSpan.get(parentId);
    const path = JSON.stringify([parent?.id ?? '', span.serviceName, span.operationName]);
    let frame = frames.get(path);
    if (frame === undefined) {
      frame = createFrame(chooseFreeId(hashPath(path), ids), span, parent);
      frames.set(path, frame);
      (parent?.children ?? tops).push(frame);
    }
    frame.spanIds.push(span.spanId);
    frame.failed += span.status === 'ERROR' ? 1 : 0;
    frame.selfNs += selfNs.get(span.spanId) ?? 0;
    frameOfSpan.set(span.spanId, frame);
  }
  return place(tops, [...frames.values()]);
}

/** The id, or a longer one if another path has the same hash. */
function chooseFreeId(hash: string, taken: Set<string>): string {
  let id = hash;
  while (taken.has(id)) id += 'x';
  taken.add(id);
  return id;
}

function createFrame(id: string, span: FlameRow['span'], parent: MutableFrame | undefined): MutableFrame {
  const { serviceName, operationName } = span;
  return {
    ...{ id, parentId: parent?.id, depth: parent === undefined ? 0 : parent.depth + 1, serviceName, operationName },
    ...{ spanIds: [], children: [], failed: 0, selfNs: 0, totalNs: 0, from: 0, width: 0 },
  };
}

/** Sums from the leaves up, then divides each frame among those below it. Does not recurse: traces may be deep. */
function place(tops: readonly MutableFrame[], frames: readonly MutableFrame[]): readonly FlameFrame[] {
  const byId = new Map(frames.map((frame) => [frame.id, frame]));
  for (const frame of frames.toReversed()) {
    frame.totalNs += frame.selfNs;
    const parent = frame.parentId === undefined ? undefined : byId.get(frame.parentId);
    if (parent !== undefined) parent.totalNs += frame.totalNs;
  }
  const allNs = tops.reduce((sum, { totalNs }) => sum + totalNs, 0);
  const placed: MutableFrame[] = [];
  const pending = [{ frames: tops, from: 0, width: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    let { from } = next;
    const ordered = [...next.frames].sort((a, b) => b.totalNs - a.totalNs);
    for (const frame of ordered) {
      frame.from = from;
      // Without any work, frames share the width of their caller equally.
      frame.width = allNs === 0 ? next.width / ordered.length : frame.totalNs / allNs;
      from += frame.width;
      placed.push(frame);
    }
    for (const { children, from: left, width } of ordered.toReversed())
      pending.push({ frames: children, from: left, width });
  }
  return placed;
}

/** When a span ran, in ns since the first one started. */
interface Run {
  readonly start: number;
  readonly end: number;
}

/** Time of each span in ns that none of its children covers. */
function computeSelfTimes(rows: readonly FlameRow[]): ReadonlyMap<string, number> {
  const first = BigInt(rows[0]?.span.startTimeUnixNano ?? 0);
  const runs = new Map<string, Run>();
  const children = new Map<string, Run[]>();
  for (const { span, skew, parentId } of rows) {
    const start = Number(BigInt(span.startTimeUnixNano) - first) + Math.round(skew * 1_000_000);
    const run = { start, end: start + span.durationNs };
    runs.set(span.spanId, run);
    if (parentId === undefined) continue;
    const known = children.get(parentId);
    if (known === undefined) children.set(parentId, [run]);
    else known.push(run);
  }
  return new Map(
    Array.from(runs, ([spanId, run]) => [spanId, run.end - run.start - measureCover(children.get(spanId) ?? [], run)]),
  );
}

/** How much of a run the others cover, in ns. */
function measureCover(runs: readonly Run[], { start, end }: Run): number {
  let covered = 0;
  let last = start;
  for (const run of [...runs].sort((a, b) => a.start - b.start)) {
    const until = Math.min(end, run.end);
    const begin = Math.max(last, run.start);
    if (until > begin) covered += until - begin;
    last = Math.max(last, until);
  }
  return covered;
}
