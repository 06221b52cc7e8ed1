import { getAvailableCharts, type AvailableChart } from '../../tools/get-available-charts.js';
import { getMetrics } from '../../tools/get-metrics.js';
import { getRangeData, type RangeData } from '../../tools/get-range-data.js';
import type { Inquiry } from '../inquiry.js';
import { isPartOf } from '../known-words.js';
import type { Draft, Intent } from '../intent.js';
import { quotedName } from '../quoted-names.js';
import { singular } from '../closeness.js';
import type { Slots } from '../slots.js';
import { partsOf } from '../tokens.js';
import { chartRange, clockOf, duringRange, spelled } from '../when.js';
import { chartValue, counted, listed, percent, some } from '../wording.js';

/** Charts whose values are told where no service was named. */
const MOST_CHARTS = 3;
/** Metrics whose values are shares of 1 by the conventions of OpenTelemetry. */
const SHARE = /\.utilization$/;

export const metrics: Intent = {
  name: 'metrics',
  cues: { metrics: 4, measured: 2.2, metricSaid: 3, many: 0.3, named: 0.2 },
  forms: ['Which metrics are there?', 'How much memory does {service} use?', 'Which dashboards are there?'],
  async answer(inquiry, slots) {
    const wanted = slots.chartWords ?? [];
    if (wanted.length === 0) return slots.listOf === 'charts' ? ofCharts(inquiry, slots) : ofMetrics(inquiry, slots);
    const { charts } = await inquiry.ask(getAvailableCharts, {});
    const fits = fitting(charts, wanted, slots);
    const [chart] = fits;
    if (chart === undefined) return inquiry.left === 0 ? notFound(wanted) : ofMetrics(inquiry, slots, wanted);
    const shown = fits.slice(0, slots.services.length === 0 ? Math.min(MOST_CHARTS, Math.max(1, inquiry.left)) : 1);
    const told: string[] = [];
    for (const { id, metric } of shown) told.push(tell(await inquiry.ask(getRangeData, { chartId: id, ...(slots.time === undefined ? {} : spelled(chartRange(slots.time, inquiry.nowMs))) }), metric, inquiry.nowMs));
    const others = fits.slice(shown.length);
    const also = others.length === 0 ? '' : `\nOther charts that fit: ${some(others.map(({ title }) => quotedName(title)))}.`;
    const followUps = chart.serviceName === '' ? ['Which metrics are there?', 'Is anything under pressure?'] : [`How is ${chart.serviceName} doing?`, 'Is anything under pressure?', 'Which metrics are there?'];
    return { text: `${told.join('\n')}${also}`, followUps };
  },
};

/** Charts whose title or metric says what was asked, the best first: those of the service, where one was named. */
function fitting(charts: readonly AvailableChart[], wanted: readonly string[], { services: [name] }: Slots): AvailableChart[] {
  const fits = charts.filter(({ serviceName }) => name === undefined || serviceName === name).map((chart) => ({ chart, score: fit(chart, wanted) }));
  return fits.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score).map(({ chart }) => chart);
}

function fit({ title, metric }: AvailableChart, wanted: readonly string[]): number {
  const words = new Set([...partsOf(title), ...partsOf(metric)].map(singular));
  return wanted.filter((word) => words.has(singular(word))).length;
}

function tell({ title, unit, series, rangeStart, rangeEnd, hint }: RangeData, metric: string, nowMs: number): string {
  const range = { kind: 'range' as const, fromMs: Date.parse(rangeStart), toMs: Math.min(Date.parse(rangeEnd), nowMs) };
  // UCUM puts what is counted in braces.
  const inUnit = unit === '' || unit === '1' ? '' : ` ${quotedName(unit.replace(/[{}]/g, ''))}`;
  const lines = series.filter(({ dataPoints }) => dataPoints.length > 0).map(({ label, dataPoints }) => {
    const last = dataPoints[dataPoints.length - 1];
    const values = dataPoints.map(({ value }) => value);
    const share = unit === '1' && SHARE.test(metric) ? `, ${percent(Number(chartValue(100 * last.value)))},` : '';
    return `${quotedName(label)}: ${chartValue(last.value)}${inUnit}${share} at ${clockOf(last.timestamp, nowMs)} (lowest ${chartValue(Math.min(...values))}${inUnit}, highest ${chartValue(Math.max(...values))}${inUnit})`;
  });
  if (lines.length === 0) return `${quotedName(title)} has no data${duringRange(range, nowMs)}${hint === undefined ? '' : `: ${hint}`}.`;
  return `${quotedName(title)}${duringRange(range, nowMs)}:${listed(lines)}`;
}

async function ofMetrics(inquiry: Inquiry, { services, limit = 10 }: Slots, wanted: readonly string[] = []): Promise<Draft> {
  const all = (await inquiry.ask(getMetrics, {})).metrics;
  const sent = all.filter((metric) => services.length === 0 || services.some((name) => metric.services.includes(name)));
  const fitting = sent.filter(({ name }) => wanted.some((word) => isPartOf(singular(word), [name])));
  const found = fitting.length === 0 ? sent : fitting;
  const of = services.length === 0 ? '' : ` of ${services.join(' or ')}`;
  const missing = wanted.length === 0 ? '' : `No chart${of} shows ${wanted.join(' ')}. `;
  const followUps = ['Which dashboards are there?', 'Is anything under pressure?', 'Is anything broken?'];
  if (found.length === 0) return { text: `${missing}No metrics${of} arrived in the last day.`, followUps };
  const lines = found.map(({ name, unit, type, services: senders }) => `${quotedName(name)} (${type}${unit === '' || unit === '1' ? '' : `, ${quotedName(unit)}`}): ${some(senders, 3)}`);
  return { text: `${missing}${counted(found.length, 'metric')}${of}:${listed(lines, limit)}`, followUps };
}

async function ofCharts(inquiry: Inquiry, { services, limit = 10 }: Slots): Promise<Draft> {
  const { charts, dashboards } = await inquiry.ask(getAvailableCharts, {});
  const shown = charts.filter(({ serviceName }) => services.length === 0 || services.includes(serviceName));
  const boards = dashboards.length === 0 ? 'No dashboards.' : `${counted(dashboards.length, 'dashboard')}: ${some(dashboards.map(({ title }) => quotedName(title)), limit)}.`;
  const rest = shown.length === 0 ? ' No charts.' : `\n${counted(shown.length, 'chart')}:${listed(shown.map(({ title }) => quotedName(title)), limit)}`;
  return { text: `${boards}${rest}`, followUps: ['Which metrics are there?', 'Is anything broken?'] };
}

function notFound(wanted: readonly string[]): Draft {
  return { text: `No chart shows ${wanted.join(' ')}.`, followUps: ['Which metrics are there?', 'Which dashboards are there?'] };
}
