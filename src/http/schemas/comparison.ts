import { apdex, avgLatencyMs, changePercent, errorRate, p95LatencyMs } from './diagnostics.js';
import { serviceName } from './spans.js';
import { instant, listOf, members, number, record, text } from './terms.js';

const throughputRps = number('Requests a second; 2 decimals.', 42.1);

export const WindowFigures = record('WindowFigures', 'Figures of one window, over the entry spans of all services.', {
  rangeStart: instant('Start of the window, rounded down to the minute.'),
  rangeEnd: instant('End of the window, rounded up to the minute, the running one at most.', '2026-03-14T09:41:00.000Z'),
  avgLatencyMs, p95LatencyMs, errorRate, throughputRps, apdex,
});

export const Delta = record('Delta', 'From baseline to current.', {
  absolute: number('Difference, in the unit of the metric.', 12.4),
  percent: number('Difference as a share of the baseline. Percent, 2 decimals.', 7.3),
});

const Regression = record('Regression', 'What got worse by more than 20 %.', {
  serviceName,
  metric: text('Which figure: `avgLatencyMs`, `p95LatencyMs`, `errorRate`, `throughputRps`, `apdex`.', 'p95LatencyMs'),
  baselineValue: number('In the baseline window, in the unit of the metric.', 210),
  currentValue: number('In the current window.', 1_840),
  changePercent,
});

export const Comparison = record('Comparison', 'Two windows of time, side by side.', {
  baseline: WindowFigures,
  current: WindowFigures,
  deltas: members('The differences.', { avgLatencyMs: Delta, p95LatencyMs: Delta, errorRate: Delta, throughputRps: Delta, apdex: Delta }),
  regressions: listOf(Regression, 'By service and metric; empty where nothing got worse.'),
});
