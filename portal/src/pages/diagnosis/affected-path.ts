interface Edge {
  readonly source: string;
  readonly target: string;
}

/**
 * The affected services in columns, from those that users meet to the culprit, which is last alone: a service stands as many columns before the culprit
 * as its shortest way of calls through affected services is long. Those without such a way stand in the first column.
 */
export function computeAffectedPath(
  culprit: string | null,
  affected: readonly string[],
  edges: readonly Edge[],
): readonly (readonly string[])[] {
  const names = [...new Set(affected)].filter((name) => name !== culprit);
  if (culprit === null) return names.length === 0 ? [] : [names];
  const distances = computeDistances(culprit, new Set([culprit, ...names]), edges);
  const farthest = Math.max(0, ...distances.values());
  const columns: string[][] = Array.from({ length: farthest + 1 }, () => []);
  const apart: string[] = [];
  for (const name of [...names, culprit]) {
    const distance = distances.get(name);
    if (distance === undefined) apart.push(name);
    else columns.at(farthest - distance)?.push(name);
  }
  if (apart.length === 0) return columns;
  // With nothing but the culprit to stand beside, a column of their own keeps the order: symptoms first.
  const [first = [], ...rest] = columns;
  return farthest === 0 ? [apart, ...columns] : [[...first, ...apart], ...rest];
}

/** Breadth first against the direction of calls: what calls the culprit is one away, what calls that two. */
function computeDistances(culprit: string, known: ReadonlySet<string>, edges: readonly Edge[]): Map<string, number> {
  const distances = new Map([[culprit, 0]]);
  for (let border = [culprit], distance = 1; border.length > 0; distance++) {
    const callers = edges
      .filter(({ source, target }) => border.includes(target) && known.has(source))
      .map(({ source }) => source);
    border = [...new Set(callers)].filter((name) => !distances.has(name));
    for (const name of border) distances.set(name, distance);
  }
  return distances;
}
