import type { components } from '../../api/schema.js';
import { formatDuration } from '../../format/number-format.js';

/** Spans with the same services and operations from the top down. */
export type ComparedPath = components['schemas']['ComparedPath'];

/** Which of the traces has it. */
export type Presence = ComparedPath['presence'];

const NS_PER_MS = 1_000_000;

/** A path with the names above it, such as "shop POST /pay". */
export interface NamedPath {
  /** Its place in the answer. */
  readonly id: number;
  readonly path: ComparedPath;
  /** From the top down, without its own. */
  readonly above: readonly string[];
}

/** How many names above a path are kept: the nearest ones. */
const MAX_NAMES = 20;

/** Names what is above each path; the paths are in the order of the answer. */
export function namePaths(paths: readonly ComparedPath[]): readonly NamedPath[] {
  const above: string[] = [];
  return paths.map((path, id) => {
    above.length = Math.min(above.length, path.depth);
    const named = { id, path, above: above.slice(-MAX_NAMES) };
    above.push(describeSpan(path));
    return named;
  });
}

/** Service and operation. */
export function describeSpan({
  serviceName,
  operationName,
}: Pick<ComparedPath, 'serviceName' | 'operationName'>): string {
  return `${serviceName} ${operationName}`;
}

/** The paths whose own time differs most, the largest difference first. */
export function findLargestDifferences(paths: readonly NamedPath[], limit: number): readonly NamedPath[] {
  const sizeOf = ({ path }: NamedPath): number => Math.abs(path.difference.selfTimeNs);
  return paths
    .filter((named) => sizeOf(named) > 0)
    .sort((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, limit);
}

/** A difference of times, always with a sign, so that the direction does not depend on colour. */
export function formatTimeDifference(ns: number): string {
  const sign = ns > 0 ? '+' : ns < 0 ? '−' : '±';
  return `${sign}${formatDuration(Math.abs(ns) / NS_PER_MS)}`;
}

/** Which trace took longer, in a sentence. */
export function describeLonger(ns: number): string {
  if (ns === 0) return 'Both traces took the same time.';
  return `This trace took ${formatDuration(Math.abs(ns) / NS_PER_MS)} ${ns > 0 ? 'longer' : 'less'} than the other one.`;
}

/** Such as "+2"; empty if there is none. */
export function formatCountDifference(count: number): string {
  return count === 0 ? '' : `${count > 0 ? '+' : '−'}${Math.abs(count).toLocaleString()}`;
}

export const formatNs = (ns: number): string => formatDuration(ns / NS_PER_MS);
