import assert from 'node:assert/strict';
import { ROUTES } from '../../../../src/http/routes.js';
import type { Route } from '../../../../src/http/route.js';
import { assertProblem, DESCRIBED, startApi, type Reply, type TestApi } from '../../../support/api.js';
import { API_KEY } from '../../../support/fake-administration.js';
import { GRID_A } from '../../../support/fake-access.js';
import { INCIDENT } from '../../../support/fake-incidents.js';
import { CHANNEL, ROUTE, SILENCE } from '../../../support/fake-notifications.js';
import { RULE } from '../../../support/fake-alert-rules.js';
import { ERROR_GROUP_ID, ROOT_SPAN_ID, TRACE_ID } from '../../../support/fake-telemetry.js';
import { instanceOf } from '../../../support/fake-usage.js';
import { SLO } from '../../../support/fake-slos.js';
import { VIEW } from '../../../support/fake-views.js';
import { methodOf, pathOf, requestOf } from '../../../support/route-requests.js';
import { CHART, DASHBOARD } from '../../../support/sample-charts.js';

const IDS: Readonly<Record<string, string>> = {
  gridSecondaryId: GRID_A,
  instanceSecondaryId: instanceOf('owner'),
  spanId: ROOT_SPAN_ID,
  logId: ROOT_SPAN_ID,
  traceId: TRACE_ID,
  groupId: ERROR_GROUP_ID,
  serviceName: 'checkout',
  ruleId: RULE.id,
  chartSecondaryId: CHART.id,
  chartId: CHART.id,
  dashboardSecondaryId: DASHBOARD.id,
  dashboardId: DASHBOARD.id,
  channelId: CHANNEL.id,
  routeId: ROUTE.id,
  silenceId: SILENCE.id,
  viewId: VIEW.id,
  sloId: SLO.id,
  alertId: RULE.id,
  incidentId: INCIDENT.id,
  userId: 'guest',
  keyId: API_KEY.keyId,
};

describe('strict requests', () => {
  let api: TestApi;
  before(async () => void (api = await startApi()));
  after(() => api.stop());

  interface Changes {
    readonly parameter?: string;
    readonly body?: unknown;
  }

  const call = (route: Route, { parameter, body }: Changes): Promise<Reply> => {
    const path = pathOf(route, IDS);
    const query = parameter === undefined ? '' : `${path.includes('?') ? '&' : '?'}${parameter}`;
    const request = requestOf(route);
    const sent = body ?? request.body ?? request.form?.();
    return api.call(methodOf(route), path + query, sent === undefined ? {} : { body: sent });
  };

  const refusedFields = { status: 400, slug: 'invalid-request' } as const;

  for (const route of ROUTES) {
    const name = route.operationId;
    it(`${name}: a query parameter that it does not have is 400, and named`, async () => {
      const reply = await call(route, { parameter: 'unknownParameter=1' });
      assert.equal(reply.status, 400);
      if (methodOf(route) !== 'HEAD') assertProblem(reply, { ...refusedFields, fields: ['unknownParameter'] });
    });

    if (route.mediaType === 'text/event-stream' || route.method === 'GET') continue;

    it(`${name}: a field that it does not have is 400, and named`, async () => {
      if (route.file !== undefined) {
        const form = requestOf(route).form?.() ?? assert.fail();
        form.append('unknownField', 'x');
        assertProblem(await call(route, { body: form }), { ...refusedFields, fields: ['unknownField'] });
      } else {
        const body = { ...requestOf(route).body, unknownField: null };
        assertProblem(await call(route, { body }), { ...refusedFields, fields: ['unknownField'] });
      }
    });
  }

  for (const route of ROUTES.filter(({ body }) => body !== undefined))
    it(`${route.operationId}: the document says that there are no other fields`, () => {
      const operation = Object.values(DESCRIBED.document.paths)
        .flatMap((item) => [item.post, item.put, item.patch])
        .find((each) => each?.operationId === route.operationId);
      const reference = (operation?.requestBody?.content['application/json']?.schema as { $ref: string }).$ref;
      const schemas = (DESCRIBED.document as unknown as { components: { schemas: Record<string, object> } }).components;
      const schema = schemas.schemas[reference.split('/').at(-1) ?? ''] as { additionalProperties?: boolean };
      assert.equal(schema.additionalProperties, false);
    });

  const withoutBody = ROUTES.filter(({ method, body, file }) => method === 'POST' && body === undefined && !file);
  for (const route of withoutBody) {
    it(`${route.operationId}: takes no body, and an empty object`, async () => {
      for (const body of [undefined, {}])
        assert.equal((await call(route, { body })).status, route.status ?? 200, JSON.stringify(body));
    });

    it(`${route.operationId}: any other body is 400`, async () => {
      for (const body of ['text', '[]', '[{}]', '1', 'null', '{"a":', 'x'.repeat(2_000_000)])
        assertProblem(await call(route, { body }), { ...refusedFields, fields: [''] });
    });
  }

  it('names fields of nested objects', async () => {
    const charts = [{ chartId: CHART.id, position: { row: 0, col: 0, width: 1, height: 1, z: 1 }, colour: 'red' }];
    const board = await api.post(`/admin/grids/${GRID_A}/dashboards`, { title: 'x', charts });
    assertProblem(board, { ...refusedFields, fields: ['charts[0].position.z', 'charts[0].colour'] });
    const range = { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' };
    const backtest = await api.post(`/admin/grids/${GRID_A}/alert-rules/backtest`, {
      rule: { ...RULE, when: 1 },
      ...range,
    });
    assertProblem(backtest, { ...refusedFields, fields: ['rule.when'] });
  });

  it('reports unknown fields together with the other faults of a request', async () => {
    const reply = await api.post(`/apm/traces/${GRID_A}?limit=5`, { service: 'x', pageSize: 0 });
    assertProblem(reply, { ...refusedFields, fields: ['limit', 'service', 'pageSize', 'rangeStart', 'rangeEnd'] });
  });

  for (const [method, path, reading] of [
    ['PUT', `/admin/grids/${GRID_A}/charts/${CHART.id}`, undefined],
    ['PUT', `/admin/grids/${GRID_A}/dashboards/${DASHBOARD.id}`, undefined],
    ['PUT', `/admin/grids/${GRID_A}/alert-rules/${RULE.id}`, undefined],
    ['PATCH', `/admin/grids/${GRID_A}`, undefined],
    ['PUT', `/assistant/limits/${GRID_A}`, undefined],
    ['PUT', `/admin/grids/${GRID_A}/members/guest`, { userId: 'guest', role: 'User', addedAt: 'x', addedBy: 'owner' }],
  ] as const)
    it(`takes a record back as it was read: ${method} ${path.replace(GRID_A, '…')}`, async () => {
      const record = reading ?? (await api.get(path)).json();
      const reply = await api.call(method, path, { body: record });
      assert.equal(reply.status, 200, reply.text);
    });

  it('lets MCP have no parameter but the version', async () => {
    const headers = { Accept: 'application/json, text/event-stream' };
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    assert.equal((await api.post('/mcp?api-version=2.0', list, { headers })).status, 200);
    const reply = await api.post('/mcp?gridId=x', list, { headers });
    assertProblem(reply, { ...refusedFields, fields: ['gridId'] });
  });

  it('names fields that a JSON-RPC message does not have', async () => {
    const headers = { Accept: 'application/json, text/event-stream' };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', unknownField: 1, Params: {} };
    const reply = await api.post('/mcp', message, { headers });
    assertProblem(reply, { ...refusedFields, fields: ['unknownField', 'Params'] });
  });

  const pages = ['/live', '/ready', '/metrics', '/docs', '/openapi.json', '/problems/not-found'];
  for (const path of pages)
    it(`${path}: a query parameter other than the version is 400, and named`, async () => {
      for (const query of ['', '?', '?api-version=2.0']) assert.equal((await api.get(path + query)).status, 200, query);
      assertProblem(await api.get(`${path}?verbose`), { ...refusedFields, fields: ['verbose'] });
    });

  it('takes the version in the query of every operation', async () => {
    const reply = await api.get(`/apm/traces/${GRID_A}/filters?api-version=2.0`, { version: null });
    assert.equal(reply.status, 200);
  });
});
