import type { ChartPoint, ChartSeries } from './answer.js';
import { OTHER_GROUPS } from './answer.js';
import type { Group, Ranking, TopGroups } from './groups.js';
import type { Pieces } from './pieces.js';
import type { StepClock } from './step-clock.js';

/**
 * Named groups in their order, then all others.
 * @param words what is measured: labels where nothing is grouped, one a line. Undefined: groups are.
 */
export function* seriesOf<Of>(clock: StepClock, groups: Pieces<TopGroups<Of>>, words: readonly string[] | undefined): Pieces<ChartSeries[]> {
  const { named, others } = yield* groups;
  const series: ChartSeries[] = [];
  for (const group of named) {
    series.push(...group.row.lines().map((line, i) => seriesOfLine(clock, words?.[i] ?? labelOf(group), line, group)));
    yield;
  }
  if (others !== undefined) series.push(...others.row.lines().map((line) => seriesOfLine(clock, OTHER_GROUPS, line, others)));
  return series;
}

function labelOf({ scope, name }: Group<unknown>): string {
  return scope === '' ? name : `${scope} ${name}`;
}

function seriesOfLine(clock: StepClock, label: string, line: Float64Array, { exemplars }: Group<unknown>): ChartSeries {
  const points: ChartPoint[] = [];
  clock.steps.forEach(({ atMs }, step) => {
    // Sums of doubles may have left their range.
    if (Number.isFinite(line[step])) points.push({ atMs, value: line[step] });
  });
  return { label, points, exemplars };
}

export const LARGEST_FIRST: Ranking = (a, b) => b.total - a.total;
export const SMALLEST_FIRST: Ranking = (a, b) => a.total - b.total;
