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
import { capitalize, formatList, formatMs, formatPercent, formatSigned } from '../answers/answer-formatting.js';

/** Of the measures that regressions name. */
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
  async answer(inquiry, slots) {
    if (slots.thing !== undefined) return compareOutcomes(inquiry, slots);
    if (slots.services.length > 1) return compareServices(inquiry, slots);
    const ranges = resolveComparedWindows(slots, inquiry.nowMs);
    const [name] = slots.services;
    if (name === undefined) return compareGrid(inquiry, ranges);
    return inquiry.vocabulary.dependencies.includes(name)
      ? compareDependency(inquiry, name, ranges)
      : compareService(inquiry, name, ranges);
  },
};

async function compareService(
  inquiry: QueryContext,
  name: string,
  { current, baseline }: ComparedWindows,
): Promise<Draft> {
  const figuresIn = async (range: TimeInterval): Promise<ServiceFigures | undefined> =>
    (await loadServiceHealth(inquiry, { time: range })).find(({ serviceName }) => serviceName === name);
  const [now, before] = [await figuresIn(current), await figuresIn(baseline)];
  const windows = `${name}${describeInterval(current, inquiry.nowMs)}, compared with ${formatInterval(baseline, inquiry.nowMs)}.`;
  return {
    text: `${windows} ${describeVerdict(before, now)}${describeFigureChanges(before, now)}.`,
    followUps: [`Why is ${name} slow?`, `What changed in ${name}?`, `Which errors does ${name} have?`],
  };
}

/** What sends no telemetry of its own, as its callers see it in each window. */
async function compareDependency(
  inquiry: QueryContext,
  name: string,
  { current, baseline }: ComparedWindows,
): Promise<Draft> {
  const told: string[] = [];
  for (const range of [current, baseline])
    if (inquiry.left > 0)
      told.push(
        describeDependency(
          await loadDependencyFigures(inquiry, name, { time: range }),
          describeInterval(range, inquiry.nowMs),
        ),
      );
  return { text: told.join('\n'), followUps: [`Which services depend on ${name}?`, 'What changed in the last hour?'] };
}

async function compareGrid(inquiry: QueryContext, { current: now, baseline: before }: ComparedWindows): Promise<Draft> {
  const [current, baseline] = [toRangeArguments(now), toRangeArguments(before)];
  const given = {
    currentStart: current.rangeStart,
    currentEnd: current.rangeEnd,
    baselineStart: baseline.rangeStart,
    baselineEnd: baseline.rangeEnd,
  };
  const { answer } = await inquiry.callTool(getComparison, given);
  const { deltas, regressions } = answer;
  const hasBaseline = hasRequests(answer.baseline);
  const row = (title: string, metric: keyof typeof deltas, tell: (value: number) => string): string =>
    `${title} ${tell(answer.current[metric])}${hasBaseline ? ` against ${tell(answer.baseline[metric])} (${formatSigned(deltas[metric].percent)} %)` : ''}`;
  const rows = [
    row('Average latency', 'avgLatencyMs', formatMs),
    row('p95 latency', 'p95LatencyMs', formatMs),
    row('error rate', 'errorRate', formatPercent),
    row('throughput', 'throughputRps', (value) => `${value} requests a second`),
    row('Apdex', 'apdex', String),
  ];
  const worse = regressions.map(
    ({ serviceName, metric, currentValue, baselineValue, changePercent }) =>
      `${serviceName}: ${METRIC_TITLES[metric] ?? metric} ${currentValue} against ${baselineValue} (${formatSigned(changePercent)} %)`,
  );
  const verdict = !hasBaseline
    ? '\nThere were no requests before.'
    : worse.length === 0
      ? '\nNo service got clearly worse.'
      : `\nWhat got clearly worse:${formatList(worse)}`;
  const [first] = regressions;
  return {
    text: `${capitalize(describeInterval(now, inquiry.nowMs).trim())}, compared with ${formatInterval(before, inquiry.nowMs)}:${formatList(rows)}${verdict}`,
    followUps: [
      ...(first === undefined ? [] : [`Why is ${first.serviceName} slow?`]),
      'What changed in the last hour?',
      'Is anything broken?',
    ],
  };
}

/** Against a window without any, all has changed by 100 %. The rate is rounded: few requests a day are none a second. */
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
  async answer(inquiry, slots) {
    const [name] = slots.services;
    return name === undefined ? answerGridTrends(inquiry, slots) : answerServiceTrend(inquiry, slots, name);
  },
};

async function answerGridTrends(inquiry: QueryContext, slots: Slots): Promise<Draft> {
  const { answer } = await inquiry.callTool(getTrendAnalysis, toWindowArguments(slots.time));
  const { latency, errorRate, throughput } = answer;
  const lines = hasTrendBaseline(answer)
    ? [
        `Latency is ${latency.trend} (${latency.changePercent} %): p95 ${formatMs(latency.current.p95)} against ${formatMs(latency.baseline.p95)}, p50 ${formatMs(latency.current.p50)} against ${formatMs(latency.baseline.p50)}, p99 ${formatMs(latency.current.p99)} against ${formatMs(latency.baseline.p99)}.`,
        `The error rate is ${errorRate.trend} (${errorRate.changePercent} %): ${formatPercent(errorRate.current)} against ${formatPercent(errorRate.baseline)}.`,
        `Throughput is ${throughput.trend} (${throughput.changePercent} %): ${throughput.currentRps} requests a second against ${throughput.baselineRps}.`,
      ]
    : [
        `Latency: p95 ${formatMs(latency.current.p95)}, p50 ${formatMs(latency.current.p50)}, p99 ${formatMs(latency.current.p99)}.`,
        `Error rate: ${formatPercent(errorRate.current)}.`,
        `Throughput: ${throughput.currentRps} requests a second.`,
      ];
  const beside = hasTrendBaseline(answer) ? ', against the hour before' : `; ${NO_TREND_BASELINE}`;
  return {
    text: `Over all services${describeWindow(slots.time, inquiry.nowMs)}${beside}:\n- ${lines.join('\n- ')}`,
    followUps: ['Which service has the most errors?', 'What changed in the last hour?', 'What is the root cause?'],
  };
}

/** Trends are those of the whole Grid: of one service, its figures in the two windows. */
async function answerServiceTrend(inquiry: QueryContext, slots: Slots, name: string): Promise<Draft> {
  const current = resolveCurrentInterval(slots.time, inquiry.nowMs);
  const now = (await loadServiceHealth(inquiry, slots)).find(({ serviceName }) => serviceName === name);
  const baseline = separateBaseline(
    { kind: 'range', fromMs: current.fromMs - BASELINE_MS, toMs: current.fromMs },
    current,
  );
  const before = (await loadServiceHealth(inquiry, { time: baseline })).find(({ serviceName }) => serviceName === name);
  return {
    text: `${name}${describeWindow(slots.time, inquiry.nowMs)}, against the hour before. ${describeVerdict(before, now)}${describeFigureChanges(before, now)}.`,
    followUps: [`Why is ${name} slow?`, `What changed in ${name}?`, `Which errors does ${name} have?`],
  };
}
