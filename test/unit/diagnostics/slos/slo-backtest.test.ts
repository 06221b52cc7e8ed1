import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MinuteCounts } from '../../../../src/diagnostics/slos/minute-counts.js';
import {
  backtestSlo,
  CANDIDATE_OBJECTIVES,
  countPages,
  EventHistory,
  proposeObjective,
  type SloBacktest,
} from '../../../../src/diagnostics/slos/slo-backtest.js';

const DAY = 1_440;
const START = 29_400_000;

/** A hundred events a minute over these days, of which the given share is bad in the given minutes. */
function simulate(
  days: number,
  objective: number,
  outages: readonly (readonly [from: number, minutes: number, bad: number])[],
) {
  const counts = new MinuteCounts();
  for (let minute = 0; minute < days * DAY; minute++) {
    const outage = outages.find(([from, minutes]) => minute >= from && minute < from + minutes);
    counts.add(START + minute, 100 - (outage?.[2] ?? 0), 100);
  }
  const history = new EventHistory(counts, { fromMs: START * 60_000, toMs: (START + days * DAY) * 60_000 });
  const steps = backtestSlo(history, { objective, windowDays: 30 });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

describe('backtest of an objective', () => {
  it('is met when exactly as much is bad as the objective allows, whatever the rounding', () => {
    for (const [good, total] of [
      [40_959, 41_000],
      [999, 1_000],
      [163_836, 164_000],
    ]) {
      const counts = new MinuteCounts();
      counts.add(START, good, total);
      const history = new EventHistory(counts, { fromMs: START * 60_000, toMs: (START + 1) * 60_000 });
      const { value } = backtestSlo(history, { objective: 99.9, windowDays: 30 }).next();
      assert.equal((value as SloBacktest).isMet, true, `${good} of ${total}`);
    }
  });

  it('pages for a short, hard outage, and resolves two minutes after the short window is clear', () => {
    const { isMet, firings } = simulate(7, 99, [[2 * DAY, 30, 50]]);
    assert.equal(isMet, true);
    assert.equal(firings.length, 1);
    const [{ severity, firedAt, resolvedAt }] = firings;
    assert.equal(severity, 'critical');
    // 14.4 % of an hour's 6,000 events are 864 bad ones: more than 17 minutes of 50 each.
    assert.equal(firedAt / 60_000 - START - 2 * DAY, 18);
    // Five minutes later the window of 5 minutes is below the factor, and that of 30 minutes exceeds 6 longer.
    assert.ok(resolvedAt !== null && resolvedAt > firedAt);
  });

  it('opens a ticket, but does not page, for a slow burn', () => {
    const backtest = simulate(7, 99, [[0, 7 * DAY, 2]]);
    assert.equal(backtest.isMet, false);
    assert.equal(countPages(backtest), 0);
    assert.deepEqual(
      backtest.firings.map(({ severity, resolvedAt }) => ({ severity, resolvedAt })),
      [{ severity: 'warning', resolvedAt: null }],
    );
  });

  it('does not alert without failures', () => {
    assert.deepEqual(simulate(3, 99.9, []).firings, []);
  });

  it('counts windows like a sum over their minutes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(120), fc.nat(50), fc.nat(50)), { maxLength: 60 }),
        fc.nat(120),
        fc.nat(130),
        (added, end, length) => {
          const counts = new MinuteCounts();
          for (const [minute, good, bad] of added) counts.add(START + minute, good, good + bad);
          const history = new EventHistory(counts, { fromMs: START * 60_000, toMs: (START + 120) * 60_000 });
          assert.deepEqual(
            history.countBefore(end, length),
            counts.sum(START + Math.max(0, end - length), START + end),
          );
        },
      ),
    );
  });
});

describe('proposed objective', () => {
  const backtest = (objective: number, isMet: boolean, pages: number): SloBacktest => ({
    objective,
    isMet,
    firings: Array.from({ length: pages }, () => ({
      ...{ severity: 'critical', firedAt: 0, resolvedAt: 1, peakBurnRate: 20 },
    })) as unknown as SloBacktest['firings'],
  });

  it('is the strictest that was met with one to three pages, or else with none', () => {
    const strict = backtest(99.99, false, 9);
    assert.equal(
      proposeObjective([strict, backtest(99.9, true, 4), backtest(99.5, true, 2), backtest(99, true, 0)]),
      99.5,
    );
    assert.equal(proposeObjective([strict, backtest(99.9, true, 0), backtest(99, true, 0)]), 99.9);
    assert.equal(proposeObjective([strict, backtest(99.9, true, 4)]), undefined);
  });

  it('compares objectives from strict to lenient', () => {
    assert.deepEqual(
      [...CANDIDATE_OBJECTIVES].sort((a, b) => b - a),
      CANDIDATE_OBJECTIVES,
    );
  });
});
