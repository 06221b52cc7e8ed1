import assert from 'node:assert/strict';
import { readRequestRows } from '../../../../src/diagnostics/requests/request-row-reader.js';
import { type Attributes, counterSeries, metricsOf, timedSeries } from './given-request-series.js';

/** What a row says: side, service, peer or operation, `failed` if it is. */
type Reported = readonly (readonly [side: string, service: string, other: string, failed?: 'failed'])[];

function tellOf(rows: ReturnType<typeof readRequestRows>): Reported {
  return rows.map(({ side, service, peer, operation, failed }) => [
    side,
    service,
    side === 'server' ? operation : peer,
    ...(failed ? (['failed'] as const) : []),
  ]) as Reported;
}

const GET = { 'http.request.method': 'GET', 'http.route': '/users/{id}' };
const OLD_GET = { 'http.method': 'GET', 'http.route': '/users/{id}' };
const CONSUMED = { 'messaging.operation.name': 'process', 'messaging.destination.name': 'mails' };
const ISTIO = {
  source_workload: 'cart-v1',
  source_canonical_service: 'cart',
  destination_canonical_service: 'stock',
  response_flags: '-',
};

/** Each as sent by the service `shop`. */
const DURATIONS: readonly (readonly [metric: string, attributes: Attributes, reported: Reported])[] = [
  [
    'http.server.request.duration',
    { ...GET, 'http.response.status_code': '200' },
    [['server', 'shop', 'GET /users/{id}']],
  ],
  [
    'http.server.request.duration',
    { ...GET, 'http.response.status_code': '404' },
    [['server', 'shop', 'GET /users/{id}']],
  ],
  [
    'http.server.request.duration',
    { ...GET, 'http.response.status_code': '404', 'error.type': 'NotFound' },
    [['server', 'shop', 'GET /users/{id}']],
  ],
  [
    'http.server.request.duration',
    { ...GET, 'http.response.status_code': '503', 'error.type': '503' },
    [['server', 'shop', 'GET /users/{id}', 'failed']],
  ],
  [
    'http.server.request.duration',
    { ...GET, 'error.type': 'java.io.IOException' },
    [['server', 'shop', 'GET /users/{id}', 'failed']],
  ],
  ['http.server.request.duration', {}, [['server', 'shop', 'all requests']]],
  [
    'http_server_request_duration_seconds',
    { http_request_method: 'GET', http_route: '/users/{id}', http_response_status_code: '500' },
    [['server', 'shop', 'GET /users/{id}', 'failed']],
  ],
  [
    'http.server.duration',
    { ...OLD_GET, 'http.status_code': '500' },
    [['server', 'shop', 'GET /users/{id}', 'failed']],
  ],
  ['http_server_duration_milliseconds', OLD_GET, [['server', 'shop', 'GET /users/{id}']]],
  [
    'http.server.requests',
    { method: 'GET', uri: '/users/{id}', status: '500', exception: 'IllegalState' },
    [['server', 'shop', 'GET /users/{id}', 'failed']],
  ],
  [
    'http.server.requests',
    { method: 'GET', uri: '/users/{id}', status: '200', exception: 'none' },
    [['server', 'shop', 'GET /users/{id}']],
  ],
  ...(
    [
      [{ 'rpc.grpc.status_code': '5', 'error.type': 'NOT_FOUND' }, false],
      [{ 'rpc.response.status_code': 'NOT_FOUND', 'error.type': 'NOT_FOUND' }, false],
      [{ 'rpc.grpc.status_code': '16', 'error.type': '16' }, false],
      [{ 'rpc.connect_rpc.error_code': 'not_found' }, false],
      [{ 'rpc.connect_rpc.error_code': 'unavailable' }, true],
      [{ 'rpc.response.status_code': 'UNAVAILABLE', 'error.type': 'UNAVAILABLE' }, true],
      [{ 'rpc.response.status_code': '-32603', 'error.type': 'InternalError' }, true],
      [{ 'error.type': 'java.io.IOException' }, true],
    ] as const
  ).map(([status, isFailed]): readonly [string, Attributes, Reported] => [
    'rpc.server.duration',
    { 'rpc.service': 'shop.Cart', 'rpc.method': 'Add', ...status },
    isFailed ? [['server', 'shop', 'shop.Cart/Add', 'failed']] : [['server', 'shop', 'shop.Cart/Add']],
  ]),
  ...(
    [
      [{ 'server.address': 'payment:50051' }, 'payment'],
      [{ 'server.address': '::1' }, '::1'],
      [{ 'server.address': '[::1]:50051' }, '::1'],
      [{ 'server.address': '2001:db8::7:8080' }, '2001:db8::7:8080'],
      [{ 'grpc.target': 'dns:///payment:50051' }, 'payment'],
      [{ 'db.namespace': 'tenant:42' }, 'tenant:42'],
      [{ 'peer.service': 'shard:7', 'server.address': 'node-1:80' }, 'shard:7'],
    ] as const
  ).map(([peer, reported]): readonly [string, Attributes, Reported] => [
    'rpc.client.duration',
    peer,
    [['client', 'shop', reported]],
  ]),
  [
    'rpc.server.duration',
    { 'rpc.service': 'shop.Cart', 'rpc.method': 'Add', 'rpc.grpc.status_code': '13' },
    [['server', 'shop', 'shop.Cart/Add', 'failed']],
  ],
  [
    'rpc.server.duration',
    { 'rpc.service': 'shop.Cart', 'rpc.method': 'Add', 'rpc.grpc.status_code': '5' },
    [['server', 'shop', 'shop.Cart/Add']],
  ],
  [
    'rpc.server.call.duration',
    { 'rpc.method': 'shop.Cart/Add', 'rpc.response.status_code': 'UNAVAILABLE' },
    [['server', 'shop', 'shop.Cart/Add', 'failed']],
  ],
  [
    'grpc.server.call.duration',
    { 'grpc.method': 'shop.Cart/Add', 'grpc.status': 'OK' },
    [['server', 'shop', 'shop.Cart/Add']],
  ],
  [
    'messaging.process.duration',
    { ...CONSUMED, 'error.type': 'timeout' },
    [['server', 'shop', 'process mails', 'failed']],
  ],
  [
    'http.client.request.duration',
    { 'server.address': 'stock', 'http.response.status_code': '404' },
    [['client', 'shop', 'stock', 'failed']],
  ],
  ['http.client.duration', { 'net.peer.name': 'stock', 'http.status_code': '200' }, [['client', 'shop', 'stock']]],
  ['http.client.request.duration', {}, [['client', 'shop', 'unknown']]],
  [
    'rpc.client.duration',
    { 'server.address': 'stock', 'rpc.system': 'grpc', 'rpc.grpc.status_code': '5' },
    [['client', 'shop', 'stock', 'failed']],
  ],
  ['grpc.client.call.duration', { 'grpc.target': 'dns:///stock:50051' }, [['client', 'shop', 'stock']]],
  [
    'db.client.operation.duration',
    { 'db.system.name': 'postgresql', 'db.namespace': 'orders', 'server.address': '10.0.0.9' },
    [['client', 'shop', 'orders']],
  ],
  [
    'messaging.client.operation.duration',
    { 'messaging.operation.name': 'send', 'messaging.destination.name': 'mails' },
    [['client', 'shop', 'mails']],
  ],
  [
    'messaging.client.operation.duration',
    { 'messaging.operation.type': 'receive', 'messaging.destination.name': 'mails' },
    [],
  ],
  [
    'traces.span.metrics.duration',
    {
      'service.name': 'cart',
      'span.name': 'GET /',
      'span.kind': 'SPAN_KIND_SERVER',
      'status.code': 'STATUS_CODE_ERROR',
    },
    [['server', 'cart', 'GET /', 'failed']],
  ],
  [
    'traces_span_metrics_duration_milliseconds',
    { service_name: 'cart', span_name: 'GET /', span_kind: 'SPAN_KIND_SERVER', status_code: 'STATUS_CODE_UNSET' },
    [['server', 'cart', 'GET /']],
  ],
  [
    'traces_spanmetrics_latency',
    { service: 'cart', span_name: 'mails process', span_kind: 'SPAN_KIND_CONSUMER' },
    [['server', 'cart', 'mails process']],
  ],
  [
    'duration',
    { 'service.name': 'cart', 'span.name': 'GET', 'span.kind': 'SPAN_KIND_CLIENT', 'peer.service': 'stock' },
    [['client', 'cart', 'stock']],
  ],
  ['traces.span.metrics.duration', { 'span.name': 'work', 'span.kind': 'SPAN_KIND_INTERNAL' }, []],
  ['duration', { 'span.name': 'GET' }, []],
  [
    'traces_service_graph_request_server_seconds',
    { client: 'cart', server: 'stock', connection_type: '' },
    [['server', 'stock', 'all requests']],
  ],
  [
    'traces_service_graph_request_client_seconds',
    { client: 'cart', server: 'stock', connection_type: '' },
    [['client', 'cart', 'stock']],
  ],
  [
    'istio_request_duration_milliseconds',
    { ...ISTIO, reporter: 'destination', response_code: '503' },
    [
      ['server', 'stock', 'all requests', 'failed'],
      ['client', 'cart', 'stock', 'failed'],
    ],
  ],
  [
    'istio_request_duration_milliseconds',
    { ...ISTIO, reporter: 'source', response_code: '0', response_flags: 'UF' },
    [
      ['server', 'stock', 'all requests', 'failed'],
      ['client', 'cart', 'stock', 'failed'],
    ],
  ],
  [
    'istio_request_duration_milliseconds',
    {
      source_canonical_service: 'cart',
      destination_canonical_service: 'unknown',
      destination_service: 'api.example.com',
      reporter: 'source',
    },
    [['client', 'cart', 'api.example.com']],
  ],
  [
    'response_latency_ms',
    { direction: 'inbound', deployment: 'stock', status_code: '500' },
    [['server', 'stock', 'all requests', 'failed']],
  ],
  [
    'response_latency_ms',
    { direction: 'outbound', deployment: 'cart', dst_deployment: 'stock' },
    [['client', 'cart', 'stock']],
  ],
  ['response_latency_ms', { deployment: 'stock' }, []],
  ['process.cpu.time', {}, []],
  ['http.server.active_requests', GET, []],
];

const COUNTERS: readonly (readonly [metric: string, attributes: Attributes, reported: Reported])[] = [
  [
    'traces.span.metrics.calls',
    {
      'service.name': 'cart',
      'span.name': 'GET /',
      'span.kind': 'SPAN_KIND_SERVER',
      'status.code': 'STATUS_CODE_ERROR',
    },
    [['server', 'cart', 'GET /', 'failed']],
  ],
  [
    'calls_total',
    { service_name: 'cart', span_name: 'GET /', span_kind: 'SPAN_KIND_SERVER' },
    [['server', 'cart', 'GET /']],
  ],
  ['calls', {}, []],
  [
    'traces_service_graph_request_total',
    { client: 'user', server: 'stock', connection_type: 'virtual_node' },
    [['server', 'stock', 'all requests']],
  ],
  [
    'traces_service_graph_request_total',
    { client: 'cart', server: 'mysql', connection_type: 'database' },
    [['client', 'cart', 'mysql']],
  ],
  [
    'traces_service_graph_request_failed_total',
    { client: 'cart', server: 'stock' },
    [
      ['client', 'cart', 'stock'],
      ['server', 'stock', 'all requests'],
    ],
  ],
  [
    'istio_requests_total',
    { ...ISTIO, reporter: 'destination', response_code: '200' },
    [
      ['server', 'stock', 'all requests'],
      ['client', 'cart', 'stock'],
    ],
  ],
  [
    'istio_requests_total',
    { ...ISTIO, reporter: 'destination', response_code: '200', grpc_response_status: '14' },
    [
      ['server', 'stock', 'all requests', 'failed'],
      ['client', 'cart', 'stock', 'failed'],
    ],
  ],
  [
    'response_total',
    { direction: 'inbound', deployment: 'stock', classification: 'failure', status_code: '200' },
    [['server', 'stock', 'all requests', 'failed']],
  ],
  [
    'request_total',
    { direction: 'outbound', deployment: 'cart', authority: 'stock.shop.svc.cluster.local:8080' },
    [['client', 'cart', 'stock']],
  ],
];

describe('rows of request metrics', () => {
  for (const [metric, attributes, reported] of DURATIONS)
    it(`of ${metric} ${JSON.stringify(attributes)}`, () =>
      assert.deepEqual(tellOf(readRequestRows(metricsOf('shop', timedSeries(metric, '', attributes)))), reported));

  for (const [metric, attributes, reported] of COUNTERS)
    it(`of the counter ${metric} ${JSON.stringify(attributes)}`, () =>
      assert.deepEqual(tellOf(readRequestRows(metricsOf('shop', counterSeries(metric, attributes)))), reported));

  for (const [metric, unit, unitNs] of [
    ['http.server.request.duration', 's', 1e9],
    ['http.server.request.duration', '', 1e9],
    ['http.server.duration', '', 1e6],
    ['http.server.duration', 's', 1e9],
    ['rpc.server.duration', 'ms', 1e6],
    ['traces_span_metrics_duration_seconds', '', 1e9],
    ['traces_span_metrics_duration_milliseconds', '', 1e6],
    ['http.server.request.duration', 'us', 1e3],
  ] as const)
    it(`take ${unitNs} ns as the unit of ${metric} in '${unit}'`, () => {
      const [row] = readRequestRows(metricsOf('shop', timedSeries(metric, unit, { 'span.kind': 'SERVER' })));
      assert.equal(row.values.kind === 'durations' && row.values.unitNs, unitNs);
    });

  it('distinguish series whose attributes contain what separates others', () => {
    const metric = 'http.server.request.duration';
    const report = (attributes: Attributes): Reported =>
      tellOf(readRequestRows(metricsOf('shop', timedSeries(metric, '', attributes))));
    const route = 'http.route';
    assert.deepEqual(report({ [route]: '/pay\0http.response.status_code\x00500' }).length, 1);
    assert.deepEqual(report({ [route]: '/pay', 'http.response.status_code': '500' }), [
      ['server', 'shop', '/pay', 'failed'],
    ]);
    assert.deepEqual(report({ [route]: '/p1,1:ab' }), [['server', 'shop', '/p1,1:ab']]);
    assert.deepEqual(report({ [route]: '/p', a: 'b' }), [['server', 'shop', '/p']]);
  });

  it('leave out nameless services, gauges and what was not counted', () => {
    const series = timedSeries('http.server.request.duration', 's', {});
    for (const name of ['', 'unknown_service', 'unknown_service:node', 'unknown', '__other__'])
      assert.deepEqual(readRequestRows(metricsOf(name, series)), [], name);
    assert.deepEqual(readRequestRows(metricsOf('shop', { ...series, count: 0 })), []);
    const gauge = { ...counterSeries('calls', { 'span.kind': 'SERVER' }), kind: 'gauge', monotonic: false } as const;
    assert.deepEqual(readRequestRows(metricsOf('shop', gauge)), []);
  });
});
