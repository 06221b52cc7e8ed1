import assert from 'node:assert/strict';
import { ROUTES } from '../../../../src/http/routes.js';
import { assertProblem, startApi, type Reply, type TestApi } from '../../../support/api.js';
import { GRID_A, GRID_B, READ_KEY, SEND_KEY } from '../../../support/fake-access.js';

const MCP = { Accept: 'application/json, text/event-stream' };

describe('kinds of API keys', () => {
  let api: TestApi;
  before(async () => void (api = await startApi()));
  after(() => api.stop());

  const call = (method: string, path: string, key: string, body?: unknown): Promise<Reply> =>
    api.call(method, path, { as: 'anonymous', headers: { ...MCP, 'api-key': key }, body });

  for (const route of ROUTES) {
    it(`${route.operationId}: a key that only sends is 403, and told why`, async () => {
      const path = route.path.replace('{gridSecondaryId}', GRID_A).replace(/\{\w+\}/g, 'x');
      const reply = await call(route.method, path, SEND_KEY, route.method === 'GET' ? undefined : {});
      assertProblem(reply, { status: 403, slug: 'key-kind' });
    });
  }

  it('a key that only sends gets the same answer for a Grid that is not its own', async () => {
    const path = `/apm/traces/${GRID_B}/filters`;
    assertProblem(await call('GET', path, SEND_KEY), { status: 403, slug: 'key-kind' });
  });

  it('a key that only sends opens no tools', async () => {
    const reply = await call('POST', '/mcp', SEND_KEY, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    assertProblem(reply, { status: 403, slug: 'key-kind' });
  });

  it('a key that only reads reads', async () => {
    assert.equal((await call('GET', `/apm/traces/${GRID_A}/filters`, READ_KEY)).status, 200);
    assert.equal((await call('POST', '/mcp', READ_KEY, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status, 200);
    const administers = await call('GET', `/admin/grids/${GRID_A}/api-keys`, READ_KEY);
    assertProblem(administers, { status: 403, slug: 'forbidden' });
  });

  it('wait for the version and the credentials, like every right', async () => {
    const path = `/apm/traces/${GRID_A}/filters`;
    const headers = { 'api-key': SEND_KEY };
    assert.equal((await api.get(path, { as: 'anonymous', version: null, headers })).status, 400);
    assert.equal((await call('GET', path, `${SEND_KEY}x`)).status, 401);
    assertProblem(await call('GET', '/apm/traces/no-uuid/filters', SEND_KEY), {
      status: 400,
      slug: 'invalid-request',
      fields: ['gridSecondaryId'],
    });
  });
});
