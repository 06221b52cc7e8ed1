import assert from 'node:assert/strict';
import { createGridOwnerLookup } from '../../../../src/queries/scheduling/grid-owner-lookup.js';
import type { GridDocument } from '../../../../src/read-models/documents/access-documents.js';

describe('createGridOwnerLookup', () => {
  const reads: string[] = [];
  let grids: Readonly<Record<string, Partial<GridDocument>>> = {};
  const findOwner = createGridOwnerLookup({
    grid: async (gridId) => {
      reads.push(gridId);
      if (gridId === 'unreadable') throw new Error('the store is unavailable');
      return grids[gridId] as GridDocument | undefined;
    },
  });

  it('reads the owner of a Grid once', async () => {
    grids = { shop: { ownerId: 'alice' } };
    assert.deepEqual([await findOwner('shop'), await findOwner('shop'), reads], ['alice', 'alice', ['shop']]);
  });

  it('takes a Grid for its own owner until one is known, also while the store cannot be read', async () => {
    assert.equal(await findOwner('new'), 'new');
    assert.equal(await findOwner('unreadable'), 'unreadable');
    grids = { new: { ownerId: 'bob' } };
    assert.equal(await findOwner('new'), 'bob');
  });
});
