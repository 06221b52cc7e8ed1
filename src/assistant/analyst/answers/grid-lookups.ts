import type { Diagnosis } from '../../../diagnostics/diagnostic-results.js';
import { getComparison, getDiagnosis, getServiceMap, getSystemHealth } from '../../tools/diagnostic-tools.js';
import type { IsoTimestamped } from '../../tools/result-serialization.js';
import type { QueryContext } from '../query-context.js';
import type { Slots } from '../understanding/slots.js';
import {
  describeWindow,
  formatIsoClock,
  resolveChartInterval,
  resolveCurrentInterval,
  toRangeArguments,
  toWindowArguments,
} from '../time/window-resolver.js';
import { formatChartValue, formatMs } from './answer-formatting.js';
import { getAvailableCharts, getRangeData, type RangeData } from '../../tools/chart-tools.js';

/** What several kinds of answers begin with. */

export type DiagnosisResult = IsoTimestamped<Diagnosis>;
export type ServiceFigures = {
  readonly serviceName: string;
  readonly status: string;
  readonly errorRate: number;
  readonly apdex: number;
  readonly requestCount: number;
  readonly avgLatencyMs: number;
};

export interface DependencyFigures {
  readonly name: string;
  readonly callers: readonly {
    readonly source: string;
    readonly requestCount: number;
    readonly errorRate: number;
    readonly avgLatencyMs: number;
  }[];
}

export async function loadServiceHealth(
  inquiry: QueryContext,
  { time }: Pick<Slots, 'time'>,
): Promise<readonly ServiceFigures[]> {
  return (await inquiry.callTool(getSystemHealth, toWindowArguments(time))).answer.services;
}

export async function loadDiagnoses(
  inquiry: QueryContext,
  { time }: Pick<Slots, 'time'>,
): Promise<readonly DiagnosisResult[]> {
  return (await inquiry.callTool(getDiagnosis, toWindowArguments(time))).answer;
}

/** Of what services call and nothing is known from itself: what its callers say of it. */
export async function loadDependencyFigures(
  inquiry: QueryContext,
  name: string,
  { time }: Pick<Slots, 'time'>,
): Promise<DependencyFigures> {
  const { edges } = (await inquiry.callTool(getServiceMap, toWindowArguments(time))).answer;
  return { name, callers: edges.filter(({ target }) => target === name) };
}

/** Whether a diagnosis is about a service: as its culprit, or as what suffers from it. */
export function isServiceInvolved({ serviceName, affectedServices }: DiagnosisResult, service: string): boolean {
  return serviceName === service || affectedServices.includes(service);
}

const HOUR_MS = 60 * 60_000;

/** Average latency and Apdex of the whole Grid, which comparisons alone tell; "" where they were not asked for. */
export async function describeOverallAverages(inquiry: QueryContext, { time, measure }: Slots): Promise<string> {
  if ((measure !== 'average' && measure !== 'apdex') || inquiry.left === 0) return '';
  const current = resolveCurrentInterval(time, inquiry.nowMs);
  const [now, before] = [
    toRangeArguments(current),
    toRangeArguments({ fromMs: current.fromMs - HOUR_MS, toMs: current.fromMs }),
  ];
  const { answer } = await inquiry.callTool(getComparison, {
    currentStart: now.rangeStart,
    currentEnd: now.rangeEnd,
    baselineStart: before.rangeStart,
    baselineEnd: before.rangeEnd,
  });
  return `Over all services${describeWindow(time, inquiry.nowMs)}: ${formatMs(answer.current.avgLatencyMs)} on average, Apdex ${answer.current.apdex}; in the hour before ${formatMs(answer.baseline.avgLatencyMs)}, Apdex ${answer.baseline.apdex}.\n`;
}

/** Minute by minute, what the detail of a service does not tell; costs two sources. Undefined where there is no such chart, or no energy for it. */
export async function loadServiceChart(
  inquiry: QueryContext,
  serviceName: string,
  metric: string,
  { time }: Pick<Slots, 'time'>,
): Promise<RangeData['series'] | undefined> {
  if (inquiry.left < 2) return undefined;
  const { charts } = await inquiry.callTool(getAvailableCharts, {});
  const chart = charts.find(
    (each) => each.serviceName === serviceName && each.metric === metric && each.groupBy === '',
  );
  return chart === undefined
    ? undefined
    : (
        await inquiry.callTool(getRangeData, {
          chartId: chart.id,
          ...toRangeArguments(resolveChartInterval(time, inquiry.nowMs)),
        })
      ).series;
}

const PEAK_WORDS = /\b(?:peak(?:ed|s)?|worst|max(?:imum|imal)?|highest|spike[ds]?|at its (?:highest|slowest|worst))\b/i;

/** Whether somebody asks for the worst moment of one service, rather than for the worst of all services. */
export function isPeakQuestion(text: string): boolean {
  return PEAK_WORDS.test(text);
}

const PEAK_CHARTS = {
  errors: { metric: 'error_rate', series: /./, title: 'error rate', unit: ' %' },
  latency: { metric: 'latency', series: /p95/i, title: 'p95', unit: ' ms' },
  traffic: { metric: 'request_rate', series: /./, title: 'request rate', unit: ' requests a second' },
} as const;

/** On a line of its own, the highest point of the chart of a service and when it was: figures of a window do not tell. */
export async function describePeak(
  inquiry: QueryContext,
  { isPeak, time }: Slots,
  serviceName: string,
  of: keyof typeof PEAK_CHARTS,
): Promise<string> {
  if (isPeak !== true) return '';
  const { metric, series, title, unit } = PEAK_CHARTS[of];
  const points =
    (await loadServiceChart(inquiry, serviceName, metric, { time }))?.find(({ label }) => series.test(label))
      ?.dataPoints ?? [];
  if (points.length === 0) return '';
  const highest = points.reduce((peak, point) => (point.value > peak.value ? point : peak));
  return `\nOn its chart the ${title} was highest at ${formatIsoClock(highest.timestamp, inquiry.nowMs)}: ${formatChartValue(highest.value)}${unit}.`;
}
