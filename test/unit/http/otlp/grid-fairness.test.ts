import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FairShares } from '../../../../src/http/otlp/ingest-backlog.js';

describe('GridShares', () => {
  it('calls no Grid modest that is alone', () => {
    const shares = new FairShares();
    assert.equal(shares.isBelowFairShare('a'), false);
    shares.add('a', 10);
    assert.equal(shares.isBelowFairShare('a'), false);
    assert.equal(shares.isBelowFairShare('b'), true);
  });

  it('calls those modest of whom less waits than an even share of what waits in all', () => {
    const records = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.record({ added: fc.integer({ min: 1, max: 50 }), gone: fc.nat(50) }),
    );
    fc.assert(
      fc.property(records, (grids) => {
        const shares = new FairShares();
        const left = Object.entries(grids).map(([grid, { added, gone }]): [string, number] => {
          shares.add(grid, added);
          shares.remove(grid, Math.min(added, gone));
          return [grid, Math.max(0, added - gone)];
        });
        const waiting = left.filter(([, count]) => count > 0);
        const even = waiting.reduce((sum, [, count]) => sum + count, 0) / Math.max(1, waiting.length);
        for (const [grid, count] of left) assert.equal(shares.isBelowFairShare(grid), count < even);
      }),
    );
  });
});
