import assert from 'node:assert/strict';
import type { ApiClient } from '../support/api-client.js';
import { ApiClient as Client } from '../support/api-client.js';
import { BlackBox } from '../support/black-box.js';
import { EventStream } from '../support/event-stream.js';
import { logRecords, rootSpans, send } from '../support/sender.js';
import { waitUntil } from '../support/wait-until.js';
import { signIn } from '../support/sign-in.js';

interface Grid {
  readonly gridSecondaryId: string;
  readonly [setting: string]: unknown;
}

interface Issued {
  readonly keyId: string;
  readonly name: string;
  readonly apiKey: string;
  readonly createdAt: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const EVER = { rangeStart: '2020-01-01T00:00:00Z', rangeEnd: '2100-01-01T00:00:00Z' };

/** Black-box scenarios of the specification, section 6, in sequence, on two Grids of one service. */
describe('a second Grid, administered over the API', function () {
  this.timeout(60_000);
  let box: BlackBox;
  let owner: ApiClient;
  let outsider: ApiClient;
  let member: ApiClient;
  let grid: string;
  const admin = (path = ''): string => `/admin/grids/${grid}${path}`;
  const withKey = (apiKey: string): ApiClient => new Client(box.service.apiUrl, { 'api-key': apiKey });
  const sendWith = async (apiKey: string): Promise<number> => {
    const response = await fetch(`${box.service.otlpHttpUrl}/v1/traces`, {
      method: 'POST',
      headers: { 'api-key': apiKey, 'content-type': 'application/json' },
      body: rootSpans(1).body,
    });
    await response.arrayBuffer();
    return response.status;
  };

  before(async () => {
    box = await BlackBox.start();
    [owner, outsider, member] = await Promise.all([
      signIn(box.service.apiUrl, 'owner'),
      signIn(box.service.apiUrl, 'outsider'),
      signIn(box.service.apiUrl, 'member'),
    ]);
  });
  after(() => box.dispose());

  it('can be created by any signed-in user, who alone has access', async () => {
    const created = await outsider.post<Grid>('/admin/grids', { name: 'Second' });
    assert.equal(created.status, 201);
    const { gridSecondaryId, createdAt, ...settings } = created.body;
    grid = gridSecondaryId;
    assert.match(grid, UUID);
    assert.match(String(createdAt), ISO);
    assert.deepEqual(settings, {
      name: 'Second',
      apdexThresholdMs: 500,
      errorRateThreshold: 5,
      apdexHealthThreshold: 0.7,
      retentionDays: 7,
      subscriptionActive: true,
    });
    assert.deepEqual((await outsider.get(admin())).body, created.body);
    assert.deepEqual((await outsider.get('/admin/grids')).body, { grids: [created.body] });
    const { body } = await owner.get<{ grids: Grid[] }>('/admin/grids');
    assert.deepEqual(
      body.grids.map((each) => each.gridSecondaryId),
      [box.gridId],
    );
    for (const path of ['', '/members', '/api-keys', '/audit'])
      assert.equal((await owner.get(admin(path))).status, 403, path);
    assert.equal((await owner.get(`/apm/diagnostics/${grid}/health`)).status, 403);
    assert.equal((await box.api.post('/admin/grids', { name: 'by a key' })).status, 403);
    assert.equal((await box.api.get('/admin/grids')).status, 403);
  });

  it('has charts, dashboards and alert rules from the start', async () => {
    assert.ok(
      (await outsider.get<{ dashboards: object[] }>(`/apm/dashboards/${grid}/dashboards`)).body.dashboards.length >= 1,
    );
    assert.equal((await outsider.get<{ rules: object[] }>(admin('/alert-rules'))).body.rules.length, 4);
  });

  it('shows each key once, ingests telemetry with it, and isolates it from the other Grid', async () => {
    const issued = await outsider.post<Issued>(admin('/api-keys'), { name: 'shop' });
    assert.equal(issued.status, 201);
    assert.deepEqual(Object.keys(issued.body).sort(), ['apiKey', 'createdAt', 'keyId', 'kind', 'name']);
    const { apiKey, keyId } = issued.body;
    assert.equal(await sendWith(apiKey), 200);
    await box.settled();
    const mine = withKey(apiKey);
    assert.equal((await mine.post<{ totalCount: number }>(`/apm/traces/${grid}`, EVER)).body.totalCount, 1);
    assert.equal((await box.traces(EVER)).body.totalCount, 0);
    assert.equal((await mine.get(`/apm/traces/${box.gridId}/filters`)).status, 403);
    assert.equal((await mine.get(admin('/api-keys'))).status, 403);
    const [listed] = (await outsider.get<{ apiKeys: Record<string, unknown>[] }>(admin('/api-keys'))).body.apiKeys;
    assert.deepEqual([listed.keyId, listed.name, listed.createdBy, listed.role], [keyId, 'shop', 'outsider', 'Member']);
    assert.ok(apiKey.startsWith(String(listed.prefix)) && !JSON.stringify(listed).includes(apiKey));
    assert.match(String(listed.lastUsedAt), ISO);
    const [sent] = listed.lastSent as Record<string, unknown>[];
    assert.deepEqual([sent.signal, sent.accepted, sent.rejected], ['traces', 1, 0]);
  });

  it('shows why a key was rejected, and that an unused key was never used', async () => {
    const { apiKey, keyId } = (await outsider.post<Issued>(admin('/api-keys'), { name: 'odd' })).body;
    const of = async (): Promise<Record<string, unknown>> => {
      const { apiKeys } = (await outsider.get<{ apiKeys: Record<string, unknown>[] }>(admin('/api-keys'))).body;
      return apiKeys.find((key) => key.keyId === keyId) ?? {};
    };
    assert.equal((await of()).lastUsedAt, null);
    const response = await fetch(`${box.service.otlpHttpUrl}/v1/logs`, {
      method: 'POST',
      headers: { 'api-key': apiKey, 'content-type': 'application/json' },
      body: '{"resourceLogs":',
    });
    assert.equal(response.status, 400);
    const { lastRefused } = (await of()) as { lastRefused: { signal: string; reason: string } };
    assert.equal(lastRefused.signal, 'logs');
    assert.ok(lastRefused.reason.length > 10, lastRefused.reason);
  });

  it('rejects regenerated and revoked keys from the response on: API, ingestion, open streams', async () => {
    const { apiKey, keyId } = (await outsider.post<Issued>(admin('/api-keys'), { name: 'short-lived' })).body;
    for (const change of ['regenerate', 'revoke'] as const) {
      const current =
        change === 'regenerate'
          ? apiKey
          : (await outsider.post<Issued>(admin(`/api-keys/${keyId}/regenerate`), {})).body.apiKey;
      const stream = await EventStream.open(`${box.service.apiUrl}/apm/diagnostics/${grid}/stream?api-version=2.0`, {
        'api-key': current,
      });
      await stream.received(1);
      if (change === 'revoke') assert.equal((await outsider.delete(admin(`/api-keys/${keyId}`))).status, 204);
      else {
        const { status, body } = await outsider.post<Issued>(admin(`/api-keys/${keyId}/regenerate`), {});
        assert.deepEqual([status, body.keyId, body.apiKey === current], [200, keyId, false]);
      }
      assert.equal((await withKey(current).get(`/apm/diagnostics/${grid}/health`)).status, 401, change);
      assert.equal(await sendWith(current), 401, change);
      await waitUntil(() => stream.ended, `the stream ends after ${change}`, 5_000);
    }
    const names = (await outsider.get<{ apiKeys: Issued[] }>(admin('/api-keys'))).body.apiKeys.map(({ name }) => name);
    assert.deepEqual(names.sort(), ['odd', 'shop']);
    assert.equal((await outsider.delete(admin(`/api-keys/${keyId}`))).status, 404);
  });

  it('applies the permissions of each role at the next call', async () => {
    const may = async (): Promise<number[]> => {
      const calls = [
        member.get(`/apm/diagnostics/${grid}/health`),
        member.get(admin('/api-keys')),
        member.get(admin('/members')),
        member.get(admin('/audit')),
      ];
      return (await Promise.all(calls)).map(({ status }) => status);
    };
    assert.deepEqual(await may(), [403, 403, 403, 403]);
    for (const [role, expected] of [
      ['Guest', [200, 403, 403, 403]],
      ['User', [200, 403, 403, 403]],
      ['Member', [200, 200, 403, 403]],
      ['Owner', [200, 200, 200, 200]],
    ] as const) {
      const { status, body } = await outsider.put<Record<string, unknown>>(admin('/members/member'), { role });
      assert.deepEqual([status, body.userId, body.role, body.addedBy], [200, 'member', role, 'outsider']);
      assert.deepEqual(await may(), expected, role);
    }
    assert.equal((await outsider.delete(admin('/members/member'))).status, 204);
    assert.deepEqual(await may(), [403, 403, 403, 403]);
    const alone = await outsider.delete(admin('/members/outsider'));
    assert.deepEqual(
      [alone.status, (alone.body as unknown as { type: string }).type.split('/').pop()],
      [409, 'last-owner'],
    );
    assert.equal((await outsider.put(admin('/members/outsider'), { role: 'Member' })).status, 409);
    assert.equal((await outsider.put(admin('/members/member'), { role: 'King' })).status, 400);
  });

  it('applies changed settings to telemetry that arrives later', async () => {
    const patch = (changes: object): Promise<{ status: number; body: Grid }> => outsiderPatch(changes);
    const outsiderPatch = async (changes: object): Promise<{ status: number; body: Grid }> => {
      const { status, body } = await outsider.bytes('PATCH', admin(), changes);
      return { status, body: JSON.parse(Buffer.from(body).toString()) as Grid };
    };
    const changed = await patch({ name: 'Renamed', apdexThresholdMs: 1 });
    assert.deepEqual(
      [changed.status, changed.body.name, changed.body.apdexThresholdMs, changed.body.errorRateThreshold],
      [200, 'Renamed', 1, 5],
    );
    const faults = (await patch({ apdexThresholdMs: -1, retentionDays: 1.5 })) as unknown as {
      status: number;
      body: { errors: { field: string }[] };
    };
    assert.deepEqual(
      [faults.status, faults.body.errors.map(({ field }) => field).sort()],
      [400, ['apdexThresholdMs', 'retentionDays']],
    );
    const { apiKey } = (await outsider.post<Issued>(admin('/api-keys'), { name: 'slow' })).body;
    // 5 ms each: frustrated with a threshold of 1 ms.
    const request = rootSpans(10);
    await send(box.service.otlpHttpUrl, apiKey, {
      ...request,
      body: request.body.replaceAll('"faults"', '"slow-shop"'),
    });
    await box.settled();
    const slowShop = async (): Promise<{ apdex: number; status: string } | undefined> => {
      const { services } = (
        await withKey(apiKey).get<{ services: { serviceName: string; apdex: number; status: string }[] }>(
          `/apm/diagnostics/${grid}/health`,
        )
      ).body;
      return services.find(({ serviceName }) => serviceName === 'slow-shop');
    };
    await waitUntil(async () => (await slowShop()) !== undefined, 'health lists the service');
    const { apdex, status } = (await slowShop())!;
    assert.deepEqual([apdex, status], [0, 'degraded']);
  });

  it('is closed while its subscription is inactive, except for its Owner who can reactivate it', async () => {
    const { apiKey } = (await outsider.post<Issued>(admin('/api-keys'), { name: 'paying' })).body;
    const set = (subscriptionActive: boolean) => outsider.bytes('PATCH', admin(), { subscriptionActive });
    assert.equal((await set(false)).status, 200);
    assert.equal((await outsider.get(admin())).status, 200);
    for (const path of [admin('/api-keys'), admin('/members'), `/apm/diagnostics/${grid}/health`]) {
      const { status, body } = await outsider.get<{ type: string }>(path);
      assert.deepEqual([status, body.type.split('/').pop()], [403, 'subscription-inactive'], path);
    }
    assert.equal(await sendWith(apiKey), 403);
    assert.equal((await set(true)).status, 200);
    assert.equal(await sendWith(apiKey), 200);
  });

  it('lists who did what, newest first, without secrets', async () => {
    assert.equal((await outsider.put(`/assistant/limits/${grid}`, { dailyPromptLimit: 7 })).status, 200);
    const { status, body } = await outsider.get<{
      entries: { at: string; actor: string; action: string; target: string }[];
      totalCount: number;
      page: number;
      pageSize: number;
    }>(`${admin('/audit')}?page=1&pageSize=100`);
    assert.equal(status, 200);
    const times = body.entries.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted().reverse());
    assert.equal(body.totalCount, body.entries.length);
    const actions = new Set(body.entries.map(({ action }) => action));
    assert.ok(actions.size >= 8, [...actions].join());
    assert.ok(body.entries.every(({ actor }) => actor === 'outsider'));
    const text = JSON.stringify(body);
    assert.doesNotMatch(text, /secretHash|hs_[A-Za-z0-9]+_/);
    const second = await outsider.get<{ entries: unknown[]; totalCount: number }>(
      `${admin('/audit')}?page=2&pageSize=2`,
    );
    assert.deepEqual([second.body.entries, second.body.totalCount], [body.entries.slice(2, 4), body.totalCount]);
    assert.equal((await outsider.get(`${admin('/audit')}?pageSize=101`)).status, 400);
  });

  it('is the same after a restart', async () => {
    const before = await Promise.all([
      outsider.get(admin()),
      outsider.get(admin('/members')),
      outsider.get(admin('/api-keys')),
      outsider.get(`${admin('/audit')}?pageSize=100`),
    ]);
    await box.service.signal('SIGTERM');
    await box.service.start();
    const again = await signIn(box.service.apiUrl, 'outsider');
    const after = await Promise.all([
      again.get(admin()),
      again.get(admin('/members')),
      again.get(admin('/api-keys')),
      again.get(`${admin('/audit')}?pageSize=100`),
    ]);
    assert.deepEqual(
      after.map(({ body }) => body),
      before.map(({ body }) => body),
    );
  });

  it('counts nothing of the other Grid', async () => {
    await send(box.service.otlpHttpUrl, box.apiKey, logRecords(3));
    await waitUntil(async () => (await box.logs(EVER)).body.totalCount === 3, 'the logs are found');
    const again = await signIn(box.service.apiUrl, 'outsider');
    assert.equal((await again.post<{ totalCount: number }>(`/apm/logs/${grid}`, EVER)).body.totalCount, 0);
  });
});
