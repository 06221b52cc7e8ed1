import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ImportedGrid } from '../../src/operations/operations-port.js';
import type { IncidentFileHeader } from '../../src/operations/incident-files/incident-file-format.js';
import { ApiClient } from '../support/api-client.js';
import { BlackBox } from '../support/black-box.js';
import { runCli } from '../support/run-cli.js';
import { logsOf, STATUS } from '../support/otlp-requests.js';
import { PastMinutes, resourceOf } from '../support/past-requests.js';
import { ServiceProcess } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { exportRequests, shopTraffic } from '../support/shop-traffic.js';

const MINUTE_MS = 60_000;
const HOURS_AGO = 3;
const SECRET = 'Bearer s3cr3t-that-nobody-may-read';
const QUESTIONS = [
  'health',
  'diagnosis',
  'services',
  'timeline',
  'changes',
  'pressure',
  'trends',
  'alerts',
  'slowest-endpoints',
  'service/stock',
];

/** 90 minutes of the shop, during which a neighbouring service is deployed and then fails. */
function incident(past: PastMinutes): { traces: object[]; logs: object[] } {
  const spans = shopTraffic({ seed: 7, traces: 1_500, fromMs: past.at(90), toMs: past.at(1) });
  const traces = exportRequests(spans, 7);
  const logs: object[] = [];
  for (let ago = 89; ago >= 1; ago--) {
    const failing = ago <= 12 ? { status: { code: STATUS.error } } : {};
    traces.push(
      past.requests(resourceOf('stock', ago > 14 ? '1.0.0' : '1.1.0'), ago, {
        count: 30,
        ms: ago <= 12 ? 400 : 40,
        more: { ...failing, attributes: [['http.request.header.authorization', SECRET]] },
      }),
    );
    if (ago <= 12)
      logs.push(
        logsOf('stock', {
          time: BigInt(past.at(ago)) * 1_000_000n,
          severityNumber: 17,
          body: 'no stock',
          attributes: [
            ['exception.type', 'OutOfStock'],
            ['exception.message', 'none left'],
          ],
        }),
      );
  }
  return { traces, logs };
}

describe('incident files', function () {
  this.timeout(180_000);
  let box: BlackBox;
  let folder: string;
  let file: string;
  /** An incident that has ended. */
  const past = new PastMinutes(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - HOURS_AGO * 60 * MINUTE_MS);

  before(async () => {
    box = await BlackBox.start();
    const { traces, logs } = incident(past);
    await box.record('traces', ...traces, traces[3]);
    await box.record('logs', ...logs);
    folder = (await ServiceProcess.prepare()).dataDir;
    file = join(folder, 'incident.ndjson.gz');
    const { code, stderr } = await runCli(
      box.service.dataDir,
      'export',
      '--grid',
      'demo',
      '--from',
      past.iso(15),
      '--to',
      past.iso(0),
      '--late',
      '300',
      '--out',
      file,
      '--json',
    );
    assert.equal(code, 0, stderr);
  });
  after(async () => {
    await box.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function imported(dataDir: string, ...words: string[]): Promise<ImportedGrid> {
    const { code, stdout, stderr } = await runCli(dataDir, 'import', file, '--key', '--json', ...words);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as ImportedGrid;
  }

  /** Ids of all Grids. */
  async function grids(): Promise<string[]> {
    const { stdout } = await runCli(box.service.dataDir, 'grids', 'list', '--json');
    return (JSON.parse(stdout) as { gridSecondaryId: string }[]).map(({ gridSecondaryId }) => gridSecondaryId).sort();
  }

  const clientOf = ({ apiUrl }: ServiceProcess, apiKey: string | undefined): ApiClient =>
    new ApiClient(apiUrl, { 'api-key': apiKey ?? '' });

  /** All diagnostics as of a time, without ids of the Grid. */
  async function readDiagnostics(api: ApiClient, gridId: string, minutesAgo: number): Promise<Record<string, unknown>> {
    const answers: Record<string, unknown> = {};
    for (const question of QUESTIONS) {
      const { status, body } = await api.get(`/apm/diagnostics/${gridId}/${question}?asOf=${past.iso(minutesAgo)}`);
      assert.equal(status, 200, question);
      answers[question] = body;
    }
    const range = { rangeStart: past.iso(15), rangeEnd: past.iso(0) };
    for (const filter of [range, { ...range, serviceName: 'stock' }, { ...range, status: 'ERROR' }]) {
      answers[`traces ${JSON.stringify(filter)}`] = (
        await api.post<{ totalCount: number }>(`/apm/traces/${gridId}`, filter)
      ).body.totalCount;
    }
    answers.logs = (await api.post<{ totalCount: number }>(`/apm/logs/${gridId}`, range)).body.totalCount;
    return JSON.parse(JSON.stringify(answers).replaceAll(gridId, 'grid')) as Record<string, unknown>;
  }

  async function assertSameDiagnosis(service: ServiceProcess, { gridId, apiKey }: ImportedGrid): Promise<void> {
    for (const minutesAgo of [0, 5, 10, 15])
      assert.deepEqual(
        await readDiagnostics(clientOf(service, apiKey), gridId, minutesAgo),
        await readDiagnostics(box.api, box.gridId, minutesAgo),
        `as of ${minutesAgo} minutes before the end`,
      );
  }

  it('the diagnosis finds the simulated incident', async () => {
    const { body } = await box.api.get<{ diagnoses: { serviceName: string }[] }>(
      `/apm/diagnostics/${box.gridId}/diagnosis?asOf=${past.iso(0)}`,
    );
    assert.equal(body.diagnoses[0].serviceName, 'stock');
  });

  it('describe themselves, are private, and contain no secrets', async () => {
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(folder), ['incident.ndjson.gz']);
    const text = gunzipSync(await readFile(file)).toString();
    const header = JSON.parse(text.slice(0, text.indexOf('\n'))) as IncidentFileHeader;
    assert.deepEqual([header.format, header.formatVersion, header.grid.settings.name], ['hindsight-slice', 1, 'demo']);
    assert.deepEqual(header.slice, { from: past.iso(15), to: past.iso(0), baselineFrom: past.iso(90) });
    for (const secret of [box.apiKey, 's3cr3t', 'secretHash', 'actor', '"owner"'])
      assert.ok(!text.includes(secret), secret);
    const bodies = text
      .split('\n')
      .slice(1, -2)
      .map((line) => (JSON.parse(line) as { body?: string }).body ?? '');
    assert.ok(bodies.every((body) => !gunzipSync(Buffer.from(body, 'base64')).includes('s3cr3t')));
  });

  it('give the same diagnosis when imported next to the original Grid', async () => {
    const grid = await imported(box.service.dataDir, '--name', 'The incident');
    await assertSameDiagnosis(box.service, grid);
    assert.notEqual(grid.gridId, box.gridId);
  });

  it('give the same diagnosis in another installation, with and without a running service', async () => {
    const elsewhere = await ServiceProcess.start({
      RATE_LIMIT_USER_PER_MINUTE: '0',
      RATE_LIMIT_GRID_PER_MINUTE: '0',
      RETENTION_DAYS: '1',
    });
    try {
      const first = await imported(elsewhere.dataDir);
      await elsewhere.signal('SIGTERM');
      const second = await imported(elsewhere.dataDir);
      assert.notEqual(first.gridId, second.gridId);
      await elsewhere.start();
      for (const grid of [first, second]) await assertSameDiagnosis(elsewhere, grid);
      const verified = await runCli(elsewhere.dataDir, 'verify');
      assert.equal(verified.code, 0, verified.stdout);
    } finally {
      await elsewhere.dispose();
    }
  });

  it('fire no alerts for past incidents', async () => {
    const { gridId, apiKey } = await imported(box.service.dataDir);
    const alerts = async (api: ApiClient, of: string): Promise<unknown[]> =>
      (await api.get<{ alerts: unknown[] }>(`/apm/diagnostics/${of}/alerts`)).body.alerts;
    // Imported records are projected without having been accepted, so `record` would wait forever.
    const lastMinute = Math.ceil((past.wholeMs - Date.now()) / MINUTE_MS) + 1; // long after the test files were loaded
    await box.send(
      'traces',
      past.requests('failing now', lastMinute, { count: 60, more: { status: { code: STATUS.error } } }),
    );
    await waitUntil(
      async () => (await alerts(box.api, box.gridId)).length > 0,
      'the policy has evaluated all Grids: the current failure fires an alert',
    );
    assert.deepEqual(await alerts(clientOf(box.service, apiKey), gridId), []);
  });

  it('are rejected if incomplete, without creating a Grid', async () => {
    const complete = await readFile(file);
    const text = gunzipSync(complete).toString();
    const flipped = Buffer.from(complete);
    flipped[Math.floor(complete.length / 2)] ^= 4;
    const lines = text.split('\n');
    const cases: readonly (readonly [Buffer, RegExp])[] = [
      [complete.subarray(0, complete.length - 2_000), /is truncated/],
      [flipped, /is damaged/],
      [gzipSync(lines.filter((_, i) => i !== 2).join('\n')), /its trailer does not match its contents/],
      [
        gzipSync(text.replace('"formatVersion":1', '"formatVersion":2')),
        /has format 2 of Hindsight .*, but this version reads up to 1/,
      ],
      [
        gzipSync(text.replaceAll('TracesReceived.v1', 'TracesReceived.v9')),
        /type TracesReceived\.v9, which this version does not know/,
      ],
      [gzipSync(`${text}{}\n`), /has data after its trailer/],
      [Buffer.from('no slice'), /is not valid gzip/],
      [gzipSync('{"some":"json"}\n'), /is not an incident file/],
      [gzipSync(`${lines[0]}\n${' '.repeat(100 * 2 ** 20)}`), /has a line longer than/],
    ];
    const bad = join(folder, 'bad.gz');
    const before = await grids();
    for (const [bytes, reason] of cases) {
      await writeFile(bad, bytes);
      const { code, stderr } = await runCli(box.service.dataDir, 'import', bad);
      assert.equal(code, 2, stderr);
      assert.match(stderr, reason);
    }
    await rm(bad);
    assert.deepEqual(await grids(), before);
  });

  it('reject invalid exports', async () => {
    const run = (...words: string[]) =>
      runCli(box.service.dataDir, 'export', '--out', join(folder, 'other.gz'), ...words);
    const unknown = await run('--grid', 'nobody', '--from', past.iso(1), '--to', past.iso(0));
    assert.equal(unknown.code, 4);
    const backwards = await run('--grid', box.gridId, '--from', past.iso(0), '--to', past.iso(1));
    assert.equal(backwards.code, 2);
    const there = await runCli(
      box.service.dataDir,
      'export',
      '--out',
      file,
      '--grid',
      box.gridId,
      '--from',
      past.iso(1),
      '--to',
      past.iso(0),
    );
    assert.match(there.stderr, /already exists/);
    assert.deepEqual(await readdir(folder), ['incident.ndjson.gz']);
  });

  it('complete an interrupted import', async () => {
    const elsewhere = await ServiceProcess.start({ RATE_LIMIT_USER_PER_MINUTE: '0', RATE_LIMIT_GRID_PER_MINUTE: '0' });
    try {
      const running = runCli(elsewhere.dataDir, 'import', file);
      const wal = async (): Promise<number> => (await stat(join(elsewhere.dataDir, 'events.db-wal'))).size;
      const atRest = await wal();
      await waitUntil(async () => (await wal()) > atRest, 'the import has begun to append');
      await elsewhere.signal('SIGKILL');
      assert.notEqual((await running).code, 0);
      assert.equal((await runCli(elsewhere.dataDir, 'verify')).code, 0);
      await elsewhere.start();
      const grid = await imported(elsewhere.dataDir);
      await assertSameDiagnosis(elsewhere, grid);
    } finally {
      await elsewhere.dispose();
    }
  });
});
