import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DenseSketchAccumulator } from '../../../../src/diagnostics/chart-series/dense-sketch-accumulator.js';
import { SketchAccumulator } from '../../../../src/diagnostics/chart-series/sketch-accumulator.js';
import { Sketch } from '../../../../src/diagnostics/rollups/sketch.js';

const STEPS = 4;
const PERCENTILES = [50, 95];
const DURATION = fc.double({ min: 0, max: 30, noNaN: true }).map((log) => Math.floor(Math.exp(log)));
const ADDITIONS = fc.array(fc.tuple(fc.nat(STEPS - 1), fc.array(DURATION, { maxLength: 20 })), { maxLength: 30 });

type Additions = readonly (readonly [step: number, durations: readonly number[]])[];

function rowOf<Row extends SketchAccumulator | DenseSketchAccumulator>(row: Row, additions: Additions): Row {
  for (const [step, durations] of additions) {
    const latency = new Sketch();
    for (const duration of durations) latency.add(duration);
    row.add(step, { count: latency.count, latency });
  }
  return row;
}

describe('latencies of many groups by step', () => {
  const one = (additions: Additions): SketchAccumulator =>
    rowOf(new SketchAccumulator(STEPS, PERCENTILES, 1e3), additions);
  const many = (additions: Additions): DenseSketchAccumulator =>
    rowOf(new DenseSketchAccumulator(STEPS, PERCENTILES, 1e3), additions);
  const shown = (row: SketchAccumulator | DenseSketchAccumulator): unknown => [
    row.weight,
    row.total(),
    row.lines().map((line) => [...line]),
  ];

  it('are what one row for each group would answer', () => {
    fc.assert(fc.property(ADDITIONS, (additions) => assert.deepEqual(shown(many(additions)), shown(one(additions)))));
  });

  it('take in rows of both kinds', () => {
    fc.assert(
      fc.property(ADDITIONS, ADDITIONS, ADDITIONS, (own, ofOne, ofMany) => {
        const row = many(own);
        row.merge(one(ofOne));
        row.merge(many(ofMany));
        assert.deepEqual(shown(row), shown(one([...own, ...ofOne, ...ofMany])));
      }),
    );
  });

  it('take no more memory for being added often, and none for steps without any', () => {
    const row = many([[1, [5, 10]]]);
    const { bytes } = row;
    for (let i = 0; i < 1_000; i++) rowOf(row, [[1, [i]]]);
    row.merge(one([]));
    assert.deepEqual([row.bytes, bytes > 0], [bytes, true]);
  });
});
