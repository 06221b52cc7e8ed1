import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../support/api-client.js';
import { sendUntilAcknowledged, logRecords, send, type Sent } from '../support/sender.js';
import { assertRecordsAccounted } from '../support/faults/record-accounts.js';
import { signIn } from '../support/sign-in.js';
import { ServiceProcess } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

/** A separate file system of 64 MiB; undefined if this user may not mount one. */
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

/** Runs a command and waits until its effect is visible in a read model. */
async function limitPrompts(apiUrl: string, gridId: string, dailyPromptLimit: number): Promise<void> {
  const owner = await signIn(apiUrl, 'owner');
  const limits = `/assistant/limits/${gridId}`;
  const answer = await owner.put(limits, { dailyPromptLimit });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal((await owner.get(limits)).body['dailyPromptLimit'], dailyPromptLimit);
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

  it('is reported as a retryable failure, loses nothing, keeps reads and commands available, also across a restart, and recovers automatically', async () => {
    const folder = join(disk ?? '', 'data');
    const ballast = join(disk ?? '', 'ballast');
    const service = await ServiceProcess.start({ DATA_DIR: folder });
    const { apiKey, gridId } = JSON.parse(
      execFileSync('cat', [join(folder, 'bootstrap.json')], { encoding: 'utf8' }),
    ) as { apiKey: string; gridId: string };
    const api = () => new ApiClient(service.apiUrl, { 'api-key': apiKey });
    const ledger: Sent[] = [];
    const found = async () => {
      const range = {
        rangeStart: new Date(Date.now() - 600_000).toISOString(),
        rangeEnd: new Date(Date.now() + 600_000).toISOString(),
        pageSize: 1,
      };
      const { status, body } = await api().post<{ totalCount: number }>(`/apm/logs/${gridId}`, range);
      assert.equal(status, 200);
      return body.totalCount;
    };

    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - 2 * 1024 * 1024));
    await waitUntil(
      async () => {
        const request = logRecords(500);
        ledger.push(request);
        await send(service.otlpHttpUrl, apiKey, request);
        return request.outcome === 'refused';
      },
      'the disk is full',
      30_000,
    );
    const refusal = await fetch(`${service.otlpHttpUrl}/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': apiKey },
      body: logRecords(500).body,
    });
    assert.equal(refusal.status, 503);
    assert.ok(Number(refusal.headers.get('retry-after')) >= 1);
    await found();

    // The reserve is for commands: owners can still act, also after a restart on the full disk.
    await limitPrompts(service.apiUrl, gridId, 90);
    await service.signal('SIGKILL');
    await service.start();
    await found();
    await limitPrompts(service.apiUrl, gridId, 80);
    const again = logRecords(500);
    ledger.push(again);
    await send(service.otlpHttpUrl, apiKey, again);
    assert.equal(again.outcome, 'refused');

    rmSync(ballast);
    await Promise.all(
      ledger
        .filter((request) => request.outcome !== 'acknowledged')
        .map((request) => sendUntilAcknowledged(service.otlpHttpUrl, apiKey, request)),
    );
    const sent = ledger.reduce((sum, request) => sum + request.size, 0);
    await waitUntil(async () => (await found()) === sent, 'everything is found, once', 10_000);
    await assertRecordsAccounted(service.dataDir, gridId, { logs: sent }, 'after a full disk');
    await service.dispose();
  });
});
