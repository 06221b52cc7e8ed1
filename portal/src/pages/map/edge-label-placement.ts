import type { NodeSize, Point, Positions } from './node-placement.js';
import { edgeLevel, type MapEdge } from './service-graph.js';

/** Size of a label in px, regardless of its text, so that its position is stable. Labels of failing calls have a second line. */
const LABEL_SIZE = { width: 116, height: 18, failing: 34 };
/** Possible label positions along an edge, in order of preference. */
const CURVE_FRACTIONS = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74];
/** Sampled points of an edge, to test whether it crosses a label. */
const SAMPLE_FRACTIONS = Array.from({ length: 25 }, (_, index) => index / 24);
const LEVEL_ORDER = ['critical', 'warning', 'good'];

interface Box extends Point, NodeSize {}

/** Cubic Bézier curve: start, two control points, end. */
type Curve = readonly [Point, Point, Point, Point];

interface SampledCurve {
  readonly id: string;
  readonly points: readonly Point[];
}

/**
 * Positions (centres) of edge labels: they do not overlap nodes or each other, and cross as few other edges as possible. Failing calls are placed
 * first; a label without free space is left out. Labels in `kept` keep their positions.
 */
export function placeEdgeLabels(
  calls: readonly MapEdge[],
  nodes: Positions,
  size: NodeSize,
  kept: Positions = new Map(),
): Positions {
  const lines = new Map(calls.map((call) => [call.id, buildCurve(call, nodes, size)]));
  const occupied = [...nodes.values()].map((place): Box => ({ ...place, ...size }));
  for (const call of calls) if (kept.has(call.id)) occupied.push(labelBox(call, kept.get(call.id)!));
  const paths = [...lines].map(([id, line]) => ({
    id,
    points: SAMPLE_FRACTIONS.map((fraction) => pointOnCurve(line, fraction)),
  }));
  const places = new Map<string, Point>();
  for (const call of [...calls].sort((a, b) => labelPriority(a) - labelPriority(b) || (a.id < b.id ? -1 : 1))) {
    const place = kept.get(call.id) ?? findBestPosition(call, lines.get(call.id)!, paths, occupied);
    if (place === undefined) continue;
    if (!kept.has(call.id)) occupied.push(labelBox(call, place));
    places.set(call.id, place);
  }
  return places;
}

function findBestPosition(
  call: MapEdge,
  line: Curve,
  paths: readonly SampledCurve[],
  occupied: readonly Box[],
): Point | undefined {
  const others = paths.filter(({ id }) => id !== call.id);
  const countCrossings = (box: Box): number =>
    others.filter(({ points }) => points.some((point) => isInside(box, point))).length;
  const free = CURVE_FRACTIONS.map((fraction) => pointOnCurve(line, fraction)).filter(
    (place) => !occupied.some((box) => isOverlapping(box, labelBox(call, place))),
  );
  // Stable sort: among equals, the preferred fraction stays first.
  return free
    .map((place) => ({ place, crossed: countCrossings(labelBox(call, place)) }))
    .sort((a, b) => a.crossed - b.crossed)[0]?.place;
}

/** By error level, and not by rate, which changes constantly. */
const labelPriority = ({ errorRate }: MapEdge): number => LEVEL_ORDER.indexOf(edgeLevel(errorRate));

/** The curve that React Flow draws from the right side of the caller to the left side of the callee. */
function buildCurve({ source, target }: MapEdge, nodes: Positions, { width, height }: NodeSize): Curve {
  const [from, to] = [nodes.get(source)!, nodes.get(target)!];
  const [start, end] = [
    { x: from.x + width, y: from.y + height / 2 },
    { x: to.x, y: to.y + height / 2 },
  ];
  const distance = end.x - start.x;
  const controlOffset = distance >= 0 ? distance / 2 : 6.25 * Math.sqrt(-distance);
  return [start, { x: start.x + controlOffset, y: start.y }, { x: end.x - controlOffset, y: end.y }, end];
}

function pointOnCurve([start, first, second, end]: Curve, fraction: number): Point {
  const rest = 1 - fraction;
  const interpolate = (getCoordinate: (place: Point) => number): number =>
    getCoordinate(start) * rest ** 3 +
    getCoordinate(first) * 3 * rest ** 2 * fraction +
    getCoordinate(second) * 3 * rest * fraction ** 2 +
    getCoordinate(end) * fraction ** 3;
  return { x: interpolate(({ x }) => x), y: interpolate(({ y }) => y) };
}

function labelBox(call: MapEdge, { x, y }: Point): Box {
  const height = edgeLevel(call.errorRate) === 'good' ? LABEL_SIZE.height : LABEL_SIZE.failing;
  return { x: x - LABEL_SIZE.width / 2, y: y - height / 2, width: LABEL_SIZE.width, height };
}

const isOverlapping = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const isInside = (box: Box, { x, y }: Point): boolean =>
  x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
