import assert from 'node:assert/strict';
import { findQuotaOwner, toKeyPrincipal } from '../../../../src/auth/principal.js';
import { assertProblem, startApi, type Reply, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';

describe('whose quotas a call counts for', () => {
  const keyOf = (issuedBy: string): string => findQuotaOwner(toKeyPrincipal({ keyId: 'k1', gridId: 'g', issuedBy }));

  it('are those of who issued the key', () => {
    assert.deepEqual([keyOf('alice'), keyOf('system-owner')], ['alice', 'system-owner']);
  });
  it('are those of the key itself, if no user issued it', () => {
    for (const issuer of ['operator:root', 'operator:', 'system', '']) assert.equal(keyOf(issuer), 'key:k1', issuer);
  });
  it('are those of users and applications themselves', () => {
    assert.equal(findQuotaOwner({ kind: 'user', id: 'alice' }), 'alice');
    assert.equal(findQuotaOwner({ kind: 'application', id: 'ci' }), 'ci');
  });

  describe('over the API', () => {
    let api: TestApi;
    beforeEach(async () => {
      api = await startApi({ rateLimits: { userPerMinute: 4, gridPerMinute: 0 } });
      for (const name of ['one', 'two'])
        api.access.keys.set(`hs_${name}_secret`, { keyId: name, gridId: GRID_A, kind: 'full', issuedBy: 'member' });
    });
    afterEach(() => api.stop());

    const withKey = (name: string, path: string): Promise<Reply> =>
      api.get(path, { as: 'anonymous', headers: { 'api-key': `hs_${name}_secret` } });
    const FILTERS = `/apm/traces/${GRID_A}/filters`;

    it('the calls of all keys of a user count with those of the user', async () => {
      assert.equal((await withKey('one', FILTERS)).status, 200);
      assert.equal((await withKey('two', FILTERS)).status, 200);
      assert.equal((await api.get(FILTERS, { as: 'member' })).status, 200);
      assert.equal((await withKey('one', FILTERS)).status, 200);
      for (const reply of [await withKey('two', FILTERS), await api.get(FILTERS, { as: 'member' })])
        assertProblem(reply, { status: 429, slug: 'rate-limited' });
      assert.equal((await api.get(FILTERS, { as: 'owner' })).status, 200, 'nobody else is affected');
      assert.equal((await api.get(FILTERS, { as: 'key' })).status, 200, 'a key of the operator counts for itself');
    });

    it('energy and prompts are those of who issued the key', async () => {
      await withKey('one', '/assistant/usage/energy');
      await withKey('one', `/assistant/usage/${GRID_A}/status`);
      await withKey('one', `/assistant/limits/${GRID_A}`);
      const users = api.usage.asked
        .filter(({ name }) => name === 'energy' || name === 'promptsToday')
        .map(({ with: [userId] }) => userId);
      assert.deepEqual(users, ['member', 'member', 'member']);
    });
  });
});
