interface Edge {
  readonly source: string;
  readonly target: string;
}

/**
 * The affected services in columns, from user-facing services to the root cause, which is alone in the last column. The distance of a service's
 * column from the last one is the length of its shortest call path to the root cause through affected services. Services without such a path
 * are in the first column.
 */
export function computeAffectedPath(
  rootCause: string | null,
  affected: readonly string[],
  edges: readonly Edge[],
): readonly (readonly string[])[] {
  const names = [...new Set(affected)].filter((name) => name !== rootCause);
  if (rootCause === null) return names.length === 0 ? [] : [names];
  const distances = computeDistances(rootCause, new Set([rootCause, ...names]), edges);
  const farthest = Math.max(0, ...distances.values());
  const columns: string[][] = Array.from({ length: farthest + 1 }, () => []);
  const unreachable: string[] = [];
  for (const name of [...names, rootCause]) {
    const distance = distances.get(name);
    if (distance === undefined) unreachable.push(name);
    else columns.at(farthest - distance)?.push(name);
  }
  if (unreachable.length === 0) return columns;
  // If there is no other column, they get one of their own: symptoms come before the root cause.
  const [first = [], ...rest] = columns;
  return farthest === 0 ? [unreachable, ...columns] : [[...first, ...unreachable], ...rest];
}

/** Breadth-first search against the direction of calls: direct callers of the root cause have distance 1. */
function computeDistances(
  rootCause: string,
  services: ReadonlySet<string>,
  edges: readonly Edge[],
): Map<string, number> {
  const distances = new Map([[rootCause, 0]]);
  for (let frontier = [rootCause], distance = 1; frontier.length > 0; distance++) {
    const callers = edges
      .filter(({ source, target }) => frontier.includes(target) && services.has(source))
      .map(({ source }) => source);
    frontier = [...new Set(callers)].filter((name) => !distances.has(name));
    for (const name of frontier) distances.set(name, distance);
  }
  return distances;
}
