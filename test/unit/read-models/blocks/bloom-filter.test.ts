import assert from 'node:assert/strict';
import { BloomFilter } from '../../../../src/read-models/blocks/bloom-filter.js';
import { mix32 } from '../../../../src/read-models/blocks/uint32-words.js';

const ENTRIES = 8192;

function shareOfStrangers(bitsPerEntry: number): number {
  const bloom = BloomFilter.withCapacity(ENTRIES, bitsPerEntry);
  for (let i = 0; i < ENTRIES; i++) bloom.add(mix32(i));
  let passed = 0;
  for (let i = ENTRIES; i < ENTRIES * 11; i++) if (bloom.has(mix32(i))) passed++;
  return passed / (ENTRIES * 10);
}

describe('bloom filter', () => {
  it('never denies what was added, also after a round trip through bytes', () => {
    const bloom = BloomFilter.withCapacity(1000, 8);
    for (let i = 0; i < 1000; i++) bloom.add(mix32(i));
    const again = BloomFilter.fromBytes(Buffer.concat([Buffer.alloc(3), bloom.bytes]).subarray(3));
    for (let i = 0; i < 1000; i++) assert.ok(again.has(mix32(i)));
  });

  it('has few false positives', () => {
    assert.ok(shareOfStrangers(12) < 0.02, `${shareOfStrangers(12)}`);
    assert.ok(shareOfStrangers(8) < 0.06, `${shareOfStrangers(8)}`);
  });

  it('is empty without entries', () => {
    const bloom = BloomFilter.withCapacity(0, 12);
    for (let i = 0; i < 100; i++) assert.equal(bloom.has(mix32(i)), false);
  });
});
