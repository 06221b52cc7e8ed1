import assert from 'node:assert/strict';
import { HindsightError } from '../../../../src/errors.js';
import { assertProblem, headersOf, startApi, tagOf, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { FakeRenderer } from '../../../support/fake-charts.js';
import { assertCacheable, changeTime, changeValues } from '../../../support/image-caching.js';
import { BUILT_IN_DASHBOARD, DASHBOARD } from '../../../support/sample-charts.js';

const DASHBOARDS = `/apm/dashboards/${GRID_A}/dashboards`;
const PICTURE = `${DASHBOARDS}/${DASHBOARD.id}/render`;

describe('picture of a dashboard over HTTP', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi({ now: () => Date.UTC(2026, 0, 10) })));
  afterEach(() => api.stop());

  it('is a PNG to be shown in place, 1200 wide in dark', async () => {
    const reply = await api.get(PICTURE);
    assert.equal(reply.status, 200);
    assert.deepEqual(Buffer.from(reply.bytes), FakeRenderer.PNG);
    assert.deepEqual(headersOf(reply, 'content-type', 'content-disposition', 'content-length'), [
      'image/png',
      'inline; filename=dashboard.png',
      '10',
    ]);
    const [drawn] = api.renderer.boards;
    assert.deepEqual(drawn?.look, { width: 1_200, theme: 'dark' });
    assert.deepEqual([drawn.picture.title, drawn.picture.charts.length], [DASHBOARD.title, 1]);
  });

  it('may be as wide and as bright as asked for, over the time that is asked for, under an id in upper case too', async () => {
    const range = 'rangeStart=2026-01-01T00:00:00Z&rangeEnd=2026-01-02T00:00:00Z';
    await api.get(`${DASHBOARDS}/${DASHBOARD.id.toUpperCase()}/render?width=4000&theme=light&${range}`);
    await api.get(`${PICTURE}?width=400&asOf=2026-01-01T00:00:00Z`);
    assert.deepEqual(
      api.renderer.boards.map(({ look }) => look),
      [
        { width: 4_000, theme: 'light' },
        { width: 400, theme: 'dark' },
      ],
    );
    assert.deepEqual(api.charts.asked, [
      {
        name: 'dashboardRenderInput',
        with: [GRID_A, DASHBOARD.id, { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 2) }],
      },
      { name: 'dashboardRenderInput', with: [GRID_A, DASHBOARD.id, { asOfMs: Date.UTC(2026, 0, 1) }] },
    ]);
  });

  const faulty: [string, string[]][] = [
    ['width=399', ['width']],
    ['width=4001', ['width']],
    ['width=1e3', ['width']],
    ['width=', ['width']],
    ['Width=800', ['Width']],
    ['width=1200&width=1200', ['width']],
    ['theme=blue&width=12', ['theme', 'width']],
    ['rangeStart=2026-01-09T00:00:00Z&asOf=2026-01-09T00:00:00Z&theme=', ['rangeStart', 'asOf', 'theme']],
    ['rangeStart=2026-01-09T00:00:00Z&rangeEnd=2026-01-08T00:00:00Z', ['rangeEnd']],
  ];
  for (const [query, fields] of faulty) {
    it(`names the faults of ${query}`, async () => {
      const reply = await api.get(`${PICTURE}?${query}`);
      assertProblem(reply, { status: 400, slug: 'invalid-request', fields }, PICTURE);
      assert.deepEqual([headersOf(reply, 'cache-control', 'etag'), api.renderer.boards], [['no-store', null], []]);
    });
  }

  for (const id of ['0e0e0e0e-aaaa-4222-8333-0123456789ab', 'no-uuid', '%00']) {
    it(`is 404 under the id ${id}`, async () => {
      assertProblem(await api.get(`${DASHBOARDS}/${id}/render`), { status: 404, slug: 'not-found' });
      assert.deepEqual(api.renderer.boards, []);
    });
  }

  it('may be kept by its reader alone, and is asked for again as long as it can change', () =>
    assertCacheable(api, PICTURE));

  it('is not drawn for who has it already, nor for who asks for the head', async () => {
    const tag = tagOf(await api.get(PICTURE));
    assert.match(tag, /^"[\w-]{43}"$/);
    const again = await api.get(PICTURE, { headers: { 'If-None-Match': tag } });
    assert.deepEqual(
      [again.status, again.bytes.length, ...headersOf(again, 'etag', 'cache-control', 'content-type')],
      [304, 0, tag, 'private, no-cache', null],
    );
    const head = await api.call('HEAD', PICTURE);
    assert.deepEqual(
      [head.status, head.bytes.length, ...headersOf(head, 'etag', 'content-type')],
      [200, 0, tag, 'image/png'],
    );
    assert.equal(api.renderer.boards.length, 1);
  });

  it('is the same picture later, when nothing that it shows has changed', async () => {
    const tag = tagOf(await api.get(PICTURE));
    api.charts.data = {
      ...api.charts.data,
      frame: { ...api.charts.data.frame, nowMs: api.charts.data.frame.nowMs + 5_000 },
    };
    assert.equal(tagOf(await api.get(`${PICTURE}?width=1200&theme=dark`)), tag);
  });

  const changes: [string, (api: TestApi) => void, string?][] = [
    ['the values of a chart', changeValues],
    ['its time', changeTime],
    ['a threshold', ({ charts }) => (charts.picture = { ...charts.picture, thresholds: [] })],
    ['its width', () => undefined, '?width=1201'],
    ['its theme', () => undefined, '?theme=light'],
  ];
  for (const [what, change, query = ''] of changes) {
    it(`is another one when ${what} changes`, async () => {
      const tag = tagOf(await api.get(PICTURE));
      change(api);
      assert.notEqual(tagOf(await api.get(PICTURE + query)), tag);
    });
  }

  it('is another one for another dashboard', async () => {
    assert.notEqual(
      tagOf(await api.get(`${DASHBOARDS}/${BUILT_IN_DASHBOARD.id}/render`)),
      tagOf(await api.get(PICTURE)),
    );
  });

  it('is asked for again after a second when too many wait for theirs', async () => {
    api.renderer.draw = () => Promise.reject(new HindsightError('overloaded', '33 pictures wait'));
    const reply = await api.get(PICTURE);
    assertProblem(reply, { status: 503, slug: 'overloaded' });
    assert.deepEqual(headersOf(reply, 'retry-after', 'cache-control'), ['1', 'no-store']);
  });
});
