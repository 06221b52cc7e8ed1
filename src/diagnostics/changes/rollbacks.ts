import type { ServiceRollup, Timed, VersionRollup } from '../rollups.js';
import type { Deployment } from './deployments.js';

/** A version that takes so much of what the service sends, while it is there, has replaced the others. */
const REPLACING_SHARE = 0.75;

/** -ln(0.0001): a silence less likely than one in 10,000 is no chance, neither the others' in the meantime nor its own afterwards. */
const SURPRISE = 9.21;

/** One trace of a developer's machine is no deployment that was rolled back. */
const SHORTEST_US = 10_000_000;

/** With a longer stay there is a whole stretch without the version before: its comeback is told by that. */
const MOST_STRETCHES = 3;

/** A version's stay: from its first to its last stretch, both included. */
interface Stay {
  readonly from: number;
  readonly to: number;
  readonly spans: number;
  readonly firstUs: number;
  readonly lastUs: number;
}

/**
 * The version before, come back after a deployment that lasted less than a whole stretch: within one, nobody sees when it
 * was silent. But where the new version sent nearly as many spans, from its first to its last, as the service sends in as
 * much time, it was alone for that long; a canary, which shares them, is not. Told once it is silent for
 * longer than chance would have it.
 */
export function rollbackOf({ atMs, previousVersion, currentVersion }: Deployment, stretches: readonly Timed<ServiceRollup>[]): Deployment | undefined {
  const from = stretches.findIndex(({ value }) => Math.floor((versionIn(value, currentVersion)?.firstUs ?? NaN) / 1000) === atMs);
  if (from === -1 || previousVersion === '') return undefined;
  const stay = stayOf(currentVersion, stretches, from);
  const after = stretches.slice(stay.to + 1);
  if (stay.to - from >= MOST_STRETCHES || mostOf(after.at(0)?.value)?.version !== previousVersion) return undefined;
  if (!hasReplaced(stay, stretches) || !isGone(currentVersion, after)) return undefined;
  const back = [stretches[stay.to], after[0]].map(({ value }) => versionIn(value, previousVersion)).find((one) => one !== undefined && one.lastUs > stay.lastUs);
  return { atMs: Math.floor(Math.max(stay.lastUs, back?.firstUs ?? 0) / 1000), previousVersion: currentVersion, currentVersion: previousVersion };
}

function stayOf(version: string, stretches: readonly Timed<ServiceRollup>[], from: number): Stay {
  let [to, spans, firstUs, lastUs] = [from, 0, Infinity, -Infinity];
  for (let at = from; at < stretches.length; at++) {
    const one = versionIn(stretches[at].value, version);
    if (one === undefined) break;
    to = at;
    spans += one.spans;
    firstUs = Math.min(firstUs, one.firstUs);
    lastUs = Math.max(lastUs, one.lastUs);
  }
  return { from, to, spans, firstUs, lastUs };
}

/** Against the others' spans in the time of the same stretches in which it was not there. */
function hasReplaced({ from, to, spans, firstUs, lastUs }: Stay, stretches: readonly Timed<ServiceRollup>[]): boolean {
  const versions = stretches.slice(from, to + 1).flatMap(({ value }) => value.versions);
  const all = versions.reduce((sum, version) => sum + version.spans, 0);
  const wholeUs = versions.reduce((us, version) => Math.max(us, version.lastUs), 0) - versions.reduce((us, version) => Math.min(us, version.firstUs), Infinity);
  const ownUs = lastUs - firstUs;
  const missing = ((all - spans) / (wholeUs - ownUs)) * ownUs;
  return ownUs >= SHORTEST_US && missing >= SURPRISE && spans >= REPLACING_SHARE * missing;
}

function isGone(version: string, after: readonly Timed<ServiceRollup>[]): boolean {
  const until = after.findIndex(({ value }) => versionIn(value, version) !== undefined);
  const silence = after.slice(0, until === -1 ? undefined : until).reduce((sum, { value }) => sum + value.versions.reduce((spans, one) => spans + one.spans, 0), 0);
  return -Math.log(1 - REPLACING_SHARE) * silence >= SURPRISE;
}

function versionIn({ versions }: ServiceRollup, version: string): VersionRollup | undefined {
  return versions.find((one) => one.version === version);
}

function mostOf(rollup: ServiceRollup | undefined): VersionRollup | undefined {
  return rollup?.versions.reduce<VersionRollup | undefined>((most, one) => (most === undefined || one.spans > most.spans ? one : most), undefined);
}
