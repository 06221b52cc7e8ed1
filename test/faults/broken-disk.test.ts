import assert from 'node:assert/strict';
import { note } from '../support/faults/figures.js';
import { drawsOf, SEED, timesOf } from '../support/faults/sizes.js';
import { Trial } from '../support/faults/trial.js';
import { EIO, ENOSPC, FaultyDisk } from '../support/power-cut/disk.js';
import { until } from '../support/service.js';

const FAILED_SYNCS = timesOf('FAILED_SYNCS', 3, 50);
const WRITERS = 6;
/** Log records of a request that makes the WAL grow: some 300 KB. */
const LARGE = 2_000;
const WAL = 'events.db-wal';
const DATABASE = 'events.db';

describe(`a disk that breaks under the log (seed ${SEED})`, function () {
  this.timeout(FAILED_SYNCS * 20_000 + 120_000);
  let disk: FaultyDisk;
  let trial: Trial;

  before(function () {
    const made = FaultyDisk.make();
    if (made === undefined) {
      console.log('skipped: disks that break (needs Linux and gcc)');
      return this.skip();
    }
    made.remove();
  });
  beforeEach(async () => {
    disk = FaultyDisk.make()!;
    trial = await Trial.start(disk.environment);
  });
  afterEach(async () => {
    await trial.dispose();
    disk.remove();
  });

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const count = (outcome: string) => trial.ledger.filter((request) => request.outcome === outcome).length;

  /** Large requests, one after the other, until something holds. */
  async function writeUntil(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    await until(async () => {
      await trial.send('logs', LARGE);
      return condition();
    }, what, 60_000);
  }

  it('is not believed after a sync that failed once: what follows is acknowledged and survives a power cut', async () => {
    for (let cycle = 0; cycle < FAILED_SYNCS; cycle++) {
      const draws = drawsOf(cycle);
      const refusedBefore = count('refused');
      const after = async () => {
        await pause(20 + draws.below(200));
        disk.set({ match: WAL, syncErrno: EIO, syncFails: 1 });
        await until(() => count('refused') > refusedBefore, 'the sync failed, and nobody was told that it did not');
        const acknowledged = count('acknowledged');
        await until(() => count('acknowledged') > acknowledged + 3, 'it goes on by itself');
        disk.set({ seed: draws.below(2 ** 31), cutAfter: 1 + draws.below(20) });
        return trial.service.ended();
      };
      assert.equal(await trial.load(WRITERS, after()), null);
      disk.heal();
      await trial.start();
      await trial.settle(`sync ${cycle} (seed ${SEED})`);
    }
    await trial.verify();
    note(trial.figures('failed sync, then power cut'));
  });

  it('is not believed either by a process that finds what another could not sync', async () => {
    for (let cycle = 0; cycle < FAILED_SYNCS; cycle++) {
      const draws = drawsOf(cycle);
      const refusedBefore = count('refused');
      const kill = async () => {
        await pause(20 + draws.below(200));
        disk.set({ match: WAL, syncErrno: EIO, syncFails: -1, keep: 1 });
        await until(() => count('refused') > refusedBefore, 'a sync failed');
        return trial.service.signal('SIGKILL');
      };
      await trial.load(WRITERS, kill());
      disk.set({ syncErrno: 0, syncFails: 0 });
      await trial.start();
      const acknowledged = count('acknowledged');
      const cut = async () => {
        await until(() => count('acknowledged') > acknowledged + 3, 'it takes requests again');
        disk.set({ seed: draws.below(2 ** 31), cutAfter: 1 + draws.below(20) });
        return trial.service.ended();
      };
      await trial.load(WRITERS, cut());
      disk.heal();
      await trial.start();
      await trial.settle(`killed after a failed sync ${cycle} (seed ${SEED})`);
    }
    await trial.verify();
    note(trial.figures('failed sync, kill, power cut'));
  });

  it('gets nothing acknowledged while every sync fails, and goes on without a restart', async () => {
    disk.set({ match: WAL, syncErrno: EIO, syncFails: -1 });
    await trial.load(WRITERS, pause(1_000));
    assert.equal(count('acknowledged'), 0);
    assert.ok(count('refused') > 0 && count('unknown') === 0, 'refused in words that a sender retries on');
    assert.equal((await fetch(`${trial.service.apiUrl}/ready`)).status, 503);
    disk.heal();
    await trial.settle('after the disk was mended');
    await trial.verify();
  });

  it('ends the service where a sync of the database fails, and a start makes up for it', async () => {
    disk.set({ match: DATABASE, syncErrno: EIO, syncFails: 1 });
    const ended = trial.service.ended();
    let isOver = false;
    void ended.then(() => (isOver = true));
    await writeUntil(() => isOver, 'the process has ended');
    assert.equal(await ended, 1);
    assert.ok(trial.service.logLines.some((line) => /the service cannot go on/.test(line)));
    disk.heal();
    await trial.start();
    disk.set({ seed: 7, cutAfter: 300 });
    await trial.load(WRITERS, trial.service.ended());
    await trial.start();
    await trial.settle('after a new start and a power cut');
    await trial.verify();
  });

  it('keeps acknowledging while the database cannot grow, and moves the log over afterwards', async () => {
    disk.set({ match: DATABASE, writeErrno: ENOSPC });
    await writeUntil(() => trial.service.logLines.some((line) => /Checkpoint of the event log failed/.test(line)), 'a checkpoint has failed');
    assert.equal((await trial.send('logs')).outcome, 'acknowledged');
    disk.heal();
    await writeUntil(() => disk.syncs > 0, 'it goes on');
    await trial.settle('after the disk had room again');
    await trial.verify();
  });
});
