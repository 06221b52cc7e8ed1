import assert from 'node:assert/strict';
import { HindsightError } from '../../../../src/errors.js';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { API_KEY } from '../../../support/fake-administration.js';
import { GRID_A, GRID_INACTIVE } from '../../../support/fake-access.js';

const GRID = `/admin/grids/${GRID_A}`;
const CREATED = '2026-01-01T00:00:00.000Z';
const RECORD = {
  gridSecondaryId: GRID_A,
  name: 'shop',
  apdexThresholdMs: 500,
  errorRateThreshold: 5,
  apdexHealthThreshold: 0.7,
  retentionDays: 7,
  subscriptionActive: true,
  createdAt: CREATED,
};

describe('administration over HTTP', () => {
  let api: TestApi;

  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  const done = () => api.grids.done.map(({ name, with: values }) => [name, ...values]);

  describe('Grids', () => {
    it('are created for the caller, as the kind that it is, and shown before the answer', async () => {
      const reply = await api.post('/admin/grids', { name: 'shop' });
      assert.deepEqual([reply.status, reply.json()], [201, RECORD]);
      await api.post('/admin/grids', { name: 'of a machine' }, { as: 'application' });
      assert.deepEqual(done(), [
        ['createGrid', 'owner', 'shop', { id: 'owner', kind: 'user' }],
        ['waitForPosition', '7'],
        ['createGrid', 'application', 'of a machine', { id: 'application', kind: 'application' }],
        ['waitForPosition', '7'],
      ]);
    });

    it('are of the kind that was asked for', async () => {
      for (const kind of ['send', 'read', 'full'])
        assert.equal((await api.post(`${GRID}/api-keys`, { name: 'x', kind })).json()['kind'], kind);
      for (const kind of ['', 'SEND', 'write', 5, ['send']])
        assertProblem(await api.post(`${GRID}/api-keys`, { name: 'x', kind }), {
          status: 400,
          slug: 'invalid-request',
          fields: ['kind'],
        });
    });

    it('have a name', async () => {
      for (const body of [{}, { name: ' ' }, { name: 5 }, { name: 'x'.repeat(201) }, { name: null }]) {
        assertProblem(await api.post('/admin/grids', body), { status: 400, slug: 'invalid-request', fields: ['name'] });
      }
      assert.deepEqual(done(), []);
    });

    it("are listed as the caller's own", async () => {
      const reply = await api.get('/admin/grids', { as: 'application' });
      assert.deepEqual([reply.status, reply.json()], [200, { grids: [RECORD] }]);
      assert.deepEqual(api.administration.asked, [
        { name: 'gridRecordsForMember', with: ['application', 'application'] },
      ]);
    });

    it('are read by every role, and while the subscription is inactive', async () => {
      assert.deepEqual((await api.get(GRID, { as: 'guest' })).json(), RECORD);
      assert.equal((await api.get(`/admin/grids/${GRID_INACTIVE}`, { as: 'guest' })).status, 200);
      assertProblem(await api.get(`/admin/grids/${GRID_INACTIVE}/members`), {
        status: 403,
        slug: 'subscription-inactive',
      });
    });

    it('are changed by what is given, null included', async () => {
      const reply = await api.call('PATCH', GRID, {
        body: { apdexThresholdMs: 300, retentionDays: null, gridSecondaryId: 'x' },
      });
      assert.deepEqual([reply.status, reply.json()], [200, { ...RECORD, apdexThresholdMs: 300 }]);
      const [[, actor, gridId, changes]] = done() as [[string, string, string, object]];
      assert.deepEqual(
        [actor, gridId, JSON.parse(JSON.stringify(changes))],
        ['owner', GRID_A, { apdexThresholdMs: 300, retentionDays: null }],
      );
    });

    it('report all faults of a change at once, and that nothing is none', async () => {
      const body = {
        name: '',
        apdexThresholdMs: 0,
        errorRateThreshold: 101,
        apdexHealthThreshold: -1,
        retentionDays: 0.5,
        subscriptionActive: 'yes',
      };
      assertProblem(await api.call('PATCH', GRID, { body }), {
        status: 400,
        slug: 'invalid-request',
        fields: Object.keys(body),
      });
      for (const empty of [{}, { gridSecondaryId: GRID_A }, { name: null }]) {
        assertProblem(await api.call('PATCH', GRID, { body: empty }), {
          status: 400,
          slug: 'invalid-request',
          fields: Object.keys(body),
        });
      }
      assert.deepEqual(done(), []);
    });
  });

  it('reports for how long the telemetry of a Grid is kept, by itself or by the service', async () => {
    assert.equal((await api.call('PATCH', GRID, { body: { retentionDays: 0 } })).json()['retentionDays'], 0);
    assert.equal((await api.call('PATCH', GRID, { body: { retentionDays: null } })).json()['retentionDays'], 7);
  });

  describe('members', () => {
    it('are listed', async () => {
      const reply = await api.get(`${GRID}/members`);
      assert.deepEqual(reply.json(), {
        members: [{ userId: 'guest', role: 'Guest', addedAt: CREATED, addedBy: 'owner' }],
      });
    });

    it('are added, changed and removed, by any id', async () => {
      const reply = await api.call('PUT', `${GRID}/members/${encodeURIComponent('a/b c@d')}`, {
        body: { role: 'User' },
      });
      assert.deepEqual(
        [reply.status, reply.json()],
        [200, { userId: 'a/b c@d', role: 'User', addedAt: CREATED, addedBy: 'owner' }],
      );
      const removed = await api.call('DELETE', `${GRID}/members/guest`);
      assert.deepEqual([removed.status, removed.text], [204, '']);
      assert.deepEqual(done(), [
        ['setMember', 'owner', GRID_A, 'a/b c@d', 'User'],
        ['waitForPosition', '7'],
        ['removeMember', 'owner', GRID_A, 'guest'],
        ['waitForPosition', '7'],
      ]);
    });

    it('have a role, and the last Owner stays', async () => {
      assertProblem(await api.call('PUT', `${GRID}/members/guest`, { body: {} }), {
        status: 400,
        slug: 'invalid-request',
        fields: ['role'],
      });
      api.grids.failure = new HindsightError('last-owner', 'A Grid must have at least one Owner.');
      assertProblem(await api.call('DELETE', `${GRID}/members/owner`), { status: 409, slug: 'last-owner' });
      assertProblem(await api.call('PUT', `${GRID}/members/owner`, { body: { role: 'User' } }), {
        status: 409,
        slug: 'last-owner',
      });
    });
  });

  describe('API keys', () => {
    it('are listed with their use, and without their secrets', async () => {
      assert.deepEqual((await api.get(`${GRID}/api-keys`, { as: 'member' })).json(), {
        apiKeys: [
          {
            keyId: 'k1x9',
            name: 'checkout',
            kind: 'send',
            prefix: 'hs_k1x9_',
            role: 'Member',
            createdAt: CREATED,
            createdBy: 'owner',
            lastUsedAt: '2026-01-01T00:00:01.000Z',
            lastSent: [
              {
                signal: 'traces',
                at: '2026-01-01T00:00:01.000Z',
                accepted: 12,
                rejected: 1,
                message: 'span 3 has no name',
              },
            ],
            lastRefused: { signal: 'logs', at: '2026-01-01T00:00:00.500Z', reason: 'the body does not parse' },
          },
        ],
      });
    });

    it('are issued and regenerated, with the key itself', async () => {
      const issued = await api.post(`${GRID}/api-keys`, { name: 'checkout' }, { as: 'member' });
      assert.deepEqual(
        [issued.status, issued.json()],
        [201, { keyId: 'k1x9', name: 'checkout', kind: 'full', apiKey: 'hs_k1x9_secret', createdAt: CREATED }],
      );
      const regenerated = await api.call('POST', `${GRID}/api-keys/${API_KEY.keyId}/regenerate`);
      assert.deepEqual(
        [regenerated.status, regenerated.json()],
        [200, { keyId: 'k1x9', name: 'checkout', kind: 'send', apiKey: 'hs_k1x9_another', createdAt: CREATED }],
      );
      assert.deepEqual(done(), [
        ['issueApiKey', 'member', GRID_A, 'checkout', 'full'],
        ['waitForPosition', '7'],
        ['regenerateApiKey', 'owner', GRID_A, 'k1x9'],
        ['waitForPosition', '7'],
      ]);
    });

    it('are revoked, those that there are', async () => {
      assert.equal((await api.call('DELETE', `${GRID}/api-keys/k1x9`)).status, 204);
      assertProblem(await api.call('DELETE', `${GRID}/api-keys/other`), { status: 404, slug: 'not-found' });
      assertProblem(await api.call('POST', `${GRID}/api-keys/other/regenerate`), { status: 404, slug: 'not-found' });
    });

    it('have a name', async () => {
      for (const body of [{}, { name: '\t' }, { name: ['x'] }])
        assertProblem(await api.post(`${GRID}/api-keys`, body), {
          status: 400,
          slug: 'invalid-request',
          fields: ['name'],
        });
    });
  });

  describe('the audit', () => {
    const ENTRY = { at: CREATED, actor: 'owner', action: 'grid.created', target: GRID_A, details: { name: 'shop' } };

    it('is read by pages of 20, or as many as the caller says', async () => {
      assert.deepEqual((await api.get(`${GRID}/audit`)).json(), {
        entries: [ENTRY],
        totalCount: 41,
        page: 1,
        pageSize: 20,
      });
      assert.deepEqual((await api.get(`${GRID}/audit?page=3&pageSize=100`)).json(), {
        entries: [ENTRY],
        totalCount: 41,
        page: 3,
        pageSize: 100,
      });
      assert.deepEqual(
        api.administration.asked.map(({ with: values }) => values),
        [
          [GRID_A, 1, 20],
          [GRID_A, 3, 100],
        ],
      );
    });

    it('has pages from 1, of 1 to 100', async () => {
      for (const query of ['page=0', 'page=x', 'page=1.5', 'page='])
        assertProblem(await api.get(`${GRID}/audit?${query}`), {
          status: 400,
          slug: 'invalid-request',
          fields: ['page'],
        });
      assertProblem(await api.get(`${GRID}/audit?page=-1&pageSize=101`), {
        status: 400,
        slug: 'invalid-request',
        fields: ['page', 'pageSize'],
      });
    });
  });

  it('answers what was done also where it does not show in time', async () => {
    api.grids.arrives = async () => {
      throw new HindsightError('unavailable', 'the projector is unavailable');
    };
    assert.equal((await api.call('PATCH', GRID, { body: { name: 'other' } })).status, 200);
  });
});
