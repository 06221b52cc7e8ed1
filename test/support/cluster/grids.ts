import assert from 'node:assert/strict';
import type { ApiClient } from '../api-client.js';
import { until } from '../service.js';
import { signIn } from '../sign-in.js';
import type { Cluster } from './cluster.js';

/** A Grid and the key by which it is sent to and asked. */
export interface Keyed {
  readonly gridId: string;
  readonly apiKey: string;
}

/** A command answers after 2 s at the latest; on a busy machine what it did shows later. */
const SHOWS_MS = 20_000;

/** The first Grid, and new ones until there are so many, each in whichever share its id says. Every process knows their keys. */
export async function gridsOf(cluster: Cluster, count: number): Promise<readonly Keyed[]> {
  const owner = await signIn(cluster.with('api')[0].apiUrl, 'owner');
  const made = await Promise.all(Array.from({ length: count - 1 }, (_, n) => gridOf(owner, `grid ${n}`)));
  for (const grid of made) await until(() => cluster.knows(grid), 'every process knows a new key', SHOWS_MS);
  return [{ gridId: cluster.gridId, apiKey: cluster.apiKey }, ...made];
}

async function gridOf(owner: ApiClient, name: string): Promise<Keyed> {
  const {
    status,
    body: { gridSecondaryId: gridId },
  } = await owner.post<{ gridSecondaryId: string }>('/admin/grids', { name });
  assert.equal(status, 201);
  let apiKey = '';
  await until(
    async () => {
      const issued = await owner.post<{ apiKey: string }>(`/admin/grids/${gridId}/api-keys`, { name: 'load' });
      apiKey = issued.body.apiKey;
      return issued.status === 201;
    },
    'the Grid belongs to its owner',
    SHOWS_MS,
  );
  return { gridId, apiKey };
}
