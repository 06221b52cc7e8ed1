import assert from 'node:assert/strict';
import { scaleToBudget } from '../support/faults/budget.js';
import { reportMeasurements } from '../support/faults/figures.js';
import { Trial } from '../support/faults/trial.js';
import { Batches, type Batch } from '../support/load/batches.js';
import { runOpenLoop, percentile } from '../support/load/load-generator.js';
import { growthPerMinute } from '../support/load/memory-growth.js';
import { MIB, openFiles, ProcessWatch } from '../support/load/process-watch.js';
import { HttpSender, sendBatchUntilAcknowledged } from '../support/load/senders.js';
import { Readers } from '../support/load/soak-readers.js';

/** Set SOAK_SECONDS=86400 for a day. */
const SECONDS = scaleToBudget('SOAK_SECONDS', 20, 600);
/** Minimum length (s) for assertions on memory: caches fill during the first three minutes. */
const JUDGED_SECONDS = 480;
const FILLED_AFTER_MS = 180_000;
/** The rate of the stability tests of the OpenTelemetry Collector; about half of what two busy cores sustain. */
const RECORDS_A_SECOND = Number(process.env.SOAK_RECORDS_A_SECOND ?? 10_000);
const RECORDS_A_REQUEST = 200;
const CONNECTIONS = 30;
const SLICE_MS = 10_000;
/** Variation of the rate, three times in a run. */
const SWING = 0.5;
/** Requests per signal, out of ten. */
const MIX = ['traces', 'traces', 'traces', 'traces', 'traces', 'traces', 'logs', 'logs', 'logs', 'metrics'] as const;
const LAG_BOUND_MS = 5_000;
const FILES_SPARE = 30;
/** MiB a minute. */
const GROWTH_BOUND = 5;
/** Of an idle service to the same folder after a restart. */
const IDLE_RATIO = 1.3;
const IDLE_MS = 60_000;

describe(`${RECORDS_A_SECOND} records per second for ${SECONDS} s, with queries, live streams and pictures`, function () {
  this.timeout(SECONDS * 5_000 + 600_000);
  let trial: Trial;
  let readers: Readers | undefined;
  before(async () => (trial = await Trial.start()));
  after(async () => {
    await readers?.stop();
    await trial.dispose();
  });

  it('do not leak memory or files, do not slow down, and lose nothing', async () => {
    const { pid, ports } = trial.service;
    const sender = new HttpSender(ports.otlpHttpPort, trial.apiKey, CONNECTIONS);
    const sources = {
      traces: new Batches('traces', RECORDS_A_REQUEST),
      logs: new Batches('logs', RECORDS_A_REQUEST),
      metrics: new Batches('metrics', RECORDS_A_REQUEST),
    };
    const late: Batch[] = [];
    const count = ({ signal, records }: Batch): void => {
      if (signal !== 'metrics') trial.acknowledged(signal, records);
    };
    let made = 0;
    const next = (): Batch => sources[MIX[made++ % MIX.length]].next();
    const counting = {
      send: async (batch: Batch) => {
        const attempt = await sender.send(batch);
        if (attempt.outcome === 'acknowledged') count(batch);
        // Too late for an answer, which does not tell whether it is stored.
        else if (attempt.status === 503) late.push(batch);
        return attempt;
      },
      close: () => sender.close(),
    };
    const watch = new ProcessWatch(pid, 1_000);
    readers = await Readers.start(trial);
    const files: number[] = [];
    const latencies: number[] = [];
    const lags: number[] = [];
    let refused = 0;
    for (const began = performance.now(); performance.now() - began < SECONDS * 1_000;) {
      const phase = (performance.now() - began) / (SECONDS * 1_000);
      const load = await runOpenLoop(counting, next, {
        recordsPerSecond: RECORDS_A_SECOND * (1 + SWING * Math.sin(2 * Math.PI * 3 * phase)),
        ms: SLICE_MS,
        atOnce: CONNECTIONS,
      });
      latencies.push(...load.latencies);
      refused += load.refused;
      assert.deepEqual([load.unknown, load.unhinted], [0, []]);
      files.push(openFiles(pid));
      lags.push(await lagMs(trial));
    }
    const { samples } = watch.end();
    const responses = await readers.stop();
    for (const batch of late) {
      await sendBatchUntilAcknowledged(sender, batch);
      count(batch);
    }
    sender.close();
    const growth = growthPerMinute(samples, FILLED_AFTER_MS) / MIB;
    reportMeasurements('soak', {
      seconds: SECONDS,
      requests: latencies.length,
      refused,
      'ack p50 ms': Math.round(percentile(latencies, 0.5)),
      'ack p99 ms': Math.round(percentile(latencies, 0.99)),
      'lag p99 ms': Math.round(percentile(lags, 0.99)),
      'RSS MiB at most': Math.round(watch.largest / MIB),
      'MiB a minute after three minutes': growth.toFixed(1),
      files: `${files[0]}→${files.at(-1) ?? 0}`,
      'readers got': JSON.stringify(responses),
    });
    assert.ok(percentile(lags, 0.99) < LAG_BOUND_MS);
    assert.ok(Math.abs((files.at(-1) ?? 0) - files[0]) <= FILES_SPARE, files.join());
    assert.deepEqual(
      Object.keys(responses).filter((status) => !['200', '429', '503'].includes(status)),
      [],
    );
    if (SECONDS >= JUDGED_SECONDS) assert.ok(growth <= GROWTH_BOUND, `${growth.toFixed(1)} MiB a minute`);
    await trial.settle('everything is there, and once', 120_000);
    if (SECONDS >= JUDGED_SECONDS) await assertIdleMemory(trial);
    await trial.verify();
  });
});

/**
 * A minute after the load, the process has at most 1.3 times the memory of one that was restarted on the same folder.
 */
async function assertIdleMemory(trial: Trial): Promise<void> {
  const idle = await readIdleMemory(trial);
  await trial.service.signal('SIGTERM');
  await trial.service.start();
  const restarted = await readIdleMemory(trial);
  reportMeasurements('soak, idle for a minute', {
    'RSS MiB': Math.round(idle / MIB),
    'RSS MiB after a restart': Math.round(restarted / MIB),
  });
  assert.ok(idle <= IDLE_RATIO * restarted, `${idle / MIB} MiB, ${restarted / MIB} MiB after a restart`);
}

async function readIdleMemory(trial: Trial): Promise<number> {
  const watch = new ProcessWatch(trial.service.pid, 1_000);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  return watch.end().samples.at(-1)!.bytes;
}

/** Time of the last telemetry commit. */
async function lagMs(trial: Trial): Promise<number> {
  const text = await (await fetch(`${trial.service.apiUrl}/metrics`)).text();
  return (
    Number(/^hindsight_projection_latest_lag_seconds\{projection="telemetry"\} (\S+)$/m.exec(text)?.[1] ?? NaN) * 1_000
  );
}
