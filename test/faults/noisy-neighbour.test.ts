import assert from 'node:assert/strict';
import { tell } from '../support/faults/figures.js';
import { FULL, timesOf } from '../support/faults/sizes.js';
import { Trial } from '../support/faults/trial.js';
import { Batches } from '../support/load/batches.js';
import { closedLoop, openLoop } from '../support/load/load.js';
import { anotherGrid } from '../support/load/second-grid.js';
import { HttpSender } from '../support/load/senders.js';

const SECONDS = timesOf('NEIGHBOUR_SECONDS', 2, 60);
const GREEDY = 10;
const MODEST = 0.1;
const CONNECTIONS = 100;
/** Half a second of delay at most, and what a machine without a free core adds. */
const MODEST_ACK_MS = 2_000;

describe(`a Grid at ${GREEDY} times the load that a service takes, beside one at a tenth, for ${SECONDS} s`, function () {
  this.timeout(SECONDS * 20_000 + 180_000);
  let trial: Trial;
  before(async () => (trial = await Trial.start()));
  after(() => trial.dispose());

  it('is refused alone', async () => {
    const port = trial.service.ports.otlpHttpPort;
    const modestGrid = await anotherGrid(trial.service.dataDir, 'modest');
    const [greedy, modest] = [
      new HttpSender(port, trial.apiKey, CONNECTIONS),
      new HttpSender(port, modestGrid.apiKey, CONNECTIONS),
    ];
    const [large, small] = [new Batches('traces', 500), new Batches('traces', 100)];
    const warm = await closedLoop(greedy, () => large.next(), 8, 1_500);
    const rated = await closedLoop(greedy, () => large.next(), 8, 1_500);
    // Code that is cold, or a machine that stands still, rates the service too low.
    const recordsPerSecond = Math.max(warm.acknowledged, rated.acknowledged) / 1.5;
    const live = (times: number) => ({
      recordsPerSecond: times * recordsPerSecond,
      ms: SECONDS * 1_000,
      atOnce: CONNECTIONS,
    });
    const calm = await openLoop(modest, () => small.next(), live(MODEST));
    const [noise, beside] = await Promise.all([
      openLoop(greedy, () => large.next(), live(GREEDY)),
      openLoop(modest, () => small.next(), live(MODEST)),
    ]);
    tell('noisy neighbour', {
      'rated/s': Math.round(recordsPerSecond),
      'greedy due/s': Math.round(noise.due / SECONDS),
      'greedy taken/s': Math.round(noise.acknowledged / SECONDS),
      'greedy refused': noise.refused,
      'modest taken': beside.acknowledged,
      'modest refused': beside.refused,
      'modest p99 ms calm': Math.round(calm.p99),
      'modest p99 ms beside': Math.round(beside.p99),
    });
    // A fast machine refuses nobody: its senders wait for each other.
    assert.ok(noise.due > 2 * noise.acknowledged, 'more was due than it takes');
    assert.deepEqual([calm.refused, beside.refused], [0, 0], 'who sends little is never refused');
    for (const { unhinted, unknown } of [noise, beside]) assert.deepEqual([unhinted, unknown], [[], 0]);
    if (FULL) assert.ok(beside.p99 < MODEST_ACK_MS, `p99 of the modest Grid is ${beside.p99.toFixed(0)} ms`);
    [greedy, modest].forEach((each) => each.close());
    trial.acknowledged('traces', warm.acknowledged + rated.acknowledged + noise.acknowledged);
    await trial.settle('of the greedy Grid exactly what was acknowledged is there', 60_000 + SECONDS * 1_000);
    if (FULL) await trial.verify();
  });
});
