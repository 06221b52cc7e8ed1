import {
  type EvidenceDetector,
  type Finding,
  selectActivity,
  selectAtSplit,
  toCompletePart,
  toPrefilteredItems,
} from '../evidence-detector.js';
import { findCountFallSplits, findCountRiseSplits, uniteSplits } from '../split-prefilter.js';
import type { NamedCounts, ServiceSeries } from '../telemetry-series.js';
import { scoreRateChange, scoreMissingEvents, type Split, type RateChange } from '../robust-statistics.js';
import { formatFigure } from '../evidence-formatting.js';

/**
 * Counts of a log template or exception, and of the requests they relate to; for a service without spans of its log
 * records, so that a service that logs more or less changes nothing for others.
 */
interface LoggedCounts {
  readonly kind: 'logs' | 'exceptions';
  readonly service: string;
  readonly counts: NamedCounts;
  readonly requests: Float64Array;
  /** Of the requests, in the singular. */
  readonly unit: string;
}

/**
 * Detects changes of log templates per request of their service (`selectActivity`), both more and fewer; of exceptions
 * only more. For templates only buckets with any logs count: without logs, they were not collected.
 */
export const detectLogChanges: EvidenceDetector = ({ services, timeline: { starts, settled } }, { first }) => {
  const recordsPerBucket = new Float64Array(starts.length);
  for (const { records } of services)
    for (let i = 0; i < recordsPerBucket.length; i++) recordsPerBucket[i] += records[i];
  const prefiltered = services
    .flatMap((service) => listLoggedCounts(service, recordsPerBucket))
    .flatMap((logged) =>
      toPrefilteredItems(
        logged,
        uniteSplits(
          findCountRiseSplits(logged.counts.count, logged.requests, first),
          findCountFallSplits(logged.counts.count, logged.requests, first),
        ),
      ),
    );
  return (split) =>
    selectAtSplit(prefiltered, split).flatMap((logged) => [
      ...findRises(logged, split),
      ...findFalls(logged, toCompletePart(split, settled)),
    ]);
};

function listLoggedCounts(service: ServiceSeries, recordsPerBucket: Float64Array): LoggedCounts[] {
  const { counts: requests, unit } = selectActivity(service);
  const loggedRequests = requests.map((count, i) => (recordsPerBucket[i] > 0 ? count : 0));
  return [
    ...service.exceptions.map(
      (counts) => ({ kind: 'exceptions', service: service.service, counts, requests, unit }) as const,
    ),
    ...service.templates.map(
      (counts) => ({ kind: 'logs', service: service.service, counts, requests: loggedRequests, unit }) as const,
    ),
  ];
}

/** Errors weigh more than informational logs, which vary with traffic. */
const ERROR_WEIGHT = 1;
const WARNING_WEIGHT = 0.9;
const DEFAULT_WEIGHT = 0.6;

function severityWeight({ kind, counts: { severity } }: LoggedCounts): number {
  if (kind === 'exceptions' || severity >= 17) return ERROR_WEIGHT;
  return severity >= 13 ? WARNING_WEIGHT : DEFAULT_WEIGHT;
}

function findRises(logged: LoggedCounts, split: Split): Finding[] {
  const verb = logged.kind === 'logs' ? 'logged' : 'thrown';
  return buildLogFindings(
    logged,
    scoreRateChange(logged.counts.count, logged.requests, split),
    severityWeight(logged),
    `is ${verb}`,
  );
}

/** Records may still arrive, so only complete buckets are considered for missing ones. */
function findFalls(logged: LoggedCounts, split: Split | undefined): Finding[] {
  if (logged.kind === 'exceptions' || split === undefined) return [];
  return buildLogFindings(
    logged,
    scoreMissingEvents(logged.counts.count, logged.requests, split),
    DEFAULT_WEIGHT,
    'is no longer logged as usual:',
  );
}

function buildLogFindings(
  { kind, service, counts, requests, unit }: LoggedCounts,
  change: RateChange | undefined,
  weight: number,
  verb: string,
): Finding[] {
  if (change === undefined || change.score <= 0) return [];
  const { before, after, count, expected, score } = change;
  const describe = () =>
    `"${counts.name}" ${verb} ${formatFigure(after)} times per ${unit} instead of ${formatFigure(before)} (${formatFigure(count)} in total)`;
  return [
    {
      kind,
      serviceName: service,
      score: score * weight * relativeNovelty(change),
      amount: Math.abs(count - expected),
      stepSeries: { sum: counts.count, weight: requests, before, after },
      describe,
    },
  ];
}

/** 1 for a template that is new or has vanished; the smaller, the less its rate changes. */
function relativeNovelty({ before, after }: RateChange): number {
  return 1 - Math.min(before, after) / Math.max(before, after);
}
