import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeConfidences } from '../../../../src/diagnostics/root-cause/diagnose.js';
import { findStepStart } from '../../../../src/diagnostics/root-cause/evidence-detector.js';
import {
  findCountFallSplits,
  findCountRiseSplits,
  findMeanRiseSplits,
} from '../../../../src/diagnostics/root-cause/split-prefilter.js';
import {
  computeCentre,
  poissonDeviance,
  rateRatioDeviance,
  estimateMeanShift,
  scoreRateChange,
  scoreMissingEvents,
} from '../../../../src/diagnostics/root-cause/robust-statistics.js';

const row = (...values: number[]) => Float64Array.from(values);

describe('comparison of before and after', () => {
  it('takes the weighted median for the centre, and what is usual round it for the spread', () => {
    // Rates 10, 12, 11, 90 with weights 5, 4, 6, 1: half of 16 is reached at 11; distances 1, 1, 0, 79 have median 1.
    const {
      value,
      spread,
      weight,
      bucketCount: timeBuckets,
    } = computeCentre(row(50, 48, 66, 90), row(5, 4, 6, 1), 0, 4)!;
    assert.deepEqual([value, weight, timeBuckets], [11, 16, 4]);
    assert.ok(Math.abs(spread - 1.4826) < 1e-9);
  });

  it('treats neither one outlier bucket nor a short part of the time as lasting', () => {
    const calls = row(100, 100, 100, 100, 100, 100, 100);
    const split = { past: 3, at: 3, to: 7 };
    assert.equal(estimateMeanShift(row(1000, 1000, 1000, 1000, 9000, 1000, 1000), calls, split)!.after, 10);
    assert.equal(estimateMeanShift(row(1000, 1000, 1000, 5000, 5000, 5000, 5000), calls, split)!.after, 50);
  });

  it('knows the deviance of the Poisson distribution', () => {
    assert.ok(Math.abs(poissonDeviance(10, 5) - 2 * (10 * Math.log(2) - 5)) < 1e-12);
    assert.equal(poissonDeviance(0, 5), 10);
  });

  it('is surprised by what is new, less where there is little history', () => {
    const split = { past: 3, at: 3, to: 5 };
    const long = scoreRateChange(row(0, 0, 0, 8, 8), row(50, 50, 50, 20, 20), split)!;
    const short = scoreRateChange(row(0, 0, 0, 8, 8), row(1, 0, 1, 20, 20), split)!;
    assert.ok(long.score > 5 && short.score < long.score / 2, `${long.score} and ${short.score}`);
    assert.deepEqual([long.before, long.after, long.count], [0, 0.4, 16]);
  });

  it('treats nothing as new that so short a history need not contain', () => {
    // Ten requests, of which 1.6 were to be expected to log what 98 of 600 log: none does with a chance of 0.2.
    assert.equal(scoreRateChange(row(0, 49, 49), row(10, 300, 300), { past: 1, at: 1, to: 3 })!.score, 0);
    assert.ok(scoreRateChange(row(0, 49, 49), row(100, 300, 300), { past: 1, at: 1, to: 3 })!.score > 4);
    assert.ok(Math.abs(rateRatioDeviance(0, 10, 98, 600) - 2 * 98 * Math.log(610 / 600)) < 1e-9);
  });

  it('counts single absences of what always comes', () => {
    const split = { past: 3, at: 3, to: 4 };
    const always = scoreMissingEvents(row(10, 10, 10, 7), row(10, 10, 10, 10), split)!;
    const mostly = scoreMissingEvents(row(7, 12, 9, 7), row(10, 10, 10, 10), split)!;
    assert.ok(always.score > 2.5 && mostly.score < 1, `${always.score} and ${mostly.score}`);
  });

  it('takes nothing for always that agrees in the middle or in two buckets only', () => {
    const scoreOf = (count: Float64Array, exposure: Float64Array) => {
      const past = count.length - 1;
      return scoreMissingEvents(count, exposure, { past, at: past, to: count.length })!.score;
    };
    const always = scoreOf(row(6, 48, 30, 94), row(1, 8, 5, 22));
    const twice = scoreOf(row(7, 48, 94), row(1, 8, 22));
    assert.ok(twice < always / 2, `${twice} and ${always}`);
    const middle = scoreOf(row(80, 100, 120, 90), row(100, 100, 100, 100));
    const each = scoreOf(row(100, 100, 100, 90), row(100, 100, 100, 100));
    assert.ok(middle < each / 2, `${middle} and ${each}`);
  });

  it('finds the bucket of the step', () => {
    const weight = row(1, 1, 1, 1, 1, 1);
    assert.equal(findStepStart({ sum: row(1, 2, 1, 9, 8, 9), weight, before: 1, after: 9 }, 1, 6), 3);
    assert.equal(findStepStart({ sum: row(1, 7, 1, 9, 8, 9), weight, before: 1, after: 9 }, 1, 6), 3);
    assert.equal(
      findStepStart({ sum: row(9, 9, 9, 9, 9, 9), weight: row(1, 0, 1, 1, 1, 1), before: 1, after: 9 }, 1, 6),
      2,
    );
  });

  it('shares confidence among suspects, and leaves some for none of them', () => {
    assert.deepEqual(computeConfidences([]), []);
    assert.deepEqual(computeConfidences([4]), [0.5]);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 60, noNaN: true }), { maxLength: 8 }),
        (strengths) => computeConfidences(strengths).reduce((sum, each) => sum + each, 0) < 1.05,
      ),
    );
  });
});

describe('the screen', () => {
  const FIRST = 9;
  const minutes = (max: number) =>
    fc.array(fc.tuple(fc.nat({ max }), fc.integer({ min: 1, max: 60 })), { minLength: 14, maxLength: 14 });

  it('passes every clear rise of a mean', () => {
    fc.assert(
      fc.property(
        minutes(20),
        fc.integer({ min: FIRST, max: 13 }),
        fc.integer({ min: 10, max: 40 }),
        (noise, at, factor) => {
          const count = row(...noise.map(([, weight]) => weight));
          const sum = count.map((weight, i) => weight * (100 + noise[i][0]) * (i >= at ? factor : 1));
          return findMeanRiseSplits(sum, count, FIRST)?.[at] === 1;
        },
      ),
    );
  });

  it('passes every count that surprises', () => {
    fc.assert(
      fc.property(minutes(12), fc.integer({ min: FIRST, max: 13 }), (counts, at) => {
        const exposure = row(...counts.map(([, weight]) => weight));
        const count = row(...counts.map(([events]) => events));
        const surprise = scoreRateChange(count, exposure, { past: at, at, to: 14 });
        if (surprise === undefined || Math.abs(surprise.score) < 6) return true;
        return (surprise.score > 0 ? findCountRiseSplits : findCountFallSplits)(count, exposure, FIRST)?.[at] === 1;
      }),
    );
  });

  it('passes nothing that never changes', () => {
    const count = new Float64Array(20).fill(30);
    assert.equal(
      findMeanRiseSplits(
        count.map((each) => 7 * each),
        count,
        12,
      ),
      undefined,
    );
    assert.equal(findCountRiseSplits(count, count, 12), undefined);
    assert.equal(findCountFallSplits(count, count, 12), undefined);
    assert.equal(findCountRiseSplits(new Float64Array(20), count, 12), undefined);
  });
});
