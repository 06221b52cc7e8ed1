import fc from 'fast-check';
import assert from 'node:assert/strict';
import { Sketch } from '../../../../src/diagnostics/rollups/sketch.js';
import { ByteWriter } from '../../../../src/read-models/rollups/byte-codec.js';
import { MutablePackedSketch } from '../../../../src/read-models/rollups/mutable-packed-sketch.js';
import { writeSketch } from '../../../../src/read-models/rollups/rollup-blob-codec.js';

/** Few buckets, so that they meet, and the whole range, so that distances and counts of any length come. */
const buckets = fc.oneof(
  fc.nat({ max: 4095 }),
  fc.integer({ min: 1200, max: 1400 }),
  fc.constantFrom(0, 63, 64, 127, 128, 4095),
);
const counts = fc.oneof(
  fc.constant(1),
  fc.integer({ min: 1, max: 300 }),
  fc.constantFrom(127, 128, 16_383, 16_384, 2_097_152),
);
/** `back`: whether what is added is taken back, later. */
const additions = fc.array(fc.record({ bucket: buckets, count: counts, back: fc.boolean() }), { maxLength: 200 });

describe('a mutable packed sketch', () => {
  it('has the bytes of a sketch with the same counts, whatever is added and subtracted', () => {
    fc.assert(
      fc.property(additions, (added) => {
        const [grown, plain] = [new MutablePackedSketch(), new Sketch()];
        for (const { bucket, count } of added) both(grown, plain, bucket, count);
        assert.deepEqual(packed(grown), packed(plain));
        for (const { bucket, count, back } of added) if (back) both(grown, plain, bucket, -count);
        assert.deepEqual(packed(grown), packed(plain));
        for (const { bucket, count } of added) both(grown, plain, bucket, count);
        assert.deepEqual(packed(grown), packed(plain));
        assert.deepEqual(reported(grown), reported(plain));
      }),
    );
  });

  it('steps one by one over each length of a count, both ways', () => {
    const [grown, plain] = [new MutablePackedSketch(), new Sketch()];
    for (const bucket of [70, 75, 400]) both(grown, plain, bucket, 1);
    for (const times of [1, -1]) {
      for (let i = 0; i < 20_000; i++) both(grown, plain, 75, times);
      assert.deepEqual(packed(grown), packed(plain));
    }
    both(grown, plain, 75, -1);
    assert.deepEqual(grown.entries(), [
      [70, 1],
      [400, 1],
    ]);
  });

  it('is empty again once everything is subtracted, or cleared', () => {
    const sketch = new MutablePackedSketch(
      Sketch.fromEntries([
        [3, 1],
        [900, 200],
        [4095, 5],
      ]),
    );
    sketch.addBucket(900, -200);
    sketch.addBucket(3, -1);
    sketch.addBucket(4095, -5);
    assert.deepEqual([sketch.entries(), sketch.count], [[], 0]);
    sketch.addBucket(17);
    sketch.clear();
    sketch.addBucket(16);
    assert.deepEqual([sketch.entries(), sketch.count], [[[16, 1]], 1]);
  });

  it('starts with the content of another, and merges others', () => {
    const sketch = new MutablePackedSketch(
      Sketch.fromEntries([
        [1, 2],
        [130, 1],
      ]),
    );
    sketch.merge(
      new MutablePackedSketch(
        Sketch.fromEntries([
          [1, 1],
          [64, 4],
        ]),
      ),
    );
    assert.deepEqual(sketch.entries(), [
      [1, 3],
      [64, 4],
      [130, 1],
    ]);
    const sum = new Sketch();
    sum.merge(sketch);
    assert.deepEqual(sum.entries(), sketch.entries());
  });
});

function both(grown: Sketch, plain: Sketch, bucket: number, times: number): void {
  grown.addBucket(bucket, times);
  plain.addBucket(bucket, times);
}

function packed(sketch: Sketch): Buffer {
  const writer = new ByteWriter();
  writeSketch(writer, sketch);
  return Buffer.from(writer.finish());
}

function reported(sketch: Sketch): unknown {
  return [sketch.count, sketch.entries(), sketch.percentile(50), sketch.percentile(99), sketch.countAbove(1e6)];
}
