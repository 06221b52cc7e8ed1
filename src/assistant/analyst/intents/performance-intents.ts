import { describeMedian, describeOperation, formatEndpoint, loadServiceDetail } from '../answers/endpoint-lookup.js';
import {
  describeOverallAverages,
  describePeak,
  loadDependencyFigures,
  loadServiceChart,
  loadServiceHealth,
} from '../answers/grid-lookups.js';
import {
  describeDependency,
  describeLikelyCause,
  describeRanking,
  hasTrendBaseline,
  NO_TREND_BASELINE,
} from '../answers/answer-sentences.js';
import type { QueryContext } from '../query-context.js';
import type { Draft, Intent } from './intent.js';
import type { Slots } from '../understanding/slots.js';
import { getSlowestEndpoints, getTrendAnalysis } from '../../tools/diagnostic-tools.js';
import { compareServices } from '../answers/service-comparison.js';
import { describeWindow, formatIsoClock, resolveCurrentInterval, toWindowArguments } from '../time/window-resolver.js';
import {
  formatChartValue,
  formatCount,
  formatList,
  formatMs,
  formatServiceFigures,
  formatChangePercent,
} from '../answers/answer-formatting.js';

export const latencyIntent: Intent = {
  name: 'latency',
  cues: { latency: 3, slow: 3, slowest: 3, peak: 1.5, most: 0.5, services: 0.5, operation: 2 },
  forms: ['How fast is {service}?', 'What is the p95 latency?', 'Which service is slowest?'],
  async answer(context, slots) {
    if (slots.services.length > 1) return compareServices(context, slots);
    const [name] = slots.services;
    if (slots.operation !== undefined)
      return {
        text: await describeOperation(context, slots.operation, slots),
        followUps: ['Which endpoints are slowest?', 'Is anything broken?'],
      };
    if (name === undefined) return answerGridLatency(context, slots);
    if (!context.vocabulary.dependencies.includes(name)) return answerServiceLatency(context, slots, name);
    return {
      text: describeDependency(
        await loadDependencyFigures(context, name, slots),
        describeWindow(slots.time, context.nowMs),
      ),
      followUps: [`Which services depend on ${name}?`, `Why is ${name} slow?`],
    };
  },
};

async function answerServiceLatency(context: QueryContext, slots: Slots, name: string): Promise<Draft> {
  const window = describeWindow(slots.time, context.nowMs);
  const service = (await loadServiceHealth(context, slots)).find(({ serviceName }) => serviceName === name);
  const followUps = [
    `Why is ${name} slow?`,
    `Is ${name} getting slower?`,
    `Show me traces of ${name} slower than 500 ms`,
    `What does ${name} depend on?`,
  ];
  if (service === undefined || service.requestCount === 0)
    return {
      text: `${name} had no requests${window}.`,
      followUps: [`When was ${name} last deployed?`, 'Is anything broken?'],
    };
  const detail = context.sourcesLeft === 0 ? undefined : await loadServiceDetail(context, name, slots);
  const { endpoints = [] } = detail ?? {};
  const slowest = [...endpoints].sort((a, b) => b.p95LatencyMs - a.p95LatencyMs).map(formatEndpoint);
  const median = slots.measure !== 'p50' || detail === undefined ? '' : describeMedian(detail);
  const percentile = slots.measure === 'p99' ? await describeP99(context, slots, name) : '';
  const peak = await describePeak(context, slots, name, 'latency');
  const cause = await describeLikelyCause(context, slots, [name]);
  return {
    text: `${name}${window}: ${formatServiceFigures(service)}.${median}${slowest.length === 0 ? '' : `\nIts endpoints, slowest first:${formatList(slowest, slots.limit)}`}${percentile}${peak}${cause}`,
    followUps,
  };
}

/** p99 of endpoints, because service details have none for the whole service. */
async function describeP99(context: QueryContext, { time }: Slots, name: string): Promise<string> {
  if (context.sourcesLeft === 0) return '';
  const found = (await context.callTool(getSlowestEndpoints, toWindowArguments(time))).answer.filter(
    ({ serviceName }) => serviceName === name,
  );
  return found.map(({ operation, p99LatencyMs }) => `\n${operation}: p99 ${formatMs(p99LatencyMs)}`).join('');
}

async function answerGridLatency(context: QueryContext, slots: Slots): Promise<Draft> {
  const averages = await describeOverallAverages(context, slots);
  const { answer } = await context.callTool(getTrendAnalysis, toWindowArguments(slots.time));
  const { current, baseline, trend, changePercent } = answer.latency;
  const change = hasTrendBaseline(answer)
    ? `latency is ${trend} (${formatChangePercent(changePercent, baseline.p95, String)}) against the hour before, when p95 was ${formatMs(baseline.p95)}`
    : NO_TREND_BASELINE;
  const overall = `Over all services${describeWindow(slots.time, context.nowMs)}: p50 ${formatMs(current.p50)}, p95 ${formatMs(current.p95)}, p99 ${formatMs(current.p99)}; ${change}.`;
  const services =
    context.sourcesLeft === 0
      ? ''
      : `\n${describeRanking(await loadServiceHealth(context, slots), 'latency', slots, context.nowMs)}`;
  return {
    text: `${averages}${overall}${services}`,
    followUps: ['Which endpoints are slowest?', 'What is the root cause?', 'What changed in the last hour?'],
  };
}

export const slowestEndpointsIntent: Intent = {
  name: 'slowest',
  cues: { slowest: 3, endpoints: 3, slow: 1.5, latency: 0.5, requests: 1.5, operation: 0.5, endpointDuration: 1 },
  forms: ['Which endpoints are slowest?', 'Which are the 3 slowest endpoints of {service}?'],
  async answer(context, slots) {
    const { answer } = await context.callTool(getSlowestEndpoints, toWindowArguments(slots.time));
    const [name] = slots.services;
    const window = describeWindow(slots.time, context.nowMs);
    const found = answer.filter((endpoint) => isRequestedEndpoint(endpoint, slots));
    if (found.length === 0 && isBounded(slots)) return createNoEndpointDraft(name, describeBounds(slots), window);
    if (found.length === 0)
      return name === undefined || context.sourcesLeft === 0
        ? createNoEndpointDraft(name, '', window)
        : answerServiceEndpoints(context, slots, name, window);
    const isByRequests = slots.measure === 'requests' || slots.measure === 'requestRate';
    const lines = (isByRequests ? [...found].sort((a, b) => b.requestCount - a.requestCount) : found).map(
      ({ serviceName, operation, avgLatencyMs, p95LatencyMs, p99LatencyMs, requestCount }, at) =>
        `${at + 1}. ${serviceName} ${operation}: p99 ${formatMs(p99LatencyMs)}, p95 ${formatMs(p95LatencyMs)}, ${formatMs(avgLatencyMs)} on average, ${formatCount(requestCount, 'request')}`,
    );
    const of = name === undefined ? '' : ` of ${name}`;
    const [first] = found;
    return {
      text: `${isByRequests ? 'Of the 20 slowest endpoints, those with the most requests' : `Slowest endpoints${of} by p99`}${describeBounds(slots)}${window}:${formatList(lines, slots.limit)}`,
      followUps: [
        `Why is ${first.serviceName} slow?`,
        `Show me traces of ${first.serviceName} slower than ${Math.floor(first.p95LatencyMs)} ms`,
        `What changed in ${first.serviceName}?`,
      ],
      firstListed: [
        { kind: 'in', field: 'service', values: [first.serviceName] },
        { kind: 'in', field: 'operation', values: [first.operation] },
      ],
    };
  },
};

/** If none of the service's endpoints is in the overall ranking, its own endpoints are listed. */
async function answerServiceEndpoints(
  context: QueryContext,
  slots: Slots,
  name: string,
  window: string,
): Promise<Draft> {
  const endpoints = [...((await loadServiceDetail(context, name, slots))?.endpoints ?? [])].sort(
    (a, b) => b.p95LatencyMs - a.p95LatencyMs,
  );
  if (endpoints.length === 0) return createNoEndpointDraft(name, '', window);
  return {
    text: `Slowest endpoints of ${name} by p95${window}, none of them among the 20 slowest of all:${formatList(endpoints.map(formatEndpoint), slots.limit)}`,
    followUps: [`How is ${name} doing?`, 'Which endpoints are slowest?'],
  };
}

function isRequestedEndpoint(
  { serviceName, p99LatencyMs }: { readonly serviceName: string; readonly p99LatencyMs: number },
  { services: [name], excluded = [], minDurationMs = 0, maxDurationMs = Infinity }: Slots,
): boolean {
  return (
    (name === undefined || serviceName === name) &&
    !excluded.includes(serviceName) &&
    p99LatencyMs >= minDurationMs &&
    p99LatencyMs <= maxDurationMs
  );
}

function isBounded({ minDurationMs, maxDurationMs }: Slots): boolean {
  return (minDurationMs ?? maxDurationMs) !== undefined;
}

/** Such as `, of 500 ms or more`; the ranking has the 20 slowest. */
function describeBounds({ minDurationMs, maxDurationMs }: Slots): string {
  const least = minDurationMs === undefined ? '' : `, of ${formatMs(minDurationMs)} or more`;
  return `${least}${maxDurationMs === undefined ? '' : `, of ${formatMs(maxDurationMs)} or less, among the 20 slowest`}`;
}

function createNoEndpointDraft(name: string | undefined, bounds: string, window: string): Draft {
  const of = name === undefined ? '' : ` of ${name}`;
  return {
    text:
      bounds === ''
        ? `No endpoint${of} had requests${window}.`
        : `No endpoint${of} has a p99${bounds.replace(/^, /, ' ')}${window}.`,
    followUps: ['Which services are there?', 'What happened in the last hour?'],
  };
}

/** Service details count requests; only charts contain the rate, per minute. */
async function describeRequestRate(context: QueryContext, slots: Slots, name: string): Promise<string> {
  if (slots.measure !== 'requestRate') return '';
  const points =
    (
      await loadServiceChart(context, name, 'request_rate', { time: resolveCurrentInterval(slots.time, context.nowMs) })
    )?.[0]?.dataPoints ?? [];
  const last = points.at(-1);
  if (last === undefined) return '';
  const values = points.map(({ value }) => value);
  return `\nOn its chart the rate was ${formatChartValue(last.value)} requests a second at ${formatIsoClock(last.timestamp, context.nowMs)}; lowest ${formatChartValue(Math.min(...values))}, highest ${formatChartValue(Math.max(...values))}${describeWindow(slots.time, context.nowMs)}.`;
}

export const trafficIntent: Intent = {
  name: 'traffic',
  cues: { requests: 3, peak: 1.5, many: 0.5, most: 0.5, services: 0.5 },
  forms: ['How many requests does {service} get?', 'Which service is busiest?'],
  async answer(context, slots) {
    if (slots.services.length > 1) return compareServices(context, slots);
    const [name] = slots.services;
    const window = describeWindow(slots.time, context.nowMs);
    if (name !== undefined) {
      const service = (await loadServiceHealth(context, slots)).find(({ serviceName }) => serviceName === name);
      const text =
        service === undefined || service.requestCount === 0
          ? `${name} had no requests${window}.`
          : `${name} had ${formatCount(service.requestCount, 'request')}${window} (${formatServiceFigures(service)}).`;
      return {
        text: `${text}${await describeRequestRate(context, slots, name)}${await describePeak(context, slots, name, 'traffic')}`,
        followUps: [`Is the traffic of ${name} increasing?`, `How fast is ${name}?`, `Which services call ${name}?`],
      };
    }
    const { answer } = await context.callTool(getTrendAnalysis, toWindowArguments(slots.time));
    const { currentRps, baselineRps, trend, changePercent } = answer.throughput;
    const before = hasTrendBaseline(answer)
      ? `, ${baselineRps} in the hour before: ${trend} (${formatChangePercent(changePercent, baselineRps, String)})`
      : `; ${NO_TREND_BASELINE}`;
    const overall = `All services together had ${currentRps} requests a second${window}${before}.`;
    const services =
      context.sourcesLeft === 0
        ? ''
        : `\n${describeRanking(await loadServiceHealth(context, slots), 'traffic', slots, context.nowMs)}`;
    return {
      text: `${overall}${services}`,
      followUps: ['Which service has the most errors?', 'Which endpoints are slowest?', 'Is anything under pressure?'],
    };
  },
};
