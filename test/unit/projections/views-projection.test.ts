import assert from 'node:assert/strict';
import { createViewQueries } from '../../../src/queries/views/view-queries.js';
import type { StoredView, ViewEvent } from '../../../src/streams/events/view-events.js';
import { gridStream } from '../../../src/streams/stream-names.js';
import { ProjectedLog } from './engine/support/projected.js';

const view = (id: string, name: string): StoredView => ({
  ...{ id, name, description: '', signal: 'logs', where: 'timeout', groupBy: ['service'] },
  ...{ select: [{ fn: 'count', field: '', as: '' }], stepSeconds: 60, orderBy: [], limit: 5 },
});

async function append(log: ProjectedLog, ...events: ViewEvent[]): Promise<void> {
  for (const { type, data } of events)
    await log.events.append(gridStream(data.gridId), 'any', [{ id: crypto.randomUUID(), type, data }]);
}

const by = (gridId: string, at: number) => ({ actor: 'owner', at, gridId });

describe('saved views', () => {
  it('are those that were not deleted, as they were changed last, by name, of one Grid', async () => {
    const log = new ProjectedLog();
    await append(
      log,
      { type: 'ViewCreated.v1', data: { ...by('a', 1), view: view('v1', 'Zoo') } },
      { type: 'ViewCreated.v1', data: { ...by('a', 2), view: view('v2', 'Errors') } },
      { type: 'ViewCreated.v1', data: { ...by('a', 3), view: view('v3', 'Gone') } },
      { type: 'ViewCreated.v1', data: { ...by('b', 3), view: view('v1', 'Other') } },
      { type: 'ViewChanged.v1', data: { ...by('a', 4), view: view('v1', 'Amber') } },
      { type: 'ViewDeleted.v1', data: { ...by('a', 5), viewId: 'v3' } },
    );
    await log.settle();
    const queries = createViewQueries(log.store);
    assert.deepEqual(await queries.savedViews('a'), [
      { ...view('v1', 'Amber'), createdAt: 1, updatedAt: 4 },
      { ...view('v2', 'Errors'), createdAt: 2, updatedAt: 2 },
    ]);
    assert.equal((await queries.savedView('b', 'v1'))?.name, 'Other');
    assert.equal(await queries.savedView('a', 'v3'), undefined);
    await log.remove();
  });
});
