import { buildCallGraph, findReachable, remainingStrength } from './call-graph.js';
import type { CauseCandidate } from './cause-candidates.js';
import type { EvidenceKind } from './evidence-detector.js';
import type { EdgeSeries } from './telemetry-series.js';

/** Minimum strength of a callee that explains anything of its callers. */
const MIN_EXPLANATION = 2;

/** Most of what failed requests of a callee explain of the calls and records that its callers lack. */
const MAX_EXPLAINED_SHARE = 0.9;

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
  const byName = new Map(candidates.map((candidate) => [candidate.serviceName, candidate]));
  return candidates.map((candidate) => {
    const reachable = [...findReachable(candidate.serviceName, callees)].flatMap((callee) => byName.get(callee) ?? []);
    const explanation = Math.max(0, ...reachable.map(candidateWeight)) - MIN_EXPLANATION;
    if (explanation <= 0) return candidate;
    return discountCandidate(candidate, explanation, Math.max(0, ...reachable.map(countFailures)));
  });
}

/**
 * `failures`: requests that fail in a callee. As many callers lack what usually follows the call: they throw, or answer
 * early.
 */
function discountCandidate(candidate: CauseCandidate, explanation: number, failures: number): CauseCandidate {
  const discount = remainingStrength(explanation);
  const remainingShare = (kind: EvidenceKind): number => {
    const lacking = findLargestAmount(candidate, [kind]);
    return lacking === 0 ? 1 : 1 - MAX_EXPLAINED_SHARE * Math.min(1, failures / lacking);
  };
  return {
    ...candidate,
    errors: discount(candidate.errors),
    calls: discount(candidate.calls) * remainingShare('calls'),
    logs: discount(candidate.logs) * remainingShare('logs'),
  };
}

function candidateWeight({ time, errors, calls, logs }: CauseCandidate): number {
  return Math.max(time, errors, calls, logs);
}

/** Failures that begin in the service or dependency itself. */
function countFailures(candidate: CauseCandidate): number {
  return findLargestAmount(candidate, ['errors', 'dependency errors']);
}

function findLargestAmount({ findings }: CauseCandidate, kinds: readonly EvidenceKind[]): number {
  return Math.max(0, ...findings.filter(({ kind }) => kinds.includes(kind)).map(({ amount }) => amount));
}
