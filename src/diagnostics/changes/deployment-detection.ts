import {
  OTHER_NAME,
  type ServiceCatalog,
  type ServiceRollup,
  type TimeBucket,
  type VersionRollup,
} from '../rollups/rollup-types.js';
import { MINUTE_MS } from '../time-windows.js';

export interface Deployment {
  readonly atMs: number;
  /** "" where the service told no version before. */
  readonly previousVersion: string;
  readonly currentVersion: string;
}

/** Added up once asked for: where no version comes or goes, nobody asks. */
interface SpanCounts {
  /** Of all operations in the i-th stretch. */
  in(i: number): number;
  /** Those of one request tell together what one of them tells. */
  perRequest(): number;
}

const US_PER_MINUTE = MINUTE_MS * 1000;

/** A version has so many minutes to show which share of the spans it takes. */
const TAKEOVER_MINUTES = 10;

/** A version that comes back with less than this is a canary, or a last span of long ago, and no rollback. */
const COMEBACK_SHARE = 0.2;

/** -ln(0.0001): a silence less likely than one in 10,000 is no chance. */
const SURPRISE = 9.21;

/** A version with a very different span for each request deploys nothing. */
const MOST_OF_ONE_SERVICE = 20;

/**
 * Deployments of one service, in order: a version appears that was silent before. Silent means that, had it been sending all
 * the time as large a share of the spans as it sends now, so many spans without one of its own would be no chance. So old
 * and new side by side are one deployment, versions that stay side by side are none, and a rollback is another one.
 * A version that replaced another for less than a stretch is seen by its share of the spans (see rollbacks.ts). Stretches
 * are of one service, ascending, minutes or hours.
 */
export function detectDeployments(
  stretches: readonly TimeBucket<ServiceRollup>[],
  catalog: ServiceCatalog | undefined,
): readonly Deployment[] {
  const spans = countSpans(stretches);
  const seenLast = new Map<string, number>();
  const found: Deployment[] = [];
  stretches.forEach(({ value }, i) => {
    for (const version of value.versions) {
      if (version.version === '' || version.version === OTHER_NAME) continue;
      const last = seenLast.get(version.version);
      seenLast.set(version.version, i);
      const isNew = last === undefined && isFirstAppearance(version, catalog);
      const silence = isNew && hasEarlierSpans(catalog, stretches[0]) ? Infinity : sumSpans(spans, (last ?? -1) + 1, i);
      if (silence > 0 && hasTakenOver(version.version, stretches, spans, i, silence, isNew))
        found.push(buildDeployment(version, stretches, i, catalog));
    }
  });
  const all = [...found, ...findHiddenRollbacks(found, stretches)];
  return all.sort((a, b) => a.atMs - b.atMs).slice(-MOST_OF_ONE_SERVICE);
}

function findHiddenRollbacks(
  found: readonly Deployment[],
  stretches: readonly TimeBucket<ServiceRollup>[],
): Deployment[] {
  return found.flatMap((one) => {
    const back = findRollback(one, stretches);
    const isSeen = found.some(
      ({ atMs, currentVersion }) => currentVersion === back?.currentVersion && atMs > one.atMs && atMs <= back.atMs,
    );
    return back === undefined || isSeen ? [] : [back];
  });
}

function isFirstAppearance({ version, firstUs }: VersionRollup, catalog: ServiceCatalog | undefined): boolean {
  const known = catalog?.versions.find((one) => one.version === version);
  return known === undefined || known.firstUs >= firstUs;
}

/** Has the service sent spans before the first stretch? */
function hasEarlierSpans(catalog: ServiceCatalog | undefined, first: TimeBucket<unknown>): boolean {
  return catalog !== undefined && catalog.firstUs < first.minute * US_PER_MINUTE;
}

/** Is the share that the version takes from stretch i on so large that its silence was no chance? One that is new may stay small. */
function hasTakenOver(
  version: string,
  stretches: readonly TimeBucket<ServiceRollup>[],
  spans: SpanCounts,
  i: number,
  silence: number,
  isNew: boolean,
): boolean {
  const until = stretches[i].minute + Math.max(TAKEOVER_MINUTES, stretches[i].minutes);
  let [own, all] = [0, 0];
  for (let at = i; at < stretches.length && stretches[at].minute < until; at++) {
    own += stretches[at].value.versions.find((one) => one.version === version)?.spans ?? 0;
    all += spans.in(at);
    if (
      isNew
        ? -Math.log(1 - (own + 1) / (all + 2)) * silence >= SURPRISE
        : own >= COMEBACK_SHARE * all && logLikelihoodRatio(own, all, silence) >= spans.perRequest() * SURPRISE
    )
      return true;
  }
  return false;
}

/**
 * By how much a share of none before and of `own` of `all` since explains the spans better than one share all along:
 * the logarithm of the generalised likelihood ratio, with neither share known beforehand.
 */
function logLikelihoodRatio(own: number, all: number, silence: number): number {
  const fit = (hits: number, trials: number): number =>
    (hits > 0 ? hits * Math.log(hits / trials) : 0) +
    (hits < trials ? (trials - hits) * Math.log(1 - hits / trials) : 0);
  return fit(own, all) - fit(own, all + silence);
}

function buildDeployment(
  { version, firstUs }: VersionRollup,
  stretches: readonly TimeBucket<ServiceRollup>[],
  i: number,
  catalog: ServiceCatalog | undefined,
): Deployment {
  return {
    atMs: Math.floor(firstUs / 1000),
    previousVersion: findPreviousVersion(version, firstUs, stretches, i, catalog),
    currentVersion: version,
  };
}

/** Of the newest stretch before with another version, the one with most spans; else what the catalog remembers. */
function findPreviousVersion(
  version: string,
  firstUs: number,
  stretches: readonly TimeBucket<ServiceRollup>[],
  i: number,
  catalog: ServiceCatalog | undefined,
): string {
  for (let at = i; at >= 0; at--) {
    const others = stretches[at].value.versions.filter(
      (one) => isNamedVersion(one.version) && one.version !== version && one.firstUs < firstUs,
    );
    if (at < i && others.length > 0) return others.reduce((a, b) => (b.spans > a.spans ? b : a)).version;
  }
  const known = [...stretches[i].value.versions, ...(catalog?.versions ?? [])].filter(
    (one) => isNamedVersion(one.version) && one.version !== version && one.firstUs < firstUs,
  );
  return known.reduce<{ version: string; lastUs: number }>(
    (a, b) =>
      Math.min(b.lastUs, firstUs) > a.lastUs ? { version: b.version, lastUs: Math.min(b.lastUs, firstUs) } : a,
    { version: '', lastUs: 0 },
  ).version;
}

function isNamedVersion(version: string): boolean {
  return version !== '' && version !== OTHER_NAME;
}

function countSpans(stretches: readonly TimeBucket<ServiceRollup>[]): SpanCounts {
  const known: (number | undefined)[] = [];
  const of = (i: number): number =>
    (known[i] ??= stretches[i].value.operations.reduce((sum, { count }) => sum + count, 0));
  let perRequest: number | undefined;
  return {
    in: of,
    perRequest: () =>
      (perRequest ??=
        sumSpans({ in: of }, 0, stretches.length) /
        (countRequests(stretches) || sumSpans({ in: of }, 0, stretches.length))),
  };
}

function countRequests(stretches: readonly TimeBucket<ServiceRollup>[]): number {
  return stretches.reduce(
    (sum, { value }) => value.operations.reduce((own, { count, entry }) => (entry ? own + count : own), sum),
    0,
  );
}

function sumSpans(spans: Pick<SpanCounts, 'in'>, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += spans.in(i);
  return sum;
}

/** A version that takes so much of what the service sends, while it is there, has replaced the others. */
const REPLACING_SHARE = 0.75;

/** -ln(0.0001): a silence less likely than one in 10,000 is no chance, neither the others' in the meantime nor its own afterwards. */
const ROLLBACK_SURPRISE = 9.21;

/** One trace of a developer's machine is no deployment that was rolled back. */
const SHORTEST_US = 10_000_000;

/** With a longer stay there is a whole stretch without the version before: its comeback is told by that. */
const MOST_STRETCHES = 3;

/** A version's stay: from its first to its last stretch, both included. */
interface VersionStay {
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
function findRollback(
  { atMs, previousVersion, currentVersion }: Deployment,
  stretches: readonly TimeBucket<ServiceRollup>[],
): Deployment | undefined {
  const from = stretches.findIndex(
    ({ value }) => Math.floor((findVersion(value, currentVersion)?.firstUs ?? NaN) / 1000) === atMs,
  );
  if (from === -1 || previousVersion === '') return undefined;
  const stay = findStay(currentVersion, stretches, from);
  const after = stretches.slice(stay.to + 1);
  if (stay.to - from >= MOST_STRETCHES || findDominantVersion(after.at(0)?.value)?.version !== previousVersion)
    return undefined;
  if (!hasReplaced(stay, stretches) || !isGone(currentVersion, after)) return undefined;
  const back = [stretches[stay.to], after[0]]
    .map(({ value }) => findVersion(value, previousVersion))
    .find((one) => one !== undefined && one.lastUs > stay.lastUs);
  return {
    atMs: Math.floor(Math.max(stay.lastUs, back?.firstUs ?? 0) / 1000),
    previousVersion: currentVersion,
    currentVersion: previousVersion,
  };
}

function findStay(version: string, stretches: readonly TimeBucket<ServiceRollup>[], from: number): VersionStay {
  let [to, spans, firstUs, lastUs] = [from, 0, Infinity, -Infinity];
  for (let at = from; at < stretches.length; at++) {
    const one = findVersion(stretches[at].value, version);
    if (one === undefined) break;
    to = at;
    spans += one.spans;
    firstUs = Math.min(firstUs, one.firstUs);
    lastUs = Math.max(lastUs, one.lastUs);
  }
  return { from, to, spans, firstUs, lastUs };
}

/** Against the others' spans in the time of the same stretches in which it was not there. */
function hasReplaced(
  { from, to, spans, firstUs, lastUs }: VersionStay,
  stretches: readonly TimeBucket<ServiceRollup>[],
): boolean {
  const versions = stretches.slice(from, to + 1).flatMap(({ value }) => value.versions);
  const all = versions.reduce((sum, version) => sum + version.spans, 0);
  const wholeUs =
    versions.reduce((us, version) => Math.max(us, version.lastUs), 0) -
    versions.reduce((us, version) => Math.min(us, version.firstUs), Infinity);
  const ownUs = lastUs - firstUs;
  const missing = ((all - spans) / (wholeUs - ownUs)) * ownUs;
  return ownUs >= SHORTEST_US && missing >= ROLLBACK_SURPRISE && spans >= REPLACING_SHARE * missing;
}

function isGone(version: string, after: readonly TimeBucket<ServiceRollup>[]): boolean {
  const until = after.findIndex(({ value }) => findVersion(value, version) !== undefined);
  const silence = after
    .slice(0, until === -1 ? undefined : until)
    .reduce((sum, { value }) => sum + value.versions.reduce((spans, one) => spans + one.spans, 0), 0);
  return -Math.log(1 - REPLACING_SHARE) * silence >= ROLLBACK_SURPRISE;
}

function findVersion({ versions }: ServiceRollup, version: string): VersionRollup | undefined {
  return versions.find((one) => one.version === version);
}

function findDominantVersion(rollup: ServiceRollup | undefined): VersionRollup | undefined {
  return rollup?.versions.reduce<VersionRollup | undefined>(
    (most, one) => (most === undefined || one.spans > most.spans ? one : most),
    undefined,
  );
}
