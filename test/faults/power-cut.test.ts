import assert from 'node:assert/strict';
import { reportFigures } from '../support/faults/figures.js';
import { cyclesWithinBudget, drawsOfCycle, SEED, timeoutWithinBudget } from '../support/faults/budget.js';
import { onFaultyDisk } from '../support/power-cut/faulty-disk-suite.js';
import type { Random } from '../support/generator/random.js';

/** Number of cuts within which a service that does not sync must be detected. */
const CUTS_OF_A_LIAR = 20;
const WRITERS = 6;
/** Read models fall back and are projected again, which takes time on a loaded machine (ms). */
const FOUND_MS = 60_000;
const FOUND_BY_A_LIAR_MS = 8_000;
/** Approximate number of writes and syncs per second of load; the cut is at one of them. */
const OPERATIONS = 400;

describe(`power cuts under load (seed ${SEED})`, function () {
  this.timeout(timeoutWithinBudget(600_000));
  const on = onFaultyDisk('power cuts');

  /** Runs load until the power cut, which discards unsynced data, and restarts the service. */
  async function cutOnce(draws: Random): Promise<void> {
    on.disk.set({ seed: draws.below(2 ** 31), cutAfter: 1 + draws.below(OPERATIONS) });
    assert.equal(await on.trial.load(WRITERS, on.trial.service.ended()), null, 'the power cut ended the process');
    assert.equal(on.disk.awaitsCut, false, 'the cut has happened');
    await on.trial.start();
  }

  it('lose no acknowledged records, at any write or sync', async () => {
    for (const cycle of cyclesWithinBudget('POWER_CUTS', 8)) {
      await cutOnce(drawsOfCycle(cycle));
      await on.trial.settle(`cut ${cycle}: FAULTS_SEED=${SEED} FAULTS_FROM=${cycle}`, FOUND_MS);
    }
    await on.trial.verify();
    reportFigures(on.trial.figures('power cut'));
  });

  it('are detected by this test: a log that acknowledges before its sync loses records', async () => {
    on.disk.set({ lies: 1 });
    const cutAll = async () => {
      for (let cycle = 0; cycle < CUTS_OF_A_LIAR; cycle++) {
        await cutOnce(drawsOfCycle(cycle));
        await on.trial.settle(`cut ${cycle}`, FOUND_BY_A_LIAR_MS);
      }
    };
    await assert.rejects(cutAll());
  });
});
