import assert from 'node:assert/strict';
import { reportMeasurements } from '../support/faults/figures.js';
import { HAS_BUDGET, IS_FULL, scaleToBudget } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';
import { Batches } from '../support/load/batches.js';
import { runClosedLoop, runOpenLoop } from '../support/load/load-generator.js';
import { createSecondGrid } from '../support/load/second-grid.js';
import { HttpSender } from '../support/load/senders.js';

const SECONDS = scaleToBudget('NEIGHBOUR_SECONDS', 2, 60);
const GREEDY = 10;
const MODEST = 0.1;
const CONNECTIONS = 100;
/** At most 0.5 s of delay, plus scheduling on a machine without a free core (ms). */
const MODEST_ACK_MS = 2_000;

describe(`a Grid with ${GREEDY} times the capacity of the service next to one with a tenth, for ${SECONDS} s`, function () {
  this.timeout(SECONDS * 20_000 + 180_000);
  let trial: Trial;
  before(async () => (trial = await Trial.start()));
  after(() => trial.dispose());

  it('only the first one is throttled', async () => {
    const port = trial.service.ports.otlpHttpPort;
    const modestGrid = await createSecondGrid(trial.service.dataDir, 'modest');
    const [greedy, modest] = [
      new HttpSender(port, trial.apiKey, CONNECTIONS),
      new HttpSender(port, modestGrid.apiKey, CONNECTIONS),
    ];
    const [large, small] = [new Batches('traces', 500), new Batches('traces', 100)];
    const warm = await runClosedLoop(greedy, () => large.next(), 8, 1_500);
    const rated = await runClosedLoop(greedy, () => large.next(), 8, 1_500);
    // Cold code or a stalled machine would underestimate the capacity.
    const recordsPerSecond = Math.max(warm.acknowledged, rated.acknowledged) / 1.5;
    const live = (times: number) => ({
      recordsPerSecond: times * recordsPerSecond,
      ms: SECONDS * 1_000,
      atOnce: CONNECTIONS,
    });
    const calm = await runOpenLoop(modest, () => small.next(), live(MODEST));
    const [noise, beside] = await Promise.all([
      runOpenLoop(greedy, () => large.next(), live(GREEDY)),
      runOpenLoop(modest, () => small.next(), live(MODEST)),
    ]);
    reportMeasurements('noisy neighbour', {
      'rated/s': Math.round(recordsPerSecond),
      'greedy due/s': Math.round(noise.due / SECONDS),
      'greedy taken/s': Math.round(noise.acknowledged / SECONDS),
      'greedy refused': noise.refused,
      'modest taken': beside.acknowledged,
      'modest refused': beside.refused,
      'modest p99 ms calm': Math.round(calm.p99),
      'modest p99 ms beside': Math.round(beside.p99),
    });
    // A fast machine throttles nothing: its senders wait for each other.
    assert.ok(noise.due > 2 * noise.acknowledged, 'the load exceeds the capacity');
    assert.deepEqual([calm.refused, beside.refused], [0, 0], 'the small Grid is never throttled');
    for (const { unhinted, unknown } of [noise, beside]) assert.deepEqual([unhinted, unknown], [[], 0]);
    if (IS_FULL) assert.ok(beside.p99 < MODEST_ACK_MS, `p99 of the modest Grid is ${beside.p99.toFixed(0)} ms`);
    [greedy, modest].forEach((each) => each.close());
    trial.acknowledged('traces', warm.acknowledged + rated.acknowledged + noise.acknowledged);
    await trial.settle('of the greedy Grid exactly what was acknowledged is there', 60_000 + SECONDS * 1_000);
    if (HAS_BUDGET) await trial.verify();
  });
});
