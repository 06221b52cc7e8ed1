import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DenseSketchCounts } from '../../../../src/diagnostics/chart-series/dense-sketch-counts.js';
import { DenseSketchAccumulator } from '../../../../src/diagnostics/chart-series/dense-sketch-accumulator.js';
import { SketchAccumulator } from '../../../../src/diagnostics/chart-series/sketch-accumulator.js';
import { SingleStepSketchAccumulator } from '../../../../src/diagnostics/chart-series/single-step-sketch-accumulator.js';
import { Sketch } from '../../../../src/diagnostics/rollups/sketch.js';

const PERCENTILES = [95, 50, 99];

/** Buckets close together or far apart, counts up to what takes more than two bytes. */
const COUNT = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 200_000 }));
const SKETCH = fc
  .tuple(fc.constantFrom(40, 4_000), fc.array(fc.tuple(fc.nat(4_000), COUNT), { minLength: 1, maxLength: 60 }))
  .map(([width, counts]) => {
    const sketch = new Sketch();
    for (const [bucket, count] of counts) sketch.addBucket(bucket % width, count);
    return sketch;
  });

function stepOf(sketches: readonly Sketch[]): SingleStepSketchAccumulator {
  const row = new SingleStepSketchAccumulator(PERCENTILES, 1);
  for (const latency of sketches) row.add(0, { count: latency.count, latency });
  return row;
}

function sumOf(sketches: readonly Sketch[]): Sketch {
  const all = new Sketch();
  for (const sketch of sketches) all.merge(sketch);
  return all;
}

/** Far apart for what one of them counts. */
function spread(): Sketch {
  const sketch = new Sketch();
  sketch.addBucket(25, 1);
  sketch.addBucket(28, 65_536);
  return sketch;
}

const percentilesOf = (sketch: Sketch): number[] => PERCENTILES.map((p) => sketch.percentile(p));

describe('a sketch of one step', () => {
  it('has the percentiles of all that was added to it', () => {
    fc.assert(
      fc.property(fc.array(SKETCH, { minLength: 1, maxLength: 4 }), (sketches) => {
        const row = stepOf(sketches);
        assert.deepEqual(
          row.lines().map((line) => [...line]),
          percentilesOf(sumOf(sketches)).map((value) => [value]),
        );
        assert.deepEqual([row.total(), row.weight], [sumOf(sketches).percentile(95), sumOf(sketches).count]);
      }),
    );
  });

  it('adds to rows of many steps what it has, and stays as it is', () => {
    fc.assert(
      fc.property(
        fc.array(SKETCH, { minLength: 1, maxLength: 3 }),
        fc.array(SKETCH, { maxLength: 3 }),
        fc.nat(4),
        (hour, others, at) => {
          const step = stepOf(hour);
          for (const row of [new SketchAccumulator(5, PERCENTILES, 1), new DenseSketchAccumulator(5, PERCENTILES, 1)]) {
            for (const latency of others) row.add(at, { count: latency.count, latency });
            row.merge(step, at);
            assert.deepEqual(
              row.lines().map((line) => line[at]),
              percentilesOf(sumOf([...hour, ...others])),
            );
            assert.equal(row.lines()[0].filter((value) => !Number.isNaN(value)).length, 1);
            assert.equal(row.total(), sumOf([...hour, ...others]).percentile(95));
          }
          assert.equal(step.total(), sumOf(hour).percentile(95));
        },
      ),
    );
  });

  it('takes no more than four times the room of packed counts, beside what is around them', () => {
    fc.assert(
      fc.property(SKETCH, (latency) => {
        let packed = 0;
        latency.packTo({ appendBytes: (_bytes, start, end) => (packed = end - start) });
        assert.ok(stepOf([latency]).bytes <= 150 + 4 * packed, `${stepOf([latency]).bytes} for ${packed}`);
      }),
      { examples: [[spread()]], numRuns: 1_000 },
    );
  });

  it('of nothing has no percentile, and adds nothing', () => {
    const empty = stepOf([new Sketch()]);
    assert.deepEqual([empty.total(), empty.hasCounts(), empty.bytes], [NaN, false, 0]);
    const sum = new DenseSketchCounts();
    empty.addTo(sum);
    assert.equal(sum.total, 0);
  });
});
