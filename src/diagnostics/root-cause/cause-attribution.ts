import { MAX_STRENGTH, type CauseCandidate } from './cause-candidates.js';
import type { EdgeSeries } from './telemetry-series.js';

/** Minimum strength of a callee that explains anything of its callers. */
const MIN_EXPLANATION = 2;

/**
 * Attributes evidence along the call graph: errors, missing calls and changed logs of a service are discounted as far
 * as a service that it calls, directly or indirectly, shows evidence itself. Added time needs no such correction, as it
 * is measured where it arises.
 */
export function attributeToCallees(
  candidates: readonly CauseCandidate[],
  edges: readonly EdgeSeries[],
): CauseCandidate[] {
  const callees = buildCallGraph(edges);
  const strengths = new Map(candidates.map((candidate) => [candidate.serviceName, candidateWeight(candidate)]));
  return candidates.map((candidate) => {
    const explanation =
      Math.max(0, ...[...findReachable(candidate.serviceName, callees)].map((callee) => strengths.get(callee) ?? 0)) -
      MIN_EXPLANATION;
    return explanation <= 0 ? candidate : discountCandidate(candidate, explanation);
  });
}

/** Minimum score of load as an explanation, and minimum strength of the impact that requires one. */
const MIN_LOAD_SCORE = 4;
const MIN_IMPACT_STRENGTH = 3;

/**
 * Attributes slowness and busy resources to increased load: more external requests explain them in the service that
 * receives the requests and in those that it calls. Increased load without any such impact is not a cause.
 */
export function attributeToLoad(candidates: readonly CauseCandidate[], edges: readonly EdgeSeries[]): CauseCandidate[] {
  const callees = buildCallGraph(edges);
  const explanationByService = new Map<string, number>();
  const impactByLoadedService = new Map<string, number>();
  for (const { serviceName, traffic } of candidates) {
    const affected = traffic >= MIN_LOAD_SCORE ? [serviceName, ...findReachable(serviceName, callees)] : [];
    const impact = Math.max(
      0,
      ...candidates
        .filter((each) => affected.includes(each.serviceName))
        .map((each) => Math.min(MAX_STRENGTH, Math.max(each.time, each.errors))),
    );
    if (impact < MIN_IMPACT_STRENGTH) continue;
    impactByLoadedService.set(serviceName, impact);
    for (const each of affected) explanationByService.set(each, Math.max(explanationByService.get(each) ?? 0, impact));
  }
  return candidates.map((candidate) => {
    const discount = remainingStrength(explanationByService.get(candidate.serviceName) ?? 0);
    return {
      ...candidate,
      traffic: impactByLoadedService.get(candidate.serviceName) ?? 0,
      time: discount(Math.min(MAX_STRENGTH, candidate.time)),
      resources: discount(candidate.resources),
    };
  });
}

/** The part of a strength that an explanation of the given strength leaves. */
function remainingStrength(explanation: number): (strength: number) => number {
  return (strength) => (explanation <= 0 ? strength : (strength * strength) / (strength + explanation || 1));
}

function buildCallGraph(edges: readonly EdgeSeries[]): Map<string, Set<string>> {
  const callees = new Map<string, Set<string>>();
  for (const { source, target } of edges)
    if (source !== target) callees.set(source, (callees.get(source) ?? new Set()).add(target));
  return callees;
}

function discountCandidate(candidate: CauseCandidate, explanation: number): CauseCandidate {
  const discount = remainingStrength(explanation);
  return {
    ...candidate,
    errors: discount(candidate.errors),
    calls: discount(candidate.calls),
    logs: discount(candidate.logs),
  };
}

function candidateWeight({ time, errors, calls, logs }: CauseCandidate): number {
  return Math.max(time, errors, calls, logs);
}

function findReachable(from: string, callees: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reachable = new Set<string>();
  const pending = [from];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const callee of callees.get(next) ?? []) {
      if (callee === from || reachable.has(callee)) continue;
      reachable.add(callee);
      pending.push(callee);
    }
  }
  return reachable;
}
