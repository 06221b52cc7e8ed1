import assert from 'node:assert/strict';
import { note } from '../support/faults/figures.js';
import { timesOf } from '../support/faults/sizes.js';
import { Trial } from '../support/faults/trial.js';

const STOPS = timesOf('STOPS', 3, 100);
/** Requests have 10 s to finish. */
const DRAINED_MS = 10_000;

describe(`${STOPS} SIGTERMs under load`, function () {
  this.timeout(STOPS * 30_000 + 60_000);

  it('drain in time, exit 0, answer what is under way, and lose nothing', async () => {
    const trial = await Trial.start();
    for (let cycle = 0; cycle < STOPS; cycle++) {
      let tookMs = 0;
      const stop = async () => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        const began = performance.now();
        const code = await trial.service.signal('SIGTERM');
        tookMs = performance.now() - began;
        return code;
      };
      assert.equal(await trial.load(8, stop()), 0);
      assert.ok(tookMs < DRAINED_MS, `${tookMs.toFixed(0)} ms`);
      await trial.start();
      await trial.settle(`stop ${cycle}`);
    }
    await trial.verify();
    note(trial.figures('SIGTERM under load'));
    await trial.dispose();
  });
});
