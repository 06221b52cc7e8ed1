import { conditionUnit, describeCondition, describeEnd } from '../diagnostics/alerting/condition-wording.js';
import { describeSubject, listGroupLabels } from './label-matching.js';
import { DIAGNOSIS_RULE_ID } from './notification-model.js';
import type { NotificationEvent, NotifiedAlert, NotifiedCause } from '../streams/events/notification-events.js';

type Requested = Extract<NotificationEvent, { readonly type: 'NotificationRequested.v2' }>['data'];

/** One message, before it takes the form of a channel. Texts contain telemetry: each form escapes them itself. */
export interface NotificationContent {
  readonly request: Requested;
  readonly channelName: string;
  /** At most 150 characters, one line. */
  readonly title: string;
  /** What is wrong, in one sentence, since when; at most 1,000 characters, one line. */
  readonly summary: string;
  /** The likely cause with confidence and evidence; empty while it is not known. */
  readonly cause: readonly string[];
  readonly affectedServices: readonly string[];
  /** The Grid as of that moment in the portal. */
  readonly asOfUrl: string;
  /** The service of the alert with its charts as of that moment, unless its name is too long for an address. */
  readonly chartUrl: string;
  /** Where to acknowledge and to silence. */
  readonly manageUrl: string;
  readonly runbookUrl: string | undefined;
  /** Opens a silence with rule and service of the leading alert in the portal; absent unless it fires and they fit. */
  readonly silenceUrl: string | undefined;
  /** The incident that the alerts belong to, in the portal; absent while there is none. */
  readonly incidentUrl?: string;
  /** A page that acknowledges the firing alerts without a sign-in. */
  readonly acknowledgeUrl?: string;
  /** Chart of what the leading alert watches, as PNG. */
  readonly chart?: Uint8Array;
}

const TITLE_LENGTH = 150;
const MAX_SERVICES = 10;
const MAX_RESOLVED = 5;
const MAX_EVIDENCE = 5;
const MAX_SENTENCE_LENGTH = 500;
const SUMMARY_LENGTH = 1_000;
const SERVICE_LENGTH = 200;
/** Slack refuses a message with a button whose address is longer than 3,000 characters; other receivers cut it. */
const MAX_URL_LENGTH = 2_000;
const PREFIXES: Readonly<Record<Requested['reason'], string>> = {
  firing: '',
  resolved: '',
  repeat: 'Still ',
  cause: 'Cause found, ',
  escalation: 'Not acknowledged, ',
  test: 'Test, ',
};

/** Builds the message of a request. The same request always gives the same message. */
export function buildNotificationContent(
  request: Requested,
  channelName: string,
  publicUrl: string,
): NotificationContent {
  const { gridId, status, reason, alerts, cause } = request;
  const first = findLeadingAlert(alerts, cause);
  const atMs = status === 'resolved' ? Math.max(...alerts.map(({ firedAt }) => firedAt), 0) : request.at;
  const grid = `${publicUrl}/portal/g/${gridId}`;
  const at = `at=${encodeURIComponent(new Date(atMs).toISOString())}`;
  const chartUrl = `${grid}/services/${encodeURIComponent(first?.serviceName ?? '')}?${at}`;
  const hasChart = Boolean(first?.serviceName) && reason !== 'test' && chartUrl.length <= MAX_URL_LENGTH;
  const state = `${PREFIXES[reason]}${status}`;
  const lead = first === undefined ? 'alert' : `${describeSubject(first)}: ${first.ruleName}`;
  return {
    request,
    channelName,
    title: cutText(toOneLine(`[${state.charAt(0).toUpperCase()}${state.slice(1)}] ${lead}`), TITLE_LENGTH),
    summary: cutText(toOneLine(describeAlerts(request, first)), SUMMARY_LENGTH),
    cause: cause === null ? [] : describeCause(cause),
    affectedServices: listServices(alerts, cause),
    asOfUrl: `${grid}/diagnosis?${at}`,
    chartUrl: hasChart ? chartUrl : `${grid}/overview`,
    manageUrl: `${grid}/alerts`,
    runbookUrl: first?.runbookUrl,
    silenceUrl:
      status === 'firing' && reason !== 'test' && first !== undefined ? buildSilenceUrl(grid, first) : undefined,
  };
}

/** Undefined if the labels are too long for an address. */
function buildSilenceUrl(grid: string, alert: NotifiedAlert): string | undefined {
  const { ruleName, serviceName } = alert;
  const parameters = new URLSearchParams({
    tab: 'silences',
    alertname: ruleName,
    ...(serviceName !== '' && { service: serviceName }),
  });
  for (const [name, value] of listGroupLabels(alert)) parameters.set(`label.${name}`, value);
  const url = `${grid}/notifications?${parameters.toString()}`;
  return url.length <= MAX_URL_LENGTH ? url : undefined;
}

/** The firing alert of the cause's own service, else the first critical one, else the first. */
export function findLeadingAlert(
  alerts: readonly NotifiedAlert[],
  cause: NotifiedCause | null,
): NotifiedAlert | undefined {
  const firing = alerts.filter(({ resolvedAt }) => resolvedAt === undefined);
  const candidates = firing.length > 0 ? firing : alerts;
  return (
    candidates.find(({ serviceName }) => serviceName === cause?.serviceName) ??
    candidates.find(({ severity }) => severity === 'critical') ??
    candidates.at(0)
  );
}

/** What a chart may show: a service and a metric, as conditions name it. */
export type ChartSubject = Pick<NotifiedAlert, 'serviceName' | 'condition'>;

const MAX_SUBJECTS = 3;
const METRICS_OF_KINDS: Readonly<Record<string, string>> = { errors: 'error_rate', traffic: 'request_rate' };

/**
 * What the chart of an alert may show, best first: what its rule watches. A diagnosis may name a dependency, which has no
 * charts: then a service that it affects.
 */
export function listChartSubjects(alert: NotifiedAlert, cause: NotifiedCause | null): readonly ChartSubject[] {
  if (alert.ruleId !== DIAGNOSIS_RULE_ID) return [alert];
  const condition = METRICS_OF_KINDS[cause?.kind ?? ''] ?? 'latency';
  const services = new Set([alert.serviceName, ...(cause?.affectedServices ?? [])]);
  return [...services].slice(0, MAX_SUBJECTS).map((serviceName) => ({ serviceName, condition }));
}

function describeAlerts(
  { status, alerts, firing, resolved, reason }: Requested,
  first: NotifiedAlert | undefined,
): string {
  if (reason === 'test') return 'This is a test of the channel: nothing is wrong.';
  if (first === undefined) return 'An alert has changed.';
  const others = (status === 'firing' ? firing : resolved).length - 1;
  const more = others > 0 ? `; ${others} more ${others === 1 ? 'alert' : 'alerts'}` : '';
  const since = formatTime(first.firedAt);
  if (status === 'resolved')
    return `${describeSubject(first)} ${describeEnd(first.condition)}: ${describeCondition(first.condition)}, fired ${since}, resolved ${formatTime(Math.max(...alerts.map(({ resolvedAt }) => resolvedAt ?? 0)))}${more}.`;
  const value =
    first.ruleId === DIAGNOSIS_RULE_ID
      ? ''
      : `, ${formatValue(first.value)}${conditionUnit(first.condition)} when the alert fired`;
  const ended = resolved.length > 0 ? ` Resolved: ${listResolved(alerts, resolved.length)}.` : '';
  return `${describeSubject(first)}: ${describeCondition(first.condition)} (${first.severity}${value}), since ${since}${more}.${ended}`;
}

/** The resolved alerts of a message in which others fire. */
function listResolved(alerts: readonly NotifiedAlert[], count: number): string {
  const names = alerts
    .filter(({ resolvedAt }) => resolvedAt !== undefined)
    .slice(0, MAX_RESOLVED)
    .map((alert) => `${describeSubject(alert)}: ${alert.ruleName}`);
  const rest = count - names.length;
  return [...names, ...(rest > 0 ? [`${rest} ${names.length > 0 ? 'more' : 'alerts'}`] : [])].join(', ');
}

function describeCause({ cause, confidence, evidence }: NotifiedCause): string[] {
  return [`Likely cause (${Math.round(confidence * 100)} %): ${cause}`, ...evidence.slice(0, MAX_EVIDENCE)]
    .map(toOneLine)
    .map((sentence) => cutText(sentence, MAX_SENTENCE_LENGTH));
}

function listServices(alerts: readonly NotifiedAlert[], cause: NotifiedCause | null): readonly string[] {
  const names = [...alerts.map(({ serviceName }) => serviceName), ...(cause?.affectedServices ?? [])];
  return [...new Set(names.filter((name) => name !== ''))]
    .slice(0, MAX_SERVICES)
    .map((name) => cutText(name, SERVICE_LENGTH));
}

export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function formatValue(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Without control characters: a line break would end a header, and bidirectional marks would reorder what is read. */
export function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}

/** At most this many characters, counted as code points. */
export function cutText(text: string, length: number): string {
  const points = [...text.slice(0, length * 2)];
  return points.length <= length && text.length <= length * 2 ? text : `${points.slice(0, length - 1).join('')}…`;
}
