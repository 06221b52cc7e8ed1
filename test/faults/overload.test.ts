import assert from 'node:assert/strict';
import { reportMeasurements } from '../support/faults/figures.js';
import { IS_FULL, scaleToBudget } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';
import { Batches } from '../support/load/batches.js';
import { runClosedLoop, runOpenLoop, type LoadResult } from '../support/load/load-generator.js';
import { MIB, ProcessWatch } from '../support/load/process-watch.js';
import { HttpSender } from '../support/load/senders.js';

const SECONDS = scaleToBudget('OVERLOAD_SECONDS', 2, 300);
const RATED_MS = scaleToBudget('OVERLOAD_RATED_MS', 1_500, 10_000);
const TIMES = 10;
const CONNECTIONS = 200;
const RECORDS_A_REQUEST = 500;
const MEMORY_BOUND = 1_536 * MIB;
/** Time limit (ms) for recovery after the load. */
const NORMAL_WITHIN_MS = 10_000;
const CALM_ACK_MS = 1_000;

describe(`${TIMES} times the capacity of the service, for ${SECONDS} s over ${CONNECTIONS} connections`, function () {
  this.timeout(SECONDS * 10_000 + 180_000);
  let trial: Trial;
  before(async () => (trial = await Trial.start()));
  after(() => trial.dispose());

  it('loses no acknowledged records, rejects the rest as retryable, and recovers afterwards', async () => {
    const sender = new HttpSender(trial.service.ports.otlpHttpPort, trial.apiKey, CONNECTIONS);
    const batches = { traces: new Batches('traces', RECORDS_A_REQUEST), logs: new Batches('logs', RECORDS_A_REQUEST) };
    const next = () => batches.traces.next();
    const noteAll = (...loads: LoadResult[]) =>
      loads.forEach(({ acknowledged }) => trial.acknowledged('traces', acknowledged));
    const warm = await runClosedLoop(sender, next, 8, RATED_MS);
    const rated = await runClosedLoop(sender, next, 8, RATED_MS);
    // Cold code or a stalled machine would underestimate the capacity, and ten times that would be no overload.
    const recordsPerSecond = Math.round((Math.max(warm.acknowledged, rated.acknowledged) * 1_000) / RATED_MS);
    const watch = new ProcessWatch(trial.service.pid);
    const overload = await runOpenLoop(sender, next, {
      recordsPerSecond: TIMES * recordsPerSecond,
      ms: SECONDS * 1_000,
      atOnce: CONNECTIONS,
    });
    const normalMs = await untilNormal(sender, recordsPerSecond / 4, noteAll, next);
    const { largest } = watch.end();
    noteAll(warm, rated, overload);
    reportMeasurements('overload', {
      'rated/s': recordsPerSecond,
      'due/s': Math.round(overload.due / SECONDS),
      'goodput/s': Math.round(overload.acknowledged / SECONDS),
      'refused requests': overload.refused,
      'ack p99 ms': Math.round(overload.p99),
      'largest RSS MiB': Math.round(largest / MIB),
      'normal after ms': Math.round(normalMs),
    });
    for (const { unhinted, unknown } of [warm, rated, overload])
      assert.deepEqual([unhinted, unknown], [[], 0], 'every refusal has a retry hint');
    // Whether requests are rejected or find no free connection depends on the machine.
    assert.ok(overload.due > 2 * overload.acknowledged, 'the load exceeds the capacity');
    assert.ok(largest < MEMORY_BOUND, `${Math.round(largest / MIB)} MiB`);
    assert.ok(normalMs <= NORMAL_WITHIN_MS, `normal only after ${normalMs.toFixed(0)} ms`);
    sender.close();
    await trial.settle('exactly the acknowledged records are stored', 60_000 + SECONDS * 1_000);
    await trial.verify();
  });
});

/** Time (ms) until a quarter of the capacity is accepted for a second without refusals or delay. */
async function untilNormal(
  sender: HttpSender,
  recordsPerSecond: number,
  noteAll: (load: LoadResult) => void,
  next: () => ReturnType<Batches['next']>,
): Promise<number> {
  const over = performance.now();
  for (;;) {
    const began = performance.now();
    const load = await runOpenLoop(sender, next, { recordsPerSecond, ms: 1_000, atOnce: CONNECTIONS });
    noteAll(load);
    assert.deepEqual([load.unhinted, load.unknown], [[], 0]);
    if (load.refused === 0 && load.p99 < (IS_FULL ? CALM_ACK_MS : Infinity)) return began - over;
    if (began - over > NORMAL_WITHIN_MS * 3) throw new Error('never normal again');
  }
}
