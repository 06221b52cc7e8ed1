import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../support/api-client.js';
import { insist, logRecords, send, type Sent } from '../support/sender.js';
import { ServiceProcess, until } from '../support/service.js';

/** A file system of 64 MiB of its own, or undefined where this user may not mount one. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmdirSync(folder);
    return undefined;
  }
}

describe('a full disk', function () {
  this.timeout(60_000);
  let disk: string | undefined;

  before(function () {
    disk = smallDisk();
    if (disk === undefined) {
      console.log('skipped: a full disk (needs root to mount a small tmpfs: run the tests as root)');
      this.skip();
    }
  });
  after(() => {
    if (disk === undefined) return;
    execFileSync('umount', [disk]);
    rmdirSync(disk);
  });

  it('is told as a retryable failure, loses nothing, keeps reads going, and heals without a restart', async () => {
    const folder = join(disk ?? '', 'data');
    const ballast = join(disk ?? '', 'ballast');
    const service = await ServiceProcess.start({ DATA_DIR: folder });
    const { apiKey, gridId } = JSON.parse(execFileSync('cat', [join(folder, 'bootstrap.json')], { encoding: 'utf8' })) as { apiKey: string; gridId: string };
    const api = new ApiClient(service.apiUrl, { 'api-key': apiKey });
    const ledger: Sent[] = [];
    const found = async () => {
      const range = { rangeStart: new Date(Date.now() - 600_000).toISOString(), rangeEnd: new Date(Date.now() + 600_000).toISOString(), pageSize: 1 };
      const { status, body } = await api.post<{ totalCount: number }>(`/apm/logs/${gridId}`, range);
      assert.equal(status, 200);
      return body.totalCount;
    };

    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - 2 * 1024 * 1024));
    await until(async () => {
      const request = logRecords(500);
      ledger.push(request);
      await send(service.otlpHttpUrl, apiKey, request);
      return request.outcome === 'refused';
    }, 'the disk is full', 30_000);
    const refusal = await fetch(`${service.otlpHttpUrl}/v1/logs`, { method: 'POST', headers: { 'content-type': 'application/json', 'api-key': apiKey }, body: logRecords(500).body });
    assert.equal(refusal.status, 503);
    assert.ok(Number(refusal.headers.get('retry-after')) >= 1);
    await found();

    rmSync(ballast);
    await Promise.all(ledger.filter((request) => request.outcome !== 'acknowledged').map((request) => insist(service.otlpHttpUrl, apiKey, request)));
    const sent = ledger.reduce((sum, request) => sum + request.size, 0);
    await until(async () => (await found()) === sent, 'everything is found, once', 10_000);
    await service.dispose();
  });
});
