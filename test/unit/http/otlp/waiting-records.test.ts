import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeMaxMinLevel, WaitingRecords } from '../../../../src/http/otlp/waiting-records.js';
import type { WorkShare } from '../../../../src/scheduling/fair-queue.js';

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

  it('divides what waits now, however often it was asked before', () => {
    const step = fc.record({ owner: fc.nat(2), grid: fc.nat(2), added: fc.nat(50), gone: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 100 }), (steps, capacity) => {
        const records = new WaitingRecords();
        const added: [WorkShare, number][] = [];
        for (const { owner, grid, added: count, gone } of steps) {
          const share = { ownerId: `${owner}`, gridId: `${owner}/${grid}` };
          const last = gone ? added.pop() : undefined;
          if (last !== undefined) records.remove(...last);
          records.add(share, count);
          added.push([share, count]);
          const fresh = new WaitingRecords();
          for (const each of added) fresh.add(...each);
          for (const divided of [capacity, 2 * capacity]) {
            assert.equal(records.computeOwnerLimit(divided), fresh.computeOwnerLimit(divided));
            assert.equal(
              records.computeGridLimit(share.ownerId, divided),
              fresh.computeGridLimit(share.ownerId, divided),
            );
          }
        }
      }),
    );
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

describe('max-min fairness', () => {
  it('cuts amounts off at one level, so that their sum is the capacity', () => {
    assert.equal(computeMaxMinLevel([], 10), Infinity);
    assert.equal(computeMaxMinLevel([3, 4], 10), Infinity);
    assert.equal(computeMaxMinLevel([1, 20, 30], 11), 5);
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000), { maxLength: 30 }),
        fc.integer({ min: 1, max: 5_000 }),
        (amounts, capacity) => {
          const level = computeMaxMinLevel(amounts, capacity);
          const cut = amounts.reduce((sum, amount) => sum + Math.min(amount, level), 0);
          if (level === Infinity) assert.ok(cut <= capacity);
          else assert.ok(Math.abs(cut - capacity) < 1e-6 * capacity, `${cut} of ${capacity}`);
        },
      ),
    );
  });
});
