import {
  type AvailableChart,
  getAvailableCharts,
  getMetrics,
  getRangeData,
  type RangeData,
} from '../../tools/chart-tools.js';
import type { QueryContext } from '../query-context.js';
import { isWordOfAnyName, singularize } from '../lexicon/word-matching.js';
import type { Draft, Intent } from './intent.js';
import {
  formatChartValue,
  formatCount,
  formatList,
  formatName,
  formatPercent,
  joinSome,
} from '../answers/answer-formatting.js';
import type { Slots } from '../understanding/slots.js';
import { splitIdentifier } from '../lexicon/tokenizer.js';
import { resolveChartInterval, formatIsoClock, describeInterval, toRangeArguments } from '../time/window-resolver.js';

/** Maximum number of charts whose values are reported if no service is named. */
const MAX_CHARTS = 3;
/** Metrics whose values are fractions of 1 by OpenTelemetry convention. */
const RATIO_METRIC = /\.utilization$/;

export const metricsIntent: Intent = {
  name: 'metrics',
  cues: { metrics: 4, measured: 2.2, metricNamed: 3, many: 0.3, named: 0.2 },
  forms: ['Which metrics are there?', 'How much memory does {service} use?', 'Which dashboards are there?'],
  async answer(context, slots) {
    const words = slots.chartWords ?? [];
    if (words.length === 0)
      return slots.listOf === 'charts' ? answerChartList(context, slots) : answerMetricList(context, slots);
    const { charts } = await context.callTool(getAvailableCharts, {});
    const fits = findMatchingCharts(charts, words, slots);
    const [chart] = fits;
    if (chart === undefined)
      return context.sourcesLeft === 0 ? createNoChartDraft(words) : answerMetricList(context, slots, words);
    const listed = fits.slice(
      0,
      slots.services.length === 0 ? Math.min(MAX_CHARTS, Math.max(1, context.sourcesLeft)) : 1,
    );
    const lines: string[] = [];
    for (const { id, metric } of listed)
      lines.push(
        describeChart(
          await context.callTool(getRangeData, {
            chartId: id,
            ...(slots.time === undefined ? {} : toRangeArguments(resolveChartInterval(slots.time, context.nowMs))),
          }),
          metric,
          context.nowMs,
        ),
      );
    const others = fits.slice(listed.length);
    const also =
      others.length === 0 ? '' : `\nOther charts that fit: ${joinSome(others.map(({ title }) => formatName(title)))}.`;
    const followUps =
      chart.serviceName === ''
        ? ['Which metrics are there?', 'Is anything under pressure?']
        : [`How is ${chart.serviceName} doing?`, 'Is anything under pressure?', 'Which metrics are there?'];
    return { text: `${lines.join('\n')}${also}`, followUps };
  },
};

/** Charts whose title or metric matches the words, best first; those of the service if one is named. */
function findMatchingCharts(
  charts: readonly AvailableChart[],
  words: readonly string[],
  { services: [name] }: Slots,
): AvailableChart[] {
  const fits = charts
    .filter(({ serviceName }) => name === undefined || serviceName === name)
    .map((chart) => ({ chart, score: scoreChart(chart, words) }));
  return fits
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ chart }) => chart);
}

function scoreChart({ title, metric }: AvailableChart, requestedWords: readonly string[]): number {
  const words = new Set([...splitIdentifier(title), ...splitIdentifier(metric)].map(singularize));
  return requestedWords.filter((word) => words.has(singularize(word))).length;
}

function describeChart(
  { title, unit, series, rangeStart, rangeEnd, hint }: RangeData,
  metric: string,
  nowMs: number,
): string {
  const range = { kind: 'range' as const, fromMs: Date.parse(rangeStart), toMs: Math.min(Date.parse(rangeEnd), nowMs) };
  // UCUM annotations are in braces.
  const inUnit = unit === '' || unit === '1' ? '' : ` ${formatName(unit.replace(/[{}]/g, ''))}`;
  const lines = series
    .filter(({ dataPoints }) => dataPoints.length > 0)
    .map(({ label, dataPoints }) => {
      const last = dataPoints[dataPoints.length - 1];
      const values = dataPoints.map(({ value }) => value);
      const share =
        unit === '1' && RATIO_METRIC.test(metric)
          ? `, ${formatPercent(Number(formatChartValue(100 * last.value)))},`
          : '';
      return `${formatName(label)}: ${formatChartValue(last.value)}${inUnit}${share} at ${formatIsoClock(last.timestamp, nowMs)} (lowest ${formatChartValue(Math.min(...values))}${inUnit}, highest ${formatChartValue(Math.max(...values))}${inUnit})`;
    });
  if (lines.length === 0)
    return `${formatName(title)} has no data${describeInterval(range, nowMs)}${hint === undefined ? '' : `: ${hint}`}.`;
  return `${formatName(title)}${describeInterval(range, nowMs)}:${formatList(lines)}`;
}

async function answerMetricList(
  context: QueryContext,
  { services, limit = 10 }: Slots,
  words: readonly string[] = [],
): Promise<Draft> {
  const all = (await context.callTool(getMetrics, {})).metrics;
  const available = all.filter(
    (metric) => services.length === 0 || services.some((name) => metric.services.includes(name)),
  );
  const fitting = available.filter(({ name }) => words.some((word) => isWordOfAnyName(singularize(word), [name])));
  const found = fitting.length === 0 ? available : fitting;
  const of = services.length === 0 ? '' : ` of ${services.join(' or ')}`;
  const missing = words.length === 0 ? '' : `No chart${of} shows ${words.join(' ')}. `;
  const followUps = ['Which dashboards are there?', 'Is anything under pressure?', 'Is anything broken?'];
  if (found.length === 0) return { text: `${missing}No metrics${of} arrived in the last day.`, followUps };
  const lines = found.map(
    ({ name, unit, type, services: senders }) =>
      `${formatName(name)} (${type}${unit === '' || unit === '1' ? '' : `, ${formatName(unit)}`}): ${joinSome(senders, 3)}`,
  );
  return { text: `${missing}${formatCount(found.length, 'metric')}${of}:${formatList(lines, limit)}`, followUps };
}

async function answerChartList(context: QueryContext, { services, limit = 10 }: Slots): Promise<Draft> {
  const { charts, dashboards } = await context.callTool(getAvailableCharts, {});
  const listed = charts.filter(({ serviceName }) => services.length === 0 || services.includes(serviceName));
  const boards =
    dashboards.length === 0
      ? 'No dashboards.'
      : `${formatCount(dashboards.length, 'dashboard')}: ${joinSome(
          dashboards.map(({ title }) => formatName(title)),
          limit,
        )}.`;
  const rest =
    listed.length === 0
      ? ' No charts.'
      : `\n${formatCount(listed.length, 'chart')}:${formatList(
          listed.map(({ title }) => formatName(title)),
          limit,
        )}`;
  return { text: `${boards}${rest}`, followUps: ['Which metrics are there?', 'Is anything broken?'] };
}

function createNoChartDraft(words: readonly string[]): Draft {
  return {
    text: `No chart shows ${words.join(' ')}.`,
    followUps: ['Which metrics are there?', 'Which dashboards are there?'],
  };
}
