import assert from 'node:assert/strict';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { RULE } from '../../../support/fake-alert-rules.js';
import { CHART, DASHBOARD, NEW_CHART } from '../../../support/sample-charts.js';

const ADMIN = `/admin/grids/${GRID_A}`;
const { id: _, ...NEW_RULE } = RULE;

/** One of each kind, and a change of it that changes nothing the fakes would keep. */
const RECORDS = [
  {
    path: `${ADMIN}/charts/${CHART.id}`,
    method: 'PUT',
    body: { ...NEW_CHART, title: 'Other' },
    creates: `${ADMIN}/charts`,
  },
  {
    path: `${ADMIN}/dashboards/${DASHBOARD.id}`,
    method: 'PUT',
    body: { title: 'Other' },
    creates: `${ADMIN}/dashboards`,
  },
  {
    path: `${ADMIN}/alert-rules/${RULE.id}`,
    method: 'PUT',
    body: { ...NEW_RULE, name: 'Other' },
    creates: `${ADMIN}/alert-rules`,
  },
  { path: ADMIN, method: 'PATCH', body: { name: 'Other' }, creates: '/admin/grids' },
];

describe('records that can be changed', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  for (const { path, method, body, creates } of RECORDS) {
    it(`have a tag of what is answered: ${method} ${path.slice(ADMIN.length) || 'the Grid'}`, async () => {
      const [read, again, changed, created] = [
        await api.get(path),
        await api.get(path),
        await api.call(method, path, { body }),
        await api.post(creates, body),
      ];
      assert.deepEqual([read.status, changed.status, created.status], [200, 200, 201]);
      const tags = [read, again, changed, created].map(({ headers }) => headers.get('etag') ?? '');
      for (const tag of tags) assert.match(tag, /^"[\w-]{43}"$/);
      assert.equal(tags[0], tags[1]);
      for (const tag of tags.slice(2)) assert.notEqual(tag, tags[0]);
    });

    it(`are not sent to who has them: ${path.slice(ADMIN.length) || 'the Grid'}`, async () => {
      const etag = (await api.get(path)).headers.get('etag') ?? '';
      const unchanged = await api.get(path, { headers: { 'If-None-Match': `"x", ${etag}` } });
      assert.deepEqual([unchanged.status, unchanged.text, unchanged.headers.get('etag')], [304, '', etag]);
      assert.equal((await api.get(path, { headers: { 'If-None-Match': '"x"' } })).status, 200);
    });

    it(`are not changed by who does not say what it expects in tags: ${method} ${path.slice(ADMIN.length) || 'the Grid'}`, async () => {
      for (const wrong of ['x', '', '*, "x"'])
        assertProblem(await api.call(method, path, { body, headers: { 'If-Match': wrong } }), {
          status: 400,
          slug: 'invalid-request',
          fields: ['If-Match'],
        });
      assert.deepEqual([...api.chartCommands.done, ...api.alertRules.done, ...api.grids.done], []);
    });
  }

  it('name a condition that cannot be read among all other faults', async () => {
    const reply = await api.call('PUT', `${ADMIN}/charts/${CHART.id}`, {
      body: { ...NEW_CHART, title: '' },
      headers: { 'If-Match': 'x' },
    });
    assertProblem(reply, { status: 400, slug: 'invalid-request', fields: ['title', 'If-Match'] });
  });
});
