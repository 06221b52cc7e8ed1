import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import { ChartClient } from '../../support/chart-client.js';
import { KIND, spanId, spansOf, traceId } from '../../support/otlp-requests.js';
import { waitUntil } from '../../support/wait-until.js';

interface Dashboard {
  readonly id: string;
  readonly title: string;
  readonly builtIn: boolean;
  readonly charts: readonly { readonly chartId: string; readonly title: string }[];
}

const HOUR_MS = 3_600_000;
const PNG = '89504e470d0a1a0a';

describe('charts and dashboards of a running service', function () {
  this.timeout(120_000);
  let box: BlackBox;
  let admin: ChartClient['admin'];

  before(async () => {
    box = await BlackBox.start();
    ({ admin } = await ChartClient.with(box));
  });
  after(() => box.dispose());

  const definitions = (path: string): string => `/admin/grids/${box.gridId}/${path}`;

  async function dashboards(): Promise<readonly Dashboard[]> {
    return (await box.api.get<{ dashboards: Dashboard[] }>(`/apm/dashboards/${box.gridId}/dashboards`)).body.dashboards;
  }

  function picture(chartId: string, query = '', headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`${box.service.apiUrl}/apm/charts/${box.gridId}/charts/${chartId}/render${query}`, {
      headers: { 'api-key': box.apiKey, 'x-api-version': '2.0', ...headers },
    });
  }

  it('exist from the start, and every chart can be rendered', async () => {
    const [overview] = await dashboards();
    assert.deepEqual([overview.title, overview.builtIn], ['Service overview', false]);
    for (const { chartId, title } of overview.charts) {
      const reply = await picture(chartId);
      assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, 'image/png'], title);
      assert.ok(
        Buffer.from(await reply.arrayBuffer())
          .toString('hex')
          .startsWith(PNG),
        title,
      );
    }
  });

  it('can be rendered as whole dashboards in any width', async () => {
    const [{ id }] = await dashboards();
    const draw = (query = '', headers = {}): Promise<Response> =>
      fetch(`${box.service.apiUrl}/apm/dashboards/${box.gridId}/dashboards/${id}/render${query}`, {
        headers: { 'api-key': box.apiKey, 'x-api-version': '2.0', ...headers },
      });
    for (const [query, width] of [
      ['', 1_200],
      ['?width=400&theme=light', 400],
    ] as const) {
      const reply = await draw(query);
      assert.deepEqual(
        [reply.status, reply.headers.get('content-disposition')],
        [200, 'inline; filename=dashboard.png'],
      );
      const png = Buffer.from(await reply.arrayBuffer());
      assert.ok(png.toString('hex').startsWith(PNG));
      assert.equal(png.readUInt32BE(16), width);
    }
    const range = `?rangeStart=${new Date(Date.now() - 3 * HOUR_MS).toISOString()}&rangeEnd=${new Date(Date.now() - 2 * HOUR_MS).toISOString()}`;
    const first = await draw(range);
    assert.equal(first.headers.get('cache-control'), 'private, max-age=86400, immutable');
    assert.equal((await draw(range, { 'if-none-match': first.headers.get('etag') ?? '' })).status, 304);
    assert.equal((await draw('?width=399')).status, 400);
  });

  it('show changes at the next call', async () => {
    const created = await admin.post<{ id: string }>(definitions('charts'), {
      title: 'Mine',
      chartType: 'bar',
      metric: 'request_rate',
    });
    const chartId = created.body.id;
    const position = { row: 0, col: 0, width: 12, height: 4 };
    const board = await admin.post<Dashboard>(definitions('dashboards'), {
      title: 'Board',
      charts: [{ chartId, position }],
    });
    assert.deepEqual([created.status, board.status], [201, 201]);
    assert.deepEqual((await box.api.get(`/apm/dashboards/${box.gridId}/dashboards/${board.body.id}`)).body, board.body);

    await admin.put(definitions(`charts/${chartId}`), { title: 'Renamed', chartType: 'line', metric: 'request_rate' });
    assert.deepEqual(
      (await dashboards()).find(({ id }) => id === board.body.id)?.charts.map(({ title }) => title),
      ['Renamed'],
    );

    assert.equal((await admin.delete(definitions(`charts/${chartId}`))).status, 409);
    assert.equal((await admin.delete(definitions(`dashboards/${board.body.id}`))).status, 204);
    assert.equal((await admin.delete(definitions(`charts/${chartId}`))).status, 204);
    assert.equal((await picture(chartId)).status, 404);
  });

  it('are created for each discovered service and cannot be changed', async () => {
    await box.record(
      'traces',
      spansOf('basket', {
        traceId: traceId(1),
        spanId: spanId(1),
        name: 'GET /',
        kind: KIND.server,
        start: BigInt(Date.now() - 20) * 1_000_000n,
        end: BigInt(Date.now()) * 1_000_000n,
      }),
    );
    const ofBasket = async (): Promise<Dashboard | undefined> =>
      (await dashboards()).find(({ title }) => title === 'basket');
    await waitUntil(async () => (await ofBasket()) !== undefined, 'a dashboard of the service', 20_000);
    const board = await ofBasket();
    assert.ok(board?.builtIn);
    assert.equal((await admin.put(definitions(`dashboards/${board.id}`), { title: 'Mine now' })).status, 409);
    assert.equal((await admin.delete(definitions(`charts/${board.charts[0].chartId}`))).status, 409);
    assert.equal((await picture(board.charts[0].chartId)).status, 200);
  });

  it('can be cached, permanently for closed time ranges', async () => {
    const [
      {
        charts: [{ chartId }],
      },
    ] = await dashboards();
    const range = `?rangeStart=${new Date(Date.now() - 3 * HOUR_MS).toISOString()}&rangeEnd=${new Date(Date.now() - 2 * HOUR_MS).toISOString()}`;
    const first = await picture(chartId, range);
    assert.equal(first.headers.get('cache-control'), 'private, max-age=86400, immutable');
    const again = await picture(chartId, range, { 'if-none-match': first.headers.get('etag') ?? '' });
    assert.deepEqual([again.status, (await again.arrayBuffer()).byteLength], [304, 0]);
    assert.equal((await picture(chartId)).headers.get('cache-control'), 'private, no-cache');
  });
});
