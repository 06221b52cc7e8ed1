import {
  OTHER_NAME,
  type ServiceCatalog,
  type ServiceRollup,
  type TimeBucket,
  type VersionRollup,
} from '../rollups/rollup-types.js';
import { MINUTE_MS } from '../time-windows.js';

/** A deployment of a service. `atMs`: end of the first span with the new version, ms since 1970. */
export interface Deployment {
  readonly atMs: number;
  /** "" if the service reported no version before. */
  readonly previousVersion: string;
  readonly currentVersion: string;
}

/** Computed lazily: not needed unless a version appears or disappears. */
interface SpanCounts {
  /** All spans in the i-th bucket. */
  in(i: number): number;
  /** Spans per request: the spans of one request are not independent observations. */
  perRequest(): number;
}

const US_PER_MINUTE = MINUTE_MS * 1000;

/** Minutes after its appearance in which a version must reach its share of the spans. */
const TAKEOVER_MINUTES = 10;

/** A version that returns with a smaller share is a canary or a late span, not a rollback. */
const COMEBACK_SHARE = 0.2;

/** -ln(0.0001): a silence with a probability below 1 in 10,000 is significant. */
const MIN_LOG_SURPRISE = 9.21;

/** Limit for senders with a different version on each request, which are not deployments. */
const MAX_PER_SERVICE = 20;

/**
 * Detects deployments of one service, in order: a version appears that was silent before. Silent means that, had it
 * always sent the share of spans that it sends now, this many spans without any of its own would be improbable. So a
 * rolling update is one deployment, versions that permanently coexist are none, and a rollback is a further one. A
 * version that replaced another for less than one bucket is detected by its share of the spans (see findRollback).
 * `buckets` are of one service, ascending, minutes or hours.
 */
export function detectDeployments(
  buckets: readonly TimeBucket<ServiceRollup>[],
  catalog: ServiceCatalog | undefined,
): readonly Deployment[] {
  const spans = countSpans(buckets);
  const lastIndexByVersion = new Map<string, number>();
  const deployments: Deployment[] = [];
  buckets.forEach(({ value }, i) => {
    for (const version of value.versions) {
      if (version.version === '' || version.version === OTHER_NAME) continue;
      const last = lastIndexByVersion.get(version.version);
      lastIndexByVersion.set(version.version, i);
      const isNew = last === undefined && isFirstAppearance(version, catalog);
      const silence = isNew && hasEarlierSpans(catalog, buckets[0]) ? Infinity : sumSpans(spans, (last ?? -1) + 1, i);
      if (silence > 0 && hasTakenOver(version.version, buckets, spans, i, silence, isNew))
        deployments.push(buildDeployment(version, buckets, i, catalog));
    }
  });
  const all = [...deployments, ...findHiddenRollbacks(deployments, buckets)];
  return all.sort((a, b) => a.atMs - b.atMs).slice(-MAX_PER_SERVICE);
}

function findHiddenRollbacks(
  deployments: readonly Deployment[],
  buckets: readonly TimeBucket<ServiceRollup>[],
): Deployment[] {
  return deployments.flatMap((deployment) => {
    const rollback = findRollback(deployment, buckets);
    const isKnown = deployments.some(
      ({ atMs, currentVersion }) =>
        currentVersion === rollback?.currentVersion && atMs > deployment.atMs && atMs <= rollback.atMs,
    );
    return rollback === undefined || isKnown ? [] : [rollback];
  });
}

function isFirstAppearance({ version, firstUs }: VersionRollup, catalog: ServiceCatalog | undefined): boolean {
  const known = catalog?.versions.find((entry) => entry.version === version);
  return known === undefined || known.firstUs >= firstUs;
}

/** True if the service sent spans before the first bucket. */
function hasEarlierSpans(catalog: ServiceCatalog | undefined, first: TimeBucket<unknown>): boolean {
  return catalog !== undefined && catalog.firstUs < first.minute * US_PER_MINUTE;
}

/**
 * True if the share of the version from bucket i on is so large that its previous silence is significant. A new version
 * may keep a small share.
 */
function hasTakenOver(
  version: string,
  buckets: readonly TimeBucket<ServiceRollup>[],
  spans: SpanCounts,
  i: number,
  silence: number,
  isNew: boolean,
): boolean {
  const until = buckets[i].minute + Math.max(TAKEOVER_MINUTES, buckets[i].minutes);
  let [own, all] = [0, 0];
  for (let at = i; at < buckets.length && buckets[at].minute < until; at++) {
    own += buckets[at].value.versions.find((entry) => entry.version === version)?.spans ?? 0;
    all += spans.in(at);
    if (
      isNew
        ? -Math.log(1 - (own + 1) / (all + 2)) * silence >= MIN_LOG_SURPRISE
        : own >= COMEBACK_SHARE * all && logLikelihoodRatio(own, all, silence) >= spans.perRequest() * MIN_LOG_SURPRISE
    )
      return true;
  }
  return false;
}

/**
 * Log of the generalised likelihood ratio, with neither share known in advance: how much better "no spans before, then
 * `own` of `all`" explains the spans than one constant share.
 */
function logLikelihoodRatio(own: number, all: number, silence: number): number {
  const fit = (hits: number, trials: number): number =>
    (hits > 0 ? hits * Math.log(hits / trials) : 0) +
    (hits < trials ? (trials - hits) * Math.log(1 - hits / trials) : 0);
  return fit(own, all) - fit(own, all + silence);
}

function buildDeployment(
  { version, firstUs }: VersionRollup,
  buckets: readonly TimeBucket<ServiceRollup>[],
  i: number,
  catalog: ServiceCatalog | undefined,
): Deployment {
  return {
    atMs: Math.floor(firstUs / 1000),
    previousVersion: findPreviousVersion(version, firstUs, buckets, i, catalog),
    currentVersion: version,
  };
}

/**
 * The version with most spans of the newest earlier bucket with another version; else the one last seen according to
 * the catalog.
 */
function findPreviousVersion(
  version: string,
  firstUs: number,
  buckets: readonly TimeBucket<ServiceRollup>[],
  i: number,
  catalog: ServiceCatalog | undefined,
): string {
  for (let at = i; at >= 0; at--) {
    const others = buckets[at].value.versions.filter(
      (entry) => isNamedVersion(entry.version) && entry.version !== version && entry.firstUs < firstUs,
    );
    if (at < i && others.length > 0) return others.reduce((a, b) => (b.spans > a.spans ? b : a)).version;
  }
  const known = [...buckets[i].value.versions, ...(catalog?.versions ?? [])].filter(
    (entry) => isNamedVersion(entry.version) && entry.version !== version && entry.firstUs < firstUs,
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

function countSpans(buckets: readonly TimeBucket<ServiceRollup>[]): SpanCounts {
  const counts: (number | undefined)[] = [];
  const countAt = (i: number): number =>
    (counts[i] ??= buckets[i].value.operations.reduce((sum, { count }) => sum + count, 0));
  let perRequest: number | undefined;
  return {
    in: countAt,
    perRequest: () =>
      (perRequest ??=
        sumSpans({ in: countAt }, 0, buckets.length) /
        (countRequests(buckets) || sumSpans({ in: countAt }, 0, buckets.length))),
  };
}

function countRequests(buckets: readonly TimeBucket<ServiceRollup>[]): number {
  return buckets.reduce(
    (sum, { value }) => value.operations.reduce((own, { count, entry }) => (entry ? own + count : own), sum),
    0,
  );
}

function sumSpans(spans: Pick<SpanCounts, 'in'>, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += spans.in(i);
  return sum;
}

/** A version with at least this share of the service's spans during its stay has replaced the others. */
const REPLACING_SHARE = 0.75;

/**
 * -ln(0.0001): a silence with a probability below 1 in 10,000 is significant, both of the others during the stay and of
 * the version afterwards.
 */
const MIN_ROLLBACK_LOG_SURPRISE = 9.21;

/** Minimum stay: a single trace from a developer's machine is not a deployment with rollback. */
const MIN_STAY_US = 10_000_000;

/**
 * A longer stay contains a complete bucket without the previous version, whose return is then detected as a deployment.
 */
const MAX_STAY_BUCKETS = 3;

/** Stay of a version: its first and last bucket, both inclusive. */
interface VersionStay {
  readonly from: number;
  readonly to: number;
  readonly spans: number;
  readonly firstUs: number;
  readonly lastUs: number;
}

/**
 * Detects the return to the previous version after a deployment shorter than one bucket, within which its silence is
 * not visible. If the new version sent, between its first and last span, nearly as many spans as the service normally
 * sends in that time, it had replaced the previous version; a canary shares the spans. Reported once the new version is
 * significantly silent.
 */
function findRollback(
  { atMs, previousVersion, currentVersion }: Deployment,
  buckets: readonly TimeBucket<ServiceRollup>[],
): Deployment | undefined {
  const from = buckets.findIndex(
    ({ value }) => Math.floor((findVersion(value, currentVersion)?.firstUs ?? NaN) / 1000) === atMs,
  );
  if (from === -1 || previousVersion === '') return undefined;
  const stay = findStay(currentVersion, buckets, from);
  const after = buckets.slice(stay.to + 1);
  if (stay.to - from >= MAX_STAY_BUCKETS || findDominantVersion(after.at(0)?.value)?.version !== previousVersion)
    return undefined;
  if (!hasReplaced(stay, buckets) || !isGone(currentVersion, after)) return undefined;
  const returned = [buckets[stay.to], after[0]]
    .map(({ value }) => findVersion(value, previousVersion))
    .find((entry) => entry !== undefined && entry.lastUs > stay.lastUs);
  return {
    atMs: Math.floor(Math.max(stay.lastUs, returned?.firstUs ?? 0) / 1000),
    previousVersion: currentVersion,
    currentVersion: previousVersion,
  };
}

function findStay(version: string, buckets: readonly TimeBucket<ServiceRollup>[], from: number): VersionStay {
  let [to, spans, firstUs, lastUs] = [from, 0, Infinity, -Infinity];
  for (let at = from; at < buckets.length; at++) {
    const entry = findVersion(buckets[at].value, version);
    if (entry === undefined) break;
    to = at;
    spans += entry.spans;
    firstUs = Math.min(firstUs, entry.firstUs);
    lastUs = Math.max(lastUs, entry.lastUs);
  }
  return { from, to, spans, firstUs, lastUs };
}

/** Compares its spans with those that the others sent in the remaining time of the same buckets. */
function hasReplaced(
  { from, to, spans, firstUs, lastUs }: VersionStay,
  buckets: readonly TimeBucket<ServiceRollup>[],
): boolean {
  const versions = buckets.slice(from, to + 1).flatMap(({ value }) => value.versions);
  const all = versions.reduce((sum, version) => sum + version.spans, 0);
  const wholeUs =
    versions.reduce((us, version) => Math.max(us, version.lastUs), 0) -
    versions.reduce((us, version) => Math.min(us, version.firstUs), Infinity);
  const ownUs = lastUs - firstUs;
  const expectedSpans = ((all - spans) / (wholeUs - ownUs)) * ownUs;
  return ownUs >= MIN_STAY_US && expectedSpans >= MIN_ROLLBACK_LOG_SURPRISE && spans >= REPLACING_SHARE * expectedSpans;
}

function isGone(version: string, after: readonly TimeBucket<ServiceRollup>[]): boolean {
  const until = after.findIndex(({ value }) => findVersion(value, version) !== undefined);
  const silence = after
    .slice(0, until === -1 ? undefined : until)
    .reduce((sum, { value }) => sum + value.versions.reduce((spans, entry) => spans + entry.spans, 0), 0);
  return -Math.log(1 - REPLACING_SHARE) * silence >= MIN_ROLLBACK_LOG_SURPRISE;
}

function findVersion({ versions }: ServiceRollup, version: string): VersionRollup | undefined {
  return versions.find((entry) => entry.version === version);
}

function findDominantVersion(rollup: ServiceRollup | undefined): VersionRollup | undefined {
  return rollup?.versions.reduce<VersionRollup | undefined>(
    (dominant, entry) => (dominant === undefined || entry.spans > dominant.spans ? entry : dominant),
    undefined,
  );
}
