import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  detectChangePoints,
  type NoiseFamily,
  type SeriesPoint,
  type ChangePoint,
} from '../../../../src/diagnostics/anomalies/change-points.js';
import { randomNumbers } from '../../../support/random-numbers.js';
import { binomial, lognormal, normal, poisson } from '../chance.js';

/** Two hours of minutes. */
const MINUTES = 120;
const SEED = fc.integer({ min: 1, max: 1_000_000_000 });

type Draw = (seed: number, level: (minute: number) => number) => SeriesPoint[];

const DRAWS: Record<NoiseFamily, { draw: Draw; usual: number; step: number }> = {
  poisson: {
    draw: (seed, level) => minutes((i, roll) => ({ sum: poisson(roll, level(i)), weight: 1 }), seed),
    usual: 60,
    step: 120,
  },
  binomial: {
    draw: (seed, level) => minutes((i, roll) => ({ sum: binomial(roll, 100, level(i)), weight: 100 }), seed),
    usual: 0.02,
    step: 0.2,
  },
  normal: {
    draw: (seed, level) => minutes((i, roll) => ({ sum: level(i) + normal(roll), weight: 1 }), seed),
    usual: 10,
    step: 18,
  },
};

function minutes(point: (minute: number, roll: () => number) => SeriesPoint, seed: number): SeriesPoint[] {
  const roll = randomNumbers(seed);
  return Array.from({ length: MINUTES }, (_, i) => point(i, roll));
}

function strongest(points: readonly SeriesPoint[], family: NoiseFamily): ChangePoint | undefined {
  return [...detectChangePoints(points, family)].sort((a, b) => b.strength - a.strength).at(0);
}

for (const [family, { draw, usual, step }] of Object.entries(DRAWS) as [NoiseFamily, (typeof DRAWS)[NoiseFamily]][]) {
  describe(`change points of a ${family} series`, () => {
    it('are where the level changed, within two minutes', () => {
      fc.assert(
        fc.property(SEED, fc.integer({ min: 12, max: MINUTES - 6 }), (seed, at) => {
          const found = strongest(
            draw(seed, (i) => (i < at ? usual : step)),
            family,
          );
          assert.ok(found !== undefined && Math.abs(found.index - at) <= 2, `${found?.index} for ${at}`);
        }),
      );
    });

    it('are two where a level came and went', () => {
      fc.assert(
        fc.property(SEED, fc.integer({ min: 15, max: 90 }), fc.integer({ min: 8, max: 15 }), (seed, at, length) => {
          const found = detectChangePoints(
            draw(seed, (i) => (i >= at && i < at + length ? step : usual)),
            family,
          ).map(({ index }) => index);
          assert.ok(
            found.some((index) => Math.abs(index - at) <= 2) &&
              found.some((index) => Math.abs(index - at - length) <= 2),
            `${found.join()} for ${at} and ${at + length}`,
          );
        }),
      );
    });

    it('return the levels on both sides', () => {
      const found = strongest(
        draw(1, (i) => (i < 60 ? usual : step)),
        family,
      );
      assert.ok(
        found !== undefined && Math.abs(found.before / usual - 1) < 0.2 && Math.abs(found.after / step - 1) < 0.2,
      );
    });

    it('are hardly ever found where chance alone is at work: in fewer than 5 of 1,000 series', () => {
      let alarms = 0;
      for (let seed = 1; seed <= 1000; seed++)
        if (
          detectChangePoints(
            draw(seed, () => usual),
            family,
          ).length > 0
        )
          alarms++;
      assert.ok(alarms < 5, `${alarms}`);
    });
  });
}

describe('change points', () => {
  it('are not found in a series that is too short or constant', () => {
    assert.deepEqual(
      detectChangePoints(
        [
          { sum: 0, weight: 1 },
          { sum: 900, weight: 1 },
        ],
        'poisson',
      ),
      [],
    );
    assert.deepEqual(
      detectChangePoints(
        Array.from({ length: 60 }, () => ({ sum: 0, weight: 0 })),
        'binomial',
      ),
      [],
    );
    assert.deepEqual(
      detectChangePoints(
        Array.from({ length: 60 }, () => ({ sum: 5, weight: 1 })),
        'normal',
      ),
      [],
    );
  });

  it('are none where counts scatter more than chance does, as traffic in bursts does', () => {
    const roll = randomNumbers(7);
    const bursts = Array.from({ length: MINUTES }, () => ({
      sum: poisson(roll, 60 * lognormal(roll, 0.8)),
      weight: 1,
    }));
    assert.deepEqual(detectChangePoints(bursts, 'poisson'), []);
  });

  it('do not depend on points without weight', () => {
    const points = Array.from({ length: 60 }, (_, i) => ({ sum: i < 40 ? 1 : 30, weight: 100 }));
    const gaps = points.map((point, i) => (i > 10 && i < 20 ? { sum: 0, weight: 0 } : point));
    assert.deepEqual(
      detectChangePoints(gaps, 'binomial').map(({ index }) => index),
      [40],
    );
  });
});
