import { buildCallGraph, findReachable, remainingStrength } from './call-graph.js';
import type { CauseCandidate } from './cause-candidates.js';
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
