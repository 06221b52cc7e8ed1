import { edgeLevel, type MapEdge } from './service-graph.js';
import type { NodeSize, Point, Positions } from './node-placement.js';

/** Of a label in px, whatever its figures are: it stays where it is while they change. Where calls fail it has a second line. */
const LABEL_SIZE = { width: 116, height: 18, failing: 34 };
/** How far along its line a label may stand, best first. */
const CURVE_FRACTIONS = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74];
/** Points of a line that are looked at to tell whether it runs below a label. */
const SAMPLE_FRACTIONS = Array.from({ length: 25 }, (_, index) => index / 24);
const LEVEL_ORDER = ['critical', 'warning', 'good'];

interface Box extends Point, NodeSize {}

/** Begin, two controls, end. */
type Curve = readonly [Point, Point, Point, Point];

interface SampledCurve {
  readonly id: string;
  readonly points: readonly Point[];
}

/**
 * Middles of labels on the lines of calls: none covers a node or another label, and each lies on as few lines of others as it can. Calls that fail choose
 * first; who finds no room has none. What is `kept` stays where it is.
 */
export function placeEdgeLabels(
  calls: readonly MapEdge[],
  nodes: Positions,
  size: NodeSize,
  kept: Positions = new Map(),
): Positions {
  const lines = new Map(calls.map((call) => [call.id, buildCurve(call, nodes, size)]));
  const covered = [...nodes.values()].map((place): Box => ({ ...place, ...size }));
  for (const call of calls) if (kept.has(call.id)) covered.push(labelBox(call, kept.get(call.id)!));
  const paths = [...lines].map(([id, line]) => ({
    id,
    points: SAMPLE_FRACTIONS.map((share) => pointOnCurve(line, share)),
  }));
  const places = new Map<string, Point>();
  for (const call of [...calls].sort((a, b) => labelPriority(a) - labelPriority(b) || (a.id < b.id ? -1 : 1))) {
    const place = kept.get(call.id) ?? findBestPosition(call, lines.get(call.id)!, paths, covered);
    if (place === undefined) continue;
    if (!kept.has(call.id)) covered.push(labelBox(call, place));
    places.set(call.id, place);
  }
  return places;
}

function findBestPosition(
  call: MapEdge,
  line: Curve,
  paths: readonly SampledCurve[],
  covered: readonly Box[],
): Point | undefined {
  const others = paths.filter(({ id }) => id !== call.id);
  const crossed = (box: Box): number =>
    others.filter(({ points }) => points.some((point) => isInside(box, point))).length;
  const free = CURVE_FRACTIONS.map((share) => pointOnCurve(line, share)).filter(
    (place) => !covered.some((box) => isOverlapping(box, labelBox(call, place))),
  );
  // Sorting is stable: of equals the best share stays first.
  return free
    .map((place) => ({ place, crossed: crossed(labelBox(call, place)) }))
    .sort((a, b) => a.crossed - b.crossed)[0]?.place;
}

/** Not by the rate, which changes all the time. */
const labelPriority = ({ errorRate }: MapEdge): number => LEVEL_ORDER.indexOf(edgeLevel(errorRate));

/** The curve that React Flow draws from the right side of the caller to the left side of the called. */
function buildCurve({ source, target }: MapEdge, nodes: Positions, { width, height }: NodeSize): Curve {
  const [from, to] = [nodes.get(source)!, nodes.get(target)!];
  const [begin, end] = [
    { x: from.x + width, y: from.y + height / 2 },
    { x: to.x, y: to.y + height / 2 },
  ];
  const ahead = end.x - begin.x;
  const bow = ahead >= 0 ? ahead / 2 : 6.25 * Math.sqrt(-ahead);
  return [begin, { x: begin.x + bow, y: begin.y }, { x: end.x - bow, y: end.y }, end];
}

function pointOnCurve([begin, first, second, end]: Curve, share: number): Point {
  const rest = 1 - share;
  const mixed = (of: (place: Point) => number): number =>
    of(begin) * rest ** 3 +
    of(first) * 3 * rest ** 2 * share +
    of(second) * 3 * rest * share ** 2 +
    of(end) * share ** 3;
  return { x: mixed(({ x }) => x), y: mixed(({ y }) => y) };
}

function labelBox(call: MapEdge, { x, y }: Point): Box {
  const height = edgeLevel(call.errorRate) === 'good' ? LABEL_SIZE.height : LABEL_SIZE.failing;
  return { x: x - LABEL_SIZE.width / 2, y: y - height / 2, width: LABEL_SIZE.width, height };
}

const isOverlapping = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const isInside = (box: Box, { x, y }: Point): boolean =>
  x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
