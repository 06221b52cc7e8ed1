import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { BlockMetadata } from '../../../../../src/projections/telemetry/blocks/block-compactor.js';
import { ArchivedBlockIndex } from '../../../../../src/projections/telemetry/deduplication/archived-block-index.js';

const MINUTE_US = 60_000_000;

function block(seq: number, oldestUs: number, newestUs: number, firstEvent = -1): BlockMetadata {
  return { gridId: 'g', seq, rows: 1, maxRevision: 0, oldestUs, newestUs, firstEvent };
}

describe('archived block index', () => {
  it('finds exactly the blocks that cover a start', () => {
    const range = fc
      .tuple(fc.nat(200), fc.nat(100))
      .map(([from, length]) => [from * MINUTE_US * 0.3, (from + length) * MINUTE_US * 0.3] as const);
    fc.assert(
      fc.property(fc.array(range, { maxLength: 20 }), fc.nat(100), fc.nat(19), (ranges, minute, removed) => {
        const archive = new ArchivedBlockIndex();
        const blocks = ranges.map(([from, to], seq) => block(seq, from, to));
        for (const each of blocks) archive.added(each);
        if (blocks[removed]) archive.removed(blocks[removed]);
        const start = minute * MINUTE_US;
        const covering = blocks.filter(
          (each) => each !== blocks[removed] && each.oldestUs <= start && start <= each.newestUs,
        );
        assert.deepEqual(new Set(archive.findCovering('g', start)), new Set(covering));
      }),
    );
  });

  it('omits blocks whose spans are all remembered, until they are not', () => {
    const archive = new ArchivedBlockIndex();
    archive.added(block(0, 0, 10, 3));
    assert.deepEqual(archive.findCovering('g', 5), []);
    assert.equal(archive.latestUs('g'), -Infinity);
    archive.archiveBefore(3);
    assert.deepEqual(archive.findCovering('g', 5), []);
    archive.archiveBefore(4);
    assert.equal(archive.findCovering('g', 5).length, 1);
    assert.equal(archive.latestUs('g'), 10);
    archive.added(block(1, 0, 20, 3));
    assert.equal(archive.findCovering('g', 5).length, 2, 'a merged block with an old row is old at once');
  });

  it('separates Grids', () => {
    const archive = new ArchivedBlockIndex();
    archive.added(block(0, 0, 10));
    assert.deepEqual(archive.findCovering('h', 5), []);
  });
});
