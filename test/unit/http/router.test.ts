import assert from 'node:assert/strict';
import { EVERY_ROLE, defineRoute, type Method, type Route } from '../../../src/http/route.js';
import { Router } from '../../../src/http/router.js';
import { ROUTES } from '../../../src/http/routes.js';
import { ANY_RESPONSE } from '../../support/any-response.js';

function at(method: Method, path: string): Route {
  return defineRoute({
    method,
    path,
    operationId: `${method} ${path}`,
    tag: 'Test',
    summary: '',
    grid: 'none',
    roles: EVERY_ROLE,
    run: async () => ({}),
    responseSchema: ANY_RESPONSE,
    present: (result) => result,
  });
}

const router = new Router([
  at('GET', '/items/{id}'),
  at('PUT', '/items/{id}'),
  at('POST', '/items/search'),
  at('GET', '/items/{itemId}/parts/{part}'),
  at('DELETE', '/a/{x}/c'),
  at('GET', '/{y}/b/c'),
]);

function found(method: string, path: string): string | undefined {
  const match = router.match(method, path);
  return match.kind === 'found' ? `${match.route.operationId} ${JSON.stringify([...match.rawParams])}` : undefined;
}

describe('router', () => {
  it('finds a template and its parameters as sent', () => {
    assert.equal(found('GET', '/items/42'), 'GET /items/{id} [["id","42"]]');
    assert.equal(found('PUT', '/items/a%2Fb'), 'PUT /items/{id} [["id","a%2Fb"]]');
    assert.equal(found('GET', '/items/1/parts/2'), 'GET /items/{itemId}/parts/{part} [["itemId","1"],["part","2"]]');
  });

  it('answers HEAD by GET', () => {
    assert.equal(found('HEAD', '/items/42'), found('GET', '/items/42'));
    assert.equal(router.match('HEAD', '/items/search').kind, 'other-methods');
  });

  it('prefers literals, the leftmost first, also when only the other template has the method', () => {
    assert.equal(found('POST', '/items/search'), 'POST /items/search []');
    assert.deepEqual(router.match('GET', '/items/search'), { kind: 'other-methods', allow: ['POST'] });
    assert.equal(found('DELETE', '/a/b/c'), 'DELETE /a/{x}/c [["x","b"]]');
    assert.equal(found('GET', '/z/b/c'), 'GET /{y}/b/c [["y","z"]]');
  });

  it('lists the methods of a path', () => {
    assert.deepEqual(router.match('DELETE', '/items/42'), { kind: 'other-methods', allow: ['GET', 'HEAD', 'PUT'] });
  });

  const unknownPaths = [
    '/',
    '',
    '/items',
    '/items/',
    '/items//parts/2',
    '//items/42',
    '/items/42/',
    '/Items/42',
    '/%69tems/42',
    '/items/1/parts/2/3',
    '/items/{id}/x',
    '/items;a/1',
    '/items/../items/42',
  ];
  for (const path of unknownPaths) {
    it(`does not know ${JSON.stringify(path)}`, () =>
      assert.deepEqual(router.match('GET', path), { kind: 'unknown-path' }));
  }

  it('refuses a table with an unreachable row', () => {
    assert.throws(
      () => new Router([at('GET', '/a/{b}'), { ...at('GET', '/a/{c}'), operationId: 'other' }]),
      /Two routes for GET/,
    );
    assert.throws(() => new Router([at('GET', '/a'), { ...at('GET', '/b'), operationId: 'GET /a' }]), /operation id/);
  });
});

describe('table of routes', () => {
  it('has the operations of the spec that are built, and ours, by method and path', () => {
    assert.deepEqual(
      ROUTES.map(({ method, path }) => `${method} ${path}`),
      [
        'POST /apm/traces/{gridSecondaryId}',
        'GET /apm/traces/{gridSecondaryId}/details/{spanId}',
        'GET /apm/traces/{gridSecondaryId}/filters',
        'GET /apm/traces/{gridSecondaryId}/correlations/{traceId}/spans',
        'GET /apm/traces/{gridSecondaryId}/correlations/{traceId}/logs',
        'GET /apm/traces/{gridSecondaryId}/correlations/{traceId}/errors',
        'GET /apm/traces/{gridSecondaryId}/spans/{spanId}/tags',
        'GET /apm/traces/{gridSecondaryId}/spans/{spanId}/events',
        'GET /apm/traces/{gridSecondaryId}/correlations/{traceId}/compare',
        'POST /apm/logs/{gridSecondaryId}',
        'GET /apm/logs/{gridSecondaryId}/details/{spanId}',
        'GET /apm/logs/{gridSecondaryId}/filters',
        'POST /apm/query/{gridSecondaryId}',
        'POST /apm/query/{gridSecondaryId}/differences',
        'GET /apm/errors/{gridSecondaryId}',
        'GET /apm/errors/{gridSecondaryId}/{groupId}',
        'POST /apm/errors/{gridSecondaryId}/{groupId}/resolve',
        'POST /apm/errors/{gridSecondaryId}/{groupId}/reopen',
        ...[
          'health',
          'alerts',
          'diagnosis',
          'pressure',
          'trends',
          'services',
          'timeline',
          'slowest-endpoints',
          'changes',
          'service/{serviceName}',
          'compare',
          'stream',
        ].map((suffix) => `GET /apm/diagnostics/{gridSecondaryId}/${suffix}`),
        ...['', '/{incidentId}'].map((suffix) => `GET /apm/incidents/{gridSecondaryId}${suffix}`),
        ...['acknowledge', 'resolve', 'commander', 'notes', 'merge', 'split'].map(
          (suffix) => `POST /apm/incidents/{gridSecondaryId}/{incidentId}/${suffix}`,
        ),
        ...['charts', 'charts/{chartSecondaryId}', 'charts/{chartId}/render', 'charts/{chartId}/range-data'].map(
          (suffix) => `GET /apm/charts/{gridSecondaryId}/${suffix}`,
        ),
        'GET /apm/dashboards/{gridSecondaryId}/dashboards',
        'GET /apm/dashboards/{gridSecondaryId}/dashboards/{dashboardSecondaryId}',
        'GET /apm/dashboards/{gridSecondaryId}/dashboards/{dashboardId}/render',
        'GET /apm/metrics/{gridSecondaryId}',
        ...['GET ', 'POST ', 'GET /{ruleId}', 'PUT /{ruleId}', 'DELETE /{ruleId}', 'POST /backtest'].map((row) =>
          row.replace(' ', ' /admin/grids/{gridSecondaryId}/alert-rules'),
        ),
        ...['channels/{channelId}', 'routes/{routeId}', 'silences/{silenceId}'].flatMap((one) => {
          const path = `/admin/grids/{gridSecondaryId}/${one}`;
          const list = path.slice(0, path.lastIndexOf('/'));
          const tests = one.startsWith('channels') ? [`POST ${path}/test`, `GET ${path}/deliveries`] : [];
          return [`GET ${list}`, `POST ${list}`, `GET ${path}`, `PUT ${path}`, `DELETE ${path}`, ...tests];
        }),
        'POST /apm/alerts/{gridSecondaryId}/{alertId}/acknowledge',
        ...['GET ', 'POST ', 'GET /{chartId}', 'PUT /{chartId}', 'DELETE /{chartId}'].map((row) =>
          row.replace(' ', ' /admin/grids/{gridSecondaryId}/charts'),
        ),
        ...['GET ', 'POST ', 'GET /{dashboardId}', 'PUT /{dashboardId}', 'DELETE /{dashboardId}'].map((row) =>
          row.replace(' ', ' /admin/grids/{gridSecondaryId}/dashboards'),
        ),
        'GET /apm/slos/{gridSecondaryId}',
        'GET /apm/slos/{gridSecondaryId}/{sloId}',
        'GET /apm/slos/{gridSecondaryId}/proposals',
        ...['GET ', 'POST ', 'GET /{sloId}', 'PUT /{sloId}', 'DELETE /{sloId}', 'POST /backtest'].map((row) =>
          row.replace(' ', ' /admin/grids/{gridSecondaryId}/slos'),
        ),
        'GET /apm/slos/{gridSecondaryId}/{sloId}/report',
        'GET /apm/slos/{gridSecondaryId}/{sloId}/report/render',
        'GET /admin/grids/{gridSecondaryId}/views',
        'POST /admin/grids/{gridSecondaryId}/views',
        'GET /admin/grids/{gridSecondaryId}/views/{viewId}',
        'PUT /admin/grids/{gridSecondaryId}/views/{viewId}',
        'DELETE /admin/grids/{gridSecondaryId}/views/{viewId}',
        'POST /assistant/sessions/{gridSecondaryId}',
        'DELETE /assistant/sessions/{instanceSecondaryId}',
        'POST /assistant/chat/{instanceSecondaryId}',
        'GET /assistant/voices',
        'POST /assistant/speech/{instanceSecondaryId}/synthesize',
        'POST /assistant/speech/{instanceSecondaryId}/recognize',
        'GET /assistant/usage/energy',
        'GET /assistant/usage/{gridSecondaryId}/status',
        'GET /assistant/usage/{gridSecondaryId}/summary',
        'GET /assistant/usage/me',
        'GET /assistant/limits/{gridSecondaryId}',
        'PUT /assistant/limits/{gridSecondaryId}',
        'POST /admin/grids',
        'GET /admin/grids',
        ...[
          'GET ',
          'PATCH ',
          'GET /members',
          'PUT /members/{userId}',
          'DELETE /members/{userId}',
          'GET /api-keys',
          'POST /api-keys',
          'POST /api-keys/{keyId}/regenerate',
          'DELETE /api-keys/{keyId}',
          'GET /audit',
        ].map((row) => row.replace(' ', ' /admin/grids/{gridSecondaryId}')),
      ],
    );
  });

  it('can be routed, and each row says what documentation needs', () => {
    assert.doesNotThrow(() => new Router(ROUTES));
    for (const { operationId, summary, tag, path, grid } of ROUTES) {
      assert.ok(operationId && summary && tag, operationId);
      assert.equal(path.includes('{gridSecondaryId}'), grid === 'path', operationId);
      assert.equal(path.includes('{instanceSecondaryId}'), grid === 'instance', operationId);
    }
  });

  it('lets every role of the contract call its operations', () => {
    const ofEveryRole = ['createGrid', 'listGrids', 'getGrid', 'listViews', 'getView'];
    const ofOwners = ['updateLimits', 'changeGrid', 'listMembers', 'setMember', 'removeMember', 'readAudit'];
    const ofOnCall = [
      'acknowledgeAlert',
      ...['acknowledgeIncident', 'resolveIncident', 'assignIncidentCommander', 'addIncidentNote'],
      ...['mergeIncident', 'splitIncident', 'resolveErrorGroup', 'reopenErrorGroup'],
    ];
    const rolesOf = (operationId: string, path: string): readonly string[] =>
      ofOwners.includes(operationId)
        ? ['Owner']
        : ofOnCall.includes(operationId)
          ? ['Member', 'Owner', 'User']
          : path.startsWith('/admin/') && !ofEveryRole.includes(operationId)
            ? ['Member', 'Owner']
            : ['Guest', 'Member', 'Owner', 'User'];
    for (const { roles, operationId, path } of ROUTES)
      assert.deepEqual([...roles].sort(), rolesOf(operationId, path), operationId);
  });

  it('lets no API key call the administration, and everything else', () => {
    for (const { apiKeys, operationId, path } of ROUTES)
      assert.equal(apiKeys === false, path.startsWith('/admin/'), operationId);
  });
});
