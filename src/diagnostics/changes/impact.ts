import type { Change } from '../answers.js';
import { changePercent } from '../change-percent.js';
import { errorRateOf, percentileMs, within } from '../measures.js';
import { sumMeasures } from '../rollup-sums.js';
import type { GridRollup, Measures, Timed } from '../rollups.js';
import { ceilMinute, floorMinute, MINUTE_MS } from '../timeframe.js';

type Impact = Change['performanceImpact'];

const AFTER_MS = 10 * MINUTE_MS;
const BEFORE_MS = 30 * MINUTE_MS;

/** From here on better or worse, as in regressions; of errors at least a point besides, since 0.2 % is no disaster after 0.1 %. */
const TELLING_PERCENT = 20;
const TELLING_POINTS = 1;

/** In fewer requests on either side a change may be told, but is not judged. */
const FEWEST_JUDGED = 10;

/** Requests of each service by stretch, for the impacts of all changes of one answer. */
export function impacts(grids: readonly Timed<GridRollup>[]): (serviceName: string, atMs: number) => Impact {
  const byService = new Map<string, Timed<Measures>[]>();
  for (const { minute, minutes, value } of grids) {
    for (const totals of value.services) {
      const own = byService.get(totals.service) ?? [];
      byService.set(totals.service, own);
      own.push({ minute, minutes, value: totals });
    }
  }
  return (serviceName, atMs) => impactOf(byService.get(serviceName) ?? [], atMs);
}

/** The 10 minutes after against the 30 before; the minute of the change itself is both, and so neither. */
function impactOf(requests: readonly Timed<Measures>[], atMs: number): Impact {
  const before = between(requests, floorMinute(atMs) - BEFORE_MS, floorMinute(atMs));
  const after = between(requests, ceilMinute(atMs), ceilMinute(atMs) + AFTER_MS);
  if (before.count === 0 || after.count === 0) return { latencyChange: '+0%', errorRateChange: '+0%', assessment: 'neutral' };
  const latency = changePercent(percentileMs(after, 95), percentileMs(before, 95));
  const errors = changePercent(errorRateOf(after), errorRateOf(before));
  const points = errorRateOf(after) - errorRateOf(before);
  const judged = Math.min(before.count, after.count) >= FEWEST_JUDGED;
  return { latencyChange: signed(latency), errorRateChange: signed(errors), assessment: judged ? assessmentOf(latency, errors, points) : 'neutral' };
}

function between(requests: readonly Timed<Measures>[], fromMs: number, toMs: number): Measures {
  return sumMeasures(within(requests, { fromMs, toMs }));
}

/** What got worse outweighs what got better. */
function assessmentOf(latency: number, errors: number, points: number): Impact['assessment'] {
  if (latency > TELLING_PERCENT || (errors > TELLING_PERCENT && points >= TELLING_POINTS)) return 'negative';
  if (latency < -TELLING_PERCENT || (errors < -TELLING_PERCENT && points <= -TELLING_POINTS)) return 'positive';
  return 'neutral';
}

/** Whole percents with their sign, as `+145%`. */
function signed(percent: number): string {
  const whole = Math.round(Math.abs(percent));
  return `${percent < 0 && whole > 0 ? '-' : '+'}${whole}%`;
}
