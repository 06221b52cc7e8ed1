import type { ServiceDetail } from '../../../diagnostics/answers.js';
import { edgeOfFailures } from '../edge-of-failures.js';
import { detailOf } from '../endpoints.js';
import { exceptionsByType } from '../exceptions-by-type.js';
import { dependencyFigures, healthOf, type ServiceFigures } from '../findings.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import { peakOf } from '../peaks.js';
import { ranked, ranking } from '../rankings.js';
import { dependencySentence, likelyCause } from '../sentences.js';
import type { Slots } from '../slots.js';
import { sideBySide } from '../side-by-side.js';
import { getTrendAnalysis } from '../../tools/get-trend-analysis.js';
import { during, windowOf } from '../when.js';
import { counted, listed, percent, quote, some } from '../wording.js';
import { outcomesOf } from './outcomes.js';

/** Services whose exceptions are looked up where none was named. */
const MOST_LOOKED_AT = 3;

export const errors: Intent = {
  name: 'errors',
  cues: { errors: 3.5, failed: 2, oneFailure: 3, peak: 1.5, many: 0.5, most: 0.5, services: 0.5, operation: 1 },
  forms: ['Which errors does {service} have?', 'What is the error rate of {service}?', 'Which service has the most errors?'],
  async answer(inquiry, slots) {
    if (slots.exception !== undefined) return exceptionsByType(inquiry, slots, slots.exception);
    if (slots.edge !== undefined) return edgeOfFailures(inquiry, slots, slots.edge);
    if (slots.services.length > 1) return sideBySide(inquiry, slots);
    const [name] = slots.services;
    if (slots.operation !== undefined || (slots.thing !== undefined && slots.services.length === 0)) return outcomesOf(inquiry, slots);
    if (name === undefined) return ofAll(inquiry, slots);
    if (!inquiry.vocabulary.dependencies.includes(name)) return ofOne(inquiry, slots, name);
    return { text: dependencySentence(await dependencyFigures(inquiry, name, slots), during(slots.time, inquiry.nowMs)), followUps: [`Which services depend on ${name}?`, 'What is the root cause?'] };
  },
};

async function ofOne(inquiry: Inquiry, slots: Slots, name: string): Promise<Draft> {
  const window = during(slots.time, inquiry.nowMs);
  const detail = await detailOf(inquiry, name, slots);
  const followUps = [`Why is ${name} failing?`, `Show me failed traces of ${name}`, `Show me error logs of ${name}`, `What changed in ${name}?`];
  if (detail === undefined) return { text: `${name} has no figures${window}.`, followUps: [`When was ${name} last deployed?`, 'Is anything broken?'] };
  const { errorRate, requestCount } = detail;
  const rate = requestCount === 0 ? `${name} had no requests${window}` : `${percent(errorRate)} of ${counted(requestCount, 'request')} to ${name} failed${window}`;
  return { text: `${rate}.${exceptionsOf(detail, slots)}${worstEndpoints(detail)}${await peakOf(inquiry, slots, name, 'errors')}${errorRate > 0 ? await likelyCause(inquiry, slots, [name]) : ''}`, followUps };
}

function exceptionsOf({ topErrors }: ServiceDetail, { limit }: Slots): string {
  if (topErrors.length === 0) return ' It recorded no exceptions.';
  return `\nIts exceptions:${exceptionLines({ topErrors }, limit)}`;
}

function exceptionLines({ topErrors }: Pick<ServiceDetail, 'topErrors'>, limit: number | undefined): string {
  return listed(topErrors.map(({ exceptionType, message, count, percentage }) => `${exceptionType}${message === '' ? '' : ` ${quote(message)}`}: ${counted(count, 'time')}, ${percent(percentage)}`), limit);
}

function worstEndpoints({ endpoints }: ServiceDetail): string {
  const failing = endpoints.filter(({ errorRate }) => errorRate > 0).sort((a, b) => b.errorRate - a.errorRate);
  return failing.length === 0 ? '' : `\nFailing endpoints:${listed(failing.map(({ operation, errorRate, requestCount }) => `${operation}: ${percent(errorRate)} of ${counted(requestCount, 'request')}`), 3)}`;
}

/** Exceptions show in the service that raised them, which need not be the one that fails most. */
async function exceptionsIn(inquiry: Inquiry, services: readonly ServiceFigures[], slots: Slots): Promise<string> {
  let told = '';
  for (const { serviceName } of services) {
    const detail = inquiry.left === 0 ? undefined : await detailOf(inquiry, serviceName, slots);
    if (detail === undefined) continue;
    told += worstEndpoints(detail).replace('Failing endpoints', `Failing endpoints of ${serviceName}`);
    if (detail.topErrors.length > 0) told += `\nIn ${serviceName}:${exceptionLines(detail, 3)}`;
  }
  return told;
}

async function overallRate(inquiry: Inquiry, { time }: Slots): Promise<string> {
  const { errorRate: { current, baseline, trend } } = (await inquiry.ask(getTrendAnalysis, windowOf(time))).answer;
  return `Over all services ${percent(current)} of the requests failed${during(time, inquiry.nowMs)}, ${percent(baseline)} in the hour before: ${trend}.\n`;
}

/** Rates have two decimals: of more requests than these, one of 0 % does not say that nothing failed. */
const MOST_TOLD_APART = 10_000;

function noneFailing(services: readonly ServiceFigures[], window: string): string {
  if (services.length === 0) return `No request failed${window}: no service has sent telemetry.`;
  return services.every(({ requestCount }) => requestCount <= MOST_TOLD_APART) ? `No request failed${window}.` : `The error rate of every service is ${percent(0)}${window}.`;
}

function withoutErrors(services: readonly ServiceFigures[]): string {
  const names = services.filter(({ requestCount, errorRate }) => requestCount > 0 && errorRate === 0).map(({ serviceName }) => serviceName);
  return names.length === 0 ? '' : `\nError rate ${percent(0)}: ${some(names, 10)}.`;
}

async function ofAll(inquiry: Inquiry, slots: Slots): Promise<Draft> {
  const overall = slots.measure === 'errorRate' && slots.isReversed !== true ? await overallRate(inquiry, slots) : '';
  const services = await healthOf(inquiry, slots);
  const failing = ranked(services, 'errors').filter(({ errorRate }) => errorRate > 0);
  const [worst] = failing;
  const window = during(slots.time, inquiry.nowMs);
  if (worst === undefined) return { text: `${overall}${noneFailing(services, window)}`, followUps: ['Is anything broken?', 'Show me error logs', 'What changed in the last hour?'] };
  const top = ranking(slots.isReversed === true ? services : failing, 'errors', slots, inquiry.nowMs);
  const rest = slots.isReversed === true ? '' : withoutErrors(services);
  return { text: `${overall}${top}${rest}${await exceptionsIn(inquiry, failing.slice(0, MOST_LOOKED_AT), slots)}`, followUps: [`Why is ${worst.serviceName} failing?`, `Show me failed traces of ${worst.serviceName}`, 'Are errors increasing?', 'What changed in the last hour?'] };
}
