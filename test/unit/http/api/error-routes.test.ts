import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { ERROR_GROUP_ID } from '../../../support/fake-telemetry.js';

const BASE = `/apm/errors/${GRID_A}`;

describe('resolving of error groups', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  it('looks for versions only if one is named', async () => {
    assert.equal((await api.post(`${BASE}/${ERROR_GROUP_ID.toUpperCase()}/resolve`, {})).status, 200);
    assert.equal((await api.post(`${BASE}/${ERROR_GROUP_ID}/resolve`, { serviceVersion: '2' })).status, 200);
    const queries = api.telemetry.asked
      .filter(({ name }) => name === 'lookUpErrorGroup')
      .map(({ with: [query] }) => query as { groupId: string; stopAtFirst: boolean });
    assert.deepEqual(
      queries.map(({ groupId, stopAtFirst }) => [groupId, stopAtFirst]),
      [
        [ERROR_GROUP_ID, true],
        [ERROR_GROUP_ID, false],
      ],
    );
  });
});
