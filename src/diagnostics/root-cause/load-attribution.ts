import { MAX_STRENGTH, type CauseCandidate } from './cause-candidates.js';
import { buildCallGraph, findReachable, remainingStrength } from './call-graph.js';
import type { Finding } from './evidence-detector.js';
import { type Split, sumRange } from './robust-statistics.js';
import type { ServiceSeries, TelemetrySeries } from './telemetry-series.js';

/** Minimum score of load as an explanation, and minimum strength of the slowness that requires one. */
const MIN_LOAD_SCORE = 4;
const MIN_IMPACT_STRENGTH = 3;

/** Share of the services that got more requests which must be slower: load does not choose one of many. */
const MIN_SLOWER_SHARE = 0.5;

/** A service got the load if its requests rose by at least this share of the rise outside. */
const MIN_LOAD_SHARE = 0.5;

/** A resource that rises by more than this times the load is used by something else. */
const MAX_LEVEL_RATIO = 1.5;

/** Strength of load that explains nothing, where something else is wrong: it is listed, at most. */
const UNCONFIRMED_LOAD = 2.5;

/** A candidate at its onset. */
export interface DatedCandidate {
  readonly candidate: CauseCandidate;
  readonly split: Split;
}

/**
 * Attributes slowness and busy resources to increased load, where the impact is of a kind that load makes: most of the
 * services that got more requests are slower, or the resources of the slow one rose no more than its load. Errors,
 * changed flows and logs are never attributed to it. Load that explains nothing inherits nothing.
 */
export function attributeToLoad(dated: readonly DatedCandidate[], series: TelemetrySeries): CauseCandidate[] {
  const callees = buildCallGraph(series.edges);
  const explanations = new Map<string, number>();
  const loads = new Map<string, number>();
  for (const { candidate, split } of dated) {
    const load = candidate.findings.find(({ kind }) => kind === 'traffic');
    if (load === undefined || candidate.traffic < MIN_LOAD_SCORE) continue;
    const reached = new Set([candidate.serviceName, ...findReachable(candidate.serviceName, callees)]);
    const impaired = dated
      .map((each) => each.candidate)
      .filter((each) => reached.has(each.serviceName) && isSlower(each));
    const explained = selectExplained(impaired, load, findLoadedServices(series, reached, load, split));
    const impact = Math.max(0, ...explained.map((each) => Math.min(MAX_STRENGTH, each.time)));
    for (const { serviceName } of explained)
      explanations.set(serviceName, Math.max(explanations.get(serviceName) ?? 0, impact));
    loads.set(candidate.serviceName, Math.max(impact, impaired.length > 0 ? UNCONFIRMED_LOAD : 0));
  }
  return dated.map(({ candidate }) => {
    const discount = remainingStrength(explanations.get(candidate.serviceName) ?? 0);
    return {
      ...candidate,
      traffic: loads.get(candidate.serviceName) ?? 0,
      time: discount(Math.min(MAX_STRENGTH, candidate.time)),
      resources: discount(candidate.resources),
    };
  });
}

function isSlower({ time }: CauseCandidate): boolean {
  return time >= MIN_IMPACT_STRENGTH;
}

function selectExplained(
  impaired: readonly CauseCandidate[],
  load: Finding,
  loaded: ReadonlySet<string>,
): CauseCandidate[] {
  const slowerWithLoad = impaired.filter(({ serviceName }) => loaded.has(serviceName));
  if (slowerWithLoad.length >= MIN_SLOWER_SHARE * loaded.size) return slowerWithLoad;
  return slowerWithLoad.filter(({ findings }) => findings.some((finding) => isUsedByLoad(finding, load)));
}

/** True for a busy resource whose level rose no more than the load did. */
function isUsedByLoad({ kind, score, stepSeries: level }: Finding, { stepSeries: load }: Finding): boolean {
  if (kind !== 'resources' || score < MIN_IMPACT_STRENGTH || level === undefined || load === undefined) return false;
  return level.after * load.before <= MAX_LEVEL_RATIO * level.before * load.after;
}

/** The reached services whose own requests rose with the load. */
function findLoadedServices(
  { services, recorded, timeline }: TelemetrySeries,
  reached: ReadonlySet<string>,
  { stepSeries }: Finding,
  split: Split,
): Set<string> {
  const minRise = stepSeries === undefined ? 0 : MIN_LOAD_SHARE * (stepSeries.after / stepSeries.before - 1);
  const lengths = timeline.lengths.map((minutes, i) => minutes * recorded.share[i]);
  return new Set(
    services
      .filter((each) => reached.has(each.service) && measureRise(each, lengths, split) >= minRise)
      .map(({ service }) => service),
  );
}

/** Relative rise of the requests a minute, over minutes with requests; NaN without any before or after. */
function measureRise({ requests }: ServiceSeries, lengths: readonly number[], { past, at, to }: Split): number {
  const minutes = requests.map((count, i) => (count > 0 ? lengths[i] : 0));
  const computeRate = (from: number, until: number) => sumRange(requests, from, until) / sumRange(minutes, from, until);
  return computeRate(at, to) / computeRate(0, past) - 1;
}
