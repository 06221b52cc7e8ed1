import assert from 'node:assert/strict';
import { tell } from '../support/faults/figures.js';
import { FULL, timesOf } from '../support/faults/sizes.js';
import { Trial } from '../support/faults/trial.js';
import { Batches } from '../support/load/batches.js';
import { closedLoop, openLoop, type Tally } from '../support/load/load.js';
import { MIB, ProcessWatch } from '../support/load/process-watch.js';
import { HttpSender } from '../support/load/senders.js';

const SECONDS = timesOf('OVERLOAD_SECONDS', 2, 300);
const RATED_MS = timesOf('OVERLOAD_RATED_MS', 1_500, 10_000);
const TIMES = 10;
const CONNECTIONS = 200;
const RECORDS_A_REQUEST = 500;
const MEMORY_BOUND = 1_536 * MIB;
/** After the load is over. */
const NORMAL_WITHIN_MS = 10_000;
const CALM_ACK_MS = 1_000;

describe(`${TIMES} times the load that a service takes, for ${SECONDS} s over ${CONNECTIONS} connections`, function () {
  this.timeout(SECONDS * 10_000 + 180_000);
  let trial: Trial;
  before(async () => (trial = await Trial.start()));
  after(() => trial.dispose());

  it('loses nothing that was acknowledged, refuses the rest for now, and is over when it is over', async () => {
    const sender = new HttpSender(trial.service.ports.otlpHttpPort, trial.apiKey, CONNECTIONS);
    const batches = { traces: new Batches('traces', RECORDS_A_REQUEST), logs: new Batches('logs', RECORDS_A_REQUEST) };
    const next = () => batches.traces.next();
    const noteAll = (...tallies: Tally[]) =>
      tallies.forEach(({ acknowledged }) => trial.acknowledged('traces', acknowledged));
    const warm = await closedLoop(sender, next, 8, RATED_MS);
    const rated = await closedLoop(sender, next, 8, RATED_MS);
    // Code that is cold, or a machine that stands still, rates the service too low: then ten times as much is not too much.
    const recordsPerSecond = Math.round((Math.max(warm.acknowledged, rated.acknowledged) * 1_000) / RATED_MS);
    const watch = new ProcessWatch(trial.service.pid);
    const overload = await openLoop(sender, next, {
      recordsPerSecond: TIMES * recordsPerSecond,
      ms: SECONDS * 1_000,
      atOnce: CONNECTIONS,
    });
    const normalMs = await untilNormal(sender, recordsPerSecond / 4, noteAll, next);
    const { largest } = watch.end();
    noteAll(warm, rated, overload);
    tell('overload', {
      'rated/s': recordsPerSecond,
      'due/s': Math.round(overload.due / SECONDS),
      'goodput/s': Math.round(overload.acknowledged / SECONDS),
      'refused requests': overload.refused,
      'ack p99 ms': Math.round(overload.p99),
      'largest RSS MiB': Math.round(largest / MIB),
      'normal after ms': Math.round(normalMs),
    });
    for (const { unhinted, unknown } of [warm, rated, overload])
      assert.deepEqual([unhinted, unknown], [[], 0], 'every refusal says when to come back');
    // Whether it was refused or found no free connection depends on the machine.
    assert.ok(overload.due > 2 * overload.acknowledged, 'more was due than it takes');
    assert.ok(largest < MEMORY_BOUND, `${Math.round(largest / MIB)} MiB`);
    assert.ok(normalMs <= NORMAL_WITHIN_MS, `normal only after ${normalMs.toFixed(0)} ms`);
    sender.close();
    await trial.settle('what was acknowledged is there, and nothing else', 60_000 + SECONDS * 1_000);
    await trial.verify();
  });
});

/** Time until a second of a quarter of the rated load is taken whole and without waiting. */
async function untilNormal(
  sender: HttpSender,
  recordsPerSecond: number,
  noteAll: (tally: Tally) => void,
  next: () => ReturnType<Batches['next']>,
): Promise<number> {
  const over = performance.now();
  for (;;) {
    const began = performance.now();
    const tally = await openLoop(sender, next, { recordsPerSecond, ms: 1_000, atOnce: CONNECTIONS });
    noteAll(tally);
    assert.deepEqual([tally.unhinted, tally.unknown], [[], 0]);
    if (tally.refused === 0 && tally.p99 < (FULL ? CALM_ACK_MS : Infinity)) return began - over;
    if (began - over > NORMAL_WITHIN_MS * 3) throw new Error('never normal again');
  }
}
