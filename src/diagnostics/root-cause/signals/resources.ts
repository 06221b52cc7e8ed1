import type { Finding } from '../finding.js';
import { resourceOf } from '../metric-kinds.js';
import type { MetricSeries, Series } from '../series.js';
import { centre, type Split } from '../statistics.js';
import { figure } from '../wording.js';

/** Percentage points, and the share of the highest level of the metric anywhere, that a change must exceed to count. */
const LEAST_POINTS = 5;
const LEAST_OF_HIGHEST = 0.1;

/**
 * CPU, memory, pools, queues and the like, as far as they stay up: the level after the onset is the median of its minutes,
 * so that a spike of one minute does not count (BARO, Pham et al., FSE 2024, ranks metrics by robust scores alike).
 */
export function resourceFindings({ services }: Series, split: Split): Finding[] {
  const highest = new Map<string, number>();
  for (const { metrics } of services) for (const series of metrics) for (let i = 0; i < split.to; i++) if (series.weight[i] > 0) highest.set(series.metric, Math.max(highest.get(series.metric) ?? 0, series.sum[i] / series.weight[i]));
  return services.flatMap(({ service, metrics }) => metrics.flatMap((series) => findingOf(service, series, highest.get(series.metric) ?? 0, split)));
}

function findingOf(service: string, series: MetricSeries, highest: number, split: Split): Finding[] {
  const before = centre(series.sum, series.weight, 0, split.past);
  const after = centre(series.sum, series.weight, split.at, split.to);
  if (before === undefined || after === undefined) return [];
  const floor = Math.max(LEAST_OF_HIGHEST * highest, series.unit === '%' ? LEAST_POINTS : series.unit === '1' && highest <= 1 ? LEAST_POINTS / 100 : 0);
  const score = (after.value - before.value) / Math.hypot(before.spread, floor);
  if (!(score > 0)) return [];
  const name = series.instance === '' ? series.metric : `${series.metric} of ${series.instance}`;
  return [{ signal: 'resources', culprit: service, score, amount: after.value - before.value, sentence: () => `${name} (${resourceOf(series.metric)}) went from ${figure(before.value)} to ${figure(after.value)} ${series.unit}` }];
}
