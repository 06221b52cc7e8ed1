import type { Diagnosis, ServiceHealth } from '../../../diagnostics/diagnostic-results.js';
import { getComparison, getDiagnosis, getServiceMap, getSystemHealth } from '../../tools/diagnostic-tools.js';
import type { IsoTimestamped } from '../../tools/result-serialization.js';
import type { QueryContext } from '../query-context.js';
import type { Slots, TimeReference } from '../understanding/slots.js';
import {
  describeWindow,
  formatIsoClock,
  resolveChartInterval,
  resolveCurrentInterval,
  resolveKnownMoment,
  toRangeArguments,
  toWindowArguments,
} from '../time/window-resolver.js';
import { formatChartValue, formatMs } from './answer-formatting.js';
import { getAvailableCharts, getRangeData, type RangeData } from '../../tools/chart-tools.js';

/** Tool calls that several intents share. */

export type DiagnosisResult = IsoTimestamped<Diagnosis>;
export type ServiceFigures = IsoTimestamped<ServiceHealth>;

export interface DependencyFigures {
  readonly name: string;
  readonly callers: readonly {
    readonly source: string;
    readonly requestCount: number;
    readonly errorRate: number;
    readonly avgLatencyMs: number;
  }[];
}

/** Without the services that the question leaves out. */
export async function loadServiceHealth(
  context: QueryContext,
  { time, excluded = [] }: Pick<Slots, 'time' | 'excluded'>,
): Promise<readonly ServiceFigures[]> {
  const { services } = (await context.callTool(getSystemHealth, toWindowArguments(time))).answer;
  const degraded = await loadDegradedAt(context, resolveKnownMoment(time));
  return services
    .filter(({ serviceName }) => !excluded.includes(serviceName))
    .map((service) =>
      degraded.has(service.serviceName) ? { ...service, recentStatus: 'degraded' as const } : service,
    );
}

/** Services whose recent status is degraded at a moment of the window, which the figures of the window may hide. */
async function loadDegradedAt(context: QueryContext, moment: TimeReference | undefined): Promise<ReadonlySet<string>> {
  if (moment === undefined || context.sourcesLeft === 0) return new Set();
  const { services } = (await context.callTool(getSystemHealth, toWindowArguments(moment))).answer;
  return new Set(
    services.filter(({ recentStatus }) => recentStatus === 'degraded').map(({ serviceName }) => serviceName),
  );
}

export async function loadDiagnoses(
  context: QueryContext,
  { time }: Pick<Slots, 'time'>,
): Promise<readonly DiagnosisResult[]> {
  const moment = resolveKnownMoment(time);
  if (moment === undefined || context.sourcesLeft < 2)
    return (await context.callTool(getDiagnosis, toWindowArguments(time))).answer;
  const known = (await context.callTool(getDiagnosis, toWindowArguments(moment))).answer;
  return known.length > 0 ? known : (await context.callTool(getDiagnosis, toWindowArguments(time))).answer;
}

/** Figures of a dependency without telemetry of its own, as seen by its callers. */
export async function loadDependencyFigures(
  context: QueryContext,
  name: string,
  { time }: Pick<Slots, 'time'>,
): Promise<DependencyFigures> {
  const { edges } = (await context.callTool(getServiceMap, toWindowArguments(time))).answer;
  return { name, callers: edges.filter(({ target }) => target === name) };
}

/** True if a diagnosis names the service as the cause or as affected. */
export function isServiceInvolved({ serviceName, affectedServices }: DiagnosisResult, service: string): boolean {
  return serviceName === service || affectedServices.includes(service);
}

const HOUR_MS = 60 * 60_000;

/** Average latency and Apdex of the whole Grid, which only comparisons contain; "" unless requested. */
export async function describeOverallAverages(context: QueryContext, { time, measure }: Slots): Promise<string> {
  if ((measure !== 'average' && measure !== 'apdex') || context.sourcesLeft === 0) return '';
  const current = resolveCurrentInterval(time, context.nowMs);
  const [now, before] = [
    toRangeArguments(current),
    toRangeArguments({ fromMs: current.fromMs - HOUR_MS, toMs: current.fromMs }),
  ];
  const { answer } = await context.callTool(getComparison, {
    currentStart: now.rangeStart,
    currentEnd: now.rangeEnd,
    baselineStart: before.rangeStart,
    baselineEnd: before.rangeEnd,
  });
  return `Over all services${describeWindow(time, context.nowMs)}: ${formatMs(answer.current.avgLatencyMs)} on average, Apdex ${answer.current.apdex}; in the hour before ${formatMs(answer.baseline.avgLatencyMs)}, Apdex ${answer.baseline.apdex}.\n`;
}

/**
 * Per-minute data, which service details lack; costs two sources. Undefined if there is no such chart or not enough
 * energy.
 */
export async function loadServiceChart(
  context: QueryContext,
  serviceName: string,
  metric: string,
  { time }: Pick<Slots, 'time'>,
): Promise<RangeData['series'] | undefined> {
  if (context.sourcesLeft < 2) return undefined;
  const { charts } = await context.callTool(getAvailableCharts, {});
  const chart = charts.find(
    (each) => each.serviceName === serviceName && each.metric === metric && each.groupBy === '',
  );
  return chart === undefined
    ? undefined
    : (
        await context.callTool(getRangeData, {
          chartId: chart.id,
          ...toRangeArguments(resolveChartInterval(time, context.nowMs)),
        })
      ).series;
}

const PEAK_WORDS = /\b(?:peak(?:ed|s)?|worst|max(?:imum|imal)?|highest|spike[ds]?|at its (?:highest|slowest|worst))\b/i;

/** True if the question asks for the worst moment of one service, rather than for the worst service. */
export function isPeakQuestion(text: string): boolean {
  return PEAK_WORDS.test(text);
}

const PEAK_CHARTS = {
  errors: { metric: 'error_rate', series: /./, title: 'error rate', unit: ' %' },
  latency: { metric: 'latency', series: /p95/i, title: 'p95', unit: ' ms' },
  traffic: { metric: 'request_rate', series: /./, title: 'request rate', unit: ' requests a second' },
} as const;

/**
 * Returns, on a separate line, the highest point of a service's chart and its time, which figures of a window do not
 * show.
 */
export async function describePeak(
  context: QueryContext,
  { isPeak, time }: Slots,
  serviceName: string,
  of: keyof typeof PEAK_CHARTS,
): Promise<string> {
  if (isPeak !== true) return '';
  const { metric, series, title, unit } = PEAK_CHARTS[of];
  const points =
    (await loadServiceChart(context, serviceName, metric, { time }))?.find(({ label }) => series.test(label))
      ?.dataPoints ?? [];
  if (points.length === 0) return '';
  const highest = points.reduce((peak, point) => (point.value > peak.value ? point : peak));
  return `\nOn its chart the ${title} was highest at ${formatIsoClock(highest.timestamp, context.nowMs)}: ${formatChartValue(highest.value)}${unit}.`;
}
