import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupManifest } from '../../src/operations/backup/backup-manifest.js';
import type { RestoreResult } from '../../src/operations/backup/backup-restore.js';
import { ApiClient } from '../support/api-client.js';
import { startFilledService, Load, verifyBackup } from '../support/backups.js';
import { runCli } from '../support/run-cli.js';
import { sendUntilAcknowledged, rootSpans } from '../support/sender.js';
import { ServiceProcess } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const RANGE = { rangeStart: '2020-01-01T00:00:00Z', rangeEnd: '2100-01-01T00:00:00Z', pageSize: 1 };

describe('backup and restore', function () {
  this.timeout(120_000);
  let service: ServiceProcess;
  let gridId: string;
  let apiKey: string;
  let elsewhere: ServiceProcess;
  let folder: string;

  before(async () => ({ service, gridId, apiKey } = await startFilledService()));
  after(() => service.dispose());
  beforeEach(async () => {
    elsewhere = await ServiceProcess.prepare();
    folder = `${elsewhere.dataDir}-backup`;
  });
  afterEach(async () => {
    await elsewhere.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function backup(...words: string[]): Promise<BackupManifest> {
    const { code, stdout, stderr } = await runCli(service.dataDir, 'backup', folder, ...words, '--json');
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as BackupManifest;
  }

  const traces = async (): Promise<number> =>
    (
      await new ApiClient(elsewhere.apiUrl, { 'api-key': apiKey }).post<{ totalCount: number }>(
        `/apm/traces/${gridId}`,
        RANGE,
      )
    ).body.totalCount;

  it('under load: the restored copy matches the manifest and a replay, and contains everything that was acknowledged', async () => {
    const load = new Load(service.otlpHttpUrl, apiKey);
    try {
      for (let n = 0; n < 2; n++) await verifyBackup(service, load, gridId, apiKey);
    } finally {
      await load.stop();
    }
    assert.ok(
      load.ledger.every(({ outcome }) => outcome === 'acknowledged'),
      'senders noticed nothing',
    );
  });

  it('is private, complete, and contains no plain-text secrets', async () => {
    const manifest = await backup();
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    for (const name of await readdir(folder)) {
      assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600, name);
      assert.ok(!(await readFile(join(folder, name))).includes(apiKey), name);
    }
    assert.deepEqual(
      manifest.files.map(({ name }) => name),
      ['events.db', 'read-models.db'],
    );
    assert.deepEqual(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')), manifest);
    assert.equal(existsSync(`${folder}.partial`), false);
  });

  it('rejects a non-empty target folder and a restore over existing data', async () => {
    await backup();
    const again = await runCli(service.dataDir, 'backup', folder);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /is not empty/);
    const over = await runCli(service.dataDir, 'restore', folder);
    assert.equal(over.code, 1);
    assert.match(over.stderr, /is not empty/);
  });

  it('of the event log only: the first start builds the read models', async () => {
    const manifest = await backup('--log-only');
    assert.deepEqual(await readdir(folder), ['events.db', 'manifest.json']);
    assert.equal(manifest.readModels, undefined);
    assert.equal((await runCli(elsewhere.dataDir, 'restore', folder)).code, 0);
    await elsewhere.start();
    await waitUntil(async () => (await traces()) >= 500, 'traces are found');
    assert.equal((await runCli(elsewhere.dataDir, 'verify')).code, 0);
  });

  it('restores up to a position or a point in time', async () => {
    const first = await backup();
    await rm(folder, { recursive: true });
    await sendUntilAcknowledged(service.otlpHttpUrl, apiKey, rootSpans(7));
    const second = await backup();
    assert.ok(second.events > first.events);
    for (const until of [first.position ?? '', first.recordedAt ?? '']) {
      await rm(elsewhere.dataDir, { recursive: true, force: true });
      const { code, stdout, stderr } = await runCli(elsewhere.dataDir, 'restore', folder, '--until', until, '--json');
      assert.equal(code, 0, stderr);
      const { position, events } = JSON.parse(stdout) as RestoreResult;
      assert.deepEqual({ position, events }, { position: first.position, events: first.events });
    }
    await elsewhere.start();
    const all = new ApiClient(service.apiUrl, { 'api-key': apiKey });
    const now = (await all.post<{ totalCount: number }>(`/apm/traces/${gridId}`, RANGE)).body.totalCount;
    await waitUntil(async () => (await traces()) === now - 7, 'all but the last request is found');
    await sendUntilAcknowledged(elsewhere.otlpHttpUrl, apiKey, rootSpans(3));
    await waitUntil(async () => (await traces()) === now - 4, 'the log goes on');
  });

  it('rejects a modified backup', async () => {
    await backup();
    const log = await open(join(folder, 'events.db'), 'r+');
    await log.write(Buffer.from([0xff]), 0, 1, 50_000);
    await log.close();
    const changed = await runCli(elsewhere.dataDir, 'restore', folder);
    assert.equal(changed.code, 1);
    assert.match(changed.stderr, /SHA-256 of events\.db does not match the manifest/);
    assert.deepEqual(await readdir(elsewhere.dataDir), []);
    const none = await runCli(elsewhere.dataDir, 'restore', elsewhere.dataDir);
    assert.match(none.stderr, /is not a backup: manifest\.json is missing/);
  });

  it('works on a folder without a running service', async () => {
    await service.signal('SIGKILL');
    await backup();
    const put = await runCli(elsewhere.dataDir, 'restore', folder, '--json');
    assert.equal(put.code, 0, put.stderr);
    assert.equal(
      (JSON.parse(put.stdout) as RestoreResult).proven.length,
      (JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as BackupManifest).readModels?.length,
    );
  });
});
