import assert from 'node:assert/strict';
import { signIn } from '../sign-in.js';
import type { Cluster } from './cluster.js';

/** A Grid and the key by which it is sent to and asked. */
export interface Keyed {
  readonly gridId: string;
  readonly apiKey: string;
}

/** The first Grid, and new ones until there are so many: each falls into a share of its own choice. */
export async function gridsOf(cluster: Cluster, count: number): Promise<readonly Keyed[]> {
  const owner = await signIn(cluster.with('api')[0].apiUrl, 'owner');
  const made = Array.from({ length: count - 1 }, async (_, n) => {
    const { status, body: { gridSecondaryId: gridId } } = await owner.post<{ gridSecondaryId: string }>('/admin/grids', { name: `grid ${n}` });
    assert.equal(status, 201);
    const issued = await owner.post<{ apiKey: string }>(`/admin/grids/${gridId}/api-keys`, { name: 'load' });
    assert.equal(issued.status, 201, JSON.stringify(issued.body));
    return { gridId, apiKey: issued.body.apiKey };
  });
  return [{ gridId: cluster.gridId, apiKey: cluster.apiKey }, ...(await Promise.all(made))];
}
