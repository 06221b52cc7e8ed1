import assert from 'node:assert/strict';
import { scaleToBudget } from '../support/faults/budget.js';
import { reportMeasurements } from '../support/faults/figures.js';
import { Trial } from '../support/faults/trial.js';
import { Batches, type Batch } from '../support/load/batches.js';
import { runOpenLoop, percentile } from '../support/load/load-generator.js';
import { MIB, openFiles, ProcessWatch } from '../support/load/process-watch.js';
import { HttpSender } from '../support/load/senders.js';

/** Set SOAK_SECONDS=86400 for a day. */
const SECONDS = scaleToBudget('SOAK_SECONDS', 20, 600);
/** Minimum length (s) for assertions on memory growth. */
const JUDGED_SECONDS = 120;
/** The rate of the stability tests of the OpenTelemetry Collector. */
const RECORDS_A_SECOND = 10_000;
const RECORDS_A_REQUEST = 200;
const CONNECTIONS = 30;
const SLICE_MS = 10_000;
/** Daily variation of the rate. */
const SWING = 0.5;
/** Requests per signal, out of ten. */
const MIX = ['traces', 'traces', 'traces', 'traces', 'traces', 'traces', 'logs', 'logs', 'logs', 'metrics'] as const;
const LAG_BOUND_MS = 5_000;
const FILES_SPARE = 30;
/** Permitted ratio of the median of the last quarter to that of the second, when caches are filled. */
const GROWTH_BOUND = 1.25;

describe(`${RECORDS_A_SECOND} records per second for ${SECONDS} s, with queries`, function () {
  this.timeout(SECONDS * 5_000 + 300_000);
  let trial: Trial;
  before(async () => (trial = await Trial.start()));
  after(() => trial.dispose());

  it('do not leak memory or files, do not slow down, and lose nothing', async () => {
    const { pid, ports } = trial.service;
    const sender = new HttpSender(ports.otlpHttpPort, trial.apiKey, CONNECTIONS);
    const sources = {
      traces: new Batches('traces', RECORDS_A_REQUEST),
      logs: new Batches('logs', RECORDS_A_REQUEST),
      metrics: new Batches('metrics', RECORDS_A_REQUEST),
    };
    let made = 0;
    const next = (): Batch => sources[MIX[made++ % MIX.length]].next();
    const counting = {
      send: async (batch: Batch) => {
        const attempt = await sender.send(batch);
        if (attempt.outcome === 'acknowledged' && batch.signal !== 'metrics')
          trial.acknowledged(batch.signal, batch.records);
        return attempt;
      },
      close: () => sender.close(),
    };
    const watch = new ProcessWatch(pid, 1_000);
    const files: number[] = [];
    const latencies: number[] = [];
    const lags: number[] = [];
    let refused = 0;
    for (const began = performance.now(); performance.now() - began < SECONDS * 1_000;) {
      const phase = (performance.now() - began) / (SECONDS * 1_000);
      const tally = await runOpenLoop(counting, next, {
        recordsPerSecond: RECORDS_A_SECOND * (1 + SWING * Math.sin(2 * Math.PI * 3 * phase)),
        ms: SLICE_MS,
        atOnce: CONNECTIONS,
      });
      latencies.push(...tally.latencies);
      refused += tally.refused;
      assert.deepEqual([tally.unknown, tally.unhinted], [0, []]);
      files.push(openFiles(pid));
      lags.push(await lagMs(trial));
      assert.equal((await trial.api.get(`/apm/diagnostics/${trial.gridId}/diagnosis`)).status, 200);
    }
    const samples = watch.end().samples.map(({ bytes }) => bytes / MIB);
    const quarter = (n: number): number =>
      percentile(samples.slice(Math.floor((samples.length * n) / 4), Math.floor((samples.length * (n + 1)) / 4)), 0.5);
    reportMeasurements('soak', {
      seconds: SECONDS,
      requests: latencies.length,
      refused,
      'ack p50 ms': Math.round(percentile(latencies, 0.5)),
      'ack p99 ms': Math.round(percentile(latencies, 0.99)),
      'lag p99 ms': Math.round(percentile(lags, 0.99)),
      'RSS MiB by quarter': [0, 1, 2, 3].map((n) => Math.round(quarter(n))).join('/'),
      files: `${files[0]}→${files.at(-1) ?? 0}`,
    });
    sender.close();
    assert.ok(percentile(lags, 0.99) < LAG_BOUND_MS);
    assert.ok(Math.abs((files.at(-1) ?? 0) - files[0]) <= FILES_SPARE, files.join());
    // Shorter runs only fill the caches.
    if (SECONDS >= JUDGED_SECONDS)
      assert.ok(quarter(3) <= quarter(1) * GROWTH_BOUND, `${quarter(1)} MiB, then ${quarter(3)} MiB`);
    await trial.settle('everything is there, and once', 120_000);
    await trial.verify();
  });
});

/** Time of the last telemetry commit. */
async function lagMs(trial: Trial): Promise<number> {
  const text = await (await fetch(`${trial.service.apiUrl}/metrics`)).text();
  return (
    Number(/^hindsight_projection_latest_lag_seconds\{projection="telemetry"\} (\S+)$/m.exec(text)?.[1] ?? NaN) * 1_000
  );
}
