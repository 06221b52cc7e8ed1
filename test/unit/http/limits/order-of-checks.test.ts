import assert from 'node:assert/strict';
import { EVERY_ROLE, defineRoute } from '../../../../src/http/route.js';
import { ANY_RESPONSE } from '../../../support/any-response.js';
import { assertProblem, startApi, type CallOptions, type ExpectedProblem, type TestApi } from '../../../support/api.js';
import { GRID_A, GRID_INACTIVE, type CallerName } from '../../../support/fake-access.js';
import { INSTANCE_INACTIVE, INSTANCE_UNKNOWN, instanceOf } from '../../../support/fake-usage.js';
import { SearchModel } from '../../../../src/http/requests/telemetry-search-requests.js';

/** A route that every step can refuse: one role, a body, and something that may not exist. */
const guarded = defineRoute({
  method: 'POST',
  path: '/guarded/{gridSecondaryId}/things/{thing}',
  operationId: 'guarded',
  tag: 'Test',
  summary: 'For this test',
  grid: 'path',
  roles: ['Owner'],
  body: SearchModel,
  missing: 'No such thing.',
  run: async (_ports, { params, principal }) =>
    params.thing === 'known' ? { thing: params.thing, by: principal.id } : undefined,
  responseSchema: ANY_RESPONSE,
  present: (result) => result,
});

interface Faults {
  method: string;
  path: string;
  grid: string;
  version: string | null;
  as: NonNullable<CallOptions['as']>;
  body: unknown;
}

/** What each step reports, and the change that gets a request past it, in the order of contract section 4. */
const steps: readonly {
  readonly step: string;
  readonly repaired: Partial<Faults>;
  readonly expected: ExpectedProblem;
}[] = [
  { step: 'path', repaired: { path: 'guarded' }, expected: { status: 404, slug: 'not-found' } },
  { step: 'method', repaired: { method: 'POST' }, expected: { status: 405, slug: 'method-not-allowed' } },
  { step: 'version', repaired: { version: '2.0' }, expected: { status: 400, slug: 'api-version' } },
  { step: 'credentials', repaired: { as: 'outsider' }, expected: { status: 401, slug: 'unauthenticated' } },
  {
    step: 'path shape',
    repaired: { grid: GRID_A },
    expected: { status: 400, slug: 'invalid-request', fields: ['gridSecondaryId'] },
  },
  { step: 'membership', repaired: { as: 'guest' }, expected: { status: 403, slug: 'forbidden' } },
];

describe('order of checks', () => {
  let api: TestApi;
  before(async () => void (api = await startApi({ routes: [guarded] })));
  after(() => api.stop());

  it('reports the first fault of a request that has all of them, and the next when that is fixed', async () => {
    let request: Faults = {
      method: 'DELETE',
      path: 'nowhere',
      grid: 'no-uuid',
      version: null,
      as: 'anonymous',
      body: '{',
    };
    for (const { step, repaired, expected } of steps) {
      const target = `/${request.path}/${request.grid}/things/unknown`;
      const reply = await api.call(request.method, target, {
        version: request.version,
        as: request.as,
        body: request.body,
      });
      try {
        assertProblem(reply, expected, target);
      } catch (cause) {
        throw new Error(`step ${step}`, { cause });
      }
      request = { ...request, ...repaired };
    }
  });

  const target = `/guarded/${GRID_A}/things`;
  const window = { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' };

  it('reports a missing role before it looks at the body, and counts the call before both', async () => {
    const limited = await startApi({ routes: [guarded], rateLimits: { userPerMinute: 1, gridPerMinute: 0 } });
    try {
      const options = { as: 'guest', body: '{' } as const;
      assertProblem(await limited.call('POST', `${target}/unknown`, options), { status: 403, slug: 'role-required' });
      assertProblem(await limited.call('POST', `${target}/unknown`, options), { status: 429, slug: 'rate-limited' });
    } finally {
      await limited.stop();
    }
  });

  it('reports a faulty body before it looks for the resource', async () => {
    assertProblem(await api.post(`${target}/unknown`, {}), {
      status: 400,
      slug: 'invalid-request',
      fields: ['rangeStart', 'rangeEnd'],
    });
    assertProblem(await api.post(`${target}/unknown`, window), { status: 404, slug: 'not-found' });
    const found = await api.post(`${target}/known`, window);
    assert.deepEqual([found.status, found.json()], [200, { thing: 'known', by: 'owner' }]);
  });

  it('does not count calls of those who have no access', async () => {
    const limited = await startApi({ rateLimits: { userPerMinute: 0, gridPerMinute: 1 } });
    try {
      for (let i = 0; i < 3; i++)
        assert.equal((await limited.get(`/apm/traces/${GRID_A}/filters`, { as: 'outsider' })).status, 403);
      assert.equal((await limited.get(`/apm/traces/${GRID_A}/filters`)).status, 200);
    } finally {
      await limited.stop();
    }
  });

  it('informs members, and only them, of an inactive subscription', async () => {
    const path = `/apm/traces/${GRID_INACTIVE}/filters`;
    assertProblem(await api.get(path), { status: 404, slug: 'not-found' }); // this app has another table
    const real = await startApi();
    try {
      assertProblem(await real.get(path), { status: 403, slug: 'subscription-inactive' });
      assertProblem(await real.get(path, { as: 'outsider' }), { status: 403, slug: 'forbidden' });
    } finally {
      await real.stop();
    }
  });
});

describe('an operation by an assistant instance', () => {
  const byInstance = defineRoute({
    method: 'POST',
    path: '/by/{instanceSecondaryId}',
    operationId: 'by',
    tag: 'Test',
    summary: 'For this test',
    grid: 'instance',
    roles: ['Owner'],
    body: SearchModel,
    run: async (_ports, { instance, principal }) => ({ ...instance, by: principal.id }),
    responseSchema: ANY_RESPONSE,
    present: (result) => result,
  });
  const window = { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' };
  const instances = {
    unknown: INSTANCE_UNKNOWN,
    inactive: INSTANCE_INACTIVE,
    outsider: instanceOf('outsider'),
    guest: instanceOf('guest'),
    owner: instanceOf('owner'),
  };

  const order: readonly {
    readonly step: string;
    readonly as: CallerName;
    readonly of: keyof typeof instances;
    readonly version?: null;
    readonly expected: ExpectedProblem;
  }[] = [
    { step: 'version', as: 'anonymous', of: 'unknown', version: null, expected: { status: 400, slug: 'api-version' } },
    { step: 'credentials', as: 'anonymous', of: 'unknown', expected: { status: 401, slug: 'unauthenticated' } },
    {
      step: 'permission',
      as: 'application-without-permission',
      of: 'unknown',
      expected: { status: 403, slug: 'forbidden' },
    },
    { step: 'instance', as: 'outsider', of: 'unknown', expected: { status: 404, slug: 'session-not-found' } },
    { step: 'membership', as: 'outsider', of: 'outsider', expected: { status: 403, slug: 'forbidden' } },
    { step: 'subscription', as: 'owner', of: 'inactive', expected: { status: 403, slug: 'subscription-inactive' } },
    { step: 'role', as: 'guest', of: 'guest', expected: { status: 403, slug: 'role-required' } },
    { step: 'rate', as: 'guest', of: 'guest', expected: { status: 429, slug: 'rate-limited' } },
    { step: 'body', as: 'owner', of: 'owner', expected: { status: 400, slug: 'malformed-json' } },
  ];

  it('looks for the instance right after the credentials, and counts no call before it is found', async () => {
    const api = await startApi({ routes: [byInstance], rateLimits: { userPerMinute: 1, gridPerMinute: 0 } });
    try {
      for (const { step, as, of, version = '2.0', expected } of order) {
        const reply = await api.call('POST', `/by/${instances[of]}`, {
          as,
          version,
          body: '{',
          headers: { 'Content-Type': 'application/json' },
        });
        assert.deepEqual([step, reply.status], [step, expected.status]);
        assertProblem(reply, expected);
      }
    } finally {
      await api.stop();
    }
  });

  it('is in the Grid of the instance, and counts there', async () => {
    const api = await startApi({ routes: [byInstance], rateLimits: { userPerMinute: 0, gridPerMinute: 1 } });
    try {
      const reply = await api.post(`/by/${instances.owner.toUpperCase()}`, window);
      assert.deepEqual(
        [reply.status, reply.json()],
        [200, { instanceId: instances.owner, gridId: GRID_A, by: 'owner' }],
      );
      assertProblem(await api.post(`/by/${instances.guest}`, window, { as: 'guest' }), {
        status: 429,
        slug: 'rate-limited',
      });
    } finally {
      await api.stop();
    }
  });
});

describe('an operation that names no Grid', () => {
  const about = defineRoute({
    method: 'GET',
    path: '/me',
    operationId: 'me',
    tag: 'Test',
    summary: 'For this test',
    grid: 'none',
    roles: EVERY_ROLE,
    run: async (_ports, { principal }) => principal,
    responseSchema: ANY_RESPONSE,
    present: ({ id, kind }) => ({ id, kind }),
  });
  let api: TestApi;
  before(async () => void (api = await startApi({ routes: [about] })));
  after(() => api.stop());

  it('takes every caller that may use the API, without any membership', async () => {
    assert.deepEqual((await api.get('/me', { as: 'outsider' })).json(), { id: 'outsider', kind: 'user' });
    assert.deepEqual((await api.get('/me', { as: 'key' })).json(), { id: 'key:key-a', kind: 'key' });
  });

  it('refuses an application without permission', async () => {
    assertProblem(await api.get('/me', { as: 'application-without-permission' }), { status: 403, slug: 'forbidden' });
  });
});
