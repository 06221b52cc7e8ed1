import {
  type EvidenceDetector,
  type Finding,
  selectAtSplit,
  toCompletePart,
  toPrefilteredItems,
} from '../evidence-detector.js';
import { findCountFallSplits, findCountRiseSplits, uniteSplits } from '../split-prefilter.js';
import type { NamedCounts, ServiceSeries } from '../telemetry-series.js';
import { scoreRateChange, scoreMissingEvents, type Split, type RateChange } from '../robust-statistics.js';
import { formatFigure } from '../evidence-formatting.js';

/** What is logged or thrown, and the requests beside which it is counted. */
interface LoggedCounts {
  readonly signal: 'logs' | 'exceptions';
  readonly service: string;
  readonly counts: NamedCounts;
  readonly requests: Float64Array;
}

/**
 * Log templates per request of their service: those that appear or come more often, and those that vanish; exceptions
 * likewise. Only stretches count from which any log arrived: where none did, nobody collected them.
 */
export const detectLogChanges: EvidenceDetector = ({ services, timeline: { starts, settled } }, { first }) => {
  const heard = new Float64Array(starts.length);
  for (const { records } of services) for (let i = 0; i < heard.length; i++) heard[i] += records[i];
  const watched = services
    .flatMap((service) => listLoggedCounts(service, heard))
    .flatMap((told) =>
      toPrefilteredItems(
        told,
        uniteSplits(
          findCountRiseSplits(told.counts.count, told.requests, first),
          findCountFallSplits(told.counts.count, told.requests, first),
        ),
      ),
    );
  return (split) =>
    selectAtSplit(watched, split).flatMap((told) => [
      ...findRises(told, split),
      ...findFalls(told, toCompletePart(split, settled)),
    ]);
};

function listLoggedCounts(service: ServiceSeries, heard: Float64Array): LoggedCounts[] {
  const requests = exposureCounts(service);
  const loggedRequests = requests.map((count, i) => (heard[i] > 0 ? count : 0));
  return [
    ...service.exceptions.map(
      (counts) => ({ signal: 'exceptions', service: service.service, counts, requests }) as const,
    ),
    ...service.templates.map(
      (counts) => ({ signal: 'logs', service: service.service, counts, requests: loggedRequests }) as const,
    ),
  ];
}

/** Requests; of a service that only calls, its spans. */
function exposureCounts({ requests, spans }: ServiceSeries): Float64Array {
  return requests.some((each) => each > 0) ? requests : spans;
}

/** Errors weigh more than what is logged in passing: of that, traffic brings more or less as it pleases. */
const WEIGHT_OF_ERRORS = 1;
const WEIGHT_OF_WARNINGS = 0.9;
const WEIGHT_OF_OTHERS = 0.6;

function severityWeight({ signal, counts: { severity } }: LoggedCounts): number {
  if (signal === 'exceptions' || severity >= 17) return WEIGHT_OF_ERRORS;
  return severity >= 13 ? WEIGHT_OF_WARNINGS : WEIGHT_OF_OTHERS;
}

function findRises(told: LoggedCounts, split: Split): Finding[] {
  const verb = told.signal === 'logs' ? 'logged' : 'thrown';
  return buildLogFindings(
    told,
    scoreRateChange(told.counts.count, told.requests, split),
    severityWeight(told),
    `is ${verb}`,
  );
}

/** Messages may still be on their way: only stretches that are complete tell of what is missing. */
function findFalls(told: LoggedCounts, split: Split | undefined): Finding[] {
  if (told.signal === 'exceptions' || split === undefined) return [];
  return buildLogFindings(
    told,
    scoreMissingEvents(told.counts.count, told.requests, split),
    WEIGHT_OF_OTHERS,
    'is no longer logged as usual:',
  );
}

function buildLogFindings(
  { signal, service, counts, requests }: LoggedCounts,
  surprise: RateChange | undefined,
  weight: number,
  verb: string,
): Finding[] {
  if (surprise === undefined || surprise.score <= 0) return [];
  const { before, after, count, expected, score } = surprise;
  const sentence = () =>
    `"${counts.name}" ${verb} ${formatFigure(after)} times a request instead of ${formatFigure(before)} (${formatFigure(count)} in all)`;
  return [
    {
      signal,
      culprit: service,
      score: score * weight * relativeNovelty(surprise),
      amount: Math.abs(count - expected),
      course: { sum: counts.count, weight: requests, before, after },
      sentence,
    },
  ];
}

/** 1 for what was never seen before or is never seen again, less the less the rate changes. */
function relativeNovelty({ before, after }: RateChange): number {
  return 1 - Math.min(before, after) / Math.max(before, after);
}
