import assert from 'node:assert/strict';
import { reportFigures } from '../support/faults/figures.js';
import { cyclesWithinBudget, timeoutWithinBudget } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';

/** Shutdown deadline for requests in progress (ms). */
const DRAINED_MS = 10_000;

describe('SIGTERM under load', function () {
  this.timeout(timeoutWithinBudget(150_000));

  it('drains in time, exits 0, completes requests in progress, and loses nothing', async () => {
    const trial = await Trial.start();
    for (const cycle of cyclesWithinBudget('STOPS', 3)) {
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
    reportFigures(trial.figures('SIGTERM under load'));
    await trial.dispose();
  });
});
