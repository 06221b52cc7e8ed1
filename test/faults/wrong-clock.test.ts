import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ApiClient } from '../support/api-client.js';
import { assertRecordsAccounted } from '../support/faults/record-accounts.js';
import { clockOf } from '../support/load/jumping-clock.js';
import { rootSpans, sendUntilAcknowledged } from '../support/sender.js';
import { ServiceProcess } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const PROGRAM = fileURLToPath(new URL('../../../bin/hindsight.js', import.meta.url));
const DAY_MS = 86_400_000;

interface Readiness {
  readonly checks: { readonly retention: { readonly ok: boolean; readonly degraded?: string } };
}

describe('a clock that is weeks wrong at the start', function () {
  this.timeout(120_000);
  let folder: string;
  let service: ServiceProcess;
  let grid: string;
  let apiKey: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hindsight-clock-'));
    setClock(0);
    service = await ServiceProcess.start({ RETENTION_DAYS: '2', ...clockOf(join(folder, 'offset')) });
    ({ gridId: grid, apiKey } = await service.bootstrap());
    await sendSpans();
    await findSpans(50);
  });
  afterEach(async () => {
    await service.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  function setClock(days: number): void {
    writeFileSync(join(folder, 'next'), String(days * DAY_MS));
    renameSync(join(folder, 'next'), join(folder, 'offset'));
  }

  async function restart(days: number): Promise<void> {
    await service.signal('SIGTERM');
    setClock(days);
    await service.start();
  }

  const sendSpans = () => sendUntilAcknowledged(service.otlpHttpUrl, apiKey, rootSpans(50));
  const retention = async () => ((await (await fetch(`${service.apiUrl}/ready`)).json()) as Readiness).checks.retention;
  const findSpans = (expected: number) =>
    waitUntil(async () => {
      const api = new ApiClient(service.apiUrl, { 'api-key': apiKey });
      const range = { rangeStart: '2020-01-01T00:00:00Z', rangeEnd: '2100-01-01T00:00:00Z' };
      return (await api.post<{ totalCount: number }>(`/apm/traces/${grid}`, range)).body.totalCount === expected;
    }, `${expected} spans are found`);

  async function hindsight(...words: string[]): Promise<{ code: number; stdout: string }> {
    const env = { ...process.env, DATA_DIR: service.dataDir };
    return promisify(execFile)(process.execPath, [PROGRAM, ...words], { env }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: unknown) => error as { code: number; stdout: string },
    );
  }

  it('expires nothing, says so, and loses nothing once the clock is right', async () => {
    await restart(30);
    await waitUntil(async () => /30\.0 days ahead/.test((await retention()).degraded ?? ''), 'it is on hold');
    assert.equal((await hindsight('retention')).code, 1);
    await sendSpans();
    await findSpans(100);
    await assertRecordsAccounted(service.dataDir, grid, { traces: 100 }, 'with the clock ahead');
    await restart(0);
    await sendSpans();
    await findSpans(150);
    await assertRecordsAccounted(service.dataDir, grid, { traces: 150 }, 'with the right clock');
    assert.deepEqual(await retention(), { ok: true });
    assert.equal((await hindsight('retention')).code, 0);
  });

  it('expires what is old once the operator confirms the clock', async () => {
    await restart(30);
    await waitUntil(async () => (await retention()).degraded !== undefined, 'it is on hold');
    assert.equal((await hindsight('retention', 'confirm-clock')).code, 0);
    assert.deepEqual(await retention(), { ok: true });
    await restart(30);
    await findSpans(0);
    await assertRecordsAccounted(service.dataDir, grid, { traces: 0 }, 'after the expiry');
  });

  it('expires nothing after many steps of less than a day, with and without a restart, and says so', async () => {
    for (const days of [0.8, 1.6, 2.4]) await restart(days);
    await waitUntil(async () => /2\.4 days ahead/.test((await retention()).degraded ?? ''), 'it is on hold');
    setClock(3.2);
    await waitUntil(async () => /3\.2 days ahead/.test((await retention()).degraded ?? ''), 'the step is noticed');
    for (const days of [4, 4.8]) await restart(days);
    await sendSpans();
    await findSpans(100);
    await restart(0);
    await sendSpans();
    await findSpans(150);
    await assertRecordsAccounted(service.dataDir, grid, { traces: 150 }, 'with the right clock');
    assert.deepEqual(await retention(), { ok: true });
  });

  it('refuses nothing that the right clock would admit while the clock is behind', async () => {
    await restart(-30);
    await waitUntil(async () => /30\.0 days behind/.test((await retention()).degraded ?? ''), 'the jump is noticed');
    await sendSpans();
    await findSpans(100);
    await assertRecordsAccounted(service.dataDir, grid, { traces: 100 }, 'with the clock behind');
  });
});
