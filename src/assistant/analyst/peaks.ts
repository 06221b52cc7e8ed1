import type { Inquiry } from './inquiry.js';
import { serviceChart } from './service-chart.js';
import type { Slots } from './slots.js';
import { clockOf } from './when.js';
import { chartValue } from './wording.js';

const PEAK = /\b(?:peak(?:ed|s)?|worst|max(?:imum|imal)?|highest|spike[ds]?|at its (?:highest|slowest|worst))\b/i;

/** Whether somebody asks for the worst moment of one service, rather than for the worst of all services. */
export function asksForPeak(text: string): boolean {
  return PEAK.test(text);
}

const CHARTS = {
  errors: { metric: 'error_rate', series: /./, title: 'error rate', unit: ' %' },
  latency: { metric: 'latency', series: /p95/i, title: 'p95', unit: ' ms' },
  traffic: { metric: 'request_rate', series: /./, title: 'request rate', unit: ' requests a second' },
} as const;

/** On a line of its own, the highest point of the chart of a service and when it was: figures of a window do not tell. */
export async function peakOf(inquiry: Inquiry, { isPeak, time }: Slots, serviceName: string, of: keyof typeof CHARTS): Promise<string> {
  if (isPeak !== true) return '';
  const { metric, series, title, unit } = CHARTS[of];
  const points = (await serviceChart(inquiry, serviceName, metric, { time }))?.find(({ label }) => series.test(label))?.dataPoints ?? [];
  if (points.length === 0) return '';
  const highest = points.reduce((peak, point) => (point.value > peak.value ? point : peak));
  return `\nOn its chart the ${title} was highest at ${clockOf(highest.timestamp, inquiry.nowMs)}: ${chartValue(highest.value)}${unit}.`;
}
