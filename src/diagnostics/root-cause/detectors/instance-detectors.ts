import { type EvidenceDetector, type Finding, selectAtSplit, toPrefilteredItems } from '../evidence-detector.js';
import { type CandidateSplits, findCountRiseSplits, findMeanRiseSplits, uniteSplits } from '../split-prefilter.js';
import type { InstanceSeries, NamedCounts, ServiceSeries } from '../telemetry-series.js';
import { estimateMeanShift, scoreRateChange, type Split } from '../robust-statistics.js';
import { formatFigure, formatMilliseconds, formatPercent } from '../evidence-formatting.js';

/** Standard scores: what the odd instance must exceed, and what its peers must stay below. */
const MIN_ODD_SCORE = 5;

const MAX_PEER_SCORE = 2.5;

/**
 * One instance of a service that got worse while its peers did not: the machine or its neighbours rather than the code. It
 * adds nothing to the strength of the service's evidence, it narrows it down.
 */
export const detectOddInstances: EvidenceDetector = ({ services }, { first }) => {
  const watched = services
    .filter((each) => each.instances.length > 1)
    .flatMap((service) => toPrefilteredItems(service, findAnyInstanceSplits(service, first)));
  return (split) => selectAtSplit(watched, split).flatMap((service) => buildInstanceFindings(service, split));
};

/** Splits at which any of the instances may have got worse. */
function findAnyInstanceSplits({ instances: all }: ServiceSeries, first: number): CandidateSplits | undefined {
  return all
    .map(({ requests, errors, durationNs }) =>
      uniteSplits(findMeanRiseSplits(durationNs, requests, first), findCountRiseSplits(errors, requests, first)),
    )
    .reduce(uniteSplits, undefined);
}

function buildInstanceFindings({ service, instances: all }: ServiceSeries, split: Split): Finding[] {
  const judged = all.flatMap((instance) => scoreInstance(instance, split));
  const odd = judged.filter(({ score }) => score >= MIN_ODD_SCORE);
  if (odd.length !== 1 || judged.length < 2 || judged.some((each) => each !== odd[0] && each.score >= MAX_PEER_SCORE))
    return [];
  const text = `Only ${odd[0].name} of ${judged.length} instances is concerned: ${odd[0].change}`;
  return [{ signal: 'instance', culprit: service, score: odd[0].score, amount: 1, sentence: () => text }];
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
        change: `errors went from ${formatPercent(failures.before)} to ${formatPercent(failures.after)} of requests`,
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

/** A new version that came so many minutes before the onset, or in the stretch after it, may have to do with it. */
const BEFORE_MINUTES = 10;

const AFTER_MINUTES = 2;

/**
 * A version that a service did not have before, beside one that it had. It proves nothing by itself, since most
 * deployments do no harm: it only gives its name to harm that other evidence shows at the same service.
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
          minutes < -BEFORE_MINUTES ||
          minutes > AFTER_MINUTES
        )
          return [];
        const text = `${service} runs version ${newest.version.name}, before ${previous.join(', ')}`;
        return [
          { signal: 'deployment', culprit: service, score: 0, amount: 1, sentence: () => text } satisfies Finding,
        ];
      });

function findFirstAppearance({ count }: NamedCounts): number {
  return count.findIndex((spans) => spans > 0);
}
