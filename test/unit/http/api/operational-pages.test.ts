import assert from 'node:assert/strict';
import type { NodeRequestHandler } from '../../../../src/http/app.js';
import { createMetricsApp } from '../../../../src/http/app.js';
import { createApiServer } from '../../../../src/http/api-server.js';
import { assertProblem, PUBLIC_URL, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';

const NO_PRIMARY = { as: 'anonymous', version: null } as const;

describe('service pages', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  it('/live answers while the process does', async () => {
    const reply = await api.get('/live', NO_PRIMARY);
    assert.deepEqual([reply.status, reply.json()], [200, { live: true }]);
  });

  it('/ready is a map of checks, 503 as soon as one component is down', async () => {
    const up = await api.get('/ready', NO_PRIMARY);
    assert.deepEqual(
      [up.status, up.json()],
      [200, { ready: true, checks: { 'event-store': { ok: true }, 'read-models': { ok: true } } }],
    );
    api.checks.set('read-models', { ok: false, reason: 'disk full' });
    const down = await api.get('/ready', NO_PRIMARY);
    assert.deepEqual(
      [down.status, down.json()],
      [
        503,
        { ready: false, checks: { 'event-store': { ok: true }, 'read-models': { ok: false, reason: 'disk full' } } },
      ],
    );
  });

  it('/ready answers 200 where a component works and an operator should look at it, as the document has it', async () => {
    api.checks.set('read-models', { ok: true, degraded: '2 events could not be projected' });
    const { status, json } = await api.get('/ready', NO_PRIMARY);
    assert.deepEqual(
      [status, json()],
      [
        200,
        {
          ready: true,
          checks: {
            'event-store': { ok: true },
            'read-models': { ok: true, degraded: '2 events could not be projected' },
          },
        },
      ],
    );
  });

  it('/ready shows no password of an address', async () => {
    api.checks.set('read-models', {
      ok: false,
      reason: 'cannot reach mongodb://user:hunter2@db:27017/x and esdb://a:p%40w@es',
    });
    assert.deepEqual((await api.get('/ready', NO_PRIMARY)).text.match(/hunter2|p%40w|user/), null);
  });

  it('show clients where to sign in, as RFC 9728 has it, and nobody where only API keys count', async () => {
    const path = '/.well-known/oauth-protected-resource';
    assert.equal((await fetch(`http://127.0.0.1:${api.port}${path}`)).status, 404);
    const signIn = { issuer: 'https://idp.example/tenant/v2.0', scope: 'api://iapm-api/.default' };
    const withDirectory = await startApi({ signIn });
    try {
      const { status, json } = await withDirectory.get(path, NO_PRIMARY);
      assert.equal(status, 200);
      assert.deepEqual(json(), {
        resource: PUBLIC_URL,
        authorization_servers: [signIn.issuer],
        scopes_supported: [signIn.scope],
        bearer_methods_supported: ['header'],
        resource_name: 'Hindsight',
      });
      const ofMcp = await withDirectory.get(`${path}/mcp`, NO_PRIMARY);
      assert.deepEqual([ofMcp.status, ofMcp.json()], [200, { ...Object(json()), resource: `${PUBLIC_URL}/mcp` }]);
    } finally {
      await withDirectory.stop();
    }
  });

  it('/metrics gives the text of its function', async () => {
    const reply = await api.get('/metrics', NO_PRIMARY);
    assert.deepEqual([reply.status, reply.text], [200, 'hindsight_up 1\n']);
    assert.match(reply.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  });

  it('/metrics can live on a port of its own, alone', async () => {
    const log = { debug: () => undefined, warn: () => undefined, error: () => undefined };
    const app = createMetricsApp({ publicUrl: PUBLIC_URL, log, metrics: async () => 'x 1\n' });
    const server = createApiServer({ app, bindAddress: '127.0.0.1', port: 0, publicUrl: PUBLIC_URL });
    const port = await server.listen();
    try {
      assert.equal(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), 'x 1\n');
      assert.equal((await fetch(`http://127.0.0.1:${port}/apm/traces/${GRID_A}/filters`)).status, 404);
    } finally {
      await server.close();
    }
  });

  it('take GET and HEAD only', async () => {
    for (const path of ['/live', '/ready', '/metrics', '/problems/not-found']) {
      const reply = await api.call('POST', path, NO_PRIMARY);
      assertProblem(reply, { status: 405, slug: 'method-not-allowed' });
      assert.equal(reply.headers.get('allow'), 'GET, HEAD');
      assert.equal((await api.call('HEAD', path, NO_PRIMARY)).status, 200);
    }
  });

  it('a failing check or metric is a problem, not a crash', async () => {
    const broken = await startApi({
      checks: () => Promise.reject(new Error('x')),
      metrics: () => Promise.reject(new Error('y')),
    });
    try {
      assertProblem(await broken.get('/ready'), { status: 500, slug: 'internal-error' });
      assertProblem(await broken.get('/metrics'), { status: 500, slug: 'internal-error' });
      assert.equal((await broken.get('/live')).status, 200);
    } finally {
      await broken.stop();
    }
  });
});

describe('mounted identity provider', () => {
  const provider: NodeRequestHandler = (request, response, next) => {
    if (request.url === '/dev/token')
      response.setHeader('Content-Security-Policy', "form-action 'self'").end(`token by ${request.method}`);
    else if (request.url === '/dev/broken') next(new Error('secret'));
    else next();
  };
  let api: TestApi;
  before(async () => void (api = await startApi({ identityProvider: provider })));
  after(() => api.stop());

  it('answers under /auth without version and credentials, with its own content policy', async () => {
    const reply = await api.call('POST', '/auth/dev/token', { ...NO_PRIMARY, body: 'grant_type=x' });
    assert.deepEqual([reply.status, reply.text], [200, 'token by POST']);
    assert.equal(reply.headers.get('content-security-policy'), "form-action 'self'");
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
  });

  it('leaves what it does not know, and what it breaks, to problems', async () => {
    assertProblem(await api.get('/auth/nothing', NO_PRIMARY), { status: 404, slug: 'not-found' }, '/auth/nothing');
    assertProblem(
      await api.get('/auth/dev/broken', NO_PRIMARY),
      { status: 500, slug: 'internal-error' },
      '/auth/dev/broken',
    );
  });
});

describe('headers of answers', () => {
  let api: TestApi;
  before(async () => void (api = await startApi()));
  after(() => api.stop());

  it('let nothing run, be sniffed, be framed or be cached, on success and on refusal', async () => {
    for (const path of [
      `/apm/traces/${GRID_A}/filters`,
      '/nowhere',
      '/live',
      '/ready',
      '/problems/not-found',
      '/apm/traces/x/filters',
    ]) {
      const { headers } = await api.get(path);
      assert.equal(headers.get('content-security-policy'), "default-src 'none';frame-ancestors 'none'", path);
      assert.equal(headers.get('cache-control'), 'no-store', path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
      assert.equal(headers.get('x-frame-options'), 'DENY', path);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
      for (const absent of ['x-powered-by', 'server', 'etag', 'set-cookie', 'access-control-allow-origin'])
        assert.equal(headers.get(absent), null, `${path} ${absent}`);
    }
  });

  it('never say 304: a validator of the caller has no effect', async () => {
    assert.equal((await api.get(`/apm/traces/${GRID_A}/filters`, { headers: { 'If-None-Match': '*' } })).status, 200);
  });

  it('repeat a correlation id that is a safe token, and replace any other', async () => {
    const idFor = async (offered: string): Promise<string | null> =>
      (await api.get('/live', { headers: { 'X-Request-Id': offered } })).headers.get('x-request-id');
    assert.equal(await idFor('trace-1.A_b'), 'trace-1.A_b');
    for (const unsafe of ['', 'a b', 'a"b', '<x>', 'x'.repeat(65), 'a,b', 'ä'])
      assert.match((await idFor(unsafe)) ?? '', /^[0-9a-f]{8}-/);
  });

  it('go with one debug line a request, without query, credentials or body', async () => {
    api.log.length = 0;
    const reply = await api.post(`/apm/logs/${GRID_A}?canary=query`, { canary: 'body' });
    const line = api.log.find(({ message }) => message === 'Request completed');
    assert.equal(line?.level, 'debug');
    assert.deepEqual(
      { ...line.fields, ms: 0 },
      {
        requestId: reply.headers.get('x-request-id'),
        client: '127.0.0.1',
        method: 'POST',
        path: `/apm/logs/${GRID_A}`,
        status: 400,
        ms: 0,
      },
    );
    assert.doesNotMatch(JSON.stringify(api.log), /canary|token-of/);
  });
});
