import { MAX_STRENGTH, type CauseCandidate } from './cause-candidates.js';
import type { EdgeSeries } from './telemetry-series.js';

/** Strength below which a candidate explains nothing of its callers. */
const LEAST_EXPLANATION = 2;

/**
 * Blame flows down the call graph: errors, truncated calls and changed logs of a service are as far explained as something
 * that it calls, directly or through others, shows evidence itself. Added time needs no such correction, it is measured
 * where it arises.
 */
export function attributeToCallees(
  candidates: readonly CauseCandidate[],
  edges: readonly EdgeSeries[],
): CauseCandidate[] {
  const callees = buildCallGraph(edges);
  const strengths = new Map(candidates.map((candidate) => [candidate.culprit, candidateWeight(candidate)]));
  return candidates.map((candidate) => {
    const explanation =
      Math.max(0, ...[...findReachable(candidate.culprit, callees)].map((callee) => strengths.get(callee) ?? 0)) -
      LEAST_EXPLANATION;
    return explanation <= 0 ? candidate : discountCandidate(candidate, explanation);
  });
}

/** Least score of load that explains anything, and least strength of harm that needs it for an explanation. */
const LEAST_LOAD = 4;
const LEAST_HARM = 3;

/**
 * More requests from outside than before are the cause of what they wear out: of slowness and busy resources of the
 * service that takes them in and of those that it calls. Without any such harm they are good news.
 */
export function attributeToLoad(candidates: readonly CauseCandidate[], edges: readonly EdgeSeries[]): CauseCandidate[] {
  const callees = buildCallGraph(edges);
  const load = new Map<string, number>();
  const carriers = new Map<string, number>();
  for (const { culprit, traffic } of candidates) {
    const within = traffic >= LEAST_LOAD ? [culprit, ...findReachable(culprit, callees)] : [];
    const harm = Math.max(
      0,
      ...candidates
        .filter((each) => within.includes(each.culprit))
        .map((each) => Math.min(MAX_STRENGTH, Math.max(each.time, each.errors))),
    );
    if (harm < LEAST_HARM) continue;
    carriers.set(culprit, harm);
    for (const each of within) load.set(each, Math.max(load.get(each) ?? 0, harm));
  }
  return candidates.map((candidate) => {
    const share = remainingStrength(load.get(candidate.culprit) ?? 0);
    return {
      ...candidate,
      traffic: carriers.get(candidate.culprit) ?? 0,
      time: share(Math.min(MAX_STRENGTH, candidate.time)),
      resources: share(candidate.resources),
    };
  });
}

/** What is left of a strength beside an explanation of that strength. */
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
  const left = remainingStrength(explanation);
  return { ...candidate, errors: left(candidate.errors), calls: left(candidate.calls), logs: left(candidate.logs) };
}

function candidateWeight({ time, errors, calls, logs }: CauseCandidate): number {
  return Math.max(time, errors, calls, logs);
}

function findReachable(from: string, callees: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>();
  const open = [from];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const callee of callees.get(next) ?? []) {
      if (callee === from || found.has(callee)) continue;
      found.add(callee);
      open.push(callee);
    }
  }
  return found;
}
