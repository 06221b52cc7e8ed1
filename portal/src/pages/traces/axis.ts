/** A stretch of a trace, in ms since its start. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Where a bar lies within what is looked at, in percent; undefined where it lies outside. A bar too short to be seen has its least width. */
export function barOf(
  at: number,
  duration: number,
  { from, to }: Stretch,
): { readonly left: number; readonly width: number } | undefined {
  const all = Math.max(1, to - from);
  if (at > to || at + duration < from) return undefined;
  const begin = Math.max(at, from);
  const width = Math.max(0.2, ((Math.min(at + duration, to) - begin) / all) * 100);
  return { left: Math.min(100 - width, ((begin - from) / all) * 100), width };
}

/** Round places for the marks of an axis, at most so many and one. */
export function marksOf({ from, to }: Stretch, most: number): readonly number[] {
  const rough = Math.max(1, (to - from) / most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step);
}
