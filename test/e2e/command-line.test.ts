import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type {
  ApiKey,
  AuditPage,
  Grid,
  IssuedApiKey,
  Member,
} from '../../src/operations/administration/administration-port.js';
import { sendUntilAcknowledged, logRecords, rootSpans } from '../support/sender.js';
import { ServiceProcess } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { tokenOf } from '../support/sign-in.js';

const PROGRAM = fileURLToPath(new URL('../../../bin/hindsight.js', import.meta.url));
const OPERATOR = `operator:${userInfo().username}`;

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Found {
  readonly items: readonly unknown[];
  readonly totalCount: number;
}

interface Refusal {
  readonly type: string;
  readonly detail: string;
  readonly next?: readonly string[];
  readonly errors?: readonly { readonly field: string }[];
  readonly exitCode: number;
}

describe('the command line', function () {
  this.timeout(120_000);
  let service: ServiceProcess;
  let config: string;

  before(async () => {
    service = await ServiceProcess.start();
    config = await mkdtemp(join(tmpdir(), 'hindsight-config-'));
  });
  after(async () => {
    await service.dispose();
    await rm(config, { recursive: true });
  });

  const surroundings = (more: Record<string, string> = {}): NodeJS.ProcessEnv => {
    const own = {
      DATA_DIR: service.dataDir,
      HTTP_PORT: '0',
      OTLP_HTTP_PORT: '0',
      OTLP_GRPC_PORT: '0',
      XDG_CONFIG_HOME: config,
    };
    return { ...process.env, ...own, ...more };
  };

  async function hindsight(words: readonly string[], more: Record<string, string> = {}): Promise<Run> {
    const run = await promisify(execFile)(process.execPath, [PROGRAM, ...words], {
      env: surroundings(more),
      cwd: service.dataDir,
    }).catch((error: unknown) => error as Run & { code: number });
    return { code: 'code' in run ? run.code : 0, stdout: run.stdout, stderr: run.stderr };
  }

  async function answer<T>(words: readonly string[], more?: Record<string, string>): Promise<T> {
    const { code, stdout, stderr } = await hindsight([...words, '--json'], more);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as T;
  }

  async function refusal(words: readonly string[], more?: Record<string, string>): Promise<Refusal> {
    const { code, stdout, stderr } = await hindsight([...words, '--json'], more);
    const refusal = JSON.parse(stderr) as Refusal;
    assert.deepEqual([stdout, refusal.exitCode], ['', code]);
    return refusal;
  }

  /** Signs in as a browser would, by following redirects. */
  async function login(user: string): Promise<Run> {
    const child = spawn(
      process.execPath,
      [PROGRAM, 'login', '--url', service.apiUrl, '--no-browser', '--login-hint', user],
      { env: surroundings(), stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const text = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
    createInterface({ input: child.stderr }).on('line', (line) => {
      text.stderr += `${line}\n`;
      const [address] = /http\S+/.exec(line) ?? [];
      if (address !== undefined) void fetch(address).then((page) => page.text());
    });
    const code = await new Promise<number>((ended) => child.once('close', (status) => ended(status ?? -1)));
    return { code, ...text };
  }

  it('administers the running service as the operator', async () => {
    const grid = await answer<Grid>(['grids', 'create', 'shop', '--owner', 'alice']);
    assert.deepEqual(
      (await answer<Grid[]>(['grids', 'list'])).map(({ name }) => name),
      ['demo', 'shop'],
    );
    assert.equal(
      (await answer<Grid>(['grids', 'set', 'shop', '--apdex-threshold-ms', '300', '--retention-days', '0']))
        .apdexThresholdMs,
      300,
    );
    assert.equal((await answer<Grid>(['grids', 'show', grid.gridSecondaryId])).retentionDays, 0);
    assert.equal((await answer<Member>(['members', 'set', 'shop', 'bob', 'Guest'])).addedBy, OPERATOR);
    assert.deepEqual(await answer(['members', 'remove', 'shop', 'bob']), { userId: 'bob', removed: true });
    const { entries } = await answer<AuditPage>(['audit', 'shop']);
    assert.deepEqual([...new Set(entries.map(({ actor }) => actor))], [OPERATOR]);
    assert.equal(entries[0].action, 'member.removed');
  });

  it('issues keys that work immediately, shows their usage, and revokes them immediately', async () => {
    const { stdout, stderr } = await hindsight(['keys', 'issue', 'shop', 'checkout']);
    assert.match(stdout, /^hs_\w+\n$/);
    assert.match(stderr, /shown only once/);
    await sendUntilAcknowledged(service.otlpHttpUrl, stdout.trim(), rootSpans(3));
    const list = async () => (await answer<ApiKey[]>(['keys', 'list', 'shop']))[0];
    await waitUntil(async () => (await list()).lastSent.length > 0, 'the key is seen to be used');
    const key = await list();
    assert.deepEqual(
      [key.name, key.createdBy, key.lastSent[0].signal, key.lastSent[0].accepted],
      ['checkout', OPERATOR, 'traces', 3],
    );
    assert.ok(!JSON.stringify(key).includes(stdout.trim().slice(-30)));
    const again = await answer<IssuedApiKey>(['keys', 'regenerate', 'shop', key.keyId]);
    assert.equal(await statusWith(stdout.trim()), 401);
    assert.equal(await statusWith(again.apiKey), 200);
    await answer(['keys', 'revoke', 'shop', key.keyId]);
    assert.equal(await statusWith(again.apiKey), 401);
  });

  async function statusWith(apiKey: string): Promise<number> {
    const body = JSON.stringify({ resourceSpans: [] });
    return (
      await fetch(`${service.otlpHttpUrl}/v1/traces`, {
        method: 'POST',
        headers: { 'api-key': apiKey, 'content-type': 'application/json' },
        body,
      })
    ).status;
  }

  it('logs in with the browser, acts as that user, and logs out', async () => {
    const url = ['--url', service.apiUrl];
    const nobody = await refusal(['grids', 'list', ...url]);
    assert.deepEqual(
      [nobody.exitCode, nobody.type, nobody.next],
      [77, '/problems/unauthenticated', [`hindsight login --url ${service.apiUrl}`]],
    );
    const { code, stdout, stderr } = await login('owner');
    assert.deepEqual([code, stdout], [0, `Logged in to ${service.apiUrl} as owner\n`], stderr);
    assert.doesNotMatch(stdout + stderr, /eyJ[\w-]{10}/);
    await assertPrivate(stdout + stderr);
    assert.deepEqual(
      (await answer<Grid[]>(['grids', 'list', ...url])).map(({ name }) => name),
      ['demo'],
    );
    assert.equal((await answer<{ userId: string; kind: string }>(['whoami', ...url])).userId, 'owner');
    assert.equal(
      (await answer<Member>(['members', 'set', 'demo', 'carol', 'User'], { HINDSIGHT_URL: service.apiUrl })).addedBy,
      'owner',
    );
    assert.deepEqual(await answer(['logout', ...url]), { url: service.apiUrl, wasLoggedIn: true });
    assert.equal((await hindsight(['whoami', ...url])).code, 77);
  });

  /** The tokens are in one private file and not in any output. */
  async function assertPrivate(printed: string): Promise<void> {
    const folder = join(config, 'hindsight');
    const [file, ...others] = await readdir(folder);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [(await stat(folder)).mode & 0o777, (await stat(join(folder, file))).mode & 0o777],
      [0o700, 0o600],
    );
    const { accessToken, refreshToken } = JSON.parse(await readFile(join(folder, file), 'utf8')) as {
      accessToken: string;
      refreshToken: string;
    };
    for (const token of [accessToken, refreshToken]) assert.ok(token.length > 20 && !printed.includes(token));
  }

  it('uses a token or client credentials from the environment', async () => {
    const HINDSIGHT_URL = service.apiUrl;
    const token = await tokenOf(service.apiUrl, 'guest');
    assert.deepEqual(await answer(['whoami'], { HINDSIGHT_URL, HINDSIGHT_TOKEN: token }), {
      url: service.apiUrl,
      kind: 'token',
      userId: 'guest',
      name: 'guest',
    });
    const application = {
      HINDSIGHT_URL,
      HINDSIGHT_CLIENT_ID: 'hindsight-automation',
      HINDSIGHT_CLIENT_SECRET: 'dev-secret',
    };
    assert.deepEqual(
      (await answer<Grid[]>(['grids', 'list'], application)).map(({ name }) => name),
      ['demo'],
    );
    const wrong = await refusal(['grids', 'list'], { ...application, HINDSIGHT_CLIENT_SECRET: 'guessed' });
    assert.equal(wrong.exitCode, 77);
    const half = await refusal(['grids', 'list'], { HINDSIGHT_URL, HINDSIGHT_CLIENT_SECRET: 'dev-secret' });
    assert.deepEqual([half.exitCode, half.detail.startsWith('HINDSIGHT_CLIENT_ID ')], [78, true]);
    const lesser = await refusal(['members', 'list', 'demo'], { HINDSIGHT_URL, HINDSIGHT_TOKEN: token });
    assert.deepEqual([lesser.exitCode, lesser.type], [77, `${service.apiUrl}/problems/role-required`]);
    const stale = await refusal(['grids', 'list'], { HINDSIGHT_URL, HINDSIGHT_TOKEN: 'stale' });
    assert.deepEqual([stale.exitCode, stale.type], [77, `${service.apiUrl}/problems/unauthenticated`]);
  });

  it('shows a Grid in the terminal: health, causes, logs, traces, answers', async () => {
    const as = {
      HINDSIGHT_URL: service.apiUrl,
      HINDSIGHT_CLIENT_ID: 'hindsight-automation',
      HINDSIGHT_CLIENT_SECRET: 'dev-secret',
    };
    const { apiKey } = await service.bootstrap();
    await sendUntilAcknowledged(service.otlpHttpUrl, apiKey, rootSpans(5));
    await sendUntilAcknowledged(service.otlpHttpUrl, apiKey, logRecords(2));
    await waitUntil(
      async () => (await answer<Found>(['logs', '--since', '2d'], as)).totalCount === 2,
      'the logs are found',
    );
    const { items, totalCount } = await answer<Found>(['traces', '--since', '2d', '--page-size', '3'], as);
    assert.deepEqual([items.length, totalCount], [3, 5]);
    assert.match(
      (await hindsight(['traces', '--since', '2d', '--page-size', '3'], as)).stderr,
      /^the newest 3 of 5\n$/,
    );
    const health = await hindsight(['health', '--json'], as);
    const { overallStatus } = JSON.parse(health.stdout) as { overallStatus: string };
    assert.equal(health.code, overallStatus === 'healthy' ? 0 : 1);
    assert.ok(Array.isArray((await answer<{ diagnoses: unknown }>(['diagnosis', '--grid', 'demo'], as)).diagnoses));
    const reply = await hindsight(['ask', 'how are my services', '--grid', 'demo'], as);
    assert.deepEqual([reply.code, reply.stdout.length > 20], [0, true], reply.stderr);
    assert.equal((await refusal(['logs', '--since', '5x'], as)).exitCode, 2);
    assert.equal((await refusal(['logs', '--grid', 'nowhere'], as)).exitCode, 4);
    const outsider = await refusal(['health'], {
      HINDSIGHT_URL: service.apiUrl,
      HINDSIGHT_TOKEN: await tokenOf(service.apiUrl, 'outsider'),
    });
    assert.deepEqual([outsider.exitCode, outsider.detail], [4, 'You are not a member of any Grid']);
  });

  it('reports failures by exit status', async () => {
    const exit = async (...words: string[]) => (await refusal(words)).exitCode;
    assert.equal(await exit('grids', 'show', 'nowhere'), 4);
    assert.equal(await exit('keys', 'revoke', 'demo', 'nokey'), 4);
    assert.equal(await exit('grids', 'create', ''), 2);
    assert.equal(await exit('grids', 'set', 'demo'), 2);
    assert.equal(await exit('grids', 'show'), 2);
    assert.equal(await exit('grids', 'sow'), 2);
    assert.equal(await exit('members', 'set', 'demo', 'bob', 'Boss'), 2);
    assert.equal(await exit('members', 'remove', 'demo', 'owner'), 1);
    assert.equal(await exit('grids', 'list', '--url', 'ftp://x'), 2);
    assert.equal(await exit('grids', 'list', '--url', 'http://127.0.0.1:1'), 77);
    assert.equal((await refusal(['grids', 'list'], { HINDSIGHT_URL: 'nowhere' })).exitCode, 78);
    assert.equal((await refusal(['grids', 'list'], { RETENTION_DAYS: 'a week' })).exitCode, 78);
    const faults = await refusal([
      'grids',
      'set',
      'demo',
      '--apdex-threshold-ms',
      '0',
      '--error-rate-threshold',
      '101',
    ]);
    assert.deepEqual(
      faults.errors?.map(({ field }) => field),
      ['apdexThresholdMs', 'errorRateThreshold'],
    );
  });

  it('prints errors in words, with the next step', async () => {
    const list = await hindsight(['grids', 'list']);
    assert.match(list.stdout, /^ID +NAME +SUBSCRIPTION +CREATED\n/);
    const wrong = await hindsight(['grids', 'show', 'nowhere']);
    assert.deepEqual(
      [wrong.stdout, wrong.stderr],
      ['', 'hindsight: There is no Grid "nowhere"\n  → hindsight grids list\n'],
    );
    assert.match((await hindsight(['grids', 'sow'])).stderr, /unknown command 'sow'[\s\S]*see --help/);
    const { version } = JSON.parse(await readFile(join(PROGRAM, '../../package.json'), 'utf8')) as { version: string };
    assert.equal((await hindsight(['--version'])).stdout, `${version}\n`);
    assert.match((await hindsight(['keys', 'issue', '--help'])).stdout, /Usage: hindsight keys issue[\s\S]*Examples:/);
    assert.match((await hindsight(['--help'])).stdout, /Exit status:\n {2}0 +success/);
  });

  it('administers the data folder without a running service, which sees the changes at its next start', async () => {
    await service.signal('SIGTERM');
    const grid = await answer<Grid>(['grids', 'create', 'offline', '--owner', 'owner']);
    const { apiKey } = await answer<IssuedApiKey>(['keys', 'issue', 'offline', 'first']);
    assert.deepEqual(
      (await answer<AuditPage>(['audit', 'offline'])).entries.map(({ actor }) => actor),
      [OPERATOR, OPERATOR, OPERATOR],
    );
    await service.start();
    assert.equal(await statusWith(apiKey), 200);
    assert.equal((await answer<Grid>(['grids', 'show', 'offline'])).gridSecondaryId, grid.gridSecondaryId);
  });
});
