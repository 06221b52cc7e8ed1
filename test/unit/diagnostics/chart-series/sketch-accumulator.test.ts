import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LatencyMeasures } from '../../../../src/diagnostics/chart-series/group-accumulators.js';
import { SketchAccumulator } from '../../../../src/diagnostics/chart-series/sketch-accumulator.js';
import { Sketch } from '../../../../src/diagnostics/rollups/sketch.js';

const STEPS = 4;
const PERCENTILES = [50, 95, 99];
const DURATION = fc.double({ min: 0, max: 30, noNaN: true }).map((log) => Math.floor(Math.exp(log)));
const ADDITIONS = fc.array(fc.tuple(fc.nat(STEPS - 1), fc.array(DURATION, { maxLength: 20 })), { maxLength: 200 });

type Additions = readonly (readonly [step: number, durations: readonly number[]])[];

function sketchOf(values: readonly number[]): Sketch {
  const sketch = new Sketch();
  for (const value of values) sketch.add(value);
  return sketch;
}

/** As a rollup tells it. */
function of(latency: Sketch): LatencyMeasures {
  return { count: latency.count, latency };
}

function rowOf(additions: Additions): SketchAccumulator {
  const row = new SketchAccumulator(STEPS, PERCENTILES, 1);
  for (const [step, durations] of additions) row.add(step, of(sketchOf(durations)));
  return row;
}

function expected(additions: Additions): number[][] {
  const steps = Array.from({ length: STEPS }, (_, step) =>
    sketchOf(additions.filter(([at]) => at === step).flatMap(([, durations]) => durations)),
  );
  return PERCENTILES.map((p) => steps.map((sketch) => (sketch.count === 0 ? NaN : sketch.percentile(p))));
}

describe('latencies of a group by step', () => {
  it('answer what sketches of the steps answer, with as many additions as there may be', () => {
    fc.assert(
      fc.property(ADDITIONS, (additions) => {
        const row = rowOf(additions);
        const all = additions.flatMap(([, durations]) => durations);
        assert.deepEqual(
          row.lines().map((line) => [...line]),
          expected(additions),
        );
        assert.deepEqual(
          [row.weight, row.total()],
          [all.length, all.length === 0 ? NaN : sketchOf(all).percentile(50)],
        );
      }),
    );
  });

  it('are those of both once another group was merged', () => {
    fc.assert(
      fc.property(ADDITIONS, ADDITIONS, (own, others) => {
        const row = rowOf(own);
        row.merge(rowOf(others));
        assert.deepEqual(
          row.lines().map((line) => [...line]),
          expected([...own, ...others]),
        );
        assert.equal(row.weight, rowOf([...own, ...others]).weight);
      }),
    );
  });

  it('count millions in one bucket', () => {
    const row = new SketchAccumulator(1, [50, 99], 1);
    const [fast, slow] = [new Sketch(), new Sketch()];
    fast.add(1, 3_000_000);
    slow.add(1024, 2_999_999);
    row.add(0, of(slow));
    row.add(0, of(fast));
    assert.deepEqual(
      row.lines().map(([value]) => Math.floor(value)),
      [1, 1032],
    );
    slow.add(1024, 2);
    row.add(0, of(slow));
    assert.deepEqual([row.weight, Math.floor(row.total())], [9_000_000, 1032]);
  });

  it('count all that a bucket of a sketch holds', () => {
    const row = new SketchAccumulator(1, [25, 75], 1);
    const latency = new Sketch();
    latency.add(1, 4_000_000_000);
    latency.add(1024, 4_000_000_001);
    row.add(0, of(latency));
    assert.deepEqual([row.weight, ...row.lines().map(([value]) => Math.floor(value))], [8_000_000_001, 1, 1032]);
  });

  it('make room for large counts', () => {
    const latency = new Sketch();
    for (let i = 0; i < 14; i++) latency.add(2 ** i, 3_000_000);
    const row = new SketchAccumulator(1, [1, 50, 100], 1);
    row.add(0, of(latency));
    assert.deepEqual(
      row.lines().map(([value]) => value),
      [1, 50, 100].map((p) => latency.percentile(p)),
    );
  });

  it('take no more memory for being added often', () => {
    const row = new SketchAccumulator(2, [50], 1);
    const latency = sketchOf(Array.from({ length: 100 }, (_, i) => 1000 + i * 100));
    row.add(0, of(latency));
    const before = row.bytes;
    for (let i = 0; i < 10_000; i++) row.add(i % 2, of(latency));
    assert.ok(row.bytes < 40 * before, `${row.bytes} bytes after ${before}`);
  });

  it('answer the same once they were added so often that they were added up', () => {
    const additions = Array.from({ length: 2_000 }, (_, i) => [i % STEPS, [1000 + i, 3 * i]] as const);
    assert.deepEqual(
      rowOf(additions)
        .lines()
        .map((line) => [...line]),
      expected(additions),
    );
  });

  it('do not reference a sketch that changes later', () => {
    const row = new SketchAccumulator(1, [50], 1);
    const latency = sketchOf([1000]);
    row.add(0, of(latency));
    latency.add(2000, 10);
    assert.equal(row.total(), sketchOf([1000]).percentile(50));
  });

  it('are in the unit that is asked for', () => {
    const row = new SketchAccumulator(1, [50], 1e6);
    row.add(0, of(sketchOf([2e6])));
    assert.equal(row.total(), sketchOf([2e6]).percentile(50) / 1e6);
  });
});
