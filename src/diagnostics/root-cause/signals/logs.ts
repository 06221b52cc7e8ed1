import type { Finding } from '../finding.js';
import type { NamedCounts, Series, ServiceSeries } from '../series.js';
import { surpriseOf, surpriseOfAbsence, type Split, type Surprise } from '../statistics.js';
import { figure } from '../wording.js';

/**
 * Log templates per request of their service: those that appear or come more often, and those that vanish; exceptions
 * likewise. Only stretches count from which any log arrived: where none did, nobody collected them.
 */
export function logFindings({ services }: Series, split: Split): Finding[] {
  const heard = services.reduce((sum, { records }) => sum.map((count, i) => count + records[i]), new Float64Array(split.to));
  return services.flatMap((service) => {
    const requests = exposureOf(service);
    const loggedRequests = requests.map((count, i) => (heard[i] > 0 ? count : 0));
    return [
      ...service.exceptions.flatMap((each) => rise(each, service, requests, split, 'exceptions')),
      ...service.templates.flatMap((each) => [...rise(each, service, loggedRequests, split, 'logs'), ...fall(each, service, loggedRequests, split)]),
    ];
  });
}

/** Errors weigh more than what is logged in passing: of those, traffic brings more or less as it pleases. */
const WEIGHT_OF_ERRORS = 1;
const WEIGHT_OF_WARNINGS = 0.9;
const WEIGHT_OF_OTHERS = 0.6;

function weightOf(severity: number): number {
  return severity >= 17 ? WEIGHT_OF_ERRORS : severity >= 13 ? WEIGHT_OF_WARNINGS : WEIGHT_OF_OTHERS;
}

function rise(counts: NamedCounts, service: ServiceSeries, exposure: Float64Array, split: Split, signal: 'logs' | 'exceptions'): Finding[] {
  const surprise = surpriseOf(counts.count, exposure, split);
  if (surprise === undefined || surprise.score <= 0) return [];
  return [finding(signal, service, { surprise, counts, exposure }, signal === 'logs' ? weightOf(counts.severity) : WEIGHT_OF_ERRORS, `"${counts.name}" is ${signal === 'logs' ? 'logged' : 'thrown'} ${times(surprise)}`)];
}

function fall(counts: NamedCounts, service: ServiceSeries, exposure: Float64Array, split: Split): Finding[] {
  const surprise = surpriseOfAbsence(counts.count, exposure, split);
  if (surprise === undefined || surprise.score <= 0) return [];
  return [finding('logs', service, { surprise, counts, exposure }, WEIGHT_OF_OTHERS, `"${counts.name}" is no longer logged as usual: ${times(surprise)}`)];
}

interface Change {
  readonly surprise: Surprise;
  readonly counts: NamedCounts;
  readonly exposure: Float64Array;
}

function finding(signal: 'logs' | 'exceptions', { service }: ServiceSeries, { surprise, counts, exposure }: Change, weight: number, text: string): Finding {
  return { signal, culprit: service, score: surprise.score * weight * noveltyOf(surprise), amount: Math.abs(surprise.count - surprise.expected), course: { sum: counts.count, weight: exposure, before: surprise.before, after: surprise.after }, sentence: () => text };
}

/** 1 for what was never seen before or is never seen again, less the less the rate changes. */
function noveltyOf({ before, after }: Surprise): number {
  return 1 - Math.min(before, after) / Math.max(before, after);
}

/** Requests; of a service that only calls, its spans. */
function exposureOf({ requests, spans }: ServiceSeries): Float64Array {
  return requests.some((each) => each > 0) ? requests : spans;
}

function times({ before, after, count }: Surprise): string {
  return `${figure(after)} times a request instead of ${figure(before)} (${figure(count)} in all)`;
}
