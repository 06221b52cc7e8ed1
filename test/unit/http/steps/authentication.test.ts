import assert from 'node:assert/strict';
import { HindsightError } from '../../../../src/errors.js';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A, GRID_B } from '../../../support/fake-access.js';
import { exchange, rawRequest } from '../../../support/raw-http.js';

const PATH = `/apm/traces/${GRID_A}/filters`;
const VERSION = 'X-Api-Version: 2.0';

describe('credentials', () => {
  let api: TestApi;
  before(async () => void (api = await startApi()));
  after(() => api.stop());

  const withHeaders = async (...headers: string[]): Promise<number> =>
    (await exchange(api.port, rawRequest('GET', PATH, [VERSION, ...headers]))).status;

  it('takes either method', async () => {
    assert.equal(await withHeaders('Authorization: Bearer token-of.owner'), 200);
    assert.equal(await withHeaders('api-key: hs_key_secret'), 200);
  });

  it('reads the scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'bEaReR'])
      assert.equal(await withHeaders(`Authorization: ${scheme} token-of.owner`), 200);
  });

  it('lets the bearer token count when both are present, whichever is valid', async () => {
    assert.equal(await withHeaders('Authorization: Bearer token-of.owner', 'api-key: hs_nonsense'), 200);
    assert.equal(await withHeaders('api-key: hs_key_secret', 'Authorization: Bearer nonsense'), 401);
    assert.equal(await withHeaders('api-key: hs_key_secret', 'Authorization: Bearer token-of.outsider'), 403);
  });

  const malformed = [
    'Basic b3duZXI6cGFzcw==',
    'Bearer',
    'Bearer ',
    'Bearer  token-of.owner',
    'Bearer\ttoken-of.owner',
    'Bearer token-of.owner, Bearer token-of.owner',
    'Bearer token-of.owner extra',
    'token-of.owner',
    'Bearer "token-of.owner"',
    'Bearer tökén',
    '',
  ];
  for (const value of malformed) {
    it(`answers 401 to Authorization: ${JSON.stringify(value)}, also beside a valid key`, async () => {
      assert.equal(await withHeaders(`Authorization: ${value}`), 401);
      assert.equal(await withHeaders(`Authorization: ${value}`, 'api-key: hs_key_secret'), 401);
    });
  }

  it('refuses repeated headers, also when they agree', async () => {
    const bearer = 'Authorization: Bearer token-of.owner';
    const key = 'api-key: hs_key_secret';
    assert.equal(await withHeaders(bearer, bearer), 401);
    assert.equal(await withHeaders(key, key), 401);
    assert.equal(await withHeaders(bearer, key, 'API-KEY: hs_key_secret'), 401);
  });

  it('does not read credentials from the query', async () => {
    const query = 'api-key=hs_key_secret&access_token=token-of.owner&api-version=2.0';
    assertProblem(await api.get(`${PATH}?${query}`, { as: 'anonymous' }), { status: 401, slug: 'unauthenticated' });
  });

  it('challenges every 401, and names an error only where a token was sent', async () => {
    const none = await api.get(PATH, { as: 'anonymous' });
    assert.equal(none.headers.get('www-authenticate'), 'Bearer realm="hindsight"');
    const key = await api.get(PATH, { as: 'revoked-key' });
    assert.equal(key.headers.get('www-authenticate'), 'Bearer realm="hindsight"');
    const token = await api.get(PATH, { as: 'anonymous', headers: { Authorization: 'Bearer nonsense' } });
    assert.equal(token.headers.get('www-authenticate'), 'Bearer realm="hindsight", error="invalid_token"');
  });

  it('answers 403 to an application without permission, after the shape of the path', async () => {
    assertProblem(await api.get(PATH, { as: 'application-without-permission' }), { status: 403, slug: 'forbidden' });
    assert.equal((await api.get('/apm/traces/no-uuid/filters', { as: 'application-without-permission' })).status, 400);
  });

  it('knows a key by its Grid alone: no membership under its name counts', async () => {
    api.access.roles.set(`${GRID_B} key:key-a`, 'Owner');
    assert.equal((await api.get(`/apm/traces/${GRID_B}/filters`, { as: 'key' })).status, 403);
    api.access.roles.delete(`${GRID_B} key:key-a`);
  });

  it('distinguishes a user from an application of the same id', async () => {
    const path = `/apm/traces/${GRID_A}/filters`;
    const asUser = await startApi({
      verifyBearer: async () => ({ ok: true, principal: { kind: 'user', id: 'application' } }),
    });
    try {
      assert.equal((await asUser.get(path)).status, 403);
      assert.equal((await api.get(path, { as: 'application' })).status, 200);
    } finally {
      await asUser.stop();
    }
  });

  it('says 503 with a hint, and no address, while keys cannot be looked up', async () => {
    const away = await startApi({
      verifyBearer: () => Promise.reject(new HindsightError('unavailable', 'mongodb://user:pass@store is unavailable')),
    });
    try {
      const reply = await away.get(PATH);
      assertProblem(reply, { status: 503, slug: 'unavailable' });
      assert.ok(Number(reply.headers.get('retry-after')) >= 1);
      assert.doesNotMatch(reply.text, /mongodb/);
    } finally {
      await away.stop();
    }
  });
});
