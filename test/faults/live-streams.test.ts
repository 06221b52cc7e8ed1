import assert from 'node:assert/strict';
import { reportMeasurements } from '../support/faults/figures.js';
import { HAS_BUDGET, IS_FULL, scaleToBudget } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';
import { Batches } from '../support/load/batches.js';
import { Listener, openListeners } from '../support/load/stream-listeners.js';
import { runOpenLoop, type LoadResult } from '../support/load/load-generator.js';
import { MIB, openFiles, ProcessWatch, residentBytes } from '../support/load/process-watch.js';
import { createSecondGrid } from '../support/load/second-grid.js';
import { HttpSender } from '../support/load/senders.js';
import type { Bootstrap } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const STREAMS = scaleToBudget('STREAMS', 200, 10_000);
const SLOW = Math.ceil(STREAMS / 100);
const SECONDS = scaleToBudget('STREAMS_SECONDS', 1, 60);
/** The limit of one Grid. */
const STREAMS_A_GRID = 1_000;
const SPANS_A_SECOND = 5_000;
/** KiB per stream, including garbage from opening it; the goal is 20. */
const KIB_A_STREAM = 30;
const MEMORY_BOUND = 1_024 * MIB;
/** File descriptors that the service itself opens and closes meanwhile. */
const FILES_SPARE = 40;

describe(`${STREAMS} open live streams, ${SLOW} of which read nothing`, function () {
  this.timeout(STREAMS * 40 + SECONDS * 10_000 + 120_000);
  let trial: Trial;
  let sender: HttpSender;
  const grids: Bootstrap[] = [];
  const batches = new Batches('traces', 100);

  before(async () => {
    trial = await Trial.start({ CONNECTIONS_PER_ADDRESS: '0' }); // all of them come from one address
    grids.push({ gridId: trial.gridId, apiKey: trial.apiKey });
    while (grids.length * STREAMS_A_GRID < STREAMS)
      grids.push(await createSecondGrid(trial.service.dataDir, `listeners ${grids.length}`));
    sender = new HttpSender(trial.service.ports.otlpHttpPort, trial.apiKey, 20);
  });
  after(async () => {
    sender.close();
    await trial.dispose();
  });

  const listen = (): Promise<Listener[]> =>
    openListeners(STREAMS, (n) => {
      const { gridId, apiKey } = grids[Math.floor(n / STREAMS_A_GRID)];
      return Listener.open(
        trial.service.ports.httpPort,
        `/apm/diagnostics/${gridId}/stream?api-version=2.0&topics=health`,
        apiKey,
      );
    });

  async function ingest(): Promise<LoadResult> {
    const load = await runOpenLoop(sender, () => batches.next(), {
      recordsPerSecond: SPANS_A_SECOND,
      ms: SECONDS * 1_000,
      atOnce: 20,
    });
    trial.acknowledged('traces', load.acknowledged);
    return load;
  }

  it('need little memory, and delay neither ingestion nor queries', async () => {
    await ingest(); // warm
    const calm = await ingest();
    const { pid } = trial.service;
    const [bytes, files] = [residentBytes(pid), openFiles(pid)];
    const listeners = await listen();
    assert.deepEqual(
      listeners.filter(({ status }) => status !== 200).map(({ status }) => status),
      [],
    );
    const kibEach = (residentBytes(pid) - bytes) / 1_024 / STREAMS;
    listeners.slice(0, SLOW).forEach((each) => each.pause());
    const watch = new ProcessWatch(pid);
    const beside = await ingest();
    const began = performance.now();
    assert.equal((await trial.api.get(`/apm/diagnostics/${trial.gridId}/health`)).status, 200);
    const askedMs = performance.now() - began;
    reportMeasurements('many streams', {
      streams: STREAMS,
      'KiB a stream': kibEach.toFixed(1),
      'ack p99 ms calm': Math.round(calm.p99),
      'ack p99 ms beside': Math.round(beside.p99),
      'a question ms': Math.round(askedMs),
      'largest RSS MiB': Math.round(watch.end().largest / MIB),
    });
    assert.deepEqual([beside.unhinted, beside.unknown], [[], 0]);
    assert.ok(watch.largest < MEMORY_BOUND, `${Math.round(watch.largest / MIB)} MiB`);
    if (IS_FULL) assert.ok(kibEach < KIB_A_STREAM, `${kibEach.toFixed(1)} KiB a stream`);
    for (const each of listeners) each.close();
    await waitUntil(() => openFiles(pid) < files + FILES_SPARE, 'their connections are gone', 30_000);
  });

  it('reconnect simultaneously after a restart and are accepted', async () => {
    const before = await listen();
    await trial.service.signal('SIGKILL');
    await waitUntil(() => before.every((each) => each.closed), 'all are cut off');
    await trial.start();
    sender.close();
    sender = new HttpSender(trial.service.ports.otlpHttpPort, trial.apiKey, 20);
    const began = performance.now();
    const [back, beside] = await Promise.all([listen(), ingest()]);
    reportMeasurements('many streams come back', {
      streams: STREAMS,
      'all back after ms': Math.round(performance.now() - began),
      'ack p99 ms meanwhile': Math.round(beside.p99),
    });
    assert.deepEqual(
      back.filter(({ status }) => status !== 200).map(({ status }) => status),
      [],
    );
    assert.equal(beside.unknown, 0);
    assert.deepEqual(beside.unhinted, []);
    for (const each of back) each.close();
    await trial.settle('everything counts once');
    if (HAS_BUDGET) await trial.verify();
  });
});
