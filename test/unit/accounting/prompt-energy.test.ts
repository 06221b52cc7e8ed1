import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  energyLevelAt,
  FULL_ENERGY,
  nextRegenerationMs,
  spendEnergy,
  type EnergyLevel,
} from '../../../src/accounting/prompt-account.js';

const HOUR = 3_600_000;
const T0 = Date.UTC(2026, 10, 20, 9, 30);

describe('energy', () => {
  it('is full for a new user, with the next regeneration one interval from now', () => {
    assert.equal(energyLevelAt(FULL_ENERGY, T0).energy, 100);
    assert.equal(nextRegenerationMs(FULL_ENERGY, T0), T0 + HOUR);
  });

  it('comes back by ten an hour after the first was spent, up to 100', () => {
    const level = spendEnergy(FULL_ENERGY, 25, T0);
    const seen = [0, 1, HOUR - 1, HOUR, 2 * HOUR - 1, 2 * HOUR, 3 * HOUR, 50 * HOUR].map(
      (later) => energyLevelAt(level, T0 + later).energy,
    );
    assert.deepEqual(seen, [75, 75, 75, 85, 85, 95, 100, 100]);
  });

  it('keeps the interval that runs while more is spent', () => {
    const level = spendEnergy(spendEnergy(FULL_ENERGY, 10, T0), 10, T0 + HOUR / 2);
    assert.equal(nextRegenerationMs(level, T0 + HOUR / 2), T0 + HOUR);
    assert.equal(energyLevelAt(level, T0 + HOUR).energy, 90);
  });

  it('begins a new interval with what is spent of full energy', () => {
    const level = spendEnergy(spendEnergy(FULL_ENERGY, 10, T0), 1, T0 + 1.5 * HOUR);
    assert.equal(nextRegenerationMs(level, T0 + 1.5 * HOUR), T0 + 2.5 * HOUR);
  });

  it('is never below 0', () => {
    assert.deepEqual(spendEnergy({ energy: 3, sinceMs: T0 }, 4, T0), { energy: 0, sinceMs: T0 });
  });

  it('of a moment before the level is the level', () => {
    assert.deepEqual(energyLevelAt({ energy: 40, sinceMs: T0 }, T0 - HOUR), { energy: 40, sinceMs: T0 });
  });

  it('is full after the clock was set back by more than an interval, and regenerates from then on', () => {
    const ahead = { energy: 0, sinceMs: T0 + 30 * 24 * HOUR };
    assert.deepEqual(energyLevelAt(ahead, T0), { energy: 100, sinceMs: T0 });
    const level = spendEnergy(ahead, 20, T0);
    assert.equal(energyLevelAt(level, T0 + HOUR).energy, 90);
  });

  it('does not depend on how often it is read', () => {
    const levels = fc.record({ energy: fc.integer({ min: 0, max: 100 }), sinceMs: fc.constant(T0) });
    const later = fc.integer({ min: 0, max: 20 * HOUR });
    fc.assert(
      fc.property(levels, later, later, (level: EnergyLevel, a, b) => {
        const at = T0 + Math.max(a, b);
        assert.deepEqual(energyLevelAt(energyLevelAt(level, T0 + Math.min(a, b)), at), energyLevelAt(level, at));
      }),
    );
  });
});
