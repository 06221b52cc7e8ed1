import assert from 'node:assert/strict';
import { connect } from 'node:http2';
import { reportMeasurements } from '../support/faults/figures.js';
import { IS_FULL, scaleToBudget } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';
import { Batches } from '../support/load/batches.js';
import { runOpenLoop, type LoadResult } from '../support/load/load-generator.js';
import { MIB, openFiles, ProcessWatch, residentBytes } from '../support/load/process-watch.js';
import { HttpSender } from '../support/load/senders.js';
import { SlowSockets } from '../support/load/slow-sockets.js';
import { waitUntil } from '../support/wait-until.js';

const SOCKETS = scaleToBudget('SLOW_SOCKETS', 400, 5_000);
const SECONDS = scaleToBudget('SLOW_SOCKETS_SECONDS', 1, 20);
const STREAMS = scaleToBudget('RESET_STREAMS', 5_000, 200_000);
const MEMORY_MORE = 600 * MIB;
/** Time limit (ms) for connections without complete headers; a slow body may take five minutes. */
const GONE_WITHIN_MS = 20_000;
const FILES_SPARE = 60;

describe(`${SOCKETS} slow clients`, function () {
  this.timeout(SECONDS * 10_000 + 180_000);
  let trial: Trial;
  before(async () => (trial = await Trial.start()));
  after(() => trial.dispose());

  async function healthy(ms: number): Promise<LoadResult> {
    const sender = new HttpSender(trial.service.ports.otlpHttpPort, trial.apiKey, 20);
    const batches = new Batches('traces', 100);
    const load = await runOpenLoop(sender, () => batches.next(), { recordsPerSecond: 2_000, ms, atOnce: 20 });
    sender.close();
    trial.acknowledged('traces', load.acknowledged);
    return load;
  }

  it('do not affect memory or response times, and are disconnected', async () => {
    await healthy(500); // warm
    const calm = await healthy(SECONDS * 1_000);
    const { pid, ports } = trial.service;
    const [bytes, files] = [residentBytes(pid), openFiles(pid)];
    const slow = [
      new SlowSockets(ports.otlpHttpPort, '/v1/traces', trial.apiKey),
      new SlowSockets(ports.httpPort, `/apm/traces/${trial.gridId}`, trial.apiKey),
    ];
    await Promise.all(slow.map((each) => each.add(SOCKETS / 2)));
    const began = performance.now();
    const watch = new ProcessWatch(pid);
    const beside = await healthy(SECONDS * 1_000);
    assert.equal((await trial.api.get(`/apm/traces/${trial.gridId}/filters`)).status, 200);
    // At full length, connections without complete headers were closed by the service.
    const left = (): number => slow.reduce((sum, { open }) => sum + open, 0);
    if (IS_FULL) await waitUntil(() => left() <= SOCKETS / 2 + 2, 'heads that do not end are closed', GONE_WITHIN_MS);
    const figures = {
      sockets: SOCKETS,
      'still open': left(),
      'after s': Math.round((performance.now() - began) / 1_000),
      'RSS more MiB': Math.round((watch.end().largest - bytes) / MIB),
    };
    reportMeasurements('slow clients', {
      ...figures,
      'ack p99 ms calm': Math.round(calm.p99),
      'ack p99 ms beside': Math.round(beside.p99),
      'refused beside': beside.refused,
    });
    for (const each of slow) each.close();
    assert.deepEqual([beside.unhinted, beside.unknown], [[], 0]);
    assert.ok(watch.largest - bytes < MEMORY_MORE);
    await waitUntil(() => openFiles(pid) < files + FILES_SPARE, 'their connections are gone');
  });

  it('that open and reset HTTP/2 streams without end have no effect either', async () => {
    const { pid, ports } = trial.service;
    const bytes = residentBytes(pid);
    const watch = new ProcessWatch(pid);
    const flood = resetStreams(ports.otlpGrpcPort, STREAMS);
    const beside = await healthy(SECONDS * 1_000);
    const opened = await flood;
    reportMeasurements('reset streams', {
      streams: opened.streams,
      connections: opened.connections,
      'ack p99 ms beside': Math.round(beside.p99),
      'RSS more MiB': Math.round((watch.end().largest - bytes) / MIB),
    });
    assert.deepEqual([beside.unhinted, beside.unknown], [[], 0]);
    assert.ok(watch.largest - bytes < MEMORY_MORE);
    await trial.settle('what was acknowledged is there');
    assert.deepEqual(
      trial.service.logLines.filter((line) => /uncaught|unhandled/i.test(line)),
      [],
    );
  });
});

/** CVE-2023-44487: resets each stream immediately, and reconnects whenever the server closes the connection. */
async function resetStreams(port: number, streams: number): Promise<{ streams: number; connections: number }> {
  let connections = 0;
  let opened = 0;
  while (opened < streams) {
    const session = connect(`http://127.0.0.1:${port}`);
    session.on('error', () => undefined);
    await new Promise((resolve) => session.once('connect', resolve).once('close', resolve));
    connections++;
    while (opened < streams && !session.destroyed && !session.closed) {
      for (let n = 0; n < 100 && opened < streams && !session.destroyed && !session.closed; n++, opened++) {
        session
          .request({ ':method': 'POST', ':path': '/v1/traces' })
          .on('error', () => undefined)
          .close(8);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    session.destroy();
  }
  return { streams: opened, connections };
}
