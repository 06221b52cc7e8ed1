import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient } from '../support/api-client.js';
import { flipBodies } from '../support/flipped-bodies.js';
import { runCli } from '../support/run-cli.js';
import { ServiceProcess } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { Trial } from '../support/faults/trial.js';

interface Item {
  readonly id: string;
  readonly spanId: string;
  readonly body?: string;
  readonly damaged?: true;
}
interface Page {
  readonly items: readonly Item[];
  readonly totalCount: number;
}

describe('a service whose event log is damaged', function () {
  this.timeout(120_000);
  let trial: Trial;

  beforeEach(async () => {
    trial = await Trial.start();
    for (let n = 0; n < 5; n++) {
      await trial.send('logs', 1);
      await trial.send('traces', 1);
    }
    await trial.settle('before the damage');
  });
  afterEach(() => trial.dispose());

  const search = async (signal: 'logs' | 'traces', more: object = {}): Promise<Page> => {
    const range = { rangeStart: '2020-01-01T00:00:00Z', rangeEnd: '2100-01-01T00:00:00Z', pageSize: 100 };
    const { status, body } = await trial.api.post<Page>(`/apm/${signal}/${trial.gridId}`, { ...range, ...more });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  it('answers everything but the damaged records, and marks these', async () => {
    await trial.service.signal('SIGTERM');
    flipBodies(trial.file('events.db'), ['LogsReceived.v1', 'TracesReceived.v1']);
    await trial.start();
    const { items, totalCount } = await search('logs');
    assert.equal(totalCount, 5);
    assert.equal(items.filter(({ damaged }) => damaged === true).length, 1);
    assert.equal(items.filter(({ body }) => body?.startsWith('record 0 of') === true).length, 4);
    assert.equal((await search('logs', { body: '"record 0"' })).totalCount, 5, 'read models know the words');
    const spans = (await search('traces')).items;
    assert.equal(spans.length, 5);
    const details = await Promise.all(
      spans.map(({ spanId }) => trial.api.get<Item>(`/apm/traces/${trial.gridId}/details/${spanId}`)),
    );
    assert.ok(details.every(({ status }) => status === 200));
    assert.equal(details.filter(({ body }) => body.damaged === true).length, 1);
  });

  it('is degraded with the positions, soon after the damage or as soon as a query meets it, and so is doctor', async () => {
    const ready = async (): Promise<string | undefined> => {
      const response = await fetch(`${trial.service.apiUrl}/ready`);
      assert.equal(response.status, 200);
      const { checks } = (await response.json()) as { checks: { log: { degraded?: string } } };
      return checks.log.degraded;
    };
    assert.equal(await ready(), undefined);
    const [log] = flipBodies(trial.file('events.db'), ['LogsReceived.v1']);
    await search('logs');
    await waitUntil(async () => (await ready()) !== undefined, 'the query is reported');
    assert.match((await ready()) ?? '', new RegExp(`^1 damaged event in the event log, at position ${log}:`));
    const doctor = await runCli(trial.service.dataDir, 'doctor');
    assert.equal(doctor.code, 1);
    assert.match(doctor.stdout, new RegExp(`FAULT service, log: 1 damaged event .*${log}`));
    await trial.service.signal('SIGTERM');
    const [trace] = flipBodies(trial.file('events.db'), ['TracesReceived.v1']);
    await trial.start();
    await waitUntil(async () => (await ready())?.includes(trace) === true, 'the scrub finds the other one', 90_000);
    assert.match((await ready()) ?? '', /^2 damaged events/);
  });

  it('is reported by verify, which does not advise the replay that would lose the events', async () => {
    await trial.service.signal('SIGTERM');
    flipBodies(trial.file('events.db'), ['LogsReceived.v1']);
    const { code, stdout } = await runCli(trial.service.dataDir, 'verify');
    assert.equal(code, 1);
    assert.match(stdout, /^DAMAGED logs: .*\n +Event at position [0-9a-f]{16} is damaged: its body .*\n +→ keep this/m);
    assert.doesNotMatch(stdout, /hindsight replay/);
    assert.match(stdout, /^ok +access/m);
    const refused = await runCli(trial.service.dataDir, 'replay', 'logs');
    assert.equal(refused.code, 1, refused.stdout);
    assert.match(
      refused.stderr,
      /logs was not replaced: .* may have 1 damaged event .* at [0-9a-f]{16}\n.*--accept-loss/,
    );
    assert.match((await runCli(trial.service.dataDir, 'verify', 'logs')).stdout, /^DAMAGED logs/);
    const replayed = await runCli(trial.service.dataDir, 'replay', 'logs', '--accept-loss');
    assert.match(replayed.stdout, /lacks 1 event/);
    const again = await runCli(trial.service.dataDir, 'verify', 'logs');
    assert.match(again.stdout, /^ok +logs: .*\n +Event at position .* is damaged: .*lacks it, too$/m);
    assert.equal(again.code, 1);
  });

  it('is reported by backup and restore, which keep what the read models have', async () => {
    const [backup, restored] = [`${trial.service.dataDir}-backup`, `${trial.service.dataDir}-restored`];
    try {
      flipBodies(trial.file('events.db'), ['LogsReceived.v1']);
      const copied = await runCli(trial.service.dataDir, 'backup', backup);
      assert.deepEqual([copied.code, /has 1 damaged event at [0-9a-f]{16}/.test(copied.stdout)], [1, true]);
      const result = await runCli(trial.service.dataDir, 'restore', backup, '--data-dir', restored);
      assert.equal(result.code, 1, result.stderr);
      assert.match(result.stdout, /^DAMAGED logs: restored as backed up.* 1 damaged event at [0-9a-f]{16}$/m);
      assert.match(result.stdout, /^ok +traces: /m);
    } finally {
      for (const folder of [backup, restored]) await rm(folder, { recursive: true, force: true });
    }
  });

  it('does not start if SQLite would drop commits of its write-ahead log; a salvage has them', async () => {
    for (let n = 0; n < 8; n++) await trial.send('logs', 1);
    await trial.service.signal('SIGKILL');
    const wal = trial.file('events.db-wal');
    const bytes = await readFile(wal);
    const frame = 24 + bytes.readUInt32BE(8);
    const frames = Math.floor((bytes.length - 32) / frame);
    assert.ok(frames > 10, `${frames} frames`);
    bytes[32 + (frames >> 1) * frame + 17] ^= 8;
    await writeFile(wal, bytes);
    await assert.rejects(trial.start(), /events\.db-wal is damaged at frame \d+: .*`hindsight salvage`/s);
    const checked = await runCli(trial.service.dataDir, 'doctor');
    assert.match(checked.stdout, /FAULT log: .*events\.db-wal is damaged at frame/);
    const copy = `${trial.service.dataDir}-copy`;
    for (const words of [
      ['backup', copy, '--log-only'],
      [
        'export',
        '--grid',
        trial.gridId,
        '--from',
        '2026-01-01T00:00:00Z',
        '--to',
        '2026-01-02T00:00:00Z',
        '--out',
        copy,
      ],
      ['grids', 'list'],
    ]) {
      const { code, stderr } = await runCli(trial.service.dataDir, ...words);
      assert.match(stderr, /DATA_DIR has a damaged event log: .* is damaged at frame/, words.join(' '));
      assert.equal(code, 78, words.join(' '));
      assert.equal(existsSync(copy), false, 'nothing was written');
    }
    assert.ok(bytes.equals(await readFile(wal)), 'nothing was changed');
    const saved = `${trial.service.dataDir}-saved`;
    try {
      const { stdout } = await runCli(trial.service.dataDir, 'salvage', saved);
      assert.match(stdout, / saved, none missing/);
    } finally {
      await rm(saved, { recursive: true, force: true });
    }
  });

  it('is saved into a new folder, on which a service answers everything else', async () => {
    const saved = `${trial.service.dataDir}-saved`;
    const refused = await runCli(trial.service.dataDir, 'salvage', saved);
    assert.match(refused.stderr, /in use by another Hindsight process/);
    await trial.service.signal('SIGTERM');
    flipBodies(trial.file('events.db'), ['LogsReceived.v1']);
    const { code, stdout, stderr } = await runCli(trial.service.dataDir, 'salvage', saved);
    assert.equal(code, 1, stderr);
    assert.match(
      stdout,
      /events up to position [0-9a-f]{16} saved, 1 missing\n +missing: 1 event of telemetry\..* position [0-9a-f]{16}$/m,
    );
    const report = JSON.parse(await readFile(join(saved, 'salvage.json'), 'utf8')) as { missing: number };
    assert.equal(report.missing, 1);
    const service = await ServiceProcess.start({ DATA_DIR: saved });
    try {
      const api = new ApiClient(service.apiUrl, { 'api-key': trial.apiKey });
      const range = { rangeStart: '2020-01-01T00:00:00Z', rangeEnd: '2100-01-01T00:00:00Z' };
      const count = async (signal: string): Promise<number> =>
        (await api.post<Page>(`/apm/${signal}/${trial.gridId}`, range)).body.totalCount;
      await waitUntil(async () => (await count('logs')) === 4 && (await count('traces')) === 5, 'the rest is there');
    } finally {
      await service.dispose();
    }
  });
});
