import type { FlameFrame } from './flame-frames.js';

/** Narrower frames, as a part of the graph, are in the table alone. */
const MIN_WIDTH = 0.001;

/** A frame with its place in the graph that is drawn, as parts of its width. */
export interface VisibleFrame {
  readonly frame: FlameFrame;
  readonly left: number;
  readonly width: number;
}

/** With a zoomed frame: what it calls, directly or not, with itself and what called it in full width. */
export function listVisibleFrames(
  frames: readonly FlameFrame[],
  zoomed: FlameFrame | undefined,
): readonly VisibleFrame[] {
  const { from, width } = zoomed ?? { from: 0, width: 1 };
  const callers = listCallers(frames, zoomed);
  const below = new Set<string | undefined>([zoomed?.id]);
  const visible: VisibleFrame[] = [];
  for (const frame of frames) {
    if (callers.has(frame.id)) visible.push({ frame, left: 0, width: 1 });
    else if (below.has(frame.parentId)) {
      below.add(frame.id);
      const part = frame.width / width;
      if (part >= MIN_WIDTH) visible.push({ frame, left: (frame.from - from) / width, width: part });
    }
  }
  return visible;
}

/** Ids of a frame and of those above it. */
function listCallers(frames: readonly FlameFrame[], frame: FlameFrame | undefined): ReadonlySet<string> {
  const byId = new Map(frames.map((each) => [each.id, each]));
  const callers = new Set<string>();
  for (let each = frame; each !== undefined; each = byId.get(each.parentId ?? '')) callers.add(each.id);
  return callers;
}

/** The frames of each level of calls, from the top. */
export function groupByLevel(visible: readonly VisibleFrame[]): readonly (readonly VisibleFrame[])[] {
  const levels: VisibleFrame[][] = [];
  for (const each of visible) (levels[each.frame.depth] ??= []).push(each);
  return levels;
}

/** The frame with this id, or its nearest caller that is visible, or the first frame: one always takes the focus. */
export function findTabStop(
  frames: readonly FlameFrame[],
  visible: readonly VisibleFrame[],
  id: string,
): FlameFrame | undefined {
  const visibleIds = new Set(visible.map(({ frame }) => frame.id));
  const byId = new Map(frames.map((frame) => [frame.id, frame]));
  let frame = byId.get(id);
  while (frame !== undefined && !visibleIds.has(frame.id)) frame = byId.get(frame.parentId ?? '');
  return frame ?? visible[0]?.frame;
}

/** Ids of the frames that have one of the spans. */
export function findMatchingFrames(frames: readonly FlameFrame[], spanIds: ReadonlySet<string>): ReadonlySet<string> {
  if (spanIds.size === 0) return new Set();
  return new Set(frames.filter((frame) => frame.spanIds.some((id) => spanIds.has(id))).map(({ id }) => id));
}

/** The frame that a key leads to: up to the caller, down to the widest callee, left and right to its neighbours. */
export function findFrameByKey(visible: readonly VisibleFrame[], current: string, key: string): FlameFrame | undefined {
  const frames = visible.map(({ frame: each }) => each);
  const frame = frames.find(({ id }) => id === current);
  if (frame === undefined) return frames[0];
  const siblings = frames.filter(({ parentId }) => parentId === frame.parentId);
  const place = siblings.indexOf(frame);
  switch (key) {
    case 'ArrowUp':
      return frames.find(({ id }) => id === frame.parentId);
    case 'ArrowDown':
      return frames.find(({ parentId }) => parentId === frame.id);
    case 'ArrowLeft':
      return siblings[place - 1];
    case 'ArrowRight':
      return siblings[place + 1];
    default:
      return undefined;
  }
}
