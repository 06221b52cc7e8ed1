import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DenseSketchCounts } from '../../../../src/diagnostics/chart-series/dense-sketch-counts.js';
import { Sketch } from '../../../../src/diagnostics/rollups/sketch.js';

const ADDED = fc.array(fc.tuple(fc.nat(4_095), fc.integer({ min: 1, max: 40_000_000 })), { maxLength: 40 });

function sketchOf(added: readonly (readonly [number, number])[]): Sketch {
  return Sketch.fromEntries(added);
}

function countsOf(...sketches: Sketch[]): DenseSketchCounts {
  const counts = new DenseSketchCounts();
  for (const sketch of sketches) sketch.packTo(counts);
  return counts;
}

const shown = (of: DenseSketchCounts): number[] => [of.total, ...[1, 50, 95, 100].map((p) => of.percentile(p))];
const expected = (of: Sketch): number[] => [of.count, ...[1, 50, 95, 100].map((p) => of.percentile(p))];

describe('counts of all buckets', () => {
  it('answer what a sketch answers, however they came by it', () => {
    fc.assert(
      fc.property(ADDED, ADDED, (one, two) => {
        const both = sketchOf([...one, ...two]);
        assert.deepEqual(shown(countsOf(sketchOf(one), sketchOf(two))), expected(both));
        const sum = countsOf(sketchOf(one));
        countsOf(sketchOf(two)).addTo(sum);
        assert.deepEqual(shown(sum), expected(both));
        const packed = new DenseSketchCounts();
        sum.packTo(packed);
        assert.deepEqual(shown(packed), expected(both));
      }),
    );
  });

  it('are none once they were cleared', () => {
    const counts = countsOf(
      sketchOf([
        [4_095, 3],
        [0, 2],
      ]),
    );
    counts.clear();
    sketchOf([[7, 1]]).packTo(counts);
    assert.deepEqual(shown(counts), expected(sketchOf([[7, 1]])));
  });

  it('refuse bytes that end early or lead past the last bucket', () => {
    for (const bytes of [[0], [0, 128], [0xf1, 0xf0, 0x1f, 0x01], [0xf1], [0xf1, 128]])
      assert.throws(() => new DenseSketchCounts().appendBytes(Uint8Array.from(bytes), 0, bytes.length), {
        name: 'DamagedRollup',
      });
  });
});
