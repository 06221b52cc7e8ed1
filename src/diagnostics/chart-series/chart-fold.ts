import type { NewChart } from '../chart.js';
import { MINUTE_MS } from '../timeframe.js';
import type { ChartFrame } from './answer.js';
import type { ChartFold, OwnFold } from './fold.js';
import { frameOfStretch, stepAt } from './frame.js';
import { isLogMetric, logFold } from './log-fold.js';
import { metricFold } from './metric-fold.js';
import { atOnce } from './pieces.js';
import { isSpanMetric, spanFold } from './span-fold.js';

/**
 * What a chart shows in a frame, from rollups that are added one by one in any order (docs/decisions/092-what-a-chart-shows.md). What is kept
 * of them is a few numbers a group and step, and of all groups no more than `maxBytes`: see Groups. A group that the
 * metric does not have counts as none, as with `latency`: commands refuse such charts.
 */
export function chartFold(chart: NewChart, frame: ChartFrame, maxBytes?: number): ChartFold {
  const fold = ownFold(chart, frame, maxBytes);
  return {
    ...fold,
    key: JSON.stringify([fold.about ?? chart.metric, chart.serviceName, chart.groupBy, chart.aggregation]),
    stretch: (minute, minutes) => chartFold(chart, frameOfStretch(minute, minutes), maxBytes),
    addFolded: (minute, { kept }) => {
      const step = stepAt(frame, minute * MINUTE_MS);
      if (step >= 0) fold.kept.merge(kept, step);
    },
    data: () => atOnce(fold.pieces()),
  };
}

function ownFold(chart: NewChart, frame: ChartFrame, maxBytes: number | undefined): OwnFold {
  if (isSpanMetric(chart.metric)) return spanFold(chart, chart.metric, frame, maxBytes);
  if (isLogMetric(chart.metric)) return logFold(chart, chart.metric, frame, maxBytes);
  return metricFold(chart, frame, maxBytes);
}
