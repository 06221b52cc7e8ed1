import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bucketIndex, bucketMidpoint, Sketch } from '../../../../src/diagnostics/rollups/sketch.js';

/** Durations in ns from 1 ns to 30 hours, as many small as large. */
const DURATION = fc.double({ min: 0, max: Math.log(1e14), noNaN: true }).map((log) => Math.floor(Math.exp(log)));
const DURATIONS = fc.array(DURATION, { minLength: 1, maxLength: 300 });

function sketchOf(values: readonly number[]): Sketch {
  const sketch = new Sketch();
  for (const value of values) sketch.add(value);
  return sketch;
}

describe('a sketch', () => {
  it('puts each value into a bucket whose middle is within 0.79 % of it', () => {
    fc.assert(fc.property(DURATION, (value) => Math.abs(bucketMidpoint(bucketIndex(value)) - value) <= 0.0079 * value));
  });

  it('observes the error bound at the edges of octaves and of buckets', () => {
    for (let octave = 0; octave < 50; octave++) {
      for (const value of [2 ** octave, 2 ** octave * (1 + 1 / 64), 2 ** (octave + 1) - 2 ** (octave - 50)])
        assert.ok(Math.abs(bucketMidpoint(bucketIndex(value)) / value - 1) <= 0.0079, `${value}`);
    }
  });

  it('orders buckets as it orders values', () => {
    fc.assert(fc.property(DURATION, DURATION, (a, b) => a > b || bucketIndex(a) <= bucketIndex(b)));
  });

  it('knows 0, what is below 1 and what no double can be asked about', () => {
    assert.deepEqual([0, -5, 0.99, NaN].map(bucketIndex), [0, 0, 0, 0]);
    assert.equal(bucketMidpoint(0), 0);
    assert.equal(bucketIndex(Infinity), bucketIndex(Number.MAX_VALUE));
    assert.equal(bucketIndex(1), 1);
  });

  it('answers nearest-rank percentiles within 0.79 %', () => {
    fc.assert(
      fc.property(DURATIONS, fc.constantFrom(1, 25, 50, 90, 95, 99, 100), (values, p) => {
        const sorted = [...values].sort((a, b) => a - b);
        const exact = sorted[Math.max(1, Math.ceil((p / 100) * sorted.length)) - 1];
        assert.ok(Math.abs(sketchOf(values).percentile(p) - exact) <= 0.0079 * exact);
      }),
    );
  });

  it('takes the smallest value that enough others do not exceed: of 20, the 95th percentile is the 19th', () => {
    const values = Array.from({ length: 20 }, (_, i) => 2 ** i);
    const sketch = sketchOf(values);
    assert.equal(sketch.percentile(95), bucketMidpoint(bucketIndex(2 ** 18)));
    assert.equal(sketch.percentile(100), bucketMidpoint(bucketIndex(2 ** 19)));
  });

  it('answers 0 where nothing was added', () => {
    assert.equal(new Sketch().percentile(99), 0);
  });

  it('adds up: parts in any grouping are the whole', () => {
    fc.assert(
      fc.property(fc.array(DURATIONS, { maxLength: 6 }), (parts) => {
        const sum = new Sketch();
        for (const part of parts) sum.merge(sketchOf(part));
        assert.deepEqual([...sum.entries()], [...sketchOf(parts.flat()).entries()]);
        assert.equal(sum.count, parts.flat().length);
      }),
    );
  });

  it('takes back what was added before', () => {
    fc.assert(
      fc.property(DURATIONS, DURATIONS, (kept, gone) => {
        const sketch = sketchOf([...gone, ...kept]);
        for (const value of gone) sketch.add(value, -1);
        assert.deepEqual([...sketch.entries()], [...sketchOf(kept).entries()]);
        assert.equal(sketch.count, kept.length);
      }),
    );
  });

  it('is as new once it was cleared', () => {
    fc.assert(
      fc.property(DURATIONS, DURATIONS, (gone, values) => {
        const sketch = sketchOf(gone);
        sketch.clear();
        for (const value of values) sketch.add(value);
        assert.deepEqual(
          [sketch.entries(), sketch.count, sketch.percentile(99)],
          [sketchOf(values).entries(), values.length, sketchOf(values).percentile(99)],
        );
      }),
    );
  });

  it('comes back from its entries', () => {
    fc.assert(
      fc.property(DURATIONS, (values) =>
        assert.deepEqual(
          [...Sketch.fromEntries(sketchOf(values).entries()).entries()],
          [...sketchOf(values).entries()],
        ),
      ),
    );
  });

  it('counts what lies in buckets above a value', () => {
    fc.assert(
      fc.property(DURATIONS, DURATION, (values, limit) => {
        assert.equal(
          sketchOf(values).countAbove(limit),
          values.filter((value) => bucketIndex(value) > bucketIndex(limit)).length,
        );
      }),
    );
  });
});
