import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { Http2Client } from '../unit/http/otlp/support/http2-client.js';
import { ApiClient } from '../support/api-client.js';
import { EventStream } from '../support/event-stream.js';
import { sendUntilAcknowledged, rootSpans, send, type Sent } from '../support/sender.js';
import { ServiceProcess, type Bootstrap } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { signIn, signInAutomation } from '../support/sign-in.js';
import { elapsedMs, shortest } from '../support/measurement.js';

interface Issued {
  readonly keyId: string;
  readonly name: string;
  readonly apiKey: string;
  readonly createdAt: string;
}

interface Listed {
  readonly apiKeys: readonly {
    readonly keyId: string;
    readonly lastUsedAt: string | null;
    readonly lastSent: readonly {
      readonly signal: string;
      readonly at: string;
      readonly accepted: number;
      readonly rejected: number;
    }[];
    readonly lastRefused?: { readonly signal?: string; readonly at: string; readonly reason: string };
  }[];
}

interface Audit {
  readonly entries: readonly {
    readonly at: string;
    readonly actor: string;
    readonly action: string;
    readonly target: string;
    readonly details: Record<string, unknown>;
  }[];
  readonly totalCount: number;
}

/** Time limit (ms) from the API specification. */
const ENDS_WITHIN_MS = 1_000;

/** gRPC status codes. */
const OK = 0;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

describe('administration of a running service', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  let first: Bootstrap;
  let owner: ApiClient;
  let gridId: string;
  let grid: string;
  /** Time (ms) until each stream that had to end was closed. */
  const endings: number[] = [];

  before(async () => {
    service = await ServiceProcess.start();
    first = await service.bootstrap();
    owner = await signIn(service.apiUrl, 'owner');
  });
  after(() => service.dispose());

  /** A new Grid for each test; `owner` is its only Owner. */
  beforeEach(async () => {
    const created = await owner.post<{ gridSecondaryId: string }>('/admin/grids', { name: 'shop' });
    assert.equal(created.status, 201);
    gridId = created.body.gridSecondaryId;
    grid = `/admin/grids/${gridId}`;
  });

  const issue = async (name = 'checkout'): Promise<Issued> =>
    (await owner.post<Issued>(`${grid}/api-keys`, { name })).body;
  const withKey = (apiKey: string): ApiClient => new ApiClient(service.apiUrl, { 'api-key': apiKey });
  const grpc = (): Http2Client => new Http2Client(Number(new URL(service.otlpGrpcUrl).port));
  const health = (client: ApiClient) => client.get(`/apm/diagnostics/${gridId}/health`);
  const follow = (headers: Record<string, string>) =>
    EventStream.open(`${service.apiUrl}/apm/diagnostics/${gridId}/stream?api-version=2.0&topics=health`, headers);
  const keysOf = async () => (await owner.get<Listed>(`${grid}/api-keys`)).body.apiKeys;

  const ending = async (stream: EventStream): Promise<void> =>
    void endings.push(await elapsedMs(() => waitUntil(() => stream.ended, 'the stream ends')));

  /** Sends once, and again while the service is busy, as exporters do. */
  async function sendOnce(apiKey: string): Promise<Sent['outcome']> {
    const request = rootSpans(3);
    for (;;) {
      await send(service.otlpHttpUrl, apiKey, request);
      if (request.status !== 503) break;
      await pause(100);
    }
    return request.outcome;
  }

  it('shows a change in every list at the next call', async () => {
    const { body: record } = await owner.get(grid);
    const { createdAt, ...settings } = record;
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.deepEqual(settings, {
      gridSecondaryId: gridId,
      name: 'shop',
      apdexThresholdMs: 500,
      errorRateThreshold: 5,
      apdexHealthThreshold: 0.7,
      retentionDays: 7,
      subscriptionActive: true,
    });
    const changed = await owner.patch(grid, { apdexThresholdMs: 300, retentionDays: 3 });
    assert.deepEqual([changed.status, changed.body], [200, { ...record, apdexThresholdMs: 300, retentionDays: 3 }]);
    assert.deepEqual((await owner.get(grid)).body, changed.body);
    assert.equal((await owner.patch(grid, { retentionDays: null })).body['retentionDays'], 7);
    const {
      body: { grids },
    } = await owner.get<{ grids: { gridSecondaryId: string }[] }>('/admin/grids');
    assert.ok([gridId, first.gridId].every((id) => grids.some(({ gridSecondaryId }) => gridSecondaryId === id)));

    const added = await owner.put(`${grid}/members/user`, { role: 'User' });
    assert.equal(added.status, 200);
    const {
      body: { members },
    } = await owner.get<{ members: { userId: string; role: string; addedBy: string }[] }>(`${grid}/members`);
    assert.deepEqual(
      members.map(({ userId, role, addedBy }) => [userId, role, addedBy]),
      [
        ['owner', 'Owner', 'owner'],
        ['user', 'User', 'owner'],
      ],
    );
    assert.deepEqual(members[1], added.body);

    const key = await issue();
    assert.deepEqual(
      (await keysOf()).map(({ keyId, lastUsedAt, lastSent }) => [keyId, lastUsedAt, lastSent]),
      [[key.keyId, null, []]],
    );
  });

  it('records who did what in the audit log, without secrets', async () => {
    const key = await issue();
    const {
      body: { apiKey: second },
    } = await owner.post<Issued>(`${grid}/api-keys/${key.keyId}/regenerate`, undefined);
    await owner.patch(grid, { apdexThresholdMs: 300 });
    await owner.put(`${grid}/members/user`, { role: 'User' });
    await owner.put(`/assistant/limits/${gridId}`, { dailyPromptLimit: 7 });
    const {
      body: { totalCount, entries },
    } = await owner.get<Audit>(`${grid}/audit?pageSize=4`);
    assert.equal(totalCount, 7);
    assert.deepEqual(
      entries.map(({ action, target, details }) => [action, target, details]),
      [
        ['limits.updated', gridId, { dailyPromptLimit: { from: 100, to: 7 } }],
        ['member.set', 'user', { role: 'User' }],
        ['grid.settings-changed', gridId, { apdexThresholdMs: { from: 500, to: 300 } }],
        ['api-key.regenerated', key.keyId, { name: 'checkout' }],
      ],
    );
    const { body: rest } = await owner.get<Audit>(`${grid}/audit?page=2&pageSize=4`);
    assert.deepEqual(
      rest.entries.map(({ action }) => action),
      ['api-key.issued', 'member.set', 'grid.created'],
    );
    assert.ok(rest.entries.every(({ actor }) => actor === 'owner'));
    const secrets = [key.apiKey, second].map((text) => text.split('_')[2] ?? assert.fail());
    for (const secret of [...secrets, 'secretHash']) assert.ok(!JSON.stringify([entries, rest]).includes(secret));
  });

  it('rejects a revoked key immediately: API, OTLP/HTTP, an open gRPC connection, and live streams', async () => {
    const { keyId, apiKey } = await issue();
    const connection = grpc();
    const stream = await follow({ 'api-key': apiKey });
    assert.deepEqual(
      [
        (await health(withKey(apiKey))).status,
        await sendOnce(apiKey),
        (await connection.call(new Uint8Array(), { 'api-key': apiKey })).code,
      ],
      [200, 'acknowledged', OK],
    );

    assert.equal((await owner.delete(`${grid}/api-keys/${keyId}`)).status, 204);
    assert.deepEqual(
      [
        (await health(withKey(apiKey))).status,
        await sendOnce(apiKey),
        (await connection.call(new Uint8Array(), { 'api-key': apiKey })).code,
      ],
      [401, 'refused', UNAUTHENTICATED],
    );
    await ending(stream);
    assert.deepEqual(await keysOf(), []);
    assert.equal((await owner.delete(`${grid}/api-keys/${keyId}`)).status, 404);
    connection.close();
  });

  it('rejects the old secret of a regenerated key immediately, and accepts the new one', async () => {
    const { keyId, apiKey: old } = await issue();
    const connection = grpc();
    const stream = await follow({ 'api-key': old });
    assert.equal((await connection.call(new Uint8Array(), { 'api-key': old })).code, OK);
    const regenerated = await owner.post<Issued>(`${grid}/api-keys/${keyId}/regenerate`, undefined);
    assert.deepEqual([regenerated.status, regenerated.body.keyId, regenerated.body.name], [200, keyId, 'checkout']);
    const { apiKey } = regenerated.body;
    assert.deepEqual(
      [
        (await health(withKey(old))).status,
        await sendOnce(old),
        (await connection.call(new Uint8Array(), { 'api-key': old })).code,
      ],
      [401, 'refused', UNAUTHENTICATED],
    );
    assert.deepEqual(
      [
        (await health(withKey(apiKey))).status,
        await sendOnce(apiKey),
        (await connection.call(new Uint8Array(), { 'api-key': apiKey })).code,
      ],
      [200, 'acknowledged', OK],
    );
    await ending(stream);
    connection.close();
  });

  it('applies a removed member and a lowered role at the next call', async () => {
    const user = await signIn(service.apiUrl, 'user');
    assert.equal((await user.get(grid)).status, 403);
    await owner.put(`${grid}/members/user`, { role: 'Owner' });
    assert.equal((await user.get(`${grid}/audit`)).status, 200);
    await owner.put(`${grid}/members/user`, { role: 'Member' });
    assert.deepEqual(
      [(await user.get(`${grid}/audit`)).status, (await user.get(`${grid}/api-keys`)).status],
      [403, 200],
    );
    await owner.put(`${grid}/members/user`, { role: 'User' });
    assert.deepEqual([(await user.get(`${grid}/api-keys`)).status, (await user.get(grid)).status], [403, 200]);
    await owner.delete(`${grid}/members/user`);
    assert.equal((await user.get(grid)).status, 403);
  });

  it('keeps one Owner under concurrent removals', async () => {
    await owner.put(`${grid}/members/user`, { role: 'Owner' });
    const statuses = await Promise.all(
      ['owner', 'user'].map(async (userId) => (await owner.delete(`${grid}/members/${userId}`)).status),
    );
    assert.deepEqual([...statuses].sort().filter((status) => status === 204).length, 1, String(statuses));
    const user = await signIn(service.apiUrl, 'user');
    const left = [(await owner.get(grid)).status, (await user.get(grid)).status].filter((status) => status === 200);
    assert.equal(left.length, 1);
  });

  it('returns only the Grid record while the subscription is inactive, and everything afterwards', async () => {
    const { apiKey } = await issue();
    const connection = grpc();
    const stream = await follow({ 'api-key': apiKey });
    assert.equal((await owner.patch(grid, { subscriptionActive: false })).body['subscriptionActive'], false);
    await ending(stream);
    for (const client of [owner, withKey(apiKey)]) {
      const { status, body } = await health(client);
      assert.deepEqual([status, body['type']], [403, `${service.apiUrl}/problems/subscription-inactive`]);
    }
    for (const path of ['members', 'api-keys', 'audit', 'alert-rules', 'charts'])
      assert.equal((await owner.get(`${grid}/${path}`)).status, 403, path);
    assert.equal((await owner.get(grid)).status, 200);
    const { code, details } = await connection.call(new Uint8Array(), { 'api-key': apiKey });
    assert.equal(code, PERMISSION_DENIED);
    assert.ok(!details.includes('RetryInfo'));
    const response = await fetch(`${service.otlpHttpUrl}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': apiKey },
      body: rootSpans(1).body,
    });
    assert.deepEqual([response.status, response.headers.get('retry-after')], [403, null]);

    assert.equal((await owner.patch(grid, { subscriptionActive: true })).status, 200);
    assert.deepEqual(
      [
        (await health(owner)).status,
        await sendOnce(apiKey),
        (await connection.call(new Uint8Array(), { 'api-key': apiKey })).code,
      ],
      [200, 'acknowledged', OK],
    );
    const [key] = await keysOf();
    assert.match(key?.lastRefused?.reason ?? '', /inactive/);
    connection.close();
  });

  it('shows when a key was last used, and what was rejected and why', async () => {
    const { keyId, apiKey } = await issue();
    const post = (headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) =>
      fetch(`${service.otlpHttpUrl}/v1/logs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'api-key': apiKey, ...headers },
        body,
      });
    const refusedNow = async () => (await keysOf()).find((key) => key.keyId === keyId)?.lastRefused;
    await sendOnce(apiKey);
    const [sent] = await keysOf();
    assert.deepEqual(
      sent?.lastSent.map(({ signal, accepted, rejected }) => [signal, accepted, rejected]),
      [['traces', 3, 0]],
    );
    assert.ok(sent?.lastUsedAt !== null);

    assert.equal((await post({}, '{"resourceLogs": [')).status, 400);
    assert.equal((await refusedNow())?.signal, 'logs');
    assert.equal((await post({ 'content-type': 'text/plain' }, 'hello')).status, 415);
    assert.match((await refusedNow())?.reason ?? '', /application\/x-protobuf/);
    assert.equal((await post({ 'content-encoding': 'br' }, 'hello')).status, 415);
    assert.match((await refusedNow())?.reason ?? '', /content-encoding/);
    assert.equal((await post({ 'api-key': `hs_${keyId}_${'0'.repeat(43)}` }, '{}')).status, 401);
    assert.match((await refusedNow())?.reason ?? '', /secret/);
    assert.equal((await post({ 'api-key': `hs_nobody_${'0'.repeat(43)}` }, '{}')).status, 401);
  });

  it('keeps API key usage across a restart', async () => {
    const { keyId, apiKey } = await issue();
    await sendOnce(apiKey);
    const before = (await keysOf()).find((key) => key.keyId === keyId);
    assert.equal(await service.signal('SIGTERM'), 0);
    await service.start();
    owner = await signIn(service.apiUrl, 'owner');
    assert.deepEqual(
      (await keysOf()).find((key) => key.keyId === keyId),
      before,
    );
  });

  it('applies changed settings immediately and notifies live streams within a second', async () => {
    const { apiKey } = await issue();
    const client = withKey(apiKey);
    await sendUntilAcknowledged(service.otlpHttpUrl, apiKey, rootSpans(20));
    type Health = { overallStatus: string; services: { apdex: number; status: string }[] };
    const readHealth = async () => (await client.get<Health>(`/apm/diagnostics/${gridId}/health`)).body;
    await waitUntil(async () => (await readHealth()).services.length > 0, 'the service is visible');
    const stream = await follow({ 'api-key': apiKey });
    await stream.received(1);
    const statusIn = (data: unknown): string => (data as Health).overallStatus;
    /** Time (ms) until the stream reports a change. */
    const reportsAbout = async (errorRateThreshold: number, status: string): Promise<number> => {
      await owner.patch(grid, { errorRateThreshold });
      return elapsedMs(async () => {
        assert.equal((await readHealth()).overallStatus, status, 'at the next query');
        await waitUntil(() => statusIn(stream.events.at(-1)?.data) === status, `the stream tells ${status}`);
      });
    };
    // Back and forth, so that every attempt is a change.
    const ms = await shortest(1_500, async () =>
      Math.max(await reportsAbout(0, 'degraded'), await reportsAbout(5, 'healthy')),
    );
    assert.ok(ms < 1_500, `visible after ${ms} ms`);
    stream.close();
  });

  it('applies a changed Apdex threshold to telemetry that arrives after the response', async () => {
    const { apiKey } = await issue();
    const apdexOf = async (): Promise<number | undefined> =>
      (
        await owner.get<{ services: { apdex: number; requestCount: number }[] }>(`/apm/diagnostics/${gridId}/health`)
      ).body.services.map(({ apdex, requestCount }) => (requestCount === 40 ? apdex : -1))[0];
    await sendUntilAcknowledged(service.otlpHttpUrl, apiKey, rootSpans(20));
    await owner.patch(grid, { apdexThresholdMs: 1 });
    await sendUntilAcknowledged(service.otlpHttpUrl, apiKey, rootSpans(20));
    // Spans of 5 ms: satisfied by 500 ms, frustrated by 1 ms.
    await waitUntil(async () => (await apdexOf()) === 0.5, 'half of the requests satisfied');
  });

  it('closes streams in time', () => {
    // One outlier is accepted, since the machine may stall.
    const late = endings.filter((ms) => ms >= ENDS_WITHIN_MS);
    assert.ok(late.length <= 1 && late.every((ms) => ms < 2 * ENDS_WITHIN_MS), late.join());
  });

  it('makes an application the Owner of its Grids, and lets no API key administer', async () => {
    const application = await signInAutomation(service.apiUrl);
    const {
      body: { gridSecondaryId },
    } = await application.post<{ gridSecondaryId: string }>('/admin/grids', { name: 'of a machine' });
    assert.equal((await application.get(`/admin/grids/${gridSecondaryId}/audit`)).status, 200);
    const { apiKey } = await issue();
    for (const path of ['/admin/grids', grid, `${grid}/api-keys`])
      assert.equal((await withKey(apiKey).get(path)).status, 403, path);
  });
});
