import { getAvailableCharts } from '../tools/get-available-charts.js';
import { getRangeData, type RangeData } from '../tools/get-range-data.js';
import type { Inquiry } from './inquiry.js';
import type { Slots } from './slots.js';
import { chartRange, spelled } from './when.js';

/** Minute by minute, what the detail of a service does not tell; costs two sources. Undefined where there is no such chart, or no energy for it. */
export async function serviceChart(inquiry: Inquiry, serviceName: string, metric: string, { time }: Pick<Slots, 'time'>): Promise<RangeData['series'] | undefined> {
  if (inquiry.left < 2) return undefined;
  const { charts } = await inquiry.ask(getAvailableCharts, {});
  const chart = charts.find((each) => each.serviceName === serviceName && each.metric === metric && each.groupBy === '');
  return chart === undefined ? undefined : (await inquiry.ask(getRangeData, { chartId: chart.id, ...spelled(chartRange(time, inquiry.nowMs)) })).series;
}
