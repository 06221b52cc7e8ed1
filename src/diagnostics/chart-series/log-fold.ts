import { SEVERITY_LEVELS, type SeverityLevel } from '../../telemetry/severity.js';
import { DERIVED_UNITS, type NewChart } from '../chart.js';
import { OTHER, type LogRollup, type Timed } from '../rollups.js';
import type { ChartFrame } from './answer.js';
import type { OwnFold } from './fold.js';
import { Groups, type Ranking } from './groups.js';
import { NumberRow, type SumMeasure } from './number-row.js';
import { LARGEST_FIRST, seriesOf } from './shown.js';
import { StepClock } from './step-clock.js';

export type LogMetric = 'log_rate' | 'error_log_rate';

/** Log records of a group: how many there were to look at, and how many of them the metric is about. */
interface Records {
  readonly seen: number;
  readonly counted: number;
}

const ERROR = SEVERITY_LEVELS.indexOf('Error');
const WORDS: Readonly<Record<LogMetric, string>> = { log_rate: 'Log records', error_log_rate: 'Error log records' };
const RATE: SumMeasure<Records> = { fields: [({ seen }) => seen, ({ counted }) => counted], value: (sums, at, seconds) => sums[at + 1] / seconds, empty: 0 };

const bySeverity: Ranking = (a, b) => SEVERITY_LEVELS.indexOf(a.name as SeverityLevel) - SEVERITY_LEVELS.indexOf(b.name as SeverityLevel);

export function isLogMetric(metric: string): metric is LogMetric {
  return Object.hasOwn(WORDS, metric);
}

/**
 * Log records a second, or those of severity Error and Fatal. Of records without any errors the error rate is 0 and is
 * shown: that there are none is known. Severities are in their own order; of `log_rate` those that occur.
 */
export function logFold(chart: NewChart, metric: LogMetric, frame: ChartFrame, maxBytes?: number): OwnFold {
  const clock = new StepClock(frame);
  const groups = new Groups(() => new NumberRow(clock, RATE), maxBytes);
  const { groupBy, serviceName } = chart;
  return {
    part: 'logs',
    kept: groups,
    service: serviceName === '' ? undefined : serviceName,
    add: (stretch) => {
      const step = clock.stepOf(stretch);
      if (step < 0 || (serviceName !== '' && stretch.value.service !== serviceName)) return;
      if (groupBy === 'severity') addSeverities(groups, step, metric, stretch);
      else addService(groups, step, metric, stretch, groupBy === 'service');
    },
    *pieces() {
      const words = groupBy === 'severity' || groupBy === 'service' ? undefined : [WORDS[metric]];
      const series = yield* seriesOf(clock, groups.top(groupBy === 'severity' ? bySeverity : LARGEST_FIRST), words);
      return { frame, series, unit: chart.unit || DERIVED_UNITS[metric], additive: true, decimals: 2 };
    },
  };
}

type Severities = Timed<Pick<LogRollup, 'service' | 'severities'>>;

function addService(groups: Groups<Records>, step: number, metric: LogMetric, { value }: Severities, isGrouped: boolean): void {
  const seen = total(value.severities);
  const records = { seen, counted: metric === 'log_rate' ? seen : total(value.severities.slice(ERROR)) };
  if (seen === 0) return;
  if (isGrouped && value.service === OTHER) groups.addToOthers(step, records);
  else groups.add('', isGrouped ? value.service : '', step, records);
}

function addSeverities(groups: Groups<Records>, step: number, metric: LogMetric, { value: { severities } }: Severities): void {
  const seen = total(severities);
  severities.forEach((counted, i) => {
    if (metric === 'log_rate' && counted > 0) groups.add('', SEVERITY_LEVELS[i], step, { seen: counted, counted });
    if (metric === 'error_log_rate' && i >= ERROR && seen > 0) groups.add('', SEVERITY_LEVELS[i], step, { seen, counted });
  });
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
