import { getAlertSummary } from '../../tools/get-alert-summary.js';
import { getIncidentTimeline } from '../../tools/get-incident-timeline.js';
import { getTraces } from '../../tools/get-traces.js';
import { concerns, dependencyFigures, diagnosesOf, healthOf, type ServiceFigures } from '../findings.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import { dependencySentence, diagnosisInShort, plain, silenceOf } from '../sentences.js';
import type { Range, Slots, SpokenTime } from '../slots.js';
import { clipped, clockOf, duringRange, searchRange, spelled } from '../when.js';
import { and, counted, listed, serviceFigures, some } from '../wording.js';

const MINUTE_MS = 60_000;
/** What is over is over now: the usual quarter of an hour would still tell of trouble that has just ended. */
const RECENT_MINUTES = 5;
/** How far back the trouble may lie that somebody speaks of without saying when it was. */
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Whether trouble is over, and since when: nothing but the state that a service is in, its last failure and its alerts tell. */
export const recovery: Intent = {
  name: 'recovery',
  cues: { over: 4.6, resolved: 4.5, when: 0.3 },
  forms: ['Is it over?', 'Has {service} recovered?', 'When did {service} recover?'],
  async answer(inquiry, slots) {
    const { since, recent, isNow } = seenFrom(slots.time, inquiry.nowMs);
    const window = duringRange(recent, inquiry.nowMs);
    const [name] = slots.services;
    if (name !== undefined && inquiry.vocabulary.dependencies.includes(name)) {
      return { text: dependencySentence(await dependencyFigures(inquiry, name, { time: recent }), window), followUps: [`Which services depend on ${name}?`, 'Is anything broken?'] };
    }
    const services = await healthOf(inquiry, { time: recent });
    const asked = services.filter(({ serviceName }) => slots.services.length === 0 || slots.services.includes(serviceName));
    if (asked.length === 0) return { text: `${slots.services.length === 0 ? 'No service sent anything' : `${and(slots.services)} sent nothing`}${window} or in the day before, so that nobody can tell.`, followUps: ['Which services are there?', 'Is anything broken?'] };
    const trouble = await troubleIn(inquiry, slots, recent);
    const degraded = asked.filter(({ status }) => status === 'degraded');
    if (degraded.length > 0 || trouble !== '') return notYet({ degraded, asked, trouble: `${trouble}${await lastFailure(inquiry, slots, since)}`, window, isNow });
    return { text: `${stateOf(asked, window)}${await lastFailure(inquiry, slots, since)}${await alertsOf(inquiry, slots, since, recent, isNow)}`, followUps: followUpsOf(name) };
  },
};

/** The time in which the trouble was, and the last minutes before the moment in question. */
function seenFrom(time: SpokenTime | undefined, nowMs: number): { readonly since: Range; readonly recent: Range; readonly isNow: boolean } {
  const endMs = time?.kind === 'moment' && time.side === 'before' ? time.atMs : time?.kind === 'range' ? Math.min(time.toMs, nowMs) : nowMs;
  const isNow = endMs === nowMs;
  const fromMs = time?.kind === 'range' ? time.fromMs : time?.kind === 'moment' && isNow ? searchRange(time, nowMs).fromMs : endMs - DAY_MS;
  return {
    since: { kind: 'range', fromMs: Math.min(fromMs, endMs - MINUTE_MS), toMs: endMs, ...(time === undefined && { last: '24 hours' }) },
    recent: { kind: 'range', fromMs: endMs - RECENT_MINUTES * MINUTE_MS, toMs: endMs, ...(isNow && { last: `${RECENT_MINUTES} minutes` }) },
    isNow,
  };
}

/** What a diagnosis of the last minutes says: a service may suffer long before it counts as degraded. */
async function troubleIn(inquiry: Inquiry, { services }: Slots, recent: Range): Promise<string> {
  if (inquiry.left === 0) return '';
  const found = (await diagnosesOf(inquiry, { time: recent })).find((each) => each.severity !== 'info' && each.kind !== 'inconclusive' && (services.length === 0 || services.some((name) => concerns(each, name))));
  return found === undefined ? '' : `\nMost likely cause: ${diagnosisInShort(found, inquiry.nowMs)}.`;
}

interface Ongoing {
  readonly degraded: readonly ServiceFigures[];
  readonly asked: readonly ServiceFigures[];
  /** The lines below. */
  readonly trouble: string;
  readonly window: string;
  readonly isNow: boolean;
}

function notYet({ degraded, asked, trouble, window, isNow }: Ongoing): Draft {
  const head = isNow ? 'Not yet' : 'Not by then';
  const [worst] = degraded.length > 0 ? degraded : asked;
  const verb = degraded.length === 1 ? (isNow ? 'is' : 'was') : isNow ? 'are' : 'were';
  const verdict = degraded.length === 0 ? `${head}: a diagnosis still finds trouble${window}. ${stateOf(asked, '')}` : `${head}: ${and(degraded.map(({ serviceName }) => serviceName))} ${verb} still degraded${window}.`;
  const lines = degraded.map((service) => `${service.serviceName}: ${serviceFigures(service)}`);
  return { text: `${verdict}${listed(lines)}${trouble}`, followUps: ['Since when?', degraded.length > 0 ? `Why is ${worst.serviceName} degraded?` : 'What is the root cause?', 'Are there any alerts?'] };
}

function stateOf(asked: readonly ServiceFigures[], window: string): string {
  const [first] = asked;
  if (asked.every(({ requestCount }) => requestCount === 0)) return `No requests came to ${some(asked.map(({ serviceName }) => serviceName))}${window}, so that nobody can tell.`;
  if (asked.length === 1) return `${first.serviceName} is ${first.status}${window}: ${serviceFigures(first)}.`;
  return `All ${counted(asked.length, 'service')} are healthy${window}.${silenceOf(asked)}`;
}

async function lastFailure(inquiry: Inquiry, { services: [serviceName] }: Slots, since: Range): Promise<string> {
  if (inquiry.left === 0) return '';
  const { items: [last], totalCount } = await inquiry.ask(getTraces, { ...spelled(since), ...(serviceName !== undefined && { serviceName }), status: 'ERROR', page: 1, pageSize: 1 });
  if (last === undefined) return `\nNo failed trace${serviceName === undefined ? '' : ` of ${serviceName}`}${duringRange(since, inquiry.nowMs)}.`;
  return `\nThe last of ${counted(totalCount, 'failed trace')}${duringRange(since, inquiry.nowMs)} began at ${clockOf(last.startTime, inquiry.nowMs)} (${last.serviceName} ${last.operationName}, trace ${last.traceId}).`;
}

/** What still fires, and when the others were resolved, which the timeline alone tells. */
async function alertsOf(inquiry: Inquiry, { services }: Slots, since: Range, recent: Range, isNow: boolean): Promise<string> {
  if (inquiry.left < 2) return '';
  const isAsked = ({ serviceName }: { readonly serviceName: string }): boolean => services.length === 0 || services.includes(serviceName);
  const firing = (await inquiry.ask(getAlertSummary, isNow ? {} : { asOf: spelled(recent).rangeEnd })).answer.filter(isAsked);
  const ended = (await inquiry.ask(getIncidentTimeline, spelled(clipped(since)))).answer.filter((event) => event.type === 'alert' && event.description.endsWith(' resolved') && isAsked(event));
  const about = services.length === 0 ? '' : ` for ${and(services)}`;
  const open = firing.length === 0 ? `\nNo alert ${isNow ? 'is' : 'was'} firing${about}${ended.length === 0 ? '' : ' any more'}.` : `\nStill firing: ${and(firing.map(({ ruleName, serviceName }) => `${plain(ruleName)} on ${serviceName}`))}.`;
  return `${open}${ended.length === 0 ? '' : '\nResolved:'}${listed(ended.map(({ timestamp, serviceName, description }) => `${clockOf(timestamp, inquiry.nowMs)} ${serviceName}: ${plain(description)}`).reverse())}`;
}

function followUpsOf(name: string | undefined): string[] {
  return name === undefined ? ['What happened in the last 24 hours?', 'Are there any alerts?'] : [`What happened to ${name} in the last 24 hours?`, `Which errors did ${name} have in the last 24 hours?`, 'Is anything broken?'];
}
