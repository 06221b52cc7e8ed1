import assert from 'node:assert/strict';
import { ApiClient } from '../support/api-client.js';
import { reportMeasurements } from '../support/faults/figures.js';
import { scaleToBudget } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';
import { ABUSES, renderingAbuses, type Abuse } from '../support/load/abuse.js';
import { Batches } from '../support/load/batches.js';
import { measureLiveResponses } from '../support/load/live-responses.js';
import { runOpenLoop, percentile, type LoadResult } from '../support/load/load-generator.js';
import { createSecondGrid } from '../support/load/second-grid.js';
import { HttpSender, sendBatchUntilAcknowledged } from '../support/load/senders.js';
import type { Bootstrap } from '../support/service.js';

const RECORDS = scaleToBudget('ABUSED_RECORDS', 10_000, 1_000_000);
const SECONDS = scaleToBudget('ABUSE_SECONDS', 1, 60);
/** Concurrent callers, each sending one query after the other. */
const CALLERS = scaleToBudget('ABUSERS', 16, 64);
const RECORDS_A_REQUEST = 500;
const SPANS_A_SECOND = 5_000;

describe(`${CALLERS} callers with excessive queries over ${RECORDS} records, for ${SECONDS} s`, function () {
  this.timeout(SECONDS * 30_000 + RECORDS + 120_000);
  let trial: Trial;
  let other: Bootstrap;
  let abuses: readonly Abuse[];
  const timesByQuery = new Map<string, number[]>();

  before(async () => {
    trial = await Trial.start();
    other = await createSecondGrid(trial.service.dataDir, 'other');
    const sender = new HttpSender(trial.service.ports.otlpHttpPort, trial.apiKey, 4);
    for (const signal of ['traces', 'logs'] as const) {
      const batches = new Batches(signal, RECORDS_A_REQUEST);
      for (let sent = 0; sent < RECORDS / 2; sent += RECORDS_A_REQUEST)
        await sendBatchUntilAcknowledged(sender, batches.next());
      trial.acknowledged(signal, Math.ceil(RECORDS / 2 / RECORDS_A_REQUEST) * RECORDS_A_REQUEST);
    }
    sender.close();
    await trial.settle('everything can be queried', 120_000);
    const { body } = await trial.api.get<{ charts: { id: string }[] }>(`/apm/charts/${trial.gridId}/charts`);
    abuses = [...ABUSES, ...renderingAbuses(body.charts[0].id)];
  });
  after(() => trial.dispose());

  async function ingest(ms: number): Promise<LoadResult> {
    const sender = new HttpSender(trial.service.ports.otlpHttpPort, other.apiKey, 50);
    const batches = new Batches('traces', 100);
    const load = await runOpenLoop(sender, () => batches.next(), { recordsPerSecond: SPANS_A_SECOND, ms, atOnce: 50 });
    sender.close();
    return load;
  }

  async function ask({ name, ask: askFor, allowed }: Abuse): Promise<void> {
    const began = performance.now();
    const { status } = await askFor(new ApiClient(trial.service.apiUrl, { 'api-key': trial.apiKey }), trial.gridId);
    timesByQuery.set(name, [...(timesByQuery.get(name) ?? []), performance.now() - began]);
    assert.ok(allowed.includes(status) || (status !== 500 && status >= 429), `${name}: ${status}`);
  }

  it('each query is answered or rejected', async () => {
    for (const abuse of abuses) await ask(abuse);
    reportMeasurements('query abuse, one by one', {
      questions: timesByQuery.size,
      slowest: slowestQuery(timesByQuery),
    });
  });

  it('concurrent queries do not block ingestion of another Grid', async () => {
    await ingest(1_000); // warm
    const calm = await ingest(SECONDS * 1_000);
    timesByQuery.clear();
    let over = false;
    const caller = async (n: number): Promise<void> => {
      for (let k = n; !over; k++) await ask(abuses[k % abuses.length]);
    };
    const callers = Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n)));
    const liveResponses = measureLiveResponses(trial.service.apiUrl, () => over);
    const beside = await Promise.race([
      ingest(SECONDS * 1_000),
      callers.then(() => assert.fail('callers ask on')),
    ]).finally(() => (over = true));
    await callers;
    const held = await liveResponses;
    const times = [...timesByQuery.values()].flat();
    reportMeasurements('query abuse, all at once', {
      answers: times.length,
      slowest: slowestQuery(timesByQuery),
      'answer p50 ms': Math.round(percentile(times, 0.5)),
      'answer p99 ms': Math.round(percentile(times, 0.99)),
      '/live p99 ms': Math.round(percentile(held, 0.99)),
      'ack p99 ms calm': Math.round(calm.p99),
      'ack p99 ms beside': Math.round(beside.p99),
      'refused beside': beside.refused,
    });
    // Acknowledgement times are reported, not asserted: the clients share the processors with the service.
    assert.deepEqual([beside.unhinted, beside.unknown], [[], 0]);
    assert.deepEqual(
      trial.service.logLines.filter((line) => /uncaught|unhandled/i.test(line)),
      [],
    );
  });
});

function slowestQuery(timesByQuery: ReadonlyMap<string, readonly number[]>): string {
  const [[name, ms]] = [...timesByQuery]
    .map(([name, times]) => [name, Math.max(...times)] as const)
    .sort(([, a], [, b]) => b - a);
  return `${name} (${Math.round(ms)} ms)`;
}
