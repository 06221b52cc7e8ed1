import type { AccessQueries } from '../administration/access-queries.js';
import type { FindGridOwner } from './cooperative-scheduler.js';

/** Owners that are remembered. */
const MAX_OWNERS = 10_000;

/** Looks up the owners of Grids, for the turns of their queries. An owner never changes, so it is read once. */
export function createGridOwnerLookup({ grid: findGrid }: Pick<AccessQueries, 'grid'>): FindGridOwner {
  const owners = new Map<string, string>();
  return async (gridId) => {
    const known = owners.get(gridId);
    if (known !== undefined) return known;
    // The query that follows reports why the store cannot be read.
    const grid = await findGrid(gridId).catch(() => undefined);
    if (grid?.ownerId === undefined) return gridId;
    if (owners.size >= MAX_OWNERS) owners.clear();
    owners.set(gridId, grid.ownerId);
    return grid.ownerId;
  };
}
