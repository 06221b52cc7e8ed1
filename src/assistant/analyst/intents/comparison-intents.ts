import {
  describeDependency,
  describeFigureChanges,
  describeVerdict,
  hasTrendBaseline,
  NO_TREND_BASELINE,
} from '../answers/answer-sentences.js';
import { loadDependencyFigures, loadServiceHealth, type ServiceFigures } from '../answers/grid-lookups.js';
import type { QueryContext } from '../query-context.js';
import type { Draft, Intent } from './intent.js';
import { getComparison, getTrendAnalysis } from '../../tools/diagnostic-tools.js';
import type { Slots, TimeInterval } from '../understanding/slots.js';
import { type ComparedWindows, resolveComparedWindows, separateBaseline } from '../time/comparison-windows.js';
import { compareServices } from '../answers/service-comparison.js';
import { compareOutcomes } from './outcome-intent.js';
import {
  describeInterval,
  describeWindow,
  formatInterval,
  resolveCurrentInterval,
  toRangeArguments,
  toWindowArguments,
} from '../time/window-resolver.js';
import { capitalize, formatList, formatMs, formatPercent, formatChangePercent } from '../answers/answer-formatting.js';

/** Display names of regression metrics. */
const METRIC_TITLES: Readonly<Record<string, string>> = {
  avgLatencyMs: 'average latency in ms',
  p95LatencyMs: 'p95 latency in ms',
  errorRate: 'error rate in %',
  throughputRps: 'requests a second',
  apdex: 'Apdex',
};

export const comparisonIntent: Intent = {
  name: 'comparison',
  cues: { compare: 5, baseline: 5, two: 1.5, trend: 3.2, services: 1 },
  forms: [
    'Compare the last hour with yesterday',
    'Compare {service} today with yesterday',
    'Which services got slower?',
  ],
  async answer(context, slots) {
    if (slots.thing !== undefined) return compareOutcomes(context, slots);
    if (slots.services.length > 1) return compareServices(context, slots);
    const ranges = resolveComparedWindows(slots, context.nowMs);
    const [name] = slots.services;
    if (name === undefined) return compareGrid(context, ranges);
    return context.vocabulary.dependencies.includes(name)
      ? compareDependency(context, name, ranges)
      : compareService(context, name, ranges);
  },
};

async function compareService(
  context: QueryContext,
  name: string,
  { current, baseline }: ComparedWindows,
): Promise<Draft> {
  const figuresIn = async (range: TimeInterval): Promise<ServiceFigures | undefined> =>
    (await loadServiceHealth(context, { time: range })).find(({ serviceName }) => serviceName === name);
  const [now, before] = [await figuresIn(current), await figuresIn(baseline)];
  const windows = `${name}${describeInterval(current, context.nowMs)}, compared with ${formatInterval(baseline, context.nowMs)}.`;
  return {
    text: `${windows} ${describeVerdict(before, now)}${describeFigureChanges(before, now)}.`,
    followUps: [`Why is ${name} slow?`, `What changed in ${name}?`, `Which errors does ${name} have?`],
  };
}

/** A dependency without telemetry of its own, as seen by its callers in both windows. */
async function compareDependency(
  context: QueryContext,
  name: string,
  { current, baseline }: ComparedWindows,
): Promise<Draft> {
  const lines: string[] = [];
  for (const range of [current, baseline])
    if (context.sourcesLeft > 0)
      lines.push(
        describeDependency(
          await loadDependencyFigures(context, name, { time: range }),
          describeInterval(range, context.nowMs),
        ),
      );
  return { text: lines.join('\n'), followUps: [`Which services depend on ${name}?`, 'What changed in the last hour?'] };
}

async function compareGrid(context: QueryContext, { current: now, baseline: before }: ComparedWindows): Promise<Draft> {
  const [current, baseline] = [toRangeArguments(now), toRangeArguments(before)];
  const args = {
    currentStart: current.rangeStart,
    currentEnd: current.rangeEnd,
    baselineStart: baseline.rangeStart,
    baselineEnd: baseline.rangeEnd,
  };
  const { answer } = await context.callTool(getComparison, args);
  const { deltas, regressions } = answer;
  const hasBaseline = hasRequests(answer.baseline);
  const row = (title: string, metric: keyof typeof deltas, format: (value: number) => string): string =>
    `${title} ${format(answer.current[metric])}${hasBaseline ? ` against ${format(answer.baseline[metric])} (${formatChangePercent(deltas[metric].percent, answer.baseline[metric])})` : ''}`;
  const rows = [
    row('Average latency', 'avgLatencyMs', formatMs),
    row('p95 latency', 'p95LatencyMs', formatMs),
    row('error rate', 'errorRate', formatPercent),
    row('throughput', 'throughputRps', (value) => `${value} requests a second`),
    row('Apdex', 'apdex', String),
  ];
  const worse = regressions.map(
    ({ serviceName, metric, currentValue, baselineValue, changePercent }) =>
      `${serviceName}: ${METRIC_TITLES[metric] ?? metric} ${currentValue} against ${baselineValue} (${formatChangePercent(changePercent, baselineValue)})`,
  );
  const verdict = !hasBaseline
    ? '\nThere were no requests before.'
    : worse.length === 0
      ? '\nNo service got clearly worse.'
      : `\nWhat got clearly worse:${formatList(worse)}`;
  const [first] = regressions;
  return {
    text: `${capitalize(describeInterval(now, context.nowMs).trim())}, compared with ${formatInterval(before, context.nowMs)}:${formatList(rows)}${verdict}`,
    followUps: [
      ...(first === undefined ? [] : [`Why is ${first.serviceName} slow?`]),
      'What changed in the last hour?',
      'Is anything broken?',
    ],
  };
}

/**
 * Relative to a window without requests everything has changed by 100 %. The rate is rounded: a few requests per day
 * become 0 per second.
 */
function hasRequests({
  throughputRps,
  p95LatencyMs,
}: {
  readonly throughputRps: number;
  readonly p95LatencyMs: number;
}): boolean {
  return throughputRps > 0 || p95LatencyMs > 0;
}

const BASELINE_MS = 60 * 60_000;

export const trendsIntent: Intent = {
  name: 'trends',
  cues: { trend: 4, figureChanges: 6, latency: 0.5, slow: 0.5, errors: 0.5, requests: 0.5 },
  forms: ['Is latency increasing?', 'Are errors increasing?', 'Is {service} getting worse?'],
  async answer(context, slots) {
    const [name] = slots.services;
    return name === undefined ? answerGridTrends(context, slots) : answerServiceTrend(context, slots, name);
  },
};

async function answerGridTrends(context: QueryContext, slots: Slots): Promise<Draft> {
  const { answer } = await context.callTool(getTrendAnalysis, toWindowArguments(slots.time));
  const { latency, errorRate, throughput } = answer;
  const lines = hasTrendBaseline(answer)
    ? [
        `Latency is ${latency.trend} (${formatChangePercent(latency.changePercent, latency.baseline.p95, String)}): p95 ${formatMs(latency.current.p95)} against ${formatMs(latency.baseline.p95)}, p50 ${formatMs(latency.current.p50)} against ${formatMs(latency.baseline.p50)}, p99 ${formatMs(latency.current.p99)} against ${formatMs(latency.baseline.p99)}.`,
        `The error rate is ${errorRate.trend} (${formatChangePercent(errorRate.changePercent, errorRate.baseline, String)}): ${formatPercent(errorRate.current)} against ${formatPercent(errorRate.baseline)}.`,
        `Throughput is ${throughput.trend} (${formatChangePercent(throughput.changePercent, throughput.baselineRps, String)}): ${throughput.currentRps} requests a second against ${throughput.baselineRps}.`,
      ]
    : [
        `Latency: p95 ${formatMs(latency.current.p95)}, p50 ${formatMs(latency.current.p50)}, p99 ${formatMs(latency.current.p99)}.`,
        `Error rate: ${formatPercent(errorRate.current)}.`,
        `Throughput: ${throughput.currentRps} requests a second.`,
      ];
  const suffix = hasTrendBaseline(answer) ? ', against the hour before' : `; ${NO_TREND_BASELINE}`;
  return {
    text: `Over all services${describeWindow(slots.time, context.nowMs)}${suffix}:\n- ${lines.join('\n- ')}`,
    followUps: ['Which service has the most errors?', 'What changed in the last hour?', 'What is the root cause?'],
  };
}

/** Trends exist for the whole Grid only; for one service, its figures in two windows are compared. */
async function answerServiceTrend(context: QueryContext, slots: Slots, name: string): Promise<Draft> {
  const current = resolveCurrentInterval(slots.time, context.nowMs);
  const now = (await loadServiceHealth(context, slots)).find(({ serviceName }) => serviceName === name);
  const baseline = separateBaseline(
    { kind: 'range', fromMs: current.fromMs - BASELINE_MS, toMs: current.fromMs },
    current,
  );
  const before = (await loadServiceHealth(context, { time: baseline })).find(({ serviceName }) => serviceName === name);
  return {
    text: `${name}${describeWindow(slots.time, context.nowMs)}, against the hour before. ${describeVerdict(before, now)}${describeFigureChanges(before, now)}.`,
    followUps: [`Why is ${name} slow?`, `What changed in ${name}?`, `Which errors does ${name} have?`],
  };
}
