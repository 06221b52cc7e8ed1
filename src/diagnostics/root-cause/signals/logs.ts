import type { Finding } from '../finding.js';
import { splitsOfFewer, splitsOfMore, union } from '../screen.js';
import type { NamedCounts, ServiceSeries } from '../series.js';
import { atSplit, settledPart, watch, type Signal } from '../signal.js';
import { surpriseOf, surpriseOfAbsence, type Split, type Surprise } from '../statistics.js';
import { figure } from '../wording.js';

/** What is logged or thrown, and the requests beside which it is counted. */
interface Told {
  readonly signal: 'logs' | 'exceptions';
  readonly service: string;
  readonly counts: NamedCounts;
  readonly requests: Float64Array;
}

/**
 * Log templates per request of their service: those that appear or come more often, and those that vanish; exceptions
 * likewise. Only stretches count from which any log arrived: where none did, nobody collected them.
 */
export const logs: Signal = ({ services, timeline: { starts, settled } }, { first }) => {
  const heard = new Float64Array(starts.length);
  for (const { records } of services) for (let i = 0; i < heard.length; i++) heard[i] += records[i];
  const watched = services.flatMap((service) => toldBy(service, heard)).flatMap((told) => watch(told, union(splitsOfMore(told.counts.count, told.requests, first), splitsOfFewer(told.counts.count, told.requests, first))));
  return (split) => atSplit(watched, split).flatMap((told) => [...rise(told, split), ...fall(told, settledPart(split, settled))]);
};

function toldBy(service: ServiceSeries, heard: Float64Array): Told[] {
  const requests = exposureOf(service);
  const loggedRequests = requests.map((count, i) => (heard[i] > 0 ? count : 0));
  return [
    ...service.exceptions.map((counts) => ({ signal: 'exceptions', service: service.service, counts, requests }) as const),
    ...service.templates.map((counts) => ({ signal: 'logs', service: service.service, counts, requests: loggedRequests }) as const),
  ];
}

/** Requests; of a service that only calls, its spans. */
function exposureOf({ requests, spans }: ServiceSeries): Float64Array {
  return requests.some((each) => each > 0) ? requests : spans;
}

/** Errors weigh more than what is logged in passing: of that, traffic brings more or less as it pleases. */
const WEIGHT_OF_ERRORS = 1;
const WEIGHT_OF_WARNINGS = 0.9;
const WEIGHT_OF_OTHERS = 0.6;

function weightOf({ signal, counts: { severity } }: Told): number {
  if (signal === 'exceptions' || severity >= 17) return WEIGHT_OF_ERRORS;
  return severity >= 13 ? WEIGHT_OF_WARNINGS : WEIGHT_OF_OTHERS;
}

function rise(told: Told, split: Split): Finding[] {
  const verb = told.signal === 'logs' ? 'logged' : 'thrown';
  return findingsOf(told, surpriseOf(told.counts.count, told.requests, split), weightOf(told), `is ${verb}`);
}

/** Messages may still be on their way: only stretches that are complete tell of what is missing. */
function fall(told: Told, split: Split | undefined): Finding[] {
  if (told.signal === 'exceptions' || split === undefined) return [];
  return findingsOf(told, surpriseOfAbsence(told.counts.count, told.requests, split), WEIGHT_OF_OTHERS, 'is no longer logged as usual:');
}

function findingsOf({ signal, service, counts, requests }: Told, surprise: Surprise | undefined, weight: number, verb: string): Finding[] {
  if (surprise === undefined || surprise.score <= 0) return [];
  const { before, after, count, expected, score } = surprise;
  const sentence = () => `"${counts.name}" ${verb} ${figure(after)} times a request instead of ${figure(before)} (${figure(count)} in all)`;
  return [{ signal, culprit: service, score: score * weight * noveltyOf(surprise), amount: Math.abs(count - expected), course: { sum: counts.count, weight: requests, before, after }, sentence }];
}

/** 1 for what was never seen before or is never seen again, less the less the rate changes. */
function noveltyOf({ before, after }: Surprise): number {
  return 1 - Math.min(before, after) / Math.max(before, after);
}
