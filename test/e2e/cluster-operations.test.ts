import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../../src/cli/finding.js';
import type { ImportedGrid, RebuildOutcome, VerificationOutcome } from '../../src/operations/operations-port.js';
import { ApiClient } from '../support/api-client.js';
import { BlackBox } from '../support/black-box.js';
import { Cluster, projectionsOf } from '../support/cluster/cluster.js';
import { missingFor } from '../support/cluster/engines.js';
import { runCliWith, type CliResult } from '../support/run-cli.js';
import { sendUntilAcknowledged, logRecords, rootSpans, send } from '../support/sender.js';
import { waitUntil } from '../support/wait-until.js';

const COMPOSITION = { eventStore: 'eventstoredb', readStore: 'mongodb', fanOut: 'nats' } as const;
const MISSING = missingFor(COMPOSITION);
const RANGE = { rangeStart: '2020-01-01T00:00:00Z', rangeEnd: '2100-01-01T00:00:00Z' };
const SHARES = 4;
/** Timeout (ms) for lease changes on a loaded machine. */
const MOVED_MS = 60_000;

describe(`operating a cluster${MISSING === undefined ? '' : ` (${MISSING})`}`, function () {
  this.timeout(240_000);
  let cluster: Cluster;
  /** Settings for the command line on a machine without a service that can reach the engines. */
  let workDir: string;

  before(async function () {
    if (MISSING !== undefined) this.skip();
    workDir = await mkdtemp(join(tmpdir(), 'hindsight-cli-'));
    cluster = await Cluster.start({
      ...COMPOSITION,
      ingest: 1,
      project: 2,
      api: 1,
      environment: { PROJECTOR_SHARES: String(SHARES) },
    });
    await waitUntil(async () => faults(await doctor('project-1')).length === 0, 'the doctor finds nothing', MOVED_MS);
  });
  after(async () => {
    await cluster?.dispose();
    if (workDir !== undefined) await rm(workDir, { recursive: true, force: true });
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.error(cluster.logTails());
  });

  const beside = (name: string, ...words: string[]): Promise<CliResult> =>
    runCliWith(cluster.named(name).settings, ...words);
  const runOutsideCluster = (...words: string[]): Promise<CliResult> =>
    runCliWith(
      { ...cluster.engines.environment, PROJECTOR_SHARES: String(SHARES), DATA_DIR: join(workDir, 'data') },
      ...words,
    );
  const doctor = async (name: string): Promise<Finding[]> =>
    JSON.parse((await beside(name, 'doctor', '--json')).stdout) as Finding[];
  const faults = (findings: readonly Finding[]): string[] =>
    findings.filter(({ ok }) => !ok).map(({ check, detail }) => `${check}: ${detail}`);

  async function counted(api: ApiClient, gridId: string): Promise<{ traces: number; logs: number }> {
    const total = async (signal: string): Promise<number> =>
      (await api.post<{ totalCount: number }>(`/apm/${signal}/${gridId}`, RANGE)).body.totalCount;
    return { traces: await total('traces'), logs: await total('logs') };
  }

  it('doctor reports engines, shards and their owners on any machine', async () => {
    const looks = [
      () => doctor('project-1'),
      () => doctor('api-1'),
      async () => JSON.parse((await runOutsideCluster('doctor', '--json')).stdout) as Finding[],
    ];
    for (const look of looks) {
      let findings: readonly Finding[] = [];
      await waitUntil(async () => faults((findings = await look())).length === 0, 'nothing is found', MOVED_MS);
      const shares = findings.find(({ check }) => check === 'shards')?.detail;
      assert.match(shares ?? '', /^4: .+ on \S+:\d+; .+ on \S+:\d+$/);
      for (const engine of ['EventStoreDB', 'MongoDB', 'NATS'])
        assert.ok(
          findings.some(({ check }) => check === engine),
          engine,
        );
    }
    assert.deepEqual(await readdir(workDir), [], 'no files are created without a service');
  });

  it('verifies and rebuilds the shards of each process, and names the owners of the others', async () => {
    await sendUntilAcknowledged(cluster.named('ingest-1').otlpHttpUrl, cluster.apiKey, rootSpans(20));
    await waitUntil(
      async () => (await counted(cluster.api(), cluster.gridId)).traces === 20,
      'what was sent is found',
      MOVED_MS,
    );
    const proven: string[] = [];
    for (const name of ['project-1', 'project-2']) {
      const { code, stdout, stderr } = await beside(name, 'verify', '--json');
      assert.equal(code, 0, stdout);
      assert.match(stderr, /\S+:\d+ owns shards .*; run this command there, too/);
      proven.push(...(JSON.parse(stdout) as VerificationOutcome[]).map(({ projection }) => projection));
    }
    assert.deepEqual(proven.sort(), projectionsOf(4));
    const other = await beside('project-1', 'replay', 'traces/99');
    assert.equal(other.code, 4);
    assert.match(other.stderr, /There is no projection "traces\/99"; available: .*; \S+ owns shards/);
    const own = /traces\/\d/.exec(other.stderr.split('available:')[1])![0];
    const replayed = await beside('project-1', 'replay', own, '--json');
    assert.deepEqual(
      (JSON.parse(replayed.stdout) as RebuildOutcome[]).map(({ projection, former }) => [projection, former?.equal]),
      [[own, true]],
    );
  });

  it('processes without read models point to the shard owners', async () => {
    for (const run of [
      await beside('api-1', 'verify'),
      await runOutsideCluster('verify'),
      await beside('ingest-1', 'replay', 'access'),
    ]) {
      assert.equal(run.code, 1);
      assert.match(
        run.stderr,
        /by the processes with the role project: \S+:\d+ \(shards .*\n {2}→ run the command where one of them runs/,
      );
    }
    for (const run of [await beside('api-1', 'dead-letters'), await runOutsideCluster('parked')])
      assert.deepEqual([run.code, run.stdout], [0, 'no dead letters\n'], run.stderr);
  });

  it('backups are left to the tools of the engines', async () => {
    const { code, stderr } = await runOutsideCluster('backup', join(workDir, 'backup'));
    assert.equal(code, 1);
    assert.match(stderr, /in EventStoreDB.*\n.*docs\/deploying\.md/);
    assert.deepEqual(await readdir(workDir), []);
  });

  it('administration works from any machine and is visible to every process', async () => {
    const issued = await runOutsideCluster('keys', 'issue', cluster.gridId, 'checkout', '--json');
    assert.equal(issued.code, 0, issued.stderr);
    assert.equal(issued.stderr, '', 'it shows in time');
    const { keyId, apiKey } = JSON.parse(issued.stdout) as { keyId: string; apiKey: string };
    const outcome = async (): Promise<string> => {
      const request = rootSpans(1);
      await send(cluster.named('ingest-1').otlpHttpUrl, apiKey, request);
      return request.outcome;
    };
    await waitUntil(async () => (await outcome()) === 'acknowledged', 'the key is known');
    assert.equal((await beside('api-1', 'keys', 'revoke', cluster.gridId, keyId)).code, 0);
    await waitUntil(async () => (await outcome()) === 'refused', 'the key is void');
    const { stdout } = await runOutsideCluster('audit', cluster.gridId, '--json');
    assert.match(stdout, /operator:/);
  });

  it('imports a Grid from a data folder into the cluster, with and without a running process', async () => {
    const box = await BlackBox.start();
    const file = join(workDir, 'moved.ndjson.gz');
    try {
      await sendUntilAcknowledged(box.service.otlpHttpUrl, box.apiKey, rootSpans(300));
      await sendUntilAcknowledged(box.service.otlpHttpUrl, box.apiKey, logRecords(50));
      await box.settled();
      const { code, stderr } = await runCliWith(
        { DATA_DIR: box.service.dataDir },
        'export',
        '--grid',
        box.gridId,
        '--from',
        new Date(Date.now() - 600_000).toISOString(),
        '--to',
        new Date(Date.now() + 60_000).toISOString(),
        '--out',
        file,
      );
      assert.equal(code, 0, stderr);
    } finally {
      await box.dispose();
    }
    const moved: ImportedGrid[] = [];
    for (const run of [
      await beside('api-1', 'import', file, '--key', '--json'),
      await runOutsideCluster('import', file, '--key', '--json'),
    ]) {
      assert.equal(run.code, 0, run.stderr);
      moved.push(JSON.parse(run.stdout) as ImportedGrid);
    }
    for (const { gridId, apiKey } of moved) {
      const api = new ApiClient(cluster.named('api-1').apiUrl, { 'api-key': apiKey! });
      await waitUntil(
        async () => (await counted(api, gridId).catch(() => undefined))?.traces === 300,
        'the Grid is there',
        MOVED_MS,
      );
      assert.deepEqual(await counted(api, gridId), { traces: 300, logs: 50 });
    }
    const again = await runOutsideCluster(
      'export',
      '--grid',
      moved[0].gridId,
      '--from',
      new Date(Date.now() - 900_000).toISOString(),
      '--to',
      new Date(Date.now() + 60_000).toISOString(),
      '--out',
      join(workDir, 'again.gz'),
      '--json',
    );
    assert.equal((JSON.parse(again.stdout) as { records: number }).records, 350);
  });

  it('reports a failed projector and the reassignment of its shards', async () => {
    await cluster.kill('project-2');
    await waitUntil(
      async () => {
        const shares = (await doctor('project-1')).filter(({ check }) => check === 'shards');
        return shares.length === 1 && shares[0].ok && /^4: 0-3 on \S+$/.test(shares[0].detail);
      },
      'one projector owns all shards',
      MOVED_MS,
    );
    await waitUntil(async () => faults(await doctor('project-1')).length === 0, 'the doctor finds nothing', MOVED_MS);
    const metrics = await (await fetch(`${cluster.named('project-1').apiUrl}/metrics`)).text();
    assert.match(metrics, /^hindsight_shares 4$/m);
    assert.match(metrics, /^hindsight_shares_held 4$/m);
    assert.match(metrics, /^hindsight_component_health\{component="projections"\} 1$/m);
    const { code, stdout, stderr } = await beside('project-1', 'verify', '--json');
    assert.equal(code, 0, stdout);
    assert.deepEqual(
      [(JSON.parse(stdout) as VerificationOutcome[]).length, stderr],
      [projectionsOf(SHARES).length, ''],
    );
  });

  it('reports a NATS outage and its fallback, and recovers afterwards', async () => {
    const { traces: before } = await counted(cluster.api(), cluster.gridId);
    const ready = async (name: string): Promise<number> => (await fetch(`${cluster.named(name).apiUrl}/ready`)).status;
    await cluster.engines.nats!.kill();
    await waitUntil(async () => (await ready('project-1')) === 503, 'leases have lapsed', MOVED_MS);
    assert.deepEqual([await ready('ingest-1'), await ready('api-1')], [200, 200]);
    await sendUntilAcknowledged(cluster.named('ingest-1').otlpHttpUrl, cluster.apiKey, rootSpans(5));
    const found = faults(await doctor('project-1')).join('\n');
    assert.match(
      found,
      /^NATS: Cannot connect to NATS.*\nshards: cannot read the shard owners: .*\nservice, projections: no lease is valid: .*\nservice, hints: /,
    );
    assert.equal((await counted(cluster.api(), cluster.gridId)).traces, before);
    await cluster.engines.nats!.start();
    await waitUntil(
      async () => (await counted(cluster.api(), cluster.gridId)).traces === before + 5,
      'what was sent meanwhile shows',
      MOVED_MS,
    );
    await waitUntil(async () => faults(await doctor('project-1')).length === 0, 'the doctor finds nothing', MOVED_MS);
  });
});
