import assert from 'node:assert/strict';
import type { ApiClient } from '../api-client.js';
import { waitUntil } from '../wait-until.js';
import { signIn } from '../sign-in.js';
import type { Cluster } from './cluster.js';

/** A Grid and an API key for it. */
export interface GridWithKey {
  readonly gridId: string;
  readonly apiKey: string;
}

/** Timeout (ms): a command responds after 2 s at the latest; on a loaded machine its effect becomes visible later. */
const VISIBLE_WITHIN_MS = 120_000;

/** Creates Grids until there are `count`, including the first one, and waits until every process accepts their keys. */
export async function createGrids(cluster: Cluster, count: number): Promise<readonly GridWithKey[]> {
  const owner = await signIn(cluster.with('api')[0].apiUrl, 'owner');
  const created = await Promise.all(Array.from({ length: count - 1 }, (_, n) => createGrid(owner, `grid ${n}`)));
  for (const grid of created)
    await waitUntil(() => cluster.knows(grid), 'every process accepts the new key', VISIBLE_WITHIN_MS);
  return [{ gridId: cluster.gridId, apiKey: cluster.apiKey }, ...created];
}

async function createGrid(owner: ApiClient, name: string): Promise<GridWithKey> {
  let gridId = '';
  // On a loaded machine the stores of a new cluster may answer too late: 503, as clients know it.
  await waitUntil(
    async () => {
      const { status, body } = await owner.post<{ gridSecondaryId: string }>('/admin/grids', { name });
      assert.ok(status === 201 || status === 503, JSON.stringify(body));
      gridId = body.gridSecondaryId;
      return status === 201;
    },
    'the Grid is created',
    VISIBLE_WITHIN_MS,
  );
  let apiKey = '';
  await waitUntil(
    async () => {
      const issued = await owner.post<{ apiKey: string }>(`/admin/grids/${gridId}/api-keys`, { name: 'load' });
      apiKey = issued.body.apiKey;
      return issued.status === 201;
    },
    'the owner can administer the Grid',
    VISIBLE_WITHIN_MS,
  );
  return { gridId, apiKey };
}
