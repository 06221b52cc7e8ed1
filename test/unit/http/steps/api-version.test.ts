import assert from 'node:assert/strict';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { credentialsOf, GRID_A } from '../../../support/fake-access.js';
import { exchange, rawRequest } from '../../../support/raw-http.js';

const PATH = `/apm/traces/${GRID_A}/filters`;
const REFUSED = { status: 400, slug: 'api-version' } as const;

describe('API version', () => {
  let api: TestApi;
  before(async () => void (api = await startApi()));
  after(() => api.stop());

  it('is taken from the query, from the header, and from both', async () => {
    assert.equal((await api.get(`${PATH}?api-version=2.0`, { version: null })).status, 200);
    assert.equal((await api.get(PATH)).status, 200);
    assert.equal((await api.get(`${PATH}?api-version=2.0`)).status, 200);
  });

  it('is required, before credentials', async () => {
    assertProblem(await api.get(PATH, { version: null, as: 'anonymous' }), REFUSED);
  });

  for (const version of ['1.0', '2', '2.0.0', '02.0', '2,0', 'v2.0', '']) {
    it(`is unknown as ${JSON.stringify(version)}`, async () => {
      assertProblem(await api.get(`${PATH}?api-version=${version}`, { version: null }), REFUSED);
      assertProblem(await api.get(PATH, { version }), REFUSED);
    });
  }

  it('is refused when the two differ, whichever is known', async () => {
    assertProblem(await api.get(`${PATH}?api-version=1.0`), REFUSED);
    assertProblem(await api.get(`${PATH}?api-version=2.0`, { version: '1.0' }), REFUSED);
  });

  it('is refused when it is given twice in one place, and not found under another name', async () => {
    assertProblem(await api.get(`${PATH}?api-version=2.0&api-version=2.0`, { version: null }), REFUSED);
    assertProblem(await api.get(`${PATH}?api-version[]=2.0`, { version: null }), REFUSED);
    assertProblem(await api.get(`${PATH}?API-VERSION=2.0`, { version: null }), REFUSED);
    const { Authorization } = credentialsOf('owner');
    const repeated = rawRequest('GET', PATH, [
      `Authorization: ${Authorization}`,
      'X-Api-Version: 2.0',
      'x-api-version: 2.0',
    ]);
    assert.equal((await exchange(api.port, repeated)).status, 400);
  });
});
