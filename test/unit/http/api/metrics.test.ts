import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';

const METRICS = `/apm/metrics/${GRID_A}`;

describe('metrics', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  it('are listed with what charts of them can be made of; of sums, whether they only grow', async () => {
    const reply = await api.get(METRICS, { as: 'key' });
    assert.deepEqual(
      [reply.status, reply.json()],
      [
        200,
        {
          metrics: [
            {
              name: 'orders.count',
              unit: '{order}',
              type: 'sum',
              monotonic: true,
              services: ['checkout', 'shop'],
              attributeKeys: ['region'],
              seriesCount: 7,
            },
            { name: 'queue.depth', unit: '', type: 'gauge', services: ['checkout'], attributeKeys: [], seriesCount: 1 },
          ],
          seriesCount: 8,
          seriesLimit: 10_000,
        },
      ],
    );
    assert.deepEqual(api.charts.asked, [{ name: 'metrics', with: [GRID_A] }]);
  });

  it('report since when series past the limit came in', async () => {
    api.charts.catalog = {
      ...api.charts.catalog,
      overflow: { firstMs: Date.UTC(2026, 0, 1), lastMs: Date.UTC(2026, 0, 2) },
    };
    assert.deepEqual((await api.get(METRICS)).json()['overflow'], {
      firstAt: '2026-01-01T00:00:00.000Z',
      lastAt: '2026-01-02T00:00:00.000Z',
    });
  });
});
