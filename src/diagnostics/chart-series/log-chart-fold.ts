import { SEVERITY_LEVELS, type SeverityLevel } from '../../telemetry/log-severity.js';
import { DERIVED_UNITS, type NewChart } from '../chart-model.js';
import { OTHER_NAME, type LogRollup, type TimeBucket } from '../rollups/rollup-types.js';
import type { ChartWindow } from './chart-series.js';
import type { SignalFold } from './chart-fold-contract.js';
import { buildChartSeries, ChartGroups, LARGEST_FIRST, type Ranking } from './chart-groups.js';
import { SumAccumulator, type SumMeasure } from './group-accumulators.js';
import { StepClock } from './chart-window.js';

export type LogMetric = 'log_rate' | 'error_log_rate';

/** Log records of a group: all records, and those that the metric counts. */
interface RecordCounts {
  readonly total: number;
  readonly counted: number;
}

const ERROR = SEVERITY_LEVELS.indexOf('Error');
const SERIES_LABELS: Readonly<Record<LogMetric, string>> = {
  log_rate: 'Log records',
  error_log_rate: 'Error log records',
};
const RATE: SumMeasure<RecordCounts> = {
  fields: [({ total }) => total, ({ counted }) => counted],
  value: (sums, at, seconds) => sums[at + 1] / seconds,
  empty: 0,
};
const compareBySeverity: Ranking = (a, b) =>
  SEVERITY_LEVELS.indexOf(a.name as SeverityLevel) - SEVERITY_LEVELS.indexOf(b.name as SeverityLevel);

export function isLogMetric(metric: string): metric is LogMetric {
  return Object.hasOwn(SERIES_LABELS, metric);
}

/**
 * Fold of log records per second, or of those with severity Error and Fatal. If there are records but no errors, the
 * error rate is 0 rather than a gap. Severities are in their own order; `log_rate` includes only those that occur.
 */
export function createLogFold(chart: NewChart, metric: LogMetric, window: ChartWindow, maxBytes?: number): SignalFold {
  const clock = new StepClock(window);
  const groups = new ChartGroups(() => new SumAccumulator(clock, RATE), maxBytes);
  const { groupBy, serviceName } = chart;
  return {
    part: 'logs',
    state: groups,
    service: serviceName === '' ? undefined : serviceName,
    add: (bucket) => {
      const step = clock.stepIndexFor(bucket);
      if (step < 0 || (serviceName !== '' && bucket.value.service !== serviceName)) return;
      if (groupBy === 'severity') addSeverities(groups, step, metric, bucket);
      else addService(groups, step, metric, bucket, groupBy === 'service');
    },
    *computeInSlices() {
      const labels = groupBy === 'severity' || groupBy === 'service' ? undefined : [SERIES_LABELS[metric]];
      const series = yield* buildChartSeries(
        clock,
        groups.rankTop(groupBy === 'severity' ? compareBySeverity : LARGEST_FIRST),
        labels,
      );
      return { frame: window, series, unit: chart.unit || DERIVED_UNITS[metric], additive: true, decimals: 2 };
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
  const total = sumCounts(value.severities);
  const records = { total, counted: metric === 'log_rate' ? total : sumCounts(value.severities.slice(ERROR)) };
  if (total === 0) return;
  if (isGrouped && value.service === OTHER_NAME) groups.addToOthers(step, records);
  else groups.add('', isGrouped ? value.service : '', step, records);
}

function addSeverities(
  groups: ChartGroups<RecordCounts>,
  step: number,
  metric: LogMetric,
  { value: { severities } }: TimedSeverities,
): void {
  const total = sumCounts(severities);
  severities.forEach((counted, i) => {
    if (metric === 'log_rate' && counted > 0) groups.add('', SEVERITY_LEVELS[i], step, { total: counted, counted });
    if (metric === 'error_log_rate' && i >= ERROR && total > 0)
      groups.add('', SEVERITY_LEVELS[i], step, { total, counted });
  });
}

function sumCounts(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
