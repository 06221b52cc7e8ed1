import assert from 'node:assert/strict';
import { IS_FULL, scaleToBudget } from '../support/faults/budget.js';
import { reportMeasurements } from '../support/faults/figures.js';
import { ApiClient } from '../support/api-client.js';
import { EventStream } from '../support/event-stream.js';
import { Attack } from '../support/load/attack.js';
import type { AttackKind, AttackReport } from '../support/load/attack-process.js';
import { Batches } from '../support/load/batches.js';
import { percentile, runOpenLoop, type LoadResult } from '../support/load/load-generator.js';
import { createOwnedGrids } from '../support/load/owned-grids.js';
import { HttpSender, sendBatchUntilAcknowledged } from '../support/load/senders.js';
import { createWeekOfSpans } from '../support/load/week-of-spans.js';
import { type Bootstrap, ServiceProcess } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const SECONDS = scaleToBudget('FAIR_SECONDS', 3, 20);
const STREAMS = scaleToBudget('FAIR_STREAMS', 60, 300);
const COMPARISONS = scaleToBudget('FAIR_COMPARISONS', 100, 519);
const NEIGHBOUR_RECORDS = 100;
const NEIGHBOUR_LOAD = { recordsPerSecond: 2_000, ms: SECONDS * 1_000, atOnce: 64 };

/** Goals of a machine that does nothing else. */
const ACK_P99_MS = 500;
const QUERY_FACTOR = 3;
const LIVE_P99_MS = 2_000;

/** No retry time under overload is longer (s). */
const MAX_RETRY_AFTER_S = 10;

interface Scenario {
  readonly name: string;
  readonly kind: AttackKind;
  readonly lanes: number;
  /** Grids of the attacker, who created all of them. */
  readonly grids: number;
  /** Statuses of which the attack gets at least one. */
  readonly expected: readonly number[];
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'bodies of 63 MiB', kind: 'large bodies', lanes: 3, grids: 1, expected: [200, 429, 503] },
  { name: 'deflate bombs over 8 connections', kind: 'deflate bombs', lanes: 8, grids: 1, expected: [413] },
  { name: 'deflate bombs over 32 connections', kind: 'deflate bombs', lanes: 32, grids: 1, expected: [413] },
  { name: 'gzip bombs with a false length', kind: 'gzip bombs', lanes: 32, grids: 1, expected: [413] },
  { name: 'a flood of one Grid', kind: 'flood', lanes: 200, grids: 1, expected: [200] },
  { name: 'a flood over 40 Grids', kind: 'flood', lanes: 200, grids: 40, expected: [200] },
];

const WITHOUT_RATE_LIMITS = {
  RATE_LIMIT_USER_PER_MINUTE: '0',
  RATE_LIMIT_GRID_PER_MINUTE: '0',
  FAILED_CREDENTIALS_PER_MINUTE: '0',
  CONNECTIONS_PER_ADDRESS: '0',
};

async function startService(owners: readonly string[]): Promise<{ service: ServiceProcess; grids: Bootstrap[] }> {
  const service = await ServiceProcess.prepare(WITHOUT_RATE_LIMITS);
  const grids = await createOwnedGrids(service.dataDir, owners);
  await service.start();
  return { service, grids };
}

function assertHints({ statuses, maxRetryAfter }: AttackReport, expected: readonly number[]): void {
  const answered = JSON.stringify(statuses);
  assert.ok(
    expected.some((status) => (statuses[status] ?? 0) > 0),
    answered,
  );
  assert.equal(statuses[500] ?? 0, 0, answered);
  assert.ok(maxRetryAfter <= MAX_RETRY_AFTER_S, `Retry-After ${maxRetryAfter} s`);
}

for (const { name, kind, lanes, grids: gridsOfAttacker, expected } of SCENARIOS)
  describe(`${name} of one user, for ${SECONDS} s`, function () {
    this.timeout(SECONDS * 10_000 + 120_000);
    let service: ServiceProcess;
    let neighbour: Bootstrap;
    let attacker: Bootstrap[];
    let attack: Attack | undefined;

    before(async () => {
      const owners = ['neighbour', ...Array.from({ length: gridsOfAttacker }, () => 'attacker')];
      const { service: started, grids } = await startService(owners);
      service = started;
      [neighbour, ...attacker] = grids;
    });
    after(async () => {
      attack?.kill();
      await service.dispose();
    });

    it('refuses nothing of another user, and acknowledges it in time', async () => {
      const { httpPort, otlpHttpPort } = service.ports;
      const sender = new HttpSender(otlpHttpPort, neighbour.apiKey, NEIGHBOUR_LOAD.atOnce);
      const batches = new Batches('traces', NEIGHBOUR_RECORDS);
      const measure = (): Promise<LoadResult> => runOpenLoop(sender, () => batches.next(), NEIGHBOUR_LOAD);
      const calm = await measure();
      attack = await Attack.start({ kind, httpPort, otlpHttpPort, grids: attacker, lanes });
      const beside = await measure();
      const report = await attack.stop();
      sender.close();
      reportMeasurements(`fair shares, ${name}`, {
        'ack p50 ms calm': Math.round(percentile(calm.latencies, 0.5)),
        'ack p50 ms': Math.round(percentile(beside.latencies, 0.5)),
        'ack p99 ms': Math.round(beside.p99),
        refused: JSON.stringify(beside.refusedWith),
        'attacker got': JSON.stringify(report.statuses),
      });
      assertHints(report, expected);
      assert.deepEqual([calm.refused, beside.refused, beside.unknown], [0, 0, 0]);
      assert.ok(beside.acknowledged > 0);
      if (IS_FULL) assert.ok(beside.p99 <= ACK_P99_MS, `p99 is ${Math.round(beside.p99)} ms`);
      await expectTraces(service, neighbour, calm.acknowledged + beside.acknowledged);
    });
  });

/** What was acknowledged is found, once. */
async function expectTraces(service: ServiceProcess, { gridId, apiKey }: Bootstrap, count: number): Promise<void> {
  const api = new ApiClient(service.apiUrl, { 'api-key': apiKey });
  const range = {
    rangeStart: new Date(Date.now() - 3_600_000).toISOString(),
    rangeEnd: new Date(Date.now() + 600_000).toISOString(),
    pageSize: 1,
  };
  let found = -1;
  const hasAll = async (): Promise<boolean> => {
    found = (await api.post<{ totalCount: number }>(`/apm/traces/${gridId}`, range)).body.totalCount;
    return found >= count;
  };
  await waitUntil(hasAll, `${count} traces of the neighbour`, 60_000).catch((error: unknown) => {
    throw new Error(`${found} of ${count} traces of the neighbour were found`, { cause: error });
  });
  assert.equal(found, count);
}

describe(`${COMPARISONS} comparisons of seven days at the same time, for ${SECONDS} s`, function () {
  this.timeout(SECONDS * 10_000 + 240_000);
  let service: ServiceProcess;
  let neighbour: Bootstrap;
  let attacker: Bootstrap;
  let attack: Attack | undefined;

  before(async () => {
    const { service: started, grids } = await startService(['neighbour', 'attacker']);
    service = started;
    [neighbour, attacker] = grids;
    for (const { apiKey } of grids) {
      const sender = new HttpSender(service.ports.otlpHttpPort, apiKey, 1);
      for (const batch of createWeekOfSpans()) await sendBatchUntilAcknowledged(sender, batch);
      sender.close();
    }
  });
  after(async () => {
    attack?.kill();
    await service.dispose();
  });

  async function askHealth(): Promise<number[]> {
    const api = new ApiClient(service.apiUrl, { 'api-key': neighbour.apiKey });
    const times: number[] = [];
    for (const end = performance.now() + SECONDS * 1_000; performance.now() < end;) {
      const began = performance.now();
      assert.equal((await api.get(`/apm/diagnostics/${neighbour.gridId}/health`)).status, 200);
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return times;
  }

  it('delay the health of another user at most threefold', async () => {
    await askHealth(); // warm
    const calm = await askHealth();
    const { httpPort, otlpHttpPort } = service.ports;
    attack = await Attack.start({
      kind: 'comparisons',
      httpPort,
      otlpHttpPort,
      grids: [attacker],
      lanes: COMPARISONS,
    });
    const beside = await askHealth();
    const report = await attack.stop();
    const [before, during] = [calm, beside].map((times) => percentile(times, 0.5));
    reportMeasurements('fair shares, comparisons', {
      'health p50 ms calm': before.toFixed(1),
      'health p50 ms': during.toFixed(1),
      'health p99 ms calm': percentile(calm, 0.99).toFixed(1),
      'health p99 ms': percentile(beside, 0.99).toFixed(1),
      'attacker got': JSON.stringify(report.statuses),
    });
    assertHints(report, [200]);
    if (IS_FULL) assert.ok(during <= QUERY_FACTOR * before, `${during.toFixed(1)} ms instead of ${before.toFixed(1)}`);
  });
});

describe(`live streams of ${STREAMS} Grids that receive telemetry, for ${SECONDS} s`, function () {
  this.timeout(SECONDS * 10_000 + 240_000);
  let service: ServiceProcess;
  let grids: Bootstrap[];
  const streams: EventStream[] = [];

  before(async () => {
    const owners = Array.from({ length: STREAMS }, (_, n) => `user ${n % 30}`);
    ({ service, grids } = await startService(owners));
  });
  after(async () => {
    for (const stream of streams) stream.close();
    await service.dispose();
  });

  it('reach every Grid, and report their age', async () => {
    for (const { gridId, apiKey } of grids)
      streams.push(
        await EventStream.open(`${service.apiUrl}/apm/diagnostics/${gridId}/stream?api-version=2.0&topics=health`, {
          'api-key': apiKey,
        }),
      );
    const senders = grids.map(({ apiKey }) => new HttpSender(service.ports.otlpHttpPort, apiKey, 1));
    const batches = grids.map(() => new Batches('traces', 5));
    const seen = streams.map(({ events }) => events.length);
    for (const end = performance.now() + SECONDS * 1_000; performance.now() < end;) {
      const began = performance.now();
      await Promise.all(senders.map((sender, n) => sendBatchUntilAcknowledged(sender, batches[n].next())));
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1_000 - (performance.now() - began))));
    }
    await waitUntil(
      () => streams.every(({ events }, n) => events.length > seen[n]),
      'every stream got an event',
      30_000,
    );
    const ages = streams.flatMap(({ events }, n) =>
      events.slice(seen[n]).map(({ data }) => (data as { ageMs?: number }).ageMs ?? NaN),
    );
    for (const sender of senders) sender.close();
    reportMeasurements('fair shares, live streams', {
      streams: STREAMS,
      events: ages.length,
      'age p50 ms': Math.round(percentile(ages, 0.5)),
      'age p99 ms': Math.round(percentile(ages, 0.99)),
    });
    assert.ok(
      ages.every((age) => age >= 0),
      'every event tells its age',
    );
    if (IS_FULL) assert.ok(percentile(ages, 0.99) <= LIVE_P99_MS, `p99 of the age is ${percentile(ages, 0.99)} ms`);
  });
});
