import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { ShardMap } from '../../../src/streams/shard-map.js';
import { hasPrefix, telemetryStream } from '../../../src/streams/stream-names.js';

const COUNTS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

describe('shards of Grids', () => {
  for (const count of COUNTS) {
    it(`${count}: every Grid is in exactly the shard whose prefixes match its stream`, () => {
      const shardMap = new ShardMap(count);
      fc.assert(
        fc.property(fc.uuid(), (gridId) => {
          const having = Array.from({ length: count }, (_, shard) => shard).filter((shard) =>
            hasPrefix(telemetryStream(gridId), shardMap.streamPrefixes(shard)),
          );
          assert.deepEqual(having, [shardMap.shardFor(gridId)]);
        }),
        { numRuns: count === 256 ? 20 : 50 },
      );
    });

    it(`${count}: no prefix is part of another`, () => {
      const shardMap = new ShardMap(count);
      const prefixes = Array.from({ length: count }, (_, shard) => shardMap.streamPrefixes(shard)).flat();
      assert.equal(
        prefixes.filter((one) => prefixes.some((other) => other !== one && other.startsWith(one))).length,
        0,
      );
      assert.equal(new Set(prefixes).size, prefixes.length);
    });
  }

  it('distribute Grids evenly', () => {
    const shardMap = new ShardMap(16);
    const grids = new Array<number>(16).fill(0);
    for (let n = 0; n < 16_000; n++) grids[shardMap.shardFor(randomUUID())]++;
    assert.ok(
      grids.every((count) => count > 850 && count < 1_150),
      grids.join(' '),
    );
  });

  it('must be a power of two', () => {
    for (const count of [0, 3, 512, 1.5, -2, NaN]) assert.throws(() => new ShardMap(count));
  });
});
