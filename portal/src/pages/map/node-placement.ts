export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Positions = ReadonlyMap<string, Point>;

/** Of a node, with the room around it. */
export interface NodeSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Places that stay where they were: a node keeps its place for as long as it is seen, a new one gets that of the fresh layout, moved as the known ones
 * have been, and down until it covers nobody. What has nothing in common with before is laid out afresh.
 */
export function stabilizePositions(before: Positions, fresh: Positions, size: NodeSize): Positions {
  const known = [...fresh.keys()].filter((id) => before.has(id));
  if (known.length === 0) return fresh;
  const shift = {
    x: mean(known.map((id) => before.get(id)!.x - fresh.get(id)!.x)),
    y: mean(known.map((id) => before.get(id)!.y - fresh.get(id)!.y)),
  };
  const places = new Map(known.map((id) => [id, before.get(id)!]));
  for (const [id, { x, y }] of fresh) {
    if (!places.has(id)) places.set(id, findFreePoint({ x: x + shift.x, y: y + shift.y }, places, size));
  }
  return places;
}

function findFreePoint(wanted: Point, taken: Positions, { width, height }: NodeSize): Point {
  let place = wanted;
  for (;;) {
    const covered = [...taken.values()].find(
      ({ x, y }) => Math.abs(x - place.x) < width && Math.abs(y - place.y) < height,
    );
    if (covered === undefined) return place;
    place = { x: place.x, y: covered.y + height };
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A screen is about so much wider than high. */
const SCREEN_ASPECT = 1.8;

/**
 * The same places with long columns folded into several beside each other, so that many nodes fill a screen instead of a thread: the order from left to
 * right, and from top to bottom within a column, stays. `room` is what a node takes with the gaps around it.
 */
export function foldColumns(places: Positions, room: NodeSize): Positions {
  const rows = Math.max(1, Math.ceil(Math.sqrt((places.size * room.width) / (room.height * SCREEN_ASPECT))));
  const columns = new Map<number, string[]>();
  for (const [id, { x }] of [...places].sort(([, a], [, b]) => a.y - b.y))
    columns.set(x, [...(columns.get(x) ?? []), id]);
  const result = new Map<string, Point>();
  let x = 0;
  for (const [, ids] of [...columns].sort(([a], [b]) => a - b)) {
    for (let first = 0; first < ids.length; first += rows, x += room.width) {
      const column = ids.slice(first, first + rows);
      const top = ((rows - column.length) * room.height) / 2;
      column.forEach((id, index) => result.set(id, { x, y: top + index * room.height }));
    }
  }
  return result;
}
