import {
  type EvidenceDetector,
  type Finding,
  selectActivity,
  selectAtSplit,
  toCompletePart,
  toPrefilteredItems,
} from '../evidence-detector.js';
import { buildCallGraph } from '../call-graph.js';
import { countComplete, type RecordedTime } from '../recorded-time.js';
import { findCountFallSplits, findCountRiseSplits, mergeSplits } from '../split-prefilter.js';
import type { NamedCounts, ServiceSeries } from '../telemetry-series.js';
import { scoreRateChange, scoreMissingEvents, type Split, type RateChange } from '../robust-statistics.js';
import { formatFigure } from '../evidence-formatting.js';

/**
 * Counts of a log template or exception, and of the requests they relate to; for a service without spans, and where
 * spans are a sample, of its log records, so that a service that logs more or less changes nothing for others.
 */
interface LoggedCounts {
  readonly kind: 'logs' | 'exceptions';
  readonly service: string;
  readonly counts: NamedCounts;
  readonly requests: Float64Array;
  /** Those of which the beginning was recorded, too. */
  readonly complete: Float64Array;
  /** Of the requests, in the singular. */
  readonly unit: string;
  /** A service called by this one that the text names, where it reports a failure. */
  readonly named?: string;
}

/**
 * Detects changes of log templates per request of their service (`selectActivity`), both more and fewer; of exceptions
 * only more. For templates only buckets with any logs count: without logs, they were not collected.
 */
export const detectLogChanges: EvidenceDetector = (
  { services, edges, recorded, timeline: { starts, settled }, hasSampledSpans },
  { first },
) => {
  const callees = buildCallGraph(edges);
  const recordsPerBucket = new Float64Array(starts.length);
  for (const { records } of services)
    for (let i = 0; i < recordsPerBucket.length; i++) recordsPerBucket[i] += records[i];
  const prefiltered = services
    .flatMap((service) => listLoggedCounts(service, recordsPerBucket, recorded, hasSampledSpans === true))
    .map((logged) => ({ ...logged, named: findNamedCallee(logged, callees.get(logged.service)) }))
    .flatMap((logged) =>
      toPrefilteredItems(
        logged,
        mergeSplits(
          findCountRiseSplits(logged.counts.count, logged.requests, first),
          findCountFallSplits(logged.counts.count, logged.complete, first),
        ),
      ),
    );
  return (split) =>
    selectAtSplit(prefiltered, split).flatMap((logged) => [
      ...findRises(logged, split),
      ...findFalls(logged, toCompletePart(split, settled)),
    ]);
};

function listLoggedCounts(
  service: ServiceSeries,
  recordsPerBucket: Float64Array,
  recorded: RecordedTime,
  hasSampledSpans: boolean,
): LoggedCounts[] {
  const { counts: requests, unit } = hasSampledSpans
    ? { counts: service.records, unit: 'log record' }
    : selectActivity(service);
  const loggedRequests = requests.map((count, i) => (recordsPerBucket[i] > 0 ? count : 0));
  const complete =
    requests === service.requests ? countComplete(loggedRequests, service.durationNs, recorded) : loggedRequests;
  return [
    ...service.exceptions.map(
      (counts) => ({ kind: 'exceptions', service: service.service, counts, requests, complete, unit }) as const,
    ),
    ...service.templates.map(
      (counts) =>
        ({ kind: 'logs', service: service.service, counts, requests: loggedRequests, complete, unit }) as const,
    ),
  ];
}

/** What names a callee in a failure is evidence against it, unless it was only asked for something impossible. */
const NAMED_WEIGHT = 0.9;

/** The callee whose name the text of an error or warning contains as a word; the longest one. */
function findNamedCallee(
  { kind, counts: { name, severity } }: LoggedCounts,
  callees: ReadonlySet<string> = new Set(),
): string | undefined {
  if (kind === 'logs' && severity < 13) return undefined;
  const text = name.toLowerCase();
  return [...callees]
    .filter((callee) => containsWord(text, callee.toLowerCase()))
    .sort((a, b) => b.length - a.length)[0];
}

const NAME_CHARACTER = /[\w-]/;

function containsWord(text: string, word: string): boolean {
  const at = word === '' ? -1 : text.indexOf(word);
  return at >= 0 && !NAME_CHARACTER.test(text[at - 1] ?? '') && !NAME_CHARACTER.test(text[at + word.length] ?? '');
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
  const own = buildLogFindings(
    logged,
    scoreRateChange(logged.counts.count, logged.requests, split),
    severityWeight(logged),
    `is ${verb}`,
  );
  const { named } = logged;
  if (named === undefined) return own;
  return own.flatMap((finding) => [finding, { ...finding, serviceName: named, score: NAMED_WEIGHT * finding.score }]);
}

/** Records may still arrive, so only complete buckets are considered for missing ones. */
function findFalls(logged: LoggedCounts, split: Split | undefined): Finding[] {
  if (logged.kind === 'exceptions' || split === undefined) return [];
  return buildLogFindings(
    logged,
    scoreMissingEvents(logged.counts.count, logged.complete, split),
    DEFAULT_WEIGHT,
    'is logged only',
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
    `"${counts.name}" ${verb} ${formatFigure(after)} times per ${unit}${before === 0 ? ', never before' : ` instead of ${formatFigure(before)}`} (${formatFigure(count)} in total)`;
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
