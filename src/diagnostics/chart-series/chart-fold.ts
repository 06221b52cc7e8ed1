import type { NewChart } from '../chart-model.js';
import { MINUTE_MS } from '../time-windows.js';
import type { ChartWindow } from './chart-series.js';
import { type ChartFold, runToCompletion, type SignalFold } from './chart-fold-contract.js';
import { createBucketWindow, findStepIndex } from './chart-window.js';
import { isLogMetric, createLogFold } from './log-chart-fold.js';
import { createMetricFold } from './metric-chart-fold.js';
import { isSpanMetric, createSpanFold } from './span-chart-fold.js';

/**
 * What a chart shows in a frame, from rollups that are added one by one in any order (docs/decisions/092-what-a-chart-shows.md). What is kept
 * of them is a few numbers a group and step, and of all groups no more than `maxBytes`: see Groups. A group that the
 * metric does not have counts as none, as with `latency`: commands refuse such charts.
 */
export function createChartFold(chart: NewChart, frame: ChartWindow, maxBytes?: number): ChartFold {
  const fold = createSignalFold(chart, frame, maxBytes);
  return {
    ...fold,
    key: JSON.stringify([fold.about ?? chart.metric, chart.serviceName, chart.groupBy, chart.aggregation]),
    createBucketFold: (minute, minutes) => createChartFold(chart, createBucketWindow(minute, minutes), maxBytes),
    mergeBucketFold: (minute, { kept }) => {
      const step = findStepIndex(frame, minute * MINUTE_MS);
      if (step >= 0) fold.kept.merge(kept, step);
    },
    compute: () => runToCompletion(fold.computeInSlices()),
  };
}

function createSignalFold(chart: NewChart, frame: ChartWindow, maxBytes: number | undefined): SignalFold {
  if (isSpanMetric(chart.metric)) return createSpanFold(chart, chart.metric, frame, maxBytes);
  if (isLogMetric(chart.metric)) return createLogFold(chart, chart.metric, frame, maxBytes);
  return createMetricFold(chart, frame, maxBytes);
}
