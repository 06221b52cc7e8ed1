import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { simulateOutage, type ClusterLoad } from '../../../../bench/simulate/outage-simulation.js';
import { ShardQueue } from '../../../../bench/simulate/shard-queue.js';

const RUNNING: ClusterLoad = { projectors: 4, shares: 16, rate: 200_000, capacity: 100_000, takeOverMs: 1_000 };

describe('What waits for a projector', () => {
  it('is taken first come, first served, and its age is that of the oldest', () => {
    const queue = new ShardQueue();
    queue.accept(0, 10);
    queue.accept(100, 10);
    assert.equal(queue.project(15), 15);
    assert.equal(queue.lag(250), 150);
    assert.equal(queue.project(15), 5);
    assert.deepEqual([queue.lag(250), queue.waiting, queue.accepted], [0, 0, 20]);
  });
});

describe('What a loss costs a cluster', () => {
  it('everything that was accepted is projected or waits, whatever is lost', function () {
    this.timeout(60_000);
    const ms = fc.nat(8_000);
    const loss = fc.record({
      killed: fc.nat(3),
      left: fc.nat(1),
      logAwayMs: ms,
      readStoreAwayMs: ms,
      leasesAwayMs: ms,
    });
    fc.assert(
      fc.property(loss, fc.nat(), (lost, seed) => {
        const { accepted, projected, waiting } = simulateOutage(
          RUNNING,
          { ...lost, killed: Math.min(lost.killed, 3 - lost.left) },
          20_000,
          seed,
        );
        assert.ok(
          Math.abs(accepted - projected - waiting) < 1e-3 * RUNNING.rate,
          `${accepted} accepted, ${projected} projected, ${waiting} wait`,
        );
      }),
      { numRuns: 15 },
    );
  });

  it('nothing is lost, so nothing is late', () => {
    const { worstLagMs, freshAgainMs, refusedMs } = simulateOutage(RUNNING, {}, 10_000);
    assert.deepEqual([worstLagMs <= 200, freshAgainMs, refusedMs], [true, 0, 0]);
  });

  it('a read store that is unavailable for ten seconds is caught up with by what projectors have to spare', () => {
    // Busy to a half: ten seconds of work wait, and as much is spare.
    const { worstLagMs, freshAgainMs } = simulateOutage(RUNNING, { readStoreAwayMs: 10_000 }, 60_000);
    assert.ok(Math.abs(worstLagMs - 10_000) <= 200, `${worstLagMs}`);
    assert.ok(freshAgainMs! > 18_000 && freshAgainMs! < 21_000, `${freshAgainMs}`);
  });

  it('while the log is unavailable senders are refused, and what they keep comes in afterwards', () => {
    const { refusedMs, accepted } = simulateOutage(RUNNING, { logAwayMs: 5_000 }, 60_000);
    assert.ok(Math.abs(refusedMs - 5_000) <= 100);
    const usual = simulateOutage(RUNNING, {}, 60_000).accepted;
    assert.ok(Math.abs(accepted - usual) < 1e-3 * usual);
  });

  it('projectors that lack the power never catch up', () => {
    assert.equal(
      simulateOutage({ ...RUNNING, projectors: 2, rate: 150_000 }, { killed: 1 }, 60_000).freshAgainMs,
      undefined,
    );
  });
});
