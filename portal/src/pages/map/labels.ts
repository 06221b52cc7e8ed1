import { edgeLevel, type MapEdge } from './graph.js';
import type { NodeSize, Place, Places } from './places.js';

/** Of a label in px, whatever its figures are: it stays where it is while they change. Where calls fail it has a second line. */
const LABEL = { width: 116, height: 18, failing: 34 };
/** How far along its line a label may stand, best first. */
const SHARES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74];
/** Points of a line that are looked at to tell whether it runs below a label. */
const POINTS = Array.from({ length: 25 }, (_, index) => index / 24);
const LEVELS = ['critical', 'warning', 'good'];

interface Box extends Place, NodeSize {}

/** Begin, two controls, end. */
type Curve = readonly [Place, Place, Place, Place];

interface Path {
  readonly id: string;
  readonly points: readonly Place[];
}

/**
 * Middles of labels on the lines of calls: none covers a node or another label, and each lies on as few lines of others as it can. Calls that fail choose
 * first; who finds no room has none. What is `kept` stays where it is.
 */
export function labelPlaces(
  calls: readonly MapEdge[],
  nodes: Places,
  size: NodeSize,
  kept: Places = new Map(),
): Places {
  const lines = new Map(calls.map((call) => [call.id, lineOf(call, nodes, size)]));
  const covered = [...nodes.values()].map((place): Box => ({ ...place, ...size }));
  for (const call of calls) if (kept.has(call.id)) covered.push(boxOf(call, kept.get(call.id)!));
  const paths = [...lines].map(([id, line]) => ({ id, points: POINTS.map((share) => pointOn(line, share)) }));
  const places = new Map<string, Place>();
  for (const call of [...calls].sort((a, b) => rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1))) {
    const place = kept.get(call.id) ?? bestOn(call, lines.get(call.id)!, paths, covered);
    if (place === undefined) continue;
    if (!kept.has(call.id)) covered.push(boxOf(call, place));
    places.set(call.id, place);
  }
  return places;
}

function bestOn(call: MapEdge, line: Curve, paths: readonly Path[], covered: readonly Box[]): Place | undefined {
  const others = paths.filter(({ id }) => id !== call.id);
  const crossed = (box: Box): number =>
    others.filter(({ points }) => points.some((point) => contains(box, point))).length;
  const free = SHARES.map((share) => pointOn(line, share)).filter(
    (place) => !covered.some((box) => overlap(box, boxOf(call, place))),
  );
  // Sorting is stable: of equals the best share stays first.
  return free.map((place) => ({ place, crossed: crossed(boxOf(call, place)) })).sort((a, b) => a.crossed - b.crossed)[0]
    ?.place;
}

/** Not by the rate, which changes all the time. */
const rankOf = ({ errorRate }: MapEdge): number => LEVELS.indexOf(edgeLevel(errorRate));

/** The curve that React Flow draws from the right side of the caller to the left side of the called. */
function lineOf({ source, target }: MapEdge, nodes: Places, { width, height }: NodeSize): Curve {
  const [from, to] = [nodes.get(source)!, nodes.get(target)!];
  const [begin, end] = [
    { x: from.x + width, y: from.y + height / 2 },
    { x: to.x, y: to.y + height / 2 },
  ];
  const ahead = end.x - begin.x;
  const bow = ahead >= 0 ? ahead / 2 : 6.25 * Math.sqrt(-ahead);
  return [begin, { x: begin.x + bow, y: begin.y }, { x: end.x - bow, y: end.y }, end];
}

function pointOn([begin, first, second, end]: Curve, share: number): Place {
  const rest = 1 - share;
  const mixed = (of: (place: Place) => number): number =>
    of(begin) * rest ** 3 +
    of(first) * 3 * rest ** 2 * share +
    of(second) * 3 * rest * share ** 2 +
    of(end) * share ** 3;
  return { x: mixed(({ x }) => x), y: mixed(({ y }) => y) };
}

function boxOf(call: MapEdge, { x, y }: Place): Box {
  const height = edgeLevel(call.errorRate) === 'good' ? LABEL.height : LABEL.failing;
  return { x: x - LABEL.width / 2, y: y - height / 2, width: LABEL.width, height };
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const contains = (box: Box, { x, y }: Place): boolean =>
  x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
