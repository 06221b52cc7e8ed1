import assert from 'node:assert/strict';
import { reportFigures } from '../support/faults/figures.js';
import { drawsOfCycle, scaleToBudget, SEED } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';
import { logRecords, rootSpans, send } from '../support/sender.js';

/** Requests of 20 records each. */
const REQUESTS = scaleToBudget('REPEATED_REQUESTS', 300, 50_000);
const AT_ONCE = 20;

describe(`${REQUESTS} requests, each sent one to five times (seed ${SEED})`, function () {
  this.timeout(REQUESTS * 200 + 120_000);

  it('count once: concurrent, overlapping, and repeated after a kill', async () => {
    const trial = await Trial.start();
    const draws = drawsOfCycle(0);
    let round: Promise<void>[] = [];
    for (let n = 0; n < REQUESTS; n++) {
      const request = n % 2 === 0 ? rootSpans(20) : logRecords(20);
      trial.ledger.push(request);
      const attempts = Array.from({ length: 1 + draws.below(5) }, () => ({ ...request }));
      const repeat = async () => {
        await Promise.all(attempts.map((attempt) => send(trial.service.otlpHttpUrl, trial.apiKey, attempt)));
        if (attempts.some(({ outcome }) => outcome === 'acknowledged')) request.outcome = 'acknowledged';
      };
      round.push(repeat());
      if (round.length < AT_ONCE) continue;
      await Promise.all(round);
      round = [];
    }
    await Promise.all(round);
    // As after lost responses, a third is sent once more to the restarted process.
    await trial.service.signal('SIGKILL');
    await trial.start();
    for (const request of trial.ledger) if (draws.below(3) === 0) request.outcome = 'unknown';
    assert.ok(trial.ledger.some(({ outcome }) => outcome === 'unknown'));
    await trial.settle('every record counts once', 60_000 + REQUESTS * 10);
    await trial.verify();
    reportFigures({ ...trial.figures('requests sent again'), cycles: REQUESTS });
    await trial.dispose();
  });
});
