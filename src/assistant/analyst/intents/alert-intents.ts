import type { Alert } from '../../../diagnostics/diagnostic-results.js';
import { type AlertResolution, describeLikelyCause, formatAlert } from '../answers/answer-sentences.js';
import { getAlertSummary, getIncidentTimeline } from '../../tools/diagnostic-tools.js';
import { getAlertRules } from '../../tools/grid-tools.js';
import type { IsoTimestamped } from '../../tools/result-serialization.js';
import { splitIdentifier, tokenize } from '../lexicon/tokenizer.js';
import { singularize } from '../lexicon/word-matching.js';
import type { QueryContext } from '../query-context.js';
import type { Draft, Intent } from './intent.js';
import { healthIntent } from './service-intents.js';
import { formatCount, formatList, formatName, joinWithAnd, quote } from '../answers/answer-formatting.js';
import type { Slots, TimeReference } from '../understanding/slots.js';
import { formatClock, describeWindow, lastMinutes, toWindowArguments } from '../time/window-resolver.js';

type AlertResult = IsoTimestamped<Alert>;
const MAX_ALERTS = 10;
const DAY_MINUTES = 24 * 60;

export const alertsIntent: Intent = {
  name: 'alerts',
  cues: { alerts: 5, alertLevel: 5, rules: 1, why: 2 },
  forms: ['Are there any alerts?', 'Which alerts fire for {service}?'],
  async answer(context, slots) {
    if (slots.isStatusAsked !== true) return answerAlerts(context, slots);
    const { isStatusAsked: _, ...about } = slots;
    const status = await healthIntent.answer(context, about);
    const alerts = await answerAlerts(context, slots);
    return { ...alerts, text: `${status.text}\n${alerts.text}`, followUps: [...status.followUps, ...alerts.followUps] };
  },
};

async function answerAlerts(context: QueryContext, slots: Slots): Promise<Draft> {
  const time = resolveAlertTime(slots, context.nowMs);
  const all = (await context.callTool(getAlertSummary, toWindowArguments(time))).answer;
  const found = all.filter((alert) => isRequestedAlert(alert, slots) && isWithin(alert, slots.isFired, time));
  const when =
    time?.kind === 'moment'
      ? ` at ${formatClock(time.atMs, context.nowMs)}`
      : time?.kind === 'range'
        ? describeWindow(time, context.nowMs)
        : '';
  const isNamed = slots.services.length > 0;
  const same = isNamed ? all.filter((alert) => isRequestedAlert(alert, { ...slots, services: [] })) : all;
  const others = same.length - found.length;
  const beside = others > 0 ? ` (${formatCount(others, 'other')}${isNamed ? ' elsewhere' : ''})` : '';
  if (found.length === 0)
    return {
      text: isNamedByNone(all, slots)
        ? `No alert that ${describeState(slots, time, 'is')}${when} has ${quote(slots.namedBy?.join(' ') ?? '')} in the name of its rule${beside}.`
        : `No ${describeSeverity(slots)}alert ${describeState(slots, time, 'is')}${describeServices(slots)}${when}${beside}.`,
      followUps: ['Which alert rules are configured?', 'Is anything broken?', 'What happened in the last hour?'],
    };
  const listed = slots.edge === undefined ? found : [slots.edge === 'first' ? found[found.length - 1] : found[0]];
  const [first] = listed;
  const ends = await loadResolutions(context, listed, time);
  const lines = listed.map((alert) => formatAlert(alert, context.nowMs, ends));
  const cause =
    slots.isWhy === true
      ? await describeLikelyCause(
          context,
          time === undefined ? {} : { time },
          first.serviceName === '' ? [] : [first.serviceName],
        )
      : '';
  const head = slots.edge === undefined ? '' : found.length === 1 ? 'The only one of ' : `The ${slots.edge} of `;
  return {
    text: `${head}${formatCount(found.length, `${describeSeverity(slots)}alert`)} ${describeState(slots, time)}${describeServices(slots)}${when}${beside}:${formatList(lines, slots.limit ?? MAX_ALERTS)}${cause}`,
    followUps: [
      ...(first.serviceName === ''
        ? ['What is the root cause?']
        : [`Why is ${first.serviceName} degraded?`, `What changed in ${first.serviceName}?`]),
      'Which alert rules are configured?',
    ],
  };
}

/** Resolved alerts are no longer firing, so without an explicit time a day is searched. */
function resolveAlertTime({ time, alertStatus, isLasting }: Slots, nowMs: number): TimeReference | undefined {
  return time === undefined && (alertStatus === 'resolved' || isLasting === true)
    ? { ...lastMinutes(DAY_MINUTES, nowMs), last: '24 hours' }
    : time;
}

/** Alerts that fired in a range exclude those that were open before it. */
function isWithin(
  { triggeredAt }: AlertResult,
  isFired: boolean | undefined,
  time: TimeReference | undefined,
): boolean {
  return isFired !== true || time?.kind !== 'range' || Date.parse(triggeredAt) >= time.fromMs;
}

function isRequestedAlert(
  { serviceName, severity, status, ruleName, condition, acknowledgedBy }: AlertResult,
  slots: Slots,
): boolean {
  const { services, excluded = [], alertSeverity = severity, otherAlertSeverity, alertStatus = status } = slots;
  const { namedBy = [], isAcknowledged } = slots;
  const words = tokenize(`${ruleName} ${condition.replaceAll('_', ' ')}`).map(({ word }) => singularize(word));
  return (
    (services.length === 0 || services.includes(serviceName)) &&
    !excluded.includes(serviceName) &&
    severity === alertSeverity &&
    severity !== otherAlertSeverity &&
    status === alertStatus &&
    (isAcknowledged === undefined || isAcknowledged === (acknowledgedBy !== undefined)) &&
    namedBy.every((word) => words.includes(singularize(word)))
  );
}

/** The words may be no name: "pending alerts". */
function isNamedByNone(all: readonly AlertResult[], { namedBy }: Slots): boolean {
  return namedBy !== undefined && !all.some((alert) => isRequestedAlert(alert, { services: [], namedBy }));
}

function describeSeverity({ alertSeverity, otherAlertSeverity, namedBy }: Slots): string {
  const severity = alertSeverity ?? (otherAlertSeverity === undefined ? undefined : `other than ${otherAlertSeverity}`);
  return `${severity === undefined ? '' : `${severity} `}${namedBy === undefined ? '' : `${quote(namedBy.join(' '))} `}`;
}

function describeServices({ services }: Slots): string {
  return services.length === 0 ? '' : ` for ${joinWithAnd(services)}`;
}

/** `verb` turns the description into a sentence. */
function describeState(slots: Slots, time: TimeReference | undefined, verb = ''): string {
  const { isAcknowledged } = slots;
  const taken = isAcknowledged === undefined ? '' : isAcknowledged ? ' and acknowledged' : ' without acknowledgement';
  return `${describeFiring(slots, time, verb)}${taken}`;
}

function describeFiring({ alertStatus, isFired }: Slots, time: TimeReference | undefined, verb: string): string {
  if (isFired === true) return 'fired';
  const verbPrefix = verb === '' ? '' : time === undefined ? 'is ' : 'was ';
  if (alertStatus !== undefined) return `${verbPrefix}${alertStatus}`;
  return `${verbPrefix}${time?.kind === 'range' ? 'open' : 'firing'}`;
}

/**
 * Times of alert resolutions, which only the timeline contains; empty if no alert was resolved, or energy does not
 * permit it.
 */
async function loadResolutions(
  context: QueryContext,
  alerts: readonly AlertResult[],
  time: TimeReference | undefined,
): Promise<readonly AlertResolution[]> {
  if (context.sourcesLeft === 0 || alerts.every(({ status }) => status === 'firing')) return [];
  return (await context.callTool(getIncidentTimeline, toWindowArguments(time))).answer.filter(
    ({ type, description }) => type === 'alert' && description.endsWith(' resolved'),
  );
}

export const alertRulesIntent: Intent = {
  name: 'rules',
  // "Critical alert rules" are rules.
  cues: { rules: 5, alerts: 1.5, alertLevel: 5 },
  forms: ['Which alert rules are configured?'],
  async answer(context, slots) {
    const { services, namedBy = [], limit = 10 } = slots;
    const all = (await context.callTool(getAlertRules, {})).rules;
    const found = all.filter(
      (rule) =>
        (services.length === 0 || rule.serviceName === undefined || services.includes(rule.serviceName)) &&
        isAbout(rule, namedBy) &&
        raisesSeverity(rule, slots),
    );
    const about = namedBy.length === 0 ? '' : ` about ${quote(namedBy.join(' '))}`;
    const of = `${about}${describeRaised(slots)}${services.length === 0 ? '' : ` for ${joinWithAnd(services)}`}`;
    if (found.length === 0)
      return { text: `No alert rule is configured${of}.`, followUps: ['Are there any alerts?', 'Is anything broken?'] };
    const lines = found.map((rule) => {
      const { name, operator, threshold, severity, criticalThreshold, serviceName, windowMinutes, enabled } = rule;
      const critical = criticalThreshold === undefined ? '' : `, critical from ${criticalThreshold}`;
      const condition = 'condition' in rule ? rule.condition : `${rule.metric} ${operator} ${threshold}`;
      return `${formatName(name)}: ${condition} over ${formatCount(windowMinutes, 'minute')} (${severity}${critical}), ${serviceName ?? 'every service'}${enabled ? '' : ', switched off'}`;
    });
    return {
      text: `${formatCount(found.length, 'alert rule')}${of}:${formatList(lines, limit)}`,
      followUps: ['Are there any alerts?', 'Is anything broken?'],
    };
  },
};

const SEVERITY_NAMES: Readonly<Record<Alert['severity'], string>> = {
  critical: 'critical',
  warning: 'warnings',
  info: 'for information',
};

type Raising = Pick<Slots, 'alertSeverity' | 'otherAlertSeverity'>;

/** A rule with a critical threshold raises warnings that may become critical. */
function raisesSeverity(
  rule: { readonly severity: string; readonly criticalThreshold?: number },
  { alertSeverity, otherAlertSeverity }: Raising,
): boolean {
  const raises = (severity: string): boolean =>
    rule.severity === severity || (severity === 'critical' && rule.criticalThreshold !== undefined);
  return (
    (alertSeverity === undefined || raises(alertSeverity)) &&
    (otherAlertSeverity === undefined || !raises(otherAlertSeverity))
  );
}

function describeRaised({ alertSeverity, otherAlertSeverity }: Raising): string {
  const raised = alertSeverity === undefined ? '' : ` whose alerts can be ${SEVERITY_NAMES[alertSeverity]}`;
  return otherAlertSeverity === undefined ? raised : ` whose alerts are never ${SEVERITY_NAMES[otherAlertSeverity]}`;
}

/** Whether the name or the metric of the rule has all the words. */
function isAbout(rule: { readonly name: string; readonly metric?: string }, namedBy: readonly string[]): boolean {
  const words = [rule.name, rule.metric ?? ''].flatMap(splitIdentifier).map(singularize);
  return namedBy.every((word) => words.includes(word));
}
