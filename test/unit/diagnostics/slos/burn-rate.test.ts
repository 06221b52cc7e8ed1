import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  computeBurnRate,
  findBurnRateBreach,
  findBurnRateRules,
  formatBurnRateCondition,
  isBurnRateCondition,
  MIN_BURN_EVENTS,
  type BurnCounts,
} from '../../../../src/diagnostics/slos/burn-rate.js';
import { computeErrorBudget } from '../../../../src/diagnostics/slos/error-budget.js';

const objectives = fc.double({ min: 0.01, max: 99.999, noNaN: true });
const events = fc.tuple(fc.nat(1_000_000), fc.nat(1_000_000)).map(([good, bad]) => ({ good, total: good + bad }));
const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

/** The same counts in every window, except for these. */
function burnOf(counts: BurnCounts['5m'], others: Partial<BurnCounts> = {}): BurnCounts {
  return { '5m': counts, '30m': counts, '1h': counts, '6h': counts, '3d': counts, ...others };
}

const BURN_RATE_RULES = findBurnRateRules(30);
/** Of an objective over 30 days. */
const findBreach = (counts: BurnCounts, objective: number) => findBurnRateBreach(counts, { objective, windowDays: 30 });

describe('burn rate', () => {
  it('is 1 when exactly the share that the objective allows is bad, and 14.4 when 1.44 % of 99.9 % is', () => {
    assert.ok(isClose(computeBurnRate({ good: 999, total: 1_000 }, 99.9), 1));
    assert.ok(isClose(computeBurnRate({ good: 98_560, total: 100_000 }, 99.9), 14.4));
    assert.equal(computeBurnRate({ good: 0, total: 0 }, 99.9), 0);
  });

  it('uses up the budget exactly when it is 1: consumed = burn rate × total', () => {
    fc.assert(
      fc.property(events, objectives, (counts, objective) => {
        const { total, consumed, remaining, remainingPercent } = computeErrorBudget(counts, objective);
        assert.ok(isClose(consumed, computeBurnRate(counts, objective) * total));
        assert.ok(isClose(total - consumed, remaining));
        if (counts.total > 0) assert.ok(isClose(remainingPercent, 100 * (1 - computeBurnRate(counts, objective))));
      }),
    );
  });

  it('does not fall when an event is bad, nor rise when one is good', () => {
    fc.assert(
      fc.property(events, objectives, ({ good, total }, objective) => {
        const before = computeBurnRate({ good, total }, objective);
        assert.ok(computeBurnRate({ good, total: total + 1 }, objective) >= before);
        assert.ok(computeBurnRate({ good: good + 1, total: total + 1 }, objective) <= before);
      }),
      { examples: [[{ good: 0, total: 96_423 }, 0.01]] },
    );
  });
});

describe('rules of burn rates', () => {
  it('need both windows: each alone does not fire', () => {
    const [clear, bad] = [
      { good: 1_000, total: 1_000 },
      { good: 500, total: 1_000 },
    ];
    for (const { long, short } of BURN_RATE_RULES) {
      assert.equal(findBreach(burnOf(clear, { [long]: bad }), 99), undefined);
      assert.equal(findBreach(burnOf(clear, { [short]: bad }), 99), undefined);
      assert.deepEqual(findBreach(burnOf(clear, { [long]: bad, [short]: bad }), 99)?.rule, {
        ...BURN_RATE_RULES.find((rule) => rule.long === long),
      });
    }
  });

  it('fire above their factor, not at it', () => {
    // 14.4 × (100 − 90) % is more than all: at an objective of 90 % the first rule cannot fire, the second can.
    const all = { good: 0, total: 1_000 };
    assert.deepEqual(findBreach(burnOf(all), 90)?.rule.factor, 6);
    assert.equal(findBreach(burnOf({ good: 99, total: 100 }), 99), undefined);
    assert.equal(findBreach(burnOf({ good: 989, total: 1_000 }), 99)?.rule.severity, 'warning');
  });

  it('do not fire at a factor that percentages cannot represent exactly', () => {
    for (const [objective, bad] of [
      [99.9, 144],
      [99.8, 288],
      [99.5, 720],
      [99.99, 14.4],
      [99.95, 72],
    ]) {
      const all = 10_000 * 10;
      assert.equal(findBreach(burnOf({ good: all - bad * 10, total: all }), objective)?.rule.factor, 6);
      assert.equal(findBreach(burnOf({ good: all - bad * 10 - 1, total: all }), objective)?.rule.factor, 14.4);
    }
  });

  it('spend the same part of the budget in every window, and never fire at a rate at which it lasts', () => {
    const factors = (windowDays: number) => findBurnRateRules(windowDays).map(({ factor }) => factor);
    assert.deepEqual(
      [factors(30), factors(28), factors(7)],
      [
        [14.4, 6, 1],
        [13.44, 5.6, 1],
        [3.36, 1.4, 1],
      ],
    );
  });

  it('do not fire with too few events', () => {
    const total = MIN_BURN_EVENTS - 1;
    assert.equal(findBreach(burnOf({ good: 0, total }), 99), undefined);
    assert.ok(findBreach(burnOf({ good: 0, total: MIN_BURN_EVENTS }), 99));
  });

  it('are recognised by their condition', () => {
    assert.equal(formatBurnRateCondition(BURN_RATE_RULES[0]), 'burn_rate > 14.4 over 1h and 5m');
    assert.ok(BURN_RATE_RULES.every((rule) => isBurnRateCondition(formatBurnRateCondition(rule))));
    assert.equal(isBurnRateCondition('error_rate > 5%'), false);
  });
});
