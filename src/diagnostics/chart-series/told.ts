import { roundTo } from '../rounding.js';
import type { ChartData, ChartPoint } from './answer.js';

/** The data of a chart as answers tell them in numbers: pictures are drawn from the values themselves. */
export function told(data: ChartData): ChartData {
  const { series, decimals } = data;
  if (decimals === undefined) return data;
  const toldPoint = ({ atMs, value }: ChartPoint): ChartPoint => ({ atMs, value: roundTo(value, decimals) });
  return { ...data, series: series.map((each) => ({ ...each, points: each.points.map(toldPoint) })) };
}
