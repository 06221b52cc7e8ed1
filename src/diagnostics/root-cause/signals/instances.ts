import type { Finding } from '../finding.js';
import { splitsOfMore, splitsOfRise, union, type Splits } from '../screen.js';
import type { InstanceSeries, ServiceSeries } from '../series.js';
import { atSplit, watch, type Signal } from '../signal.js';
import { shiftOfMean, surpriseOf, type Split } from '../statistics.js';
import { figure, milliseconds, percent } from '../wording.js';

/** Standard scores: what the odd instance must exceed, and what its peers must stay below. */
const ODD = 5;
const EVEN = 2.5;

/**
 * One instance of a service that got worse while its peers did not: the machine or its neighbours rather than the code. It
 * adds nothing to the strength of the service's evidence, it narrows it down.
 */
export const instances: Signal = ({ services }, { first }) => {
  const watched = services.filter((each) => each.instances.length > 1).flatMap((service) => watch(service, splitsOfAny(service, first)));
  return (split) => atSplit(watched, split).flatMap((service) => findingsOf(service, split));
};

/** Splits at which any of the instances may have got worse. */
function splitsOfAny({ instances: all }: ServiceSeries, first: number): Splits | undefined {
  return all.map(({ requests, errors, durationNs }) => union(splitsOfRise(durationNs, requests, first), splitsOfMore(errors, requests, first))).reduce(union, undefined);
}

function findingsOf({ service, instances: all }: ServiceSeries, split: Split): Finding[] {
    const judged = all.flatMap((instance) => judge(instance, split));
    const odd = judged.filter(({ score }) => score >= ODD);
    if (odd.length !== 1 || judged.length < 2 || judged.some((each) => each !== odd[0] && each.score >= EVEN)) return [];
    const text = `Only ${odd[0].name} of ${judged.length} instances is concerned: ${odd[0].change}`;
    return [{ signal: 'instance', culprit: service, score: odd[0].score, amount: 1, sentence: () => text }];
}

function judge({ instance, requests, errors, durationNs }: InstanceSeries, split: Split): { name: string; score: number; change: string }[] {
  const time = shiftOfMean(durationNs, requests, split);
  const failures = surpriseOf(errors, requests, split);
  if (time === undefined || failures === undefined) return [];
  const timeScore = (time.after - time.before) / time.error;
  if (failures.score > timeScore) return [{ name: instance, score: failures.score, change: `errors went from ${percent(failures.before)} to ${percent(failures.after)} of requests` }];
  return [{ name: instance, score: timeScore, change: `its requests take ${milliseconds(time.after)} instead of ${milliseconds(time.before)} (${figure(time.weightAfter)} requests)` }];
}
