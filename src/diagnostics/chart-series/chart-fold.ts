import type { NewChart } from '../chart-model.js';
import { MINUTE_MS } from '../time-windows.js';
import type { ChartWindow } from './chart-series.js';
import { type ChartFold, runToCompletion, type SignalFold } from './chart-fold-contract.js';
import { createBucketWindow, findStepIndex } from './chart-window.js';
import { isLogMetric, createLogFold } from './log-chart-fold.js';
import { createMetricFold } from './metric-chart-fold.js';
import { isSpanMetric, createSpanFold } from './span-chart-fold.js';

/**
 * Creates the fold that computes a chart within a window from rollups added one by one in any order
 * (docs/charts.md, What the values mean). It stores a few numbers per group and step, with the total limited to
 * `maxBytes`: see ChartGroups. A grouping that the metric does not support is ignored, as for `latency`; commands
 * reject such charts.
 */
export function createChartFold(chart: NewChart, window: ChartWindow, maxBytes?: number): ChartFold {
  const fold = createSignalFold(chart, window, maxBytes);
  return {
    ...fold,
    key: JSON.stringify([fold.stateName ?? chart.metric, chart.serviceName, chart.groupBy, chart.aggregation]),
    createBucketFold: (minute, minutes) => createChartFold(chart, createBucketWindow(minute, minutes), maxBytes),
    mergeBucketFold: (minute, { state }) => {
      const step = findStepIndex(fold.window ?? window, minute * MINUTE_MS);
      if (step >= 0) fold.state.merge(state, step);
    },
    compute: () => runToCompletion(fold.computeInSlices()),
  };
}

function createSignalFold(chart: NewChart, window: ChartWindow, maxBytes: number | undefined): SignalFold {
  if (isSpanMetric(chart.metric)) return createSpanFold(chart, chart.metric, window, maxBytes);
  if (isLogMetric(chart.metric)) return createLogFold(chart, chart.metric, window, maxBytes);
  return createMetricFold(chart, window, maxBytes);
}
