interface Point {
  readonly at: number;
  readonly value: number;
}

/**
 * Values at even steps from a moment to another, undefined where there is none: points that are missing would otherwise move their neighbours together. The
 * step is the shortest between two points.
 */
export function evenly(points: readonly Point[], from: number, to: number): readonly (number | undefined)[] {
  const gaps = points.slice(1).map(({ at }, index) => at - (points.at(index)?.at ?? at)).filter((gap) => gap > 0);
  if (gaps.length === 0) return points.map(({ value }) => value);
  const step = Math.min(...gaps);
  const first = points.at(0)?.at ?? from;
  const before = Math.max(0, Math.floor((first - from) / step));
  const values: (number | undefined)[] = Array.from({ length: before + Math.max(0, Math.ceil((to - first) / step)) }, () => undefined);
  for (const { at, value } of points) values[before + Math.round((at - first) / step)] = value;
  return values;
}
