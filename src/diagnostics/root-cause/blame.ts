import type { Candidate } from './candidates.js';
import type { EdgeSeries } from './series.js';

/** Strength below which a candidate explains nothing of its callers. */
const LEAST_EXPLANATION = 2;

/**
 * Blame flows down the call graph: errors, truncated calls and changed logs of a service are as far explained as something
 * that it calls, directly or through others, shows evidence itself. Added time needs no such correction, it is measured
 * where it arises.
 */
export function withBlameMoved(candidates: readonly Candidate[], edges: readonly EdgeSeries[]): Candidate[] {
  const callees = new Map<string, Set<string>>();
  for (const { source, target } of edges) if (source !== target) callees.set(source, (callees.get(source) ?? new Set()).add(target));
  const strengths = new Map(candidates.map((candidate) => [candidate.culprit, weightOf(candidate)]));
  return candidates.map((candidate) => {
    const explanation = Math.max(0, ...[...reachable(candidate.culprit, callees)].map((callee) => strengths.get(callee) ?? 0)) - LEAST_EXPLANATION;
    return explanation <= 0 ? candidate : discounted(candidate, explanation);
  });
}

function discounted(candidate: Candidate, explanation: number): Candidate {
  const rest = (strength: number) => (strength * strength) / (strength + explanation || 1);
  return { ...candidate, errors: rest(candidate.errors), calls: rest(candidate.calls), logs: rest(candidate.logs) };
}

function weightOf({ time, errors, calls, logs }: Candidate): number {
  return Math.max(time, errors, calls, logs);
}

function reachable(from: string, callees: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
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
