import assert from 'node:assert/strict';
import { reportFigures } from '../support/faults/figures.js';
import { cyclesWithinBudget, drawsOfCycle, SEED, timeoutWithinBudget } from '../support/faults/budget.js';
import { EIO, ENOSPC } from '../support/power-cut/faulty-disk.js';
import { onFaultyDisk } from '../support/power-cut/faulty-disk-suite.js';
import { waitUntil } from '../support/wait-until.js';

const WRITERS = 6;
/** Log records of a request that makes the WAL grow: some 300 KB. */
const LARGE = 2_000;
const WAL = 'events.db-wal';
const DATABASE = 'events.db';

describe(`disk failures below the event log (seed ${SEED})`, function () {
  this.timeout(timeoutWithinBudget(180_000));
  const on = onFaultyDisk('disk failures');

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const count = (outcome: string) => on.trial.ledger.filter((request) => request.outcome === outcome).length;

  /** Failed commits of API key usage, which are reported in the service log only. */
  const countKeyUsageFailures = () =>
    on.trial.service.logLines.filter((line) => line.includes('Failed to store API key usage')).length;

  /** Sends large requests, one after the other, until the condition holds. */
  async function writeUntil(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    await waitUntil(
      async () => {
        await on.trial.send('logs', LARGE);
        return condition();
      },
      what,
      60_000,
    );
  }

  it('a failed sync: later requests are acknowledged and survive a power cut', async () => {
    for (const cycle of cyclesWithinBudget('FAILED_SYNCS', 3, 0.5)) {
      const draws = drawsOfCycle(cycle);
      const refusedBefore = count('refused');
      const keyFailuresBefore = countKeyUsageFailures();
      const after = async () => {
        await pause(20 + draws.below(200));
        on.disk.set({ match: WAL, syncErrno: EIO, syncFails: 1 });
        await waitUntil(
          () => count('refused') > refusedBefore || countKeyUsageFailures() > keyFailuresBefore,
          'the sync failed and was reported',
        );
        const acknowledged = count('acknowledged');
        await waitUntil(() => count('acknowledged') > acknowledged + 3, 'it recovers without a restart');
        on.disk.set({ seed: draws.below(2 ** 31), cutAfter: 1 + draws.below(20) });
        return on.trial.service.ended();
      };
      assert.equal(await on.trial.load(WRITERS, after()), null);
      on.disk.heal();
      await on.trial.start();
      await on.trial.settle(`sync ${cycle} (seed ${SEED})`);
    }
    await on.trial.verify();
    reportFigures(on.trial.figures('failed sync, then power cut'));
  });

  it('a failed sync of a killed process: the next process does not rely on it', async () => {
    for (const cycle of cyclesWithinBudget('FAILED_SYNCS', 3, 0.5)) {
      const draws = drawsOfCycle(cycle);
      const refusedBefore = count('refused');
      const kill = async () => {
        await pause(20 + draws.below(200));
        on.disk.set({ match: WAL, syncErrno: EIO, syncFails: -1, keep: 1 });
        await waitUntil(() => count('refused') > refusedBefore, 'a sync failed');
        return on.trial.service.signal('SIGKILL');
      };
      await on.trial.load(WRITERS, kill());
      on.disk.set({ syncErrno: 0, syncFails: 0 });
      await on.trial.start();
      const acknowledged = count('acknowledged');
      const cut = async () => {
        await waitUntil(() => count('acknowledged') > acknowledged + 3, 'it takes requests again');
        on.disk.set({ seed: draws.below(2 ** 31), cutAfter: 1 + draws.below(20) });
        return on.trial.service.ended();
      };
      await on.trial.load(WRITERS, cut());
      on.disk.heal();
      await on.trial.start();
      await on.trial.settle(`killed after a failed sync ${cycle} (seed ${SEED})`);
    }
    await on.trial.verify();
    reportFigures(on.trial.figures('failed sync, kill, power cut'));
  });

  it('acknowledges nothing while every sync fails, and recovers without a restart', async () => {
    on.disk.set({ match: WAL, syncErrno: EIO, syncFails: -1 });
    await on.trial.load(WRITERS, pause(1_000));
    assert.equal(count('acknowledged'), 0);
    assert.ok(count('refused') > 0 && count('unknown') === 0, 'every refusal is retryable');
    assert.equal((await fetch(`${on.trial.service.apiUrl}/ready`)).status, 503);
    on.disk.heal();
    await on.trial.settle('after the disk recovered');
    await on.trial.verify();
  });

  it('stops the service if a sync of the database fails, and recovers at the next start', async () => {
    on.disk.set({ match: DATABASE, syncErrno: EIO, syncFails: 1 });
    const ended = on.trial.service.ended();
    let isOver = false;
    void ended.then(() => (isOver = true));
    await writeUntil(() => isOver, 'the process has ended');
    assert.equal(await ended, 1);
    assert.ok(on.trial.service.logLines.some((line) => /Service failed; stopping/.test(line)));
    on.disk.heal();
    await on.trial.start();
    on.disk.set({ seed: 7, cutAfter: 300 });
    await on.trial.load(WRITERS, on.trial.service.ended());
    await on.trial.start();
    await on.trial.settle('after a restart and a power cut');
    await on.trial.verify();
  });

  it('acknowledges while the database cannot grow, and checkpoints the WAL afterwards', async () => {
    on.disk.set({ match: DATABASE, writeErrno: ENOSPC });
    await writeUntil(
      () => on.trial.service.logLines.some((line) => /WAL checkpoint of the event log failed/.test(line)),
      'a checkpoint has failed',
    );
    assert.equal((await on.trial.send('logs')).outcome, 'acknowledged');
    on.disk.heal();
    await writeUntil(() => on.disk.syncs > 0, 'it goes on');
    await on.trial.settle('after the disk had space again');
    await on.trial.verify();
  });
});
