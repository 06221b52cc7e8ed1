import assert from 'node:assert/strict';
import { HindsightError } from '../../../../src/errors.js';
import { unpackChart } from '../../../../src/queries/charts/packed-chart.js';
import { assertProblem, headersOf, startApi, tagOf, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { FakeRenderer } from '../../../support/fake-charts.js';
import { assertCacheable, changeTime, changeValues } from '../../../support/image-caching.js';
import { CHART } from '../../../support/sample-charts.js';

const PICTURE = `/apm/charts/${GRID_A}/charts/${CHART.id}/render`;

describe('picture of a chart', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi({ now: () => Date.UTC(2026, 0, 10) })));
  afterEach(() => api.stop());

  it('is a PNG to be shown in place, 800 × 400 in dark', async () => {
    const reply = await api.get(PICTURE);
    assert.equal(reply.status, 200);
    assert.deepEqual(Buffer.from(reply.bytes), FakeRenderer.PNG);
    assert.deepEqual(headersOf(reply, 'content-type', 'content-disposition', 'content-length'), [
      'image/png',
      'inline; filename=chart.png',
      '10',
    ]);
    const [drawn] = api.renderer.drawn;
    assert.deepEqual(drawn?.look, { width: 800, height: 400, theme: 'dark' });
    const shown = unpackChart(drawn.picture, drawn.picture.frame);
    assert.deepEqual([shown.chart.id, shown.deployments], [CHART.id, api.charts.picture.deployments]);
  });

  it('may be as large and as bright as asked for, over the time that is asked for', async () => {
    await api.get(
      `${PICTURE}?width=4000&height=100&theme=light&rangeStart=2026-01-01T00:00:00Z&rangeEnd=2026-01-02T00:00:00Z`,
    );
    assert.deepEqual(api.renderer.drawn[0]?.look, { width: 4_000, height: 100, theme: 'light' });
    assert.deepEqual(api.charts.asked, [
      {
        name: 'chartRenderInput',
        with: [GRID_A, CHART.id, { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 2) }],
      },
    ]);
  });

  const faulty: [string, string[]][] = [
    ['width=99', ['width']],
    ['width=4001', ['width']],
    ['width=800.5', ['width']],
    ['width=8e2', ['width']],
    ['width=', ['width']],
    ['width=-800', ['width']],
    ['width=0x320', ['width']],
    ['height=99&theme=blue&width=%20800', ['height', 'theme', 'width']],
    ['theme=Dark', ['theme']],
    ['width=800&width=800', ['width']],
    ['Width=800', ['Width']],
    ['rangeStart=2026-01-09T00:00:00Z&asOf=2026-01-09T00:00:00Z&height=4001', ['rangeStart', 'asOf', 'height']],
  ];
  for (const [query, fields] of faulty) {
    it(`names the faults of ${query}`, async () => {
      const reply = await api.get(`${PICTURE}?${query}`);
      assertProblem(reply, { status: 400, slug: 'invalid-request', fields }, PICTURE);
      assert.deepEqual(headersOf(reply, 'cache-control', 'etag'), ['no-store', null]);
      assert.deepEqual(api.renderer.drawn, []);
    });
  }

  it('may be kept by its reader alone, and is asked for again as long as it can change', () =>
    assertCacheable(api, PICTURE));

  it('is not drawn for who has it already', async () => {
    const tag = tagOf(await api.get(PICTURE));
    assert.match(tag, /^"[\w-]{43}"$/);
    for (const named of [tag, `W/${tag}`, `"a,b", ${tag}`, '*']) {
      const reply = await api.get(PICTURE, { headers: { 'If-None-Match': named } });
      assert.deepEqual(
        [
          reply.status,
          reply.bytes.length,
          ...headersOf(reply, 'etag', 'cache-control', 'vary', 'content-type', 'content-length'),
        ],
        [304, 0, tag, 'private, no-cache', 'Authorization, api-key', null, null],
      );
    }
    assert.equal(api.renderer.drawn.length, 1);
    assert.equal((await api.get(PICTURE, { headers: { 'If-None-Match': '"another"' } })).status, 200);
  });

  it('is the same picture later, when nothing that it shows has changed', async () => {
    const tag = tagOf(await api.get(PICTURE));
    api.charts.data = {
      ...api.charts.data,
      frame: { ...api.charts.data.frame, nowMs: api.charts.data.frame.nowMs + 5_000 },
    };
    api.charts.picture = { ...api.charts.picture, closed: true };
    assert.equal(tagOf(await api.get(`${PICTURE}?width=800&height=400&theme=dark`)), tag);
  });

  const changes: [string, (api: TestApi) => void, string?][] = [
    ['its values', changeValues],
    ['its time', changeTime],
    [
      'the running of its last step',
      ({ charts }) =>
        (charts.data = { ...charts.data, frame: { ...charts.data.frame, nowMs: charts.data.frame.toMs - 1 } }),
    ],
    [
      'the year',
      ({ charts }) =>
        (charts.data = {
          ...charts.data,
          frame: { ...charts.data.frame, nowMs: charts.data.frame.nowMs + 366 * 86_400_000 },
        }),
    ],
    ['its unit', ({ charts }) => (charts.data = { ...charts.data, unit: 'ms' })],
    ['a threshold', ({ charts }) => (charts.picture = { ...charts.picture, thresholds: [] })],
    ['a deployment', ({ charts }) => (charts.picture = { ...charts.picture, deployments: [] })],
    ['its width', () => undefined, '?width=801'],
    ['its height', () => undefined, '?height=401'],
    ['its theme', () => undefined, '?theme=light'],
  ];
  for (const [what, change, query = ''] of changes) {
    it(`is another one when ${what} changes`, async () => {
      const tag = tagOf(await api.get(PICTURE));
      change(api);
      assert.notEqual(tagOf(await api.get(PICTURE + query)), tag);
    });
  }

  it('is described by HEAD without being drawn', async () => {
    const [head, get] = [await api.call('HEAD', PICTURE), await api.get(PICTURE)];
    const names = ['etag', 'cache-control', 'vary', 'content-type', 'content-disposition'] as const;
    assert.deepEqual(
      [head.status, head.bytes.length, ...headersOf(head, ...names)],
      [200, 0, ...headersOf(get, ...names)],
    );
    assert.equal(head.headers.get('content-length'), null);
    assert.equal(api.renderer.drawn.length, 1);
    assert.equal((await api.call('HEAD', PICTURE, { headers: { 'If-None-Match': tagOf(get) } })).status, 304);
  });

  it('is asked for again after a second when too many wait for theirs; nobody keeps that', async () => {
    api.renderer.draw = () => Promise.reject(new HindsightError('overloaded', '33 pictures wait'));
    const reply = await api.get(PICTURE);
    assertProblem(reply, { status: 503, slug: 'overloaded' });
    assert.deepEqual(headersOf(reply, 'retry-after', 'cache-control', 'etag', 'vary', 'content-disposition'), [
      '1',
      'no-store',
      null,
      null,
      null,
    ]);
  });

  it('is waited for no longer than for any other answer', async () => {
    const impatient = await startApi({ responseTimeoutMs: 20 });
    impatient.renderer.draw = () => new Promise(() => undefined);
    try {
      assertProblem(await impatient.get(PICTURE), { status: 503, slug: 'unavailable' });
    } finally {
      await impatient.stop();
    }
  });
});
