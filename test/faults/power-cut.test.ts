import assert from 'node:assert/strict';
import { note } from '../support/faults/figures.js';
import { drawsOf, FROM, SEED, timesOf } from '../support/faults/sizes.js';
import { onFaultyDisk } from '../support/power-cut/on-faulty-disk.js';
import type { Random } from '../support/generator/random.js';

const CUTS = timesOf('POWER_CUTS', 8, 1_000);
/** A service that lies must be found out within so many cuts. */
const CUTS_OF_A_LIAR = 20;
const WRITERS = 6;
/** Read models go back some cuts and are projected again: on a busy machine that takes its time. What is lost stays lost. */
const FOUND_MS = 60_000;
const FOUND_BY_A_LIAR_MS = 8_000;
/** Writes and syncs of a second of load, roughly: the cut is at one of them. */
const OPERATIONS = 400;

describe(`${CUTS} power cuts under load (seed ${SEED})`, function () {
  this.timeout((CUTS + CUTS_OF_A_LIAR) * 20_000 + 60_000);
  const on = onFaultyDisk('power cuts');

  /** Load until the power goes, what was not synced goes with it, and the machine starts again. */
  async function cutOnce(draws: Random): Promise<void> {
    on.disk.set({ seed: draws.below(2 ** 31), cutAfter: 1 + draws.below(OPERATIONS) });
    assert.equal(await on.trial.load(WRITERS, on.trial.service.ended()), null, 'the power went');
    assert.equal(on.disk.awaitsCut, false, 'it was the power');
    await on.trial.start();
  }

  it('lose nothing that was acknowledged, at whatever write or sync they come', async () => {
    for (let cycle = FROM; cycle < CUTS; cycle++) {
      await cutOnce(drawsOf(cycle));
      await on.trial.settle(`cut ${cycle}: FAULTS_SEED=${SEED} FAULTS_FROM=${cycle}`, FOUND_MS);
    }
    await on.trial.verify();
    note(on.trial.figures('power cut'));
  });

  it('are seen by this test: a log that acknowledges before its sync loses records', async () => {
    on.disk.set({ lies: 1 });
    const cutAll = async () => {
      for (let cycle = 0; cycle < CUTS_OF_A_LIAR; cycle++) {
        await cutOnce(drawsOf(cycle));
        await on.trial.settle(`cut ${cycle}`, FOUND_BY_A_LIAR_MS);
      }
    };
    await assert.rejects(cutAll());
  });
});
