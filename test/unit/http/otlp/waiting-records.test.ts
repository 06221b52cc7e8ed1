import assert from 'node:assert/strict';
import fc from 'fast-check';
import { WaitingRecords } from '../../../../src/http/otlp/waiting-records.js';

describe('WaitingRecords', () => {
  it('counts whoever asks among the owners and Grids, with or without waiting records', () => {
    const records = new WaitingRecords();
    const share = { ownerId: 'a', gridId: 'a1' };
    assert.deepEqual(records.viewOf(share), { owner: 0, owners: 1, grid: 0, grids: 1 });
    records.add(share, 10);
    assert.deepEqual(records.viewOf(share), { owner: 10, owners: 1, grid: 10, grids: 1 });
    assert.deepEqual(records.viewOf({ ownerId: 'a', gridId: 'a2' }), { owner: 10, owners: 1, grid: 0, grids: 2 });
    assert.deepEqual(records.viewOf({ ownerId: 'b', gridId: 'b1' }), { owner: 0, owners: 2, grid: 0, grids: 1 });
  });

  it('holds what was added less what was removed, by owner and Grid', () => {
    const step = fc.record({ owner: fc.nat(2), grid: fc.nat(2), added: fc.nat(50), gone: fc.nat(50) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const records = new WaitingRecords();
        const expected = new Map<string, number>();
        for (const { owner, grid, added, gone } of steps) {
          const share = { ownerId: `${owner}`, gridId: `${owner}/${grid}` };
          const left = (expected.get(share.gridId) ?? 0) + added;
          records.add(share, added);
          records.remove(share, Math.min(gone, left));
          expected.set(share.gridId, left - Math.min(gone, left));
        }
        const waiting = [...expected].filter(([, count]) => count > 0);
        const sum = (counts: readonly (readonly [string, number])[]) => counts.reduce((total, [, n]) => total + n, 0);
        assert.equal(records.total, sum(waiting));
        for (const [gridId, count] of waiting) {
          const [ownerId] = gridId.split('/');
          const own = waiting.filter(([id]) => id.startsWith(`${ownerId}/`));
          assert.deepEqual(records.viewOf({ ownerId, gridId }), {
            owner: sum(own),
            owners: new Set(waiting.map(([id]) => id[0])).size,
            grid: count,
            grids: own.length,
          });
        }
      }),
    );
  });
});
