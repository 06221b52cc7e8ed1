import type { ChartSeries } from '../../diagnostics/chart-series/answer.js';
import type { Tool } from '../tool.js';
import { argumentsOf, instant, required, text } from './arguments.js';
import { counted } from './counted.js';
import { found } from './found.js';
import { isoOf, msOf } from './instant.js';
import { rangeFault, rangeInWords } from './window.js';

export interface RangeDataArguments {
  readonly chartId: string;
  readonly rangeStart?: string;
  readonly rangeEnd?: string;
}

export interface RangeData {
  readonly chartId: string;
  readonly title: string;
  readonly unit: string;
  readonly rangeStart: string;
  readonly rangeEnd: string;
  readonly series: readonly { readonly label: string; readonly dataPoints: readonly { readonly timestamp: string; readonly value: number }[] }[];
  /** Why there is nothing to see where more than the data is missing. */
  readonly hint?: string;
}

export const getRangeData: Tool<RangeDataArguments, RangeData> = {
  name: 'GetRangeData',
  description: 'The data points of one chart, of the last hour unless a range is given. Ids come from GetAvailableCharts.',
  ...argumentsOf<RangeDataArguments>(
    { chartId: required(text('Id of the chart.')), rangeStart: instant('Start; an hour before the end unless given.'), rangeEnd: instant('End; now unless given.') },
    ({ rangeStart, rangeEnd }) => (rangeStart === undefined || rangeEnd === undefined ? undefined : rangeFault('range', rangeStart, rangeEnd)),
  ),
  async run({ queries, gridId }, { chartId, rangeStart, rangeEnd }) {
    const when = { ...(rangeStart !== undefined && { fromMs: msOf(rangeStart) }), ...(rangeEnd !== undefined && { toMs: msOf(rangeEnd) }) };
    const { chart, data } = found(await queries.charts.chartData(gridId, chartId.toLowerCase(), when), 'chart of this id');
    const { frame, unit, hint } = data;
    const range = { rangeStart: isoOf(frame.fromMs), rangeEnd: isoOf(frame.toMs) };
    const answer = { chartId: chart.id, title: chart.title, unit, ...range, series: data.series.map(presentedSeries), ...(hint !== undefined && { hint }) };
    return { data: answer, source: { type: 'chart', description: `${chart.title}, ${counted(answer.series.length, 'series', 'series')}, ${rangeInWords(frame)}` } };
  },
};

function presentedSeries({ label, points }: ChartSeries): RangeData['series'][number] {
  return { label, dataPoints: points.map(({ atMs, value }) => ({ timestamp: isoOf(atMs), value })) };
}
