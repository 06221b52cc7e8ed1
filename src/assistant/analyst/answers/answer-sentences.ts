import { conditionUnit, describeCondition } from '../../../diagnostics/alerting/condition-wording.js';
import {
  type DependencyFigures,
  type DiagnosisResult,
  isServiceInvolved,
  loadDiagnoses,
  type ServiceFigures,
} from './grid-lookups.js';
import type { QueryContext } from '../query-context.js';
import type { Slots } from '../understanding/slots.js';
import { describeWindow, formatIsoClock } from '../time/window-resolver.js';
import {
  formatCount,
  formatList,
  formatMs,
  formatName,
  formatPercent,
  joinSome,
  joinWithAnd,
  quote,
} from './answer-formatting.js';
import type { Alert, TimelineEvent, Trends } from '../../../diagnostics/diagnostic-results.js';
import type { IsoTimestamped, ListedTrace } from '../../tools/result-serialization.js';

/** Sentences that several intents share. */

export function describeDiagnosis(diagnosis: DiagnosisResult, nowMs: number): string {
  const { cause, confidence, severity, affectedServices, evidence, firstDetected, impactedTraceCount, kind } =
    diagnosis;
  const since = `since ${formatIsoClock(firstDetected, nowMs)}`;
  const head =
    kind === 'inconclusive'
      ? `The diagnosis is inconclusive: ${toSingleLine(cause)} (confidence ${confidence}, ${severity}), ${since}.`
      : `Most likely cause: ${toSingleLine(cause)} (confidence ${confidence}, ${severity}), ${since}.`;
  const affected = affectedServices.length === 0 ? '' : ` Affected: ${joinSome(affectedServices)}.`;
  const traces = impactedTraceCount === 0 ? '' : ` ${formatCount(impactedTraceCount, 'affected trace')}.`;
  const proof = evidence.length === 0 ? '' : `\nEvidence:${formatList(evidence.map(toSingleLine), 4)}`;
  return `${head}${affected}${traces}${proof}`;
}

/**
 * Returns, on a separate line, the likely cause of the state of one of the services; "" if no diagnosis involves
 * them.
 */
export async function describeLikelyCause(
  context: QueryContext,
  slots: Pick<Slots, 'time'>,
  services: readonly string[],
): Promise<string> {
  if (context.sourcesLeft === 0) return '';
  const diagnosis = (await loadDiagnoses(context, slots)).find((each) =>
    services.some((name) => isServiceInvolved(each, name)),
  );
  if (diagnosis === undefined) return '';
  return `\n${diagnosis.kind === 'inconclusive' ? 'The diagnosis is inconclusive' : 'Most likely cause'}: ${summarizeDiagnosis(diagnosis, context.nowMs)}.`;
}

/** Such as `payment answers slowly (confidence 0.91, critical, since 14:03 UTC)`. */
export function summarizeDiagnosis(
  { cause, confidence, severity, firstDetected }: DiagnosisResult,
  nowMs: number,
): string {
  return `${toSingleLine(cause)} (confidence ${confidence}, ${severity}, since ${formatIsoClock(firstDetected, nowMs)})`;
}

export function describeDependency({ name, callers }: DependencyFigures, window: string): string {
  if (callers.length === 0) return `${name} sends no telemetry of its own, and nothing called it${window}.`;
  const lines = callers.map(
    ({ source, requestCount, errorRate, avgLatencyMs }) =>
      `${source}: ${formatCount(requestCount, 'call')}, error rate ${formatPercent(errorRate)}, ${formatMs(avgLatencyMs)} on average`,
  );
  return `${name} sends no telemetry of its own; its callers report${window}:${formatList(lines)}`;
}

/** Mentions services that count as healthy only because they received no requests. */
export function describeIdleServices(services: readonly ServiceFigures[]): string {
  const quiet = services.filter(({ requestCount }) => requestCount === 0).map(({ serviceName }) => serviceName);
  return quiet.length === 0 ? '' : ` No requests came to ${joinSome(quiet)}.`;
}

/** Text of ours that contains untrusted names: a single line without a final full stop. */
export function toSingleLine(text: string): string {
  return quote(text).slice(1, -1).replace(/\.$/, '');
}

export function describeUnknownService(name: string, services: readonly string[]): string {
  return `No service or dependency is named ${quote(name)}. ${services.length === 0 ? 'No service has reported requests yet.' : `The services here are ${joinSome(services, 10)}.`}`;
}

export function askWhichOne(name: string, candidates: readonly string[]): string {
  const choices = candidates.length <= 5 ? candidates : candidates.slice(0, 5);
  const or = choices.length < 2 ? joinWithAnd(choices) : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  return `Which one do you mean by ${quote(name)}: ${or}${candidates.length > 5 ? `, or one of ${candidates.length - 5} more` : ''}?`;
}

/** How the figures of a service changed between two windows, such as `average latency rose from 70 ms to 101.5 ms`. */
export function describeFigureChanges(before: ServiceFigures | undefined, now: ServiceFigures | undefined): string {
  if (now === undefined || now.requestCount === 0)
    return before === undefined || before.requestCount === 0
      ? 'There were no requests in either'
      : `There were no requests any more, ${formatCount(before.requestCount, 'request')} before`;
  if (before === undefined || before.requestCount === 0)
    return `There were no requests before, and now ${formatCount(now.requestCount, 'request')}`;
  const rows = [
    describeFigureChange('average latency', before.avgLatencyMs, now.avgLatencyMs, formatMs),
    describeFigureChange('error rate', before.errorRate, now.errorRate, formatPercent),
    describeFigureChange('Apdex', before.apdex, now.apdex, String),
    describeFigureChange('requests', before.requestCount, now.requestCount, String),
  ];
  return rows.join(', ');
}

function describeFigureChange(title: string, before: number, now: number, format: (value: number) => string): string {
  if (before === now) return `${title} stayed at ${format(now)}`;
  return `${title} ${now > before ? 'rose' : 'fell'} from ${format(before)} to ${format(now)}`;
}

/** What the change means for users, judged by latency, then by errors. */
export function describeVerdict(before: ServiceFigures | undefined, now: ServiceFigures | undefined): string {
  if (before === undefined || now === undefined || before.requestCount === 0 || now.requestCount === 0) return '';
  const speed =
    now.avgLatencyMs > before.avgLatencyMs
      ? 'slower'
      : now.avgLatencyMs < before.avgLatencyMs
        ? 'faster'
        : 'as fast as before';
  const failures =
    now.errorRate > before.errorRate
      ? 'fails more often'
      : now.errorRate < before.errorRate
        ? 'fails less often'
        : 'fails as often as before';
  return `It is ${speed} and ${failures}: `;
}

/** Used instead of figures: relative to zero everything has grown by 100 %, which is meaningless. */
export const NO_TREND_BASELINE = 'there were no requests in the hour before';

/**
 * True if the trends have a baseline. The request rate alone is not sufficient: it is rounded, so a few requests per
 * hour become 0 per second.
 */
export function hasTrendBaseline({ latency: { baseline }, throughput: { baselineRps } }: Trends): boolean {
  return baselineRps > 0 || baseline.p99 > 0;
}

/** Sort key and wording for each ranking of services. */
const RANKINGS = {
  latency: {
    of: ({ avgLatencyMs }: ServiceFigures) => avgLatencyMs,
    format: (value: number) => `${formatMs(value)} on average`,
    title: 'Services by average latency',
  },
  errors: {
    of: ({ errorRate }: ServiceFigures) => errorRate,
    format: (value: number) => `error rate ${formatPercent(value)}`,
    title: 'Services by error rate',
  },
  traffic: {
    of: ({ requestCount }: ServiceFigures) => requestCount,
    format: (value: number) => formatCount(value, 'request'),
    title: 'Services by requests',
  },
} as const;

/** Services with requests, highest value first. */
export function rankServices(services: readonly ServiceFigures[], by: keyof typeof RANKINGS): ServiceFigures[] {
  const { of } = RANKINGS[by];
  return services.filter(({ requestCount }) => requestCount > 0).sort((a, b) => of(b) - of(a));
}

export function describeRanking(
  services: readonly ServiceFigures[],
  by: keyof typeof RANKINGS,
  { time, limit, isReversed }: Slots,
  nowMs: number,
): string {
  const { of, format, title } = RANKINGS[by];
  const ranking = isReversed === true ? rankServices(services, by).reverse() : rankServices(services, by);
  const lines = ranking.map(
    (service) =>
      `${service.serviceName}: ${format(of(service))}${by === 'traffic' ? '' : `, ${formatCount(service.requestCount, 'request')}`}`,
  );
  return lines.length === 0
    ? `No service had requests${describeWindow(time, nowMs)}.`
    : `${title}${isReversed === true ? ', the lowest first' : ''}${describeWindow(time, nowMs)}:${formatList(lines, limit)}`;
}

/** Such as `14:03 UTC: payment POST /charge, 640 ms, ERROR, trace 5b8aa5a2d2c872e8321cf37308d69df2`. */
export function formatTrace(
  { startTime, serviceName, operationName, duration, status, traceId }: ListedTrace,
  nowMs: number,
): string {
  return `${formatIsoClock(startTime, nowMs)}: ${serviceName} ${operationName}, ${formatMs(duration)}, ${status}, trace ${traceId}`;
}

/** A timeline event about the resolution of an alert. */
export type AlertResolution = Pick<IsoTimestamped<TimelineEvent>, 'timestamp' | 'serviceName' | 'description'>;

/** Such as `High error rate on payment (critical): Error rate above 5 %, 30.77 % when the alert fired, since 14:03 UTC`. */
export function formatAlert(
  alert: IsoTimestamped<Alert>,
  nowMs: number,
  ends: readonly AlertResolution[] = [],
): string {
  const value = `${alert.currentValue}${conditionUnit(alert.condition)} when the alert fired`;
  return `${formatName(alert.ruleName)}${describeSubject(alert)} (${alert.severity}): ${describeCondition(alert.condition)}, ${value}, since ${formatIsoClock(alert.triggeredAt, nowMs)}${describeResolution(alert, ends, nowMs)}`;
}

/** Such as ` on checkout (customer.tier = gold)`. */
function describeSubject({ serviceName, labels }: Pick<Alert, 'serviceName' | 'labels'>): string {
  const group = Object.entries(labels ?? {})
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
  if (serviceName === '') return group === '' ? '' : ` on ${group}`;
  return ` on ${serviceName}${group === '' ? '' : ` (${group})`}`;
}

/** The first resolution after the alert fired, because an alert may fire again. */
function describeResolution(
  { status, ruleName, serviceName, triggeredAt }: IsoTimestamped<Alert>,
  ends: readonly AlertResolution[],
  nowMs: number,
): string {
  if (status !== 'resolved') return '';
  const end = ends.find(
    (each) =>
      each.serviceName === serviceName &&
      [`${ruleName} resolved`, `${ruleName} alert resolved`].includes(each.description) &&
      each.timestamp >= triggeredAt,
  );
  return end === undefined ? ', resolved' : `, resolved at ${formatIsoClock(end.timestamp, nowMs)}`;
}

/** Such as `where customer.tier is gold and cloud.region is eu-west-1`; "" without conditions on attributes. */
export function describeTags({ tags = {} }: Pick<Slots, 'tags'>): string {
  const conditions = Object.entries(tags).map(([key, value]) => `${formatName(key)} is ${formatName(value)}`);
  return conditions.length === 0 ? '' : `where ${joinWithAnd(conditions)}`;
}
