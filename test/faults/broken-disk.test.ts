import assert from 'node:assert/strict';
import { note } from '../support/faults/figures.js';
import { drawsOf, SEED, timesOf } from '../support/faults/sizes.js';
import { EIO, ENOSPC } from '../support/power-cut/disk.js';
import { onFaultyDisk } from '../support/power-cut/on-faulty-disk.js';
import { until } from '../support/service.js';

const FAILED_SYNCS = timesOf('FAILED_SYNCS', 3, 50);
const WRITERS = 6;
/** Log records of a request that makes the WAL grow: some 300 KB. */
const LARGE = 2_000;
const WAL = 'events.db-wal';
const DATABASE = 'events.db';

describe(`a disk that breaks under the log (seed ${SEED})`, function () {
  this.timeout(FAILED_SYNCS * 20_000 + 120_000);
  const on = onFaultyDisk('disks that break');

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const count = (outcome: string) => on.trial.ledger.filter((request) => request.outcome === outcome).length;

  /** Commits of the use of keys: nobody waits for their answer, the log of the service tells. */
  const toldOfKeys = () =>
    on.trial.service.logLines.filter((line) => line.includes('the use of API keys could not be written down')).length;

  /** Large requests, one after the other, until something holds. */
  async function writeUntil(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    await until(
      async () => {
        await on.trial.send('logs', LARGE);
        return condition();
      },
      what,
      60_000,
    );
  }

  it('is not believed after a sync that failed once: what follows is acknowledged and survives a power cut', async () => {
    for (let cycle = 0; cycle < FAILED_SYNCS; cycle++) {
      const draws = drawsOf(cycle);
      const refusedBefore = count('refused');
      const toldBefore = toldOfKeys();
      const after = async () => {
        await pause(20 + draws.below(200));
        on.disk.set({ match: WAL, syncErrno: EIO, syncFails: 1 });
        await until(
          () => count('refused') > refusedBefore || toldOfKeys() > toldBefore,
          'the sync failed, and nobody was told that it did not',
        );
        const acknowledged = count('acknowledged');
        await until(() => count('acknowledged') > acknowledged + 3, 'it goes on by itself');
        on.disk.set({ seed: draws.below(2 ** 31), cutAfter: 1 + draws.below(20) });
        return on.trial.service.ended();
      };
      assert.equal(await on.trial.load(WRITERS, after()), null);
      on.disk.heal();
      await on.trial.start();
      await on.trial.settle(`sync ${cycle} (seed ${SEED})`);
    }
    await on.trial.verify();
    note(on.trial.figures('failed sync, then power cut'));
  });

  it('is not believed either by a process that finds what another could not sync', async () => {
    for (let cycle = 0; cycle < FAILED_SYNCS; cycle++) {
      const draws = drawsOf(cycle);
      const refusedBefore = count('refused');
      const kill = async () => {
        await pause(20 + draws.below(200));
        on.disk.set({ match: WAL, syncErrno: EIO, syncFails: -1, keep: 1 });
        await until(() => count('refused') > refusedBefore, 'a sync failed');
        return on.trial.service.signal('SIGKILL');
      };
      await on.trial.load(WRITERS, kill());
      on.disk.set({ syncErrno: 0, syncFails: 0 });
      await on.trial.start();
      const acknowledged = count('acknowledged');
      const cut = async () => {
        await until(() => count('acknowledged') > acknowledged + 3, 'it takes requests again');
        on.disk.set({ seed: draws.below(2 ** 31), cutAfter: 1 + draws.below(20) });
        return on.trial.service.ended();
      };
      await on.trial.load(WRITERS, cut());
      on.disk.heal();
      await on.trial.start();
      await on.trial.settle(`killed after a failed sync ${cycle} (seed ${SEED})`);
    }
    await on.trial.verify();
    note(on.trial.figures('failed sync, kill, power cut'));
  });

  it('gets nothing acknowledged while every sync fails, and goes on without a restart', async () => {
    on.disk.set({ match: WAL, syncErrno: EIO, syncFails: -1 });
    await on.trial.load(WRITERS, pause(1_000));
    assert.equal(count('acknowledged'), 0);
    assert.ok(count('refused') > 0 && count('unknown') === 0, 'refused in words that a sender retries on');
    assert.equal((await fetch(`${on.trial.service.apiUrl}/ready`)).status, 503);
    on.disk.heal();
    await on.trial.settle('after the disk was mended');
    await on.trial.verify();
  });

  it('ends the service where a sync of the database fails, and a start makes up for it', async () => {
    on.disk.set({ match: DATABASE, syncErrno: EIO, syncFails: 1 });
    const ended = on.trial.service.ended();
    let isOver = false;
    void ended.then(() => (isOver = true));
    await writeUntil(() => isOver, 'the process has ended');
    assert.equal(await ended, 1);
    assert.ok(on.trial.service.logLines.some((line) => /the service cannot go on/.test(line)));
    on.disk.heal();
    await on.trial.start();
    on.disk.set({ seed: 7, cutAfter: 300 });
    await on.trial.load(WRITERS, on.trial.service.ended());
    await on.trial.start();
    await on.trial.settle('after a new start and a power cut');
    await on.trial.verify();
  });

  it('keeps acknowledging while the database cannot grow, and moves the log over afterwards', async () => {
    on.disk.set({ match: DATABASE, writeErrno: ENOSPC });
    await writeUntil(
      () => on.trial.service.logLines.some((line) => /Checkpoint of the event log failed/.test(line)),
      'a checkpoint has failed',
    );
    assert.equal((await on.trial.send('logs')).outcome, 'acknowledged');
    on.disk.heal();
    await writeUntil(() => on.disk.syncs > 0, 'it goes on');
    await on.trial.settle('after the disk had room again');
    await on.trial.verify();
  });
});
