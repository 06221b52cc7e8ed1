import { getAlertSummary, getIncidentTimeline } from '../../tools/diagnostic-tools.js';
import { getTraces } from '../../tools/trace-tools.js';
import {
  isServiceInvolved,
  loadDependencyFigures,
  loadDiagnoses,
  loadServiceHealth,
  type ServiceFigures,
} from '../answers/grid-lookups.js';
import type { QueryContext } from '../query-context.js';
import type { Draft, Intent } from './intent.js';
import {
  describeDependency,
  summarizeDiagnosis,
  toSingleLine,
  describeIdleServices,
} from '../answers/answer-sentences.js';
import type { TimeInterval, Slots, TimeReference } from '../understanding/slots.js';
import {
  clipToMaxWindow,
  formatIsoClock,
  describeInterval,
  resolveSearchInterval,
  toRangeArguments,
} from '../time/window-resolver.js';
import { joinWithAnd, formatCount, formatList, formatServiceFigures, joinSome } from '../answers/answer-formatting.js';

const MINUTE_MS = 60_000;
/** The default of 15 minutes would still include a problem that has just ended. */
const RECENT_MINUTES = 5;
/** How far back a problem may be if the question does not say when it occurred. */
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Whether a problem is over, and since when: from the current state, the last failure and the alerts of the service.
 */
export const recoveryIntent: Intent = {
  name: 'recovery',
  cues: { over: 4.6, resolved: 4.5, when: 0.3 },
  forms: ['Is it over?', 'Has {service} recovered?', 'When did {service} recover?'],
  async answer(context, slots) {
    const { since, recent, isNow } = resolveRecoveryWindows(slots.time, context.nowMs);
    const window = describeInterval(recent, context.nowMs);
    const [name] = slots.services;
    if (name !== undefined && context.vocabulary.dependencies.includes(name)) {
      return {
        text: describeDependency(await loadDependencyFigures(context, name, { time: recent }), window),
        followUps: [`Which services depend on ${name}?`, 'Is anything broken?'],
      };
    }
    const services = await loadServiceHealth(context, { time: recent });
    const requested = services.filter(
      ({ serviceName }) => slots.services.length === 0 || slots.services.includes(serviceName),
    );
    if (requested.length === 0)
      return {
        text: `${slots.services.length === 0 ? 'No service reported requests' : `${joinWithAnd(slots.services)} sent nothing`}${window} or in the day before, so I cannot tell.`,
        followUps: ['Which services are there?', 'Is anything broken?'],
      };
    const trouble = await describeOngoingTrouble(context, slots, recent);
    const degraded = requested.filter(({ status }) => status === 'degraded');
    if (degraded.length > 0 || trouble !== '')
      return createNotRecoveredDraft({
        degraded,
        requested,
        trouble: `${trouble}${await describeLastFailure(context, slots, since)}`,
        window,
        isNow,
      });
    return {
      text: `${describeState(requested, window)}${await describeLastFailure(context, slots, since)}${await describeAlerts(context, slots, since, recent, isNow)}`,
      followUps: suggestFollowUps(name),
    };
  },
};

/** The window of the problem, and the last minutes before the time in question. */
function resolveRecoveryWindows(
  time: TimeReference | undefined,
  nowMs: number,
): { readonly since: TimeInterval; readonly recent: TimeInterval; readonly isNow: boolean } {
  const endMs =
    time?.kind === 'moment' && time.side === 'before'
      ? time.atMs
      : time?.kind === 'range'
        ? Math.min(time.toMs, nowMs)
        : nowMs;
  const isNow = endMs === nowMs;
  const fromMs =
    time?.kind === 'range'
      ? time.fromMs
      : time?.kind === 'moment' && isNow
        ? resolveSearchInterval(time, nowMs).fromMs
        : endMs - DAY_MS;
  return {
    since: {
      kind: 'range',
      fromMs: Math.min(fromMs, endMs - MINUTE_MS),
      toMs: endMs,
      ...(time === undefined && { last: '24 hours' }),
    },
    recent: {
      kind: 'range',
      fromMs: endMs - RECENT_MINUTES * MINUTE_MS,
      toMs: endMs,
      ...(isNow && { last: `${RECENT_MINUTES} minutes` }),
    },
    isNow,
  };
}

/** Mentions a diagnosis of the last minutes: a service may be affected long before it counts as degraded. */
async function describeOngoingTrouble(
  context: QueryContext,
  { services }: Slots,
  recent: TimeInterval,
): Promise<string> {
  if (context.sourcesLeft === 0) return '';
  const found = (await loadDiagnoses(context, { time: recent })).find(
    (each) =>
      each.severity !== 'info' &&
      each.kind !== 'inconclusive' &&
      (services.length === 0 || services.some((name) => isServiceInvolved(each, name))),
  );
  return found === undefined ? '' : `\nMost likely cause: ${summarizeDiagnosis(found, context.nowMs)}.`;
}

interface OngoingTrouble {
  readonly degraded: readonly ServiceFigures[];
  readonly requested: readonly ServiceFigures[];
  /** The lines that follow. */
  readonly trouble: string;
  readonly window: string;
  readonly isNow: boolean;
}

function createNotRecoveredDraft({ degraded, requested, trouble, window, isNow }: OngoingTrouble): Draft {
  const head = isNow ? 'Not yet' : 'Not by then';
  const [worst] = degraded.length > 0 ? degraded : requested;
  const verb = degraded.length === 1 ? (isNow ? 'is' : 'was') : isNow ? 'are' : 'were';
  const verdict =
    degraded.length === 0
      ? `${head}: a diagnosis still finds trouble${window}. ${describeState(requested, '')}`
      : `${head}: ${joinWithAnd(degraded.map(({ serviceName }) => serviceName))} ${verb} still degraded${window}.`;
  const lines = degraded.map((service) => `${service.serviceName}: ${formatServiceFigures(service)}`);
  return {
    text: `${verdict}${formatList(lines)}${trouble}`,
    followUps: [
      'Since when?',
      degraded.length > 0 ? `Why is ${worst.serviceName} degraded?` : 'What is the root cause?',
      'Are there any alerts?',
    ],
  };
}

function describeState(requested: readonly ServiceFigures[], window: string): string {
  const [first] = requested;
  if (requested.every(({ requestCount }) => requestCount === 0))
    return `No requests came to ${joinSome(requested.map(({ serviceName }) => serviceName))}${window}, so I cannot tell.`;
  if (requested.length === 1)
    return `${first.serviceName} is ${first.status}${window}: ${formatServiceFigures(first)}.`;
  return `All ${formatCount(requested.length, 'service')} are healthy${window}.${describeIdleServices(requested)}`;
}

async function describeLastFailure(
  context: QueryContext,
  { services: [serviceName] }: Slots,
  since: TimeInterval,
): Promise<string> {
  if (context.sourcesLeft === 0) return '';
  const {
    items: [last],
    totalCount,
  } = await context.callTool(getTraces, {
    ...toRangeArguments(since),
    ...(serviceName !== undefined && { serviceName }),
    status: 'ERROR',
    page: 1,
    pageSize: 1,
  });
  if (last === undefined)
    return `\nNo failed trace${serviceName === undefined ? '' : ` of ${serviceName}`}${describeInterval(since, context.nowMs)}.`;
  return `\nThe last of ${formatCount(totalCount, 'failed trace')}${describeInterval(since, context.nowMs)} began at ${formatIsoClock(last.startTime, context.nowMs)} (${last.serviceName} ${last.operationName}, trace ${last.traceId}).`;
}

/** Alerts that are still firing, and when the others were resolved, which only the timeline contains. */
async function describeAlerts(
  context: QueryContext,
  { services }: Slots,
  since: TimeInterval,
  recent: TimeInterval,
  isNow: boolean,
): Promise<string> {
  if (context.sourcesLeft < 2) return '';
  const isAsked = ({ serviceName }: { readonly serviceName: string }): boolean =>
    services.length === 0 || services.includes(serviceName);
  const firing = (
    await context.callTool(getAlertSummary, isNow ? {} : { asOf: toRangeArguments(recent).rangeEnd })
  ).answer.filter(isAsked);
  const ended = (await context.callTool(getIncidentTimeline, toRangeArguments(clipToMaxWindow(since)))).answer.filter(
    (event) => event.type === 'alert' && event.description.endsWith(' resolved') && isAsked(event),
  );
  const about = services.length === 0 ? '' : ` for ${joinWithAnd(services)}`;
  const open =
    firing.length === 0
      ? `\nNo alert ${isNow ? 'is' : 'was'} firing${about}${ended.length === 0 ? '' : ' any more'}.`
      : `\nStill firing: ${joinWithAnd(firing.map(({ ruleName, serviceName }) => `${toSingleLine(ruleName)} on ${serviceName}`))}.`;
  return `${open}${ended.length === 0 ? '' : '\nResolved:'}${formatList(ended.map(({ timestamp, serviceName, description }) => `${formatIsoClock(timestamp, context.nowMs)} ${serviceName}: ${toSingleLine(description)}`).reverse())}`;
}

function suggestFollowUps(name: string | undefined): string[] {
  return name === undefined
    ? ['What happened in the last 24 hours?', 'Are there any alerts?']
    : [
        `What happened to ${name} in the last 24 hours?`,
        `Which errors did ${name} have in the last 24 hours?`,
        'Is anything broken?',
      ];
}
