import type { ChartPoint, ChartSeries } from './answer.js';
import { OTHER_GROUPS } from './answer.js';
import type { Group, Ranking, TopGroups } from './groups.js';
import type { Pieces } from './pieces.js';
import type { StepClock } from './step-clock.js';

/** How what was added up is shown. */
export interface Shown {
  /** What is measured: labels where nothing is grouped, one a line. Undefined: groups are. */
  readonly words: readonly string[] | undefined;
  readonly round: (value: number) => number;
}

/** Named groups in their order, then all others. */
export function* seriesOf<Of>(clock: StepClock, groups: Pieces<TopGroups<Of>>, { words, round }: Shown): Pieces<ChartSeries[]> {
  const { named, others } = yield* groups;
  const series: ChartSeries[] = [];
  for (const group of named) {
    series.push(...group.row.lines().map((line, i) => seriesOfLine(clock, words?.[i] ?? labelOf(group), line, round, group)));
    yield;
  }
  if (others !== undefined) series.push(...others.row.lines().map((line) => seriesOfLine(clock, OTHER_GROUPS, line, round, others)));
  return series;
}

function labelOf({ scope, name }: Group<unknown>): string {
  return scope === '' ? name : `${scope} ${name}`;
}

function seriesOfLine(clock: StepClock, label: string, line: Float64Array, round: (value: number) => number, { exemplars }: Group<unknown>): ChartSeries {
  const points: ChartPoint[] = [];
  clock.steps.forEach(({ atMs }, step) => {
    // Sums of doubles may have left their range.
    if (Number.isFinite(line[step])) points.push({ atMs, value: round(line[step]) });
  });
  return { label, points, exemplars };
}

export const LARGEST_FIRST: Ranking = (a, b) => b.total - a.total;
export const SMALLEST_FIRST: Ranking = (a, b) => a.total - b.total;
