/** Pixels; y grows downwards. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A point of a line, ascending by x; y is NaN in a gap. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

type Line = readonly Spot[];
export type Side = 'left' | 'right';

/**
 * The side of the chart on which labels hide less of its lines: the right, unless there is less behind them at the left. In an
 * incident what crosses a threshold does so at the right, since the range ends with now.
 */
export function quieterSide(lines: readonly Line[], boxes: Readonly<Record<Side, readonly Box[]>>): Side {
  const hidden = (side: Side): number => boxes[side].reduce((sum, box) => sum + runsThrough(lines, box), 0);
  const right = hidden('right');
  return right > 0 && hidden('left') < right ? 'left' : 'right';
}

/** So many pieces of lines, from point to point, run through the box. */
function runsThrough(lines: readonly Line[], box: Box): number {
  return lines.reduce((sum, line) => sum + line.filter((spot, index) => index > 0 && meets(line[index - 1], spot, box)).length, 0);
}

function meets(a: Spot, b: Spot, { left, right, top, bottom }: Box): boolean {
  const [from, to] = [Math.max(a.x, left), Math.min(b.x, right)];
  if (from > to) return false;
  const heightAt = (x: number): number => a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x);
  const [first, last] = [heightAt(from), heightAt(to)];
  return Math.min(first, last) <= bottom && Math.max(first, last) >= top;
}
