import type { Chart } from '../../diagnostics/chart.js';
import type { ChartData, ChartFrame } from '../../diagnostics/chart-series/answer.js';
import { chartFold } from '../../diagnostics/chart-series/chart-fold.js';
import { chartFrame, readsHours } from '../../diagnostics/chart-series/frame.js';
import { MINUTE_MS } from '../../diagnostics/timeframe.js';
import type { ChartRollups } from '../../read-models/rollups/chart-rollups.js';
import { chartTime, type ChartQuestion } from './chart-time.js';

/** The numbers of a chart. Steps of whole hours are read by the hour: so a month costs hardly more than a day. */
export async function chartData(rollups: ChartRollups, chart: Chart, question: ChartQuestion): Promise<ChartData> {
  const { gridId, turn } = question;
  const frame = frameOf(question);
  const fold = chartFold(chart, frame);
  await rollups.addTo(fold, gridId, { from: frame.fromMs / MINUTE_MS, to: frame.toMs / MINUTE_MS, byHour: readsHours(frame) }, () => turn.giveWay());
  const pieces = fold.pieces();
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
    await turn.giveWay();
  }
}

/** What a chart shows at that time, whatever is measured. */
export function frameOf({ when, clockMs }: ChartQuestion): ChartFrame {
  const { range, nowMs } = chartTime(when, clockMs);
  return chartFrame(range, nowMs);
}
