import { OTHER, type ServiceCatalog, type ServiceRollup, type Timed, type VersionRollup } from '../rollups.js';
import { MINUTE_MS } from '../timeframe.js';
import { rollbackOf } from './rollbacks.js';

export interface Deployment {
  readonly atMs: number;
  /** "" where the service told no version before. */
  readonly previousVersion: string;
  readonly currentVersion: string;
}

/** Added up once asked for: where no version comes or goes, nobody asks. */
interface Spans {
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
export function deploymentsOf(stretches: readonly Timed<ServiceRollup>[], catalog: ServiceCatalog | undefined): readonly Deployment[] {
  const spans = spansIn(stretches);
  const seenLast = new Map<string, number>();
  const found: Deployment[] = [];
  stretches.forEach(({ value }, i) => {
    for (const version of value.versions) {
      if (version.version === '' || version.version === OTHER) continue;
      const last = seenLast.get(version.version);
      seenLast.set(version.version, i);
      const isNew = last === undefined && isFirstOf(version, catalog);
      const silence = isNew && precedes(catalog, stretches[0]) ? Infinity : total(spans, (last ?? -1) + 1, i);
      if (silence > 0 && takesOver(version.version, stretches, spans, i, silence, isNew)) found.push(deployment(version, stretches, i, catalog));
    }
  });
  const all = [...found, ...unseenRollbacks(found, stretches)];
  return all.sort((a, b) => a.atMs - b.atMs).slice(-MOST_OF_ONE_SERVICE);
}

function unseenRollbacks(found: readonly Deployment[], stretches: readonly Timed<ServiceRollup>[]): Deployment[] {
  return found.flatMap((one) => {
    const back = rollbackOf(one, stretches);
    const isSeen = found.some(({ atMs, currentVersion }) => currentVersion === back?.currentVersion && atMs > one.atMs && atMs <= back.atMs);
    return back === undefined || isSeen ? [] : [back];
  });
}

function isFirstOf({ version, firstUs }: VersionRollup, catalog: ServiceCatalog | undefined): boolean {
  const known = catalog?.versions.find((one) => one.version === version);
  return known === undefined || known.firstUs >= firstUs;
}

/** Has the service sent spans before the first stretch? */
function precedes(catalog: ServiceCatalog | undefined, first: Timed<unknown>): boolean {
  return catalog !== undefined && catalog.firstUs < first.minute * US_PER_MINUTE;
}

/** Is the share that the version takes from stretch i on so large that its silence was no chance? One that is new may stay small. */
function takesOver(version: string, stretches: readonly Timed<ServiceRollup>[], spans: Spans, i: number, silence: number, isNew: boolean): boolean {
  const until = stretches[i].minute + Math.max(TAKEOVER_MINUTES, stretches[i].minutes);
  let [own, all] = [0, 0];
  for (let at = i; at < stretches.length && stretches[at].minute < until; at++) {
    own += stretches[at].value.versions.find((one) => one.version === version)?.spans ?? 0;
    all += spans.in(at);
    if (isNew ? -Math.log(1 - (own + 1) / (all + 2)) * silence >= SURPRISE : own >= COMEBACK_SHARE * all && surpriseOf(own, all, silence) >= spans.perRequest() * SURPRISE) return true;
  }
  return false;
}

/**
 * By how much a share of none before and of `own` of `all` since explains the spans better than one share all along:
 * the logarithm of the generalised likelihood ratio, with neither share known beforehand.
 */
function surpriseOf(own: number, all: number, silence: number): number {
  const fit = (hits: number, trials: number): number => (hits > 0 ? hits * Math.log(hits / trials) : 0) + (hits < trials ? (trials - hits) * Math.log(1 - hits / trials) : 0);
  return fit(own, all) - fit(own, all + silence);
}

function deployment({ version, firstUs }: VersionRollup, stretches: readonly Timed<ServiceRollup>[], i: number, catalog: ServiceCatalog | undefined): Deployment {
  return { atMs: Math.floor(firstUs / 1000), previousVersion: versionBefore(version, firstUs, stretches, i, catalog), currentVersion: version };
}

/** Of the newest stretch before with another version, the one with most spans; else what the catalog remembers. */
function versionBefore(version: string, firstUs: number, stretches: readonly Timed<ServiceRollup>[], i: number, catalog: ServiceCatalog | undefined): string {
  for (let at = i; at >= 0; at--) {
    const others = stretches[at].value.versions.filter((one) => isNamed(one.version) && one.version !== version && one.firstUs < firstUs);
    if (at < i && others.length > 0) return others.reduce((a, b) => (b.spans > a.spans ? b : a)).version;
  }
  const known = [...(stretches[i].value.versions), ...(catalog?.versions ?? [])].filter((one) => isNamed(one.version) && one.version !== version && one.firstUs < firstUs);
  return known.reduce<{ version: string; lastUs: number }>((a, b) => (Math.min(b.lastUs, firstUs) > a.lastUs ? { version: b.version, lastUs: Math.min(b.lastUs, firstUs) } : a), { version: '', lastUs: 0 }).version;
}

function isNamed(version: string): boolean {
  return version !== '' && version !== OTHER;
}

function spansIn(stretches: readonly Timed<ServiceRollup>[]): Spans {
  const known: (number | undefined)[] = [];
  const of = (i: number): number => (known[i] ??= stretches[i].value.operations.reduce((sum, { count }) => sum + count, 0));
  let perRequest: number | undefined;
  return { in: of, perRequest: () => (perRequest ??= total({ in: of }, 0, stretches.length) / (requestsOf(stretches) || total({ in: of }, 0, stretches.length))) };
}

function requestsOf(stretches: readonly Timed<ServiceRollup>[]): number {
  return stretches.reduce((sum, { value }) => value.operations.reduce((own, { count, entry }) => (entry ? own + count : own), sum), 0);
}

function total(spans: Pick<Spans, 'in'>, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += spans.in(i);
  return sum;
}
