import { getAlertSummary } from '../../tools/get-alert-summary.js';
import { getIncidentTimeline } from '../../tools/get-incident-timeline.js';
import { getTraces } from '../../tools/get-traces.js';
import { healthOf } from '../findings.js';
import type { Inquiry } from '../inquiry.js';
import type { Intent } from '../intent.js';
import { likelyCause, plain } from '../sentences.js';
import type { Range, Slots, SpokenTime } from '../slots.js';
import { clockOf, during, duringRange, searchRange, spelled, windowOf } from '../when.js';
import { and, counted, listed, serviceFigures } from '../wording.js';

/** How far back the trouble may lie that somebody speaks of without saying when it was. */
const DAY_MS = 24 * 60 * 60_000;

/** Whether trouble is over, and since when: nothing but the state that a service is in, its last failure and its alerts tell. */
export const recovery: Intent = {
  name: 'recovery',
  cues: { over: 4.6, resolved: 4.5, when: 0.3 },
  forms: ['Is it over?', 'Has {service} recovered?', 'When did {service} recover?'],
  async answer(inquiry, slots) {
    const { since, end } = seenFrom(slots.time, inquiry.nowMs);
    const services = await healthOf(inquiry, end === undefined ? {} : { time: end });
    const degraded = services.filter(({ serviceName, status }) => status === 'degraded' && (slots.services.length === 0 || slots.services.includes(serviceName)));
    const window = during(end, inquiry.nowMs);
    const [name] = slots.services;
    if (degraded.length > 0) {
      const lines = degraded.map((service) => `${service.serviceName}: ${serviceFigures(service)}`);
      const verb = end === undefined ? (degraded.length === 1 ? 'is' : 'are') : degraded.length === 1 ? 'was' : 'were';
      const verdict = `Not ${end === undefined ? 'yet' : 'by then'}: ${and(degraded.map(({ serviceName }) => serviceName))} ${verb} still degraded${window}.`;
      return { text: `${verdict}${listed(lines)}${await likelyCause(inquiry, end === undefined ? {} : { time: end }, degraded.map(({ serviceName }) => serviceName))}`, followUps: ['Since when?', `Why is ${degraded[0].serviceName} degraded?`, 'Are there any alerts?'] };
    }
    const known = services.find(({ serviceName }) => serviceName === name);
    if (name !== undefined && known === undefined) return { text: `${name} sent nothing${window} or in the day before, so nobody can tell.`, followUps: ['Which services are there?', 'Is anything broken?'] };
    const verdict = known === undefined ? `All ${counted(services.length, 'service')} are healthy${window}.` : `${known.serviceName} is healthy${window}: ${serviceFigures(known)}.`;
    return { text: `${verdict}${await lastFailure(inquiry, slots, since)}${await alertsOf(inquiry, slots, since, end)}`, followUps: followUpsOf(name) };
  },
};

/** The time in which the trouble was, up to the moment in question; `end` where that is not now. */
function seenFrom(time: SpokenTime | undefined, nowMs: number): { readonly since: Range; readonly end?: SpokenTime } {
  if (time?.kind === 'moment' && time.side === 'before') return { since: { kind: 'range', fromMs: time.atMs - DAY_MS, toMs: time.atMs }, end: time };
  if (time?.kind === 'range' && time.toMs < nowMs) return { since: searchRange(time, nowMs), end: { kind: 'moment', atMs: time.toMs, side: 'before' } };
  const fromMs = time?.kind === 'moment' ? searchRange(time, nowMs).fromMs : time?.kind === 'range' ? time.fromMs : nowMs - DAY_MS;
  return { since: { kind: 'range', fromMs, toMs: nowMs, ...(time === undefined && { last: '24 hours' }) } };
}

async function lastFailure(inquiry: Inquiry, { services: [serviceName] }: Slots, since: Range): Promise<string> {
  if (inquiry.left === 0) return '';
  const { items: [last], totalCount } = await inquiry.ask(getTraces, { ...spelled(since), ...(serviceName !== undefined && { serviceName }), status: 'ERROR', page: 1, pageSize: 1 });
  if (last === undefined) return `\nNo failed trace${serviceName === undefined ? '' : ` of ${serviceName}`}${duringRange(since, inquiry.nowMs)}.`;
  return `\nThe last of ${counted(totalCount, 'failed trace')}${duringRange(since, inquiry.nowMs)} began at ${clockOf(last.startTime, inquiry.nowMs)} (${last.serviceName} ${last.operationName}, trace ${last.traceId}).`;
}

/** What still fires, and when the others were resolved, which the timeline alone tells. */
async function alertsOf(inquiry: Inquiry, { services }: Slots, since: Range, end: SpokenTime | undefined): Promise<string> {
  if (inquiry.left < 2) return '';
  const concerns = ({ serviceName }: { readonly serviceName: string }): boolean => services.length === 0 || services.includes(serviceName);
  const firing = (await inquiry.ask(getAlertSummary, windowOf(end))).answer.filter((alert) => concerns(alert));
  const ended = (await inquiry.ask(getIncidentTimeline, windowOf(since))).answer.filter((event) => event.type === 'alert' && event.description.endsWith(' resolved') && concerns(event));
  const open = firing.length === 0 ? `\nNo alert ${end === undefined ? 'is' : 'was'} firing${services.length === 0 ? '' : ` for ${and(services)}`} any more.` : `\nStill firing: ${and(firing.map(({ ruleName, serviceName }) => `${plain(ruleName)} on ${serviceName}`))}.`;
  return `${open}${ended.length === 0 ? '' : '\nResolved:'}${listed(ended.map(({ timestamp, serviceName, description }) => `${clockOf(timestamp, inquiry.nowMs)} ${serviceName}: ${plain(description)}`).reverse())}`;
}

function followUpsOf(name: string | undefined): string[] {
  return name === undefined ? ['What happened in the last 24 hours?', 'Are there any alerts?'] : [`What happened to ${name} in the last 24 hours?`, `Which errors did ${name} have in the last 24 hours?`, 'Is anything broken?'];
}
