import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RecordReport } from '../../src/operations/operations-port.js';
import type { Finding } from '../../src/cli/finding.js';
import type { RebuildOutcome, VerificationOutcome } from '../../src/operations/operations-port.js';
import { ApiClient } from '../support/api-client.js';
import { projectionsOf } from '../support/cluster/cluster.js';
import { sendUntilAcknowledged, logRecords, rootSpans } from '../support/sender.js';
import { ServiceProcess } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const PROGRAM = fileURLToPath(new URL('../../../bin/hindsight.js', import.meta.url));

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('operations on the command line', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  let grid: string;
  let apiKey: string;

  beforeEach(async () => {
    service = await ServiceProcess.start();
    ({ gridId: grid, apiKey } = await service.bootstrap());
    await sendUntilAcknowledged(service.otlpHttpUrl, apiKey, rootSpans(50));
    await sendUntilAcknowledged(service.otlpHttpUrl, apiKey, logRecords(30));
    await waitUntil(async () => (await found()).traces === 50 && (await found()).logs === 30, 'all is found');
  });
  afterEach(() => service.dispose());

  async function hindsight(...words: string[]): Promise<Run> {
    const env = { ...process.env, DATA_DIR: service.dataDir, HTTP_PORT: '0', OTLP_HTTP_PORT: '0', OTLP_GRPC_PORT: '0' };
    const run = await promisify(execFile)(process.execPath, [PROGRAM, ...words], { env }).catch(
      (error: unknown) => error as Run & { code: number },
    );
    return { code: 'code' in run ? run.code : 0, stdout: run.stdout, stderr: run.stderr };
  }

  async function found(): Promise<{ traces: number; logs: number }> {
    const api = new ApiClient(service.apiUrl, { 'api-key': apiKey });
    const range = { rangeStart: '2020-01-01T00:00:00Z', rangeEnd: '2100-01-01T00:00:00Z' };
    const total = async (signal: string) =>
      (await api.post<{ totalCount: number }>(`/apm/${signal}/${grid}`, range)).body.totalCount;
    return { traces: await total('traces'), logs: await total('logs') };
  }

  it('rebuilds and verifies with a running service, and on the folder without one', async () => {
    for (const running of [true, false]) {
      if (!running) await service.signal('SIGTERM');
      const replayed = await hindsight('replay', '--json');
      assert.equal(replayed.code, 0, replayed.stderr);
      assert.deepEqual(
        (JSON.parse(replayed.stdout) as RebuildOutcome[]).map(({ projection }) => projection).sort(),
        projectionsOf(1),
      );
      const verified = await hindsight('verify', '--json');
      assert.equal(verified.code, 0, verified.stderr);
      assert.ok((JSON.parse(verified.stdout) as VerificationOutcome[]).every(({ equal }) => equal));
      if (running) assert.deepEqual(await found(), { traces: 50, logs: 30 });
    }
    await service.start();
    assert.deepEqual(await found(), { traces: 50, logs: 30 });
  });

  it('restores lost read models', async () => {
    await service.signal('SIGTERM');
    for (const end of ['', '-wal', '-shm']) await rm(join(service.dataDir, `read-models.db${end}`), { force: true });
    await service.start();
    await waitUntil(async () => (await found()).traces === 50 && (await found()).logs === 30, 'all is found again');
  });

  it('shows a progress bar and lists the projections', async () => {
    const bar = await hindsight('replay', 'traces');
    assert.equal(bar.code, 0, bar.stderr);
    assert.match(bar.stdout, /traces: rebuilt from \d+ events in [\d.]+ s, now in use/);
    const unknown = await hindsight('replay', 'spans');
    assert.equal(unknown.code, 4);
    assert.match(
      unknown.stderr,
      /There is no projection "spans"; available: access, alerts, (?:[a-z-]+, )+traces, logs, metrics\n/,
    );
  });

  it('shows the state of retention, and does not move the watermark back if nothing has expired', async () => {
    const shown = await hindsight('retention');
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, new RegExp(`the clock agrees[^]*${grid} +demo +default +- +\\d{4}-`));
    const refused = await hindsight('retention', 'take-back', 'demo');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /Nothing has expired in this Grid: the watermark cannot be moved back/);
  });

  it('shows the outcome of every record', async () => {
    const shown = await hindsight('records');
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /^GRID +NAME +SIGNAL +RECEIVED +SEARCHABLE/);
    assert.match(shown.stdout, new RegExp(`\\n${grid} +demo +traces +\\d+ +50 +0 `));
    const { grids } = JSON.parse((await hindsight('records', '--json')).stdout) as RecordReport;
    const logs = grids.find(({ gridId, signal }) => gridId === grid && signal === 'logs');
    assert.deepEqual([logs?.searchable, logs?.unaccounted, logs?.pending], [30, 0, 0]);
  });

  it('doctor checks a running service, a stopped one, and invalid settings', async () => {
    const findings = async () => JSON.parse((await hindsight('doctor', '--json')).stdout) as Finding[];
    const running = await findings();
    assert.ok(
      running.every(({ ok }) => ok),
      JSON.stringify(running),
    );
    assert.deepEqual(
      running.slice(-7).map(({ check }) => check),
      [
        'service, log',
        'service, readModels',
        'service, access',
        'service, projections',
        'service, retention',
        'service, ingestion',
        'records',
      ],
    );
    assert.match(running.at(-1)?.detail ?? '', /traces: \d+ received = .*50 searchable/);
    await service.signal('SIGTERM');
    const atRest = await findings();
    assert.ok(
      atRest.every(({ ok }) => ok),
      JSON.stringify(atRest),
    );
    assert.ok(atRest.some(({ check, detail }) => check === 'stores' && /up to date with the event log/.test(detail)));
    const wrong = await promisify(execFile)(process.execPath, [PROGRAM, 'doctor'], {
      env: { ...process.env, DATA_DIR: service.dataDir, RETENTION_DAYS: 'a week' },
    }).catch((error: unknown) => error as Run);
    assert.equal((wrong as Run).code, 78);
    assert.match(wrong.stderr, /^hindsight: RETENTION_DAYS .*\n$/);
  });

  it('prints help', async () => {
    for (const words of [
      ['--help'],
      ['serve', '--help'],
      ['replay', '--help'],
      ['verify', '--help'],
      ['doctor', '--help'],
    ]) {
      const help = await hindsight(...words);
      assert.equal(help.code, 0);
      assert.match(help.stdout, /^Usage: hindsight/);
    }
  });
});
