import type { Finding } from '../finding.js';
import type { NamedCounts } from '../series.js';
import type { Signal } from '../signal.js';

/** A new version that came so many minutes before the onset, or in the stretch after it, may have to do with it. */
const BEFORE_MINUTES = 10;
const AFTER_MINUTES = 2;

/**
 * A version that a service did not have before, beside one that it had. It proves nothing by itself, since most
 * deployments do no harm: it only gives its name to harm that other evidence shows at the same service.
 */
export const deployment: Signal = ({ services, timeline: { starts } }) => (split) =>
  services.filter(({ versions }) => versions.length > 1).flatMap(({ service, versions }) => {
    const first = versions.map((version) => ({ version, at: firstOf(version) }));
    const newest = first.reduce((a, b) => (b.at > a.at ? b : a), { version: undefined as NamedCounts | undefined, at: 0 });
    const previous = first.filter(({ at }) => at < newest.at).map(({ version }) => version.name);
    const minutes = starts[newest.at] - starts[split.at];
    if (newest.version === undefined || previous.length === 0 || minutes < -BEFORE_MINUTES || minutes > AFTER_MINUTES) return [];
    const text = `${service} runs version ${newest.version.name}, before ${previous.join(', ')}`;
    return [{ signal: 'deployment', culprit: service, score: 0, amount: 1, sentence: () => text } satisfies Finding];
  });

function firstOf({ count }: NamedCounts): number {
  return count.findIndex((spans) => spans > 0);
}
