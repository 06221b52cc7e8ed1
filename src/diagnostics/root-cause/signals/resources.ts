import type { Finding } from '../finding.js';
import { splitsOfHigher } from '../screen.js';
import type { LevelSeries, ServiceSeries } from '../series.js';
import { atSplit, watch, type Signal } from '../signal.js';
import { centre, type Split } from '../statistics.js';
import { figure } from '../wording.js';

/** Percentage points, and the share of the highest level of the metric anywhere, that a change must exceed to count. */
const LEAST_POINTS = 5;
const LEAST_OF_HIGHEST = 0.1;

/**
 * CPU, memory, pools, queues and the like, as far as they stay up: the level after the onset is the median of its minutes,
 * so that a spike of one minute does not count (BARO, Pham et al., FSE 2024, ranks metrics by robust scores alike).
 */
export const resources: Signal = ({ services }, { first }) => {
  const highest = highestLevels(services);
  const watched = services.flatMap(({ service, levels }) => levels.flatMap((level) => watch({ service, level }, splitsOfHigher(level.sum, level.weight, first))));
  return (split) => atSplit(watched, split).flatMap(({ service, level }) => findingOf(service, level, highest.get(level.name) ?? 0, split));
};

function findingOf(service: string, level: LevelSeries, highest: number, split: Split): Finding[] {
  const before = centre(level.sum, level.weight, 0, split.past);
  const after = centre(level.sum, level.weight, split.at, split.to);
  if (before === undefined || after === undefined) return [];
  const score = (after.value - before.value) / Math.hypot(before.spread, Math.max(LEAST_OF_HIGHEST * highest, leastRise(level.unit, highest)));
  if (!(score > 0)) return [];
  const text = `${level.label} went from ${figure(before.value)} to ${figure(after.value)} ${level.unit}`.trimEnd();
  return [{ signal: 'resources', culprit: service, score, amount: after.value - before.value, course: { sum: level.sum, weight: level.weight, before: before.value, after: after.value }, sentence: () => text }];
}

function leastRise(unit: string, highest: number): number {
  if (unit === '%') return LEAST_POINTS;
  return unit === '1' && highest <= 1 ? LEAST_POINTS / 100 : 0;
}

function highestLevels(services: readonly ServiceSeries[]): Map<string, number> {
  const highest = new Map<string, number>();
  for (const { levels } of services) {
    for (const { name, sum, weight } of levels) {
      for (let i = 0; i < sum.length; i++) if (weight[i] > 0) highest.set(name, Math.max(highest.get(name) ?? 0, sum[i] / weight[i]));
    }
  }
  return highest;
}
