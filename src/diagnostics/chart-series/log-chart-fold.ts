import { SEVERITY_LEVELS, type SeverityLevel } from '../../telemetry/log-severity.js';
import { DERIVED_UNITS, type NewChart } from '../chart-model.js';
import { OTHER_NAME, type LogRollup, type TimeBucket } from '../rollups/rollup-types.js';
import type { ChartWindow } from './chart-series.js';
import type { SignalFold } from './chart-fold-contract.js';
import { buildChartSeries, ChartGroups, LARGEST_FIRST, type Ranking } from './chart-groups.js';
import { SumAccumulator, type SumMeasure } from './group-accumulators.js';
import { StepClock } from './chart-window.js';

export type LogMetric = 'log_rate' | 'error_log_rate';

/** Log records of a group: how many there were to look at, and how many of them the metric is about. */
interface RecordCounts {
  readonly seen: number;
  readonly counted: number;
}

const ERROR = SEVERITY_LEVELS.indexOf('Error');
const SERIES_LABELS: Readonly<Record<LogMetric, string>> = {
  log_rate: 'Log records',
  error_log_rate: 'Error log records',
};
const RATE: SumMeasure<RecordCounts> = {
  fields: [({ seen }) => seen, ({ counted }) => counted],
  value: (sums, at, seconds) => sums[at + 1] / seconds,
  empty: 0,
};
const compareBySeverity: Ranking = (a, b) =>
  SEVERITY_LEVELS.indexOf(a.name as SeverityLevel) - SEVERITY_LEVELS.indexOf(b.name as SeverityLevel);

export function isLogMetric(metric: string): metric is LogMetric {
  return Object.hasOwn(SERIES_LABELS, metric);
}

/**
 * Log records a second, or those of severity Error and Fatal. Of records without any errors the error rate is 0 and is
 * shown: that there are none is known. Severities are in their own order; of `log_rate` those that occur.
 */
export function createLogFold(chart: NewChart, metric: LogMetric, frame: ChartWindow, maxBytes?: number): SignalFold {
  const clock = new StepClock(frame);
  const groups = new ChartGroups(() => new SumAccumulator(clock, RATE), maxBytes);
  const { groupBy, serviceName } = chart;
  return {
    part: 'logs',
    kept: groups,
    service: serviceName === '' ? undefined : serviceName,
    add: (stretch) => {
      const step = clock.stepIndexFor(stretch);
      if (step < 0 || (serviceName !== '' && stretch.value.service !== serviceName)) return;
      if (groupBy === 'severity') addSeverities(groups, step, metric, stretch);
      else addService(groups, step, metric, stretch, groupBy === 'service');
    },
    *computeInSlices() {
      const words = groupBy === 'severity' || groupBy === 'service' ? undefined : [SERIES_LABELS[metric]];
      const series = yield* buildChartSeries(
        clock,
        groups.rankTop(groupBy === 'severity' ? compareBySeverity : LARGEST_FIRST),
        words,
      );
      return { frame, series, unit: chart.unit || DERIVED_UNITS[metric], additive: true, decimals: 2 };
    },
  };
}

type TimedSeverities = TimeBucket<Pick<LogRollup, 'service' | 'severities'>>;

function addService(
  groups: ChartGroups<RecordCounts>,
  step: number,
  metric: LogMetric,
  { value }: TimedSeverities,
  isGrouped: boolean,
): void {
  const seen = sumCounts(value.severities);
  const records = { seen, counted: metric === 'log_rate' ? seen : sumCounts(value.severities.slice(ERROR)) };
  if (seen === 0) return;
  if (isGrouped && value.service === OTHER_NAME) groups.addToOthers(step, records);
  else groups.add('', isGrouped ? value.service : '', step, records);
}

function addSeverities(
  groups: ChartGroups<RecordCounts>,
  step: number,
  metric: LogMetric,
  { value: { severities } }: TimedSeverities,
): void {
  const seen = sumCounts(severities);
  severities.forEach((counted, i) => {
    if (metric === 'log_rate' && counted > 0) groups.add('', SEVERITY_LEVELS[i], step, { seen: counted, counted });
    if (metric === 'error_log_rate' && i >= ERROR && seen > 0)
      groups.add('', SEVERITY_LEVELS[i], step, { seen, counted });
  });
}

function sumCounts(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
