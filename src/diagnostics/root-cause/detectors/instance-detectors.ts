import { type EvidenceDetector, type Finding, selectAtSplit, toPrefilteredItems } from '../evidence-detector.js';
import { type CandidateSplits, findCountRiseSplits, findMeanRiseSplits, mergeSplits } from '../split-prefilter.js';
import type { InstanceSeries, NamedCounts, ServiceSeries } from '../telemetry-series.js';
import { estimateMeanShift, scoreRateChange, type Split } from '../robust-statistics.js';
import { formatFigure, formatMilliseconds, formatPercent } from '../evidence-formatting.js';

/** Standard scores: minimum of the deviating instance, and maximum of its peers. */
const MIN_DEVIATING_SCORE = 5;

const MAX_PEER_SCORE = 2.5;

/**
 * Detects a single instance of a service that got worse while its peers did not, which indicates the machine or its
 * neighbours rather than the code. It adds nothing to the strength of the evidence but narrows it down.
 */
export const detectOddInstances: EvidenceDetector = ({ services }, { first }) => {
  const prefiltered = services
    .filter((each) => each.instances.length > 1)
    .flatMap((service) => toPrefilteredItems(service, findAnyInstanceSplits(service, first)));
  return (split) => selectAtSplit(prefiltered, split).flatMap((service) => buildInstanceFindings(service, split));
};

/** Splits at which any of the instances may have got worse. */
function findAnyInstanceSplits({ instances }: ServiceSeries, first: number): CandidateSplits | undefined {
  return instances
    .map(({ requests, errors, durationNs }) =>
      mergeSplits(findMeanRiseSplits(durationNs, requests, first), findCountRiseSplits(errors, requests, first)),
    )
    .reduce(mergeSplits, undefined);
}

function buildInstanceFindings({ service, instances }: ServiceSeries, split: Split): Finding[] {
  const scores = instances.flatMap((instance) => scoreInstance(instance, split));
  const deviating = scores.filter(({ score }) => score >= MIN_DEVIATING_SCORE);
  if (
    deviating.length !== 1 ||
    scores.length < 2 ||
    scores.some((each) => each !== deviating[0] && each.score >= MAX_PEER_SCORE)
  )
    return [];
  const text = `Only instance ${deviating[0].name} of ${scores.length} is affected: ${deviating[0].change}`;
  return [{ kind: 'instance', serviceName: service, score: deviating[0].score, amount: 1, describe: () => text }];
}

function scoreInstance(
  { instance, requests, errors, durationNs }: InstanceSeries,
  split: Split,
): { name: string; score: number; change: string }[] {
  const time = estimateMeanShift(durationNs, requests, split);
  const failures = scoreRateChange(errors, requests, split);
  if (time === undefined || failures === undefined) return [];
  const timeScore = (time.after - time.before) / time.error;
  if (failures.score > timeScore)
    return [
      {
        name: instance,
        score: failures.score,
        change: `${formatPercent(failures.after)} of its requests fail, ${failures.before === 0 ? 'none' : formatPercent(failures.before)} before`,
      },
    ];
  return [
    {
      name: instance,
      score: timeScore,
      change: `its requests take ${formatMilliseconds(time.after)} instead of ${formatMilliseconds(time.before)} (${formatFigure(time.weightAfter)} requests)`,
    },
  ];
}

/** A new version may be related to the onset if it appeared at most this many minutes before it, or this many after. */
const MAX_MINUTES_BEFORE = 10;

const MAX_MINUTES_AFTER = 2;

/**
 * Detects a version that a service did not have before, next to one that it had. It has no strength by itself, since
 * most deployments are harmless: it only determines the kind of a cause that other evidence of the same service shows.
 */
export const detectNewVersions: EvidenceDetector =
  ({ services, timeline: { starts } }) =>
  (split) =>
    services
      .filter(({ versions }) => versions.length > 1)
      .flatMap(({ service, versions }) => {
        const first = versions.map((version) => ({ version, at: findFirstAppearance(version) }));
        const newest = first.reduce((a, b) => (b.at > a.at ? b : a), {
          version: undefined as NamedCounts | undefined,
          at: 0,
        });
        const previous = first.filter(({ at }) => at < newest.at).map(({ version }) => version.name);
        const minutes = starts[newest.at] - starts[split.at];
        if (
          newest.version === undefined ||
          previous.length === 0 ||
          minutes < -MAX_MINUTES_BEFORE ||
          minutes > MAX_MINUTES_AFTER
        )
          return [];
        const text = `${service} runs version ${newest.version.name} instead of ${previous.join(', ')}`;
        return [
          { kind: 'deployment', serviceName: service, score: 0, amount: 1, describe: () => text } satisfies Finding,
        ];
      });

function findFirstAppearance({ count }: NamedCounts): number {
  return count.findIndex((spans) => spans > 0);
}
