import assert from 'node:assert/strict';
import { readErrorGroupChanges } from '../../../src/queries/errors/error-group-status.js';
import { MAX_ERROR_GROUP_CHANGES } from '../../../src/read-models/documents/error-group-documents.js';
import type { ErrorGroupEvent } from '../../../src/streams/events/error-group-events.js';
import { errorGroupsStream } from '../../../src/streams/stream-names.js';
import { ProjectedLog } from './engine/support/projected.js';

const resolved = (gridId: string, groupId: string, at: number): ErrorGroupEvent => ({
  type: 'ErrorGroupResolved.v1',
  data: { actor: 'owner', at, gridId, groupId, fixedIn: '2', knownVersions: ['1'] },
});
const reopened = (gridId: string, groupId: string, at: number): ErrorGroupEvent => ({
  type: 'ErrorGroupReopened.v1',
  data: { actor: 'member', at, gridId, groupId },
});
const dropped = (gridId: string, groupId: string, at: number): ErrorGroupEvent => ({
  type: 'ErrorGroupDropped.v1',
  data: { actor: 'member', at, gridId, groupId },
});

describe('changes of error groups', () => {
  it('are those of each group of one Grid, oldest first, at most the newest hundred', async () => {
    const log = new ProjectedLog();
    assert.deepEqual(await readErrorGroupChanges(log.store, 'a', ['x']), new Map());
    const many = Array.from({ length: MAX_ERROR_GROUP_CHANGES + 5 }, (_, at) => resolved('a', 'busy', at));
    for (const { type, data } of [
      resolved('a', 'x', 1),
      resolved('b', 'x', 2),
      reopened('a', 'x', 3),
      ...many,
      resolved('a', 'z', 200),
      dropped('a', 'z', 201),
    ])
      await log.events.append(errorGroupsStream(data.gridId), 'any', [{ id: crypto.randomUUID(), type, data }]);
    await log.settle();
    assert.deepEqual([...(await readErrorGroupChanges(log.store, 'a', ['x', 'y'])).keys()], ['x']);
    const more = Array.from({ length: 200 }, (_, index) => `g${index}`);
    const changes = await readErrorGroupChanges(log.store, 'a', ['x', 'busy', 'z', ...more]);
    assert.deepEqual([...changes.keys()].sort(), ['busy', 'x']);
    assert.deepEqual(changes.get('x'), [
      { type: 'resolved', at: 1, by: 'owner', fixedIn: '2', knownVersions: ['1'] },
      { type: 'reopened', at: 3, by: 'member' },
    ]);
    assert.deepEqual(
      changes.get('busy')?.map(({ at }) => at),
      many.slice(5).map(({ data }) => data.at),
    );
    await log.remove();
  });
});
