export interface Place {
  readonly x: number;
  readonly y: number;
}

export type Places = ReadonlyMap<string, Place>;

/** Of a node, with the room around it. */
export interface NodeSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Places that stay where they were: a node keeps its place for as long as it is seen, a new one gets that of the fresh layout, moved as the known ones
 * have been, and down until it covers nobody. What has nothing in common with before is laid out afresh.
 */
export function settled(before: Places, fresh: Places, size: NodeSize): Places {
  const known = [...fresh.keys()].filter((id) => before.has(id));
  if (known.length === 0) return fresh;
  const shift = {
    x: mean(known.map((id) => before.get(id)!.x - fresh.get(id)!.x)),
    y: mean(known.map((id) => before.get(id)!.y - fresh.get(id)!.y)),
  };
  const places = new Map(known.map((id) => [id, before.get(id)!]));
  for (const [id, { x, y }] of fresh) {
    if (!places.has(id)) places.set(id, freeAt({ x: x + shift.x, y: y + shift.y }, places, size));
  }
  return places;
}

function freeAt(wanted: Place, taken: Places, { width, height }: NodeSize): Place {
  let place = wanted;
  for (;;) {
    const covered = [...taken.values()].find(({ x, y }) => Math.abs(x - place.x) < width && Math.abs(y - place.y) < height);
    if (covered === undefined) return place;
    place = { x: place.x, y: covered.y + height };
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
