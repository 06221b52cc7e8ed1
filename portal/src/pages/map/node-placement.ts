export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Positions = ReadonlyMap<string, Point>;

/** Size of a node including its margin (px). */
export interface NodeSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Keeps the positions of known nodes when the graph changes. New nodes get their position of the fresh layout, shifted by the average offset of
 * the known ones and moved down until they overlap nothing. Without common nodes, the fresh layout is used.
 */
export function stabilizePositions(before: Positions, fresh: Positions, size: NodeSize): Positions {
  const known = [...fresh.keys()].filter((id) => before.has(id));
  if (known.length === 0) return fresh;
  const shift = {
    x: mean(known.map((id) => before.get(id)!.x - fresh.get(id)!.x)),
    y: mean(known.map((id) => before.get(id)!.y - fresh.get(id)!.y)),
  };
  const positions = new Map(known.map((id) => [id, before.get(id)!]));
  for (const [id, { x, y }] of fresh) {
    if (!positions.has(id)) positions.set(id, findFreePoint({ x: x + shift.x, y: y + shift.y }, positions, size));
  }
  return positions;
}

function findFreePoint(wanted: Point, taken: Positions, { width, height }: NodeSize): Point {
  let candidate = wanted;
  for (;;) {
    const overlapped = [...taken.values()].find(
      ({ x, y }) => Math.abs(x - candidate.x) < width && Math.abs(y - candidate.y) < height,
    );
    if (overlapped === undefined) return candidate;
    candidate = { x: candidate.x, y: overlapped.y + height };
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Width to height ratio of a typical screen. */
const SCREEN_ASPECT = 1.8;

/**
 * Splits long columns into several, so that many nodes fill the screen instead of one long line. The order from left to right, and within a
 * column from top to bottom, stays the same. `cell` is the size of a node with its gaps.
 */
export function foldColumns(positions: Positions, cell: NodeSize): Positions {
  const rows = Math.max(1, Math.ceil(Math.sqrt((positions.size * cell.width) / (cell.height * SCREEN_ASPECT))));
  const columns = new Map<number, string[]>();
  for (const [id, { x }] of [...positions].sort(([, a], [, b]) => a.y - b.y))
    columns.set(x, [...(columns.get(x) ?? []), id]);
  const result = new Map<string, Point>();
  let x = 0;
  for (const [, ids] of [...columns].sort(([a], [b]) => a - b)) {
    for (let first = 0; first < ids.length; first += rows, x += cell.width) {
      const column = ids.slice(first, first + rows);
      const top = ((rows - column.length) * cell.height) / 2;
      column.forEach((id, index) => result.set(id, { x, y: top + index * cell.height }));
    }
  }
  return result;
}
