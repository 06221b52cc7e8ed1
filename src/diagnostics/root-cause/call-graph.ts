import type { EdgeSeries } from './telemetry-series.js';

/** Names of callees by caller, without calls of a service to itself. */
export function buildCallGraph(edges: readonly EdgeSeries[]): Map<string, Set<string>> {
  const callees = new Map<string, Set<string>>();
  for (const { source, target } of edges)
    if (source !== target) callees.set(source, (callees.get(source) ?? new Set()).add(target));
  return callees;
}

/** All that a service calls, directly or through others; without itself. */
export function findReachable(from: string, callees: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
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

/** The part of a strength that an explanation of the given strength leaves. */
export function remainingStrength(explanation: number): (strength: number) => number {
  return (strength) => (explanation <= 0 ? strength : (strength * strength) / (strength + explanation || 1));
}
