import assert from 'node:assert/strict';
import { buildRequestRollups } from '../../../../src/diagnostics/requests/request-rollup-builder.js';
import { readRequestRows } from '../../../../src/diagnostics/requests/request-row-reader.js';
import { PackedSketch } from '../../../../src/diagnostics/rollups/packed-sketch.js';
import type { MetricRollup, MetricSeriesRollup } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { type Attributes, counterSeries, metricsOf, timedSeries } from './given-request-series.js';

const CONTEXT = {
  apdexThresholdMs: 500,
  knownServices: new Set<string>(),
  spanTotals: new Map(),
  fromUs: 0,
  toUs: 60_000_000,
};
const SERVER = 'http.server.request.duration';
const CLIENT = 'http.client.request.duration';

const rollupsOf = (...rollups: readonly MetricRollup[]): ReturnType<typeof buildRequestRollups> =>
  buildRequestRollups(rollups.flatMap(readRequestRows), CONTEXT);

/** Requests and errors by service. */
function countsOf(...rollups: readonly MetricRollup[]): unknown[] {
  return rollupsOf(...rollups).grid.services.map(({ service, count, errors }) => [service, count, errors]);
}

const status = (code: string): Attributes => ({ 'http.response.status_code': code });
const served = (count: number, each: number, code = '200'): MetricSeriesRollup =>
  timedSeries(SERVER, 's', status(code), { count, each });
const called = (peer: string, count: number, each: number, code = '200'): MetricSeriesRollup =>
  timedSeries(CLIENT, 's', { ...status(code), 'server.address': peer }, { count, each });

describe('rollups of request metrics', () => {
  it('count requests, errors and Apdex of each service', () => {
    const { grid } = rollupsOf(metricsOf('shop', served(70, 0.1), served(20, 1), served(5, 3), served(5, 0.1, '500')));
    const [{ service, count, errors, durationNs, satisfied, tolerating, entryKinds, latency }] = grid.services;
    assert.deepEqual(
      [service, count, errors, durationNs, satisfied, tolerating, entryKinds],
      ['shop', 100, 5, 42.5e9, 70, 20, [0, 100, 0, 0, 0]],
    );
    assert.equal(latency.count, 100);
  });

  it('spread the observations of a bucket evenly, within the extremes', () => {
    const buckets = [{ kind: 'explicit', bounds: [0.1, 0.5, 1], counts: [0, 100, 0, 0] }] as const;
    const [{ latency, satisfied }] = rollupsOf(
      metricsOf('shop', timedSeries(SERVER, 's', {}, { count: 100, more: { buckets, sum: 30, min: 0.1, max: 0.5 } })),
    ).grid.services;
    assert.deepEqual([latency.count, satisfied], [100, 100]);
    for (const [p, ms] of [
      [1, 112.5],
      [50, 300],
      [99, 487.5],
    ] as const)
      assert.ok(Math.abs(latency.percentile(p) / 1e6 - ms) <= ms / 10, `p${p} ${latency.percentile(p) / 1e6}`);
  });

  it('add up durations that are not reported from their buckets, and reported ones exactly', () => {
    const buckets = [{ kind: 'explicit', bounds: [0.1, 0.3], counts: [0, 100, 0] }] as const;
    const [{ count, durationNs, latency }] = rollupsOf(
      metricsOf('shop', served(10, 7), timedSeries(SERVER, 's', {}, { count: 100, more: { buckets, sum: NaN } })),
    ).grid.services;
    assert.deepEqual([count, latency.count], [110, 110]);
    assert.ok(Math.abs(durationNs - 90e9) < 0.2e9, `${durationNs}`);
  });

  it('keep every distribution packed: thousands of them stay in memory', () => {
    const { services, grid } = rollupsOf(
      metricsOf('web', served(5, 0.2), called('shop', 5, 0.1)),
      metricsOf('shop', served(5, 0.1)),
    );
    const sketches = [
      ...grid.services.map(({ latency }) => latency),
      ...grid.edges.flatMap(({ latency, wire }) => [latency, wire]),
      ...services.flatMap(({ operations }) => operations.flatMap(({ latency, self }) => [latency, self])),
    ];
    assert.ok(sketches.length >= 8 && sketches.every((sketch) => sketch instanceof PackedSketch));
  });

  it('count a request once, whoever measured it', () => {
    const spans = { 'service.name': 'shop', 'span.name': 'GET', 'span.kind': 'SPAN_KIND_SERVER' };
    const mesh = { source_app: 'web', destination_app: 'shop', response_code: '200' };
    const graph = { client: 'web', server: 'shop' };
    const own = metricsOf('shop', served(9, 0.1), served(1, 0.1, '500'), timedSeries('http.server.duration', 'ms', {}));
    const collector = metricsOf(
      'collector',
      timedSeries('traces.span.metrics.duration', 'ms', spans, { count: 7 }),
      counterSeries('traces.span.metrics.calls', spans, 7),
      timedSeries('traces_service_graph_request_server', 's', graph, { count: 5 }),
      timedSeries('traces_service_graph_request_client', 's', graph, { count: 5 }),
      counterSeries('traces_service_graph_request_total', graph, 5),
      counterSeries('istio_requests_total', { ...mesh, reporter: 'destination' }, 4),
      counterSeries('istio_requests_total', { ...mesh, reporter: 'source' }, 3),
      timedSeries('istio_request_duration_milliseconds', 'ms', { ...mesh, reporter: 'source' }, { count: 3 }),
    );
    assert.deepEqual(countsOf(own, collector), [
      ['shop', 10, 1],
      ['web', 0, 0],
    ]);
    assert.deepEqual(
      rollupsOf(own, collector).grid.edges.map(({ source, target, virtual, count }) => [
        source,
        target,
        virtual,
        count,
      ]),
      [['web', 'shop', false, 5]],
    );
    assert.deepEqual(
      countsOf(collector),
      [
        ['shop', 7, 0],
        ['web', 0, 0],
      ],
      'without metrics of its own',
    );
  });

  it('take failures from counters where durations do not show them', () => {
    const graph = { client: 'web', server: 'shop' };
    const { grid } = rollupsOf(
      metricsOf(
        'collector',
        timedSeries('traces_service_graph_request_server_seconds', '', graph, { count: 100, each: 0.1 }),
        timedSeries('traces_service_graph_request_client_seconds', '', graph, { count: 100, each: 0.3 }),
        counterSeries('traces_service_graph_request_total', graph, 100),
        counterSeries('traces_service_graph_request_failed_total', graph, 20),
      ),
    );
    const [shop] = grid.services;
    assert.deepEqual([shop.service, shop.count, shop.errors, shop.satisfied], ['shop', 100, 20, 80]);
    const [{ count, errors, durationNs, paired, wireNs }] = grid.edges;
    assert.deepEqual([count, errors, durationNs, paired, wireNs], [100, 20, 30e9, 100, 20e9]);
  });

  it('attribute time and errors to the service where they arise', () => {
    const { services, grid } = rollupsOf(
      metricsOf(
        'web',
        served(90, 1),
        served(10, 1, '500'),
        called('shop.prod.svc.cluster.local', 90, 0.8),
        called('shop', 10, 0.8, '500'),
      ),
      metricsOf('shop', served(90, 0.7), served(10, 0.7, '500')),
    );
    const entryOf = (name: string) =>
      services.find(({ service }) => service === name)!.operations.filter(({ entry }) => entry);
    const sum = (name: string, valueOf: (each: ReturnType<typeof entryOf>[number]) => number): number =>
      Math.round(entryOf(name).reduce((total, each) => total + valueOf(each), 0));
    assert.deepEqual([sum('web', ({ selfNs }) => selfNs), sum('shop', ({ selfNs }) => selfNs)], [20e9, 70e9]);
    assert.deepEqual([sum('web', (each) => each.originErrors), sum('shop', (each) => each.originErrors)], [0, 10]);
    assert.deepEqual(
      grid.edges.map(({ source, target, virtual, count, errors }) => [source, target, virtual, count, errors]),
      [['web', 'shop', false, 100, 10]],
      'the name in the cluster is that of the service',
    );
    assert.ok(Math.abs(grid.edges[0].wireNs - 10e9) < 1e3, 'time between the two');
  });

  it('keep databases and hosts outside as virtual nodes, unnamed ones as unknown', () => {
    const db = timedSeries('db.client.operation.duration', 's', {
      'db.system.name': 'mysql',
      'db.namespace': 'orders',
    });
    const { grid } = rollupsOf(metricsOf('shop', db, called('api.example.com', 1, 1), called('', 1, 1)));
    assert.deepEqual(grid.edges.map(({ target, virtual, paired }) => [target, virtual, paired]).sort(), [
      ['api.example.com', true, 0],
      ['orders', true, 0],
      ['unknown', true, 0],
    ]);
    assert.deepEqual(
      grid.services.map(({ service, count, kinds }) => [service, count, kinds]),
      [['shop', 0, [0, 0, 12, 0, 0]]],
    );
  });

  it('are the same in any order of the series', () => {
    const series = [served(9, 0.1), served(1, 0.2, '500'), called('stock', 3, 0.1), called('orders', 2, 0.1)];
    const report = (given: readonly MetricSeriesRollup[]): unknown => {
      const { grid, services } = rollupsOf(metricsOf('shop', ...given));
      return JSON.parse(
        JSON.stringify([grid.services, [...grid.edges].sort((a, b) => (a.target < b.target ? -1 : 1)), services]),
      );
    };
    assert.deepEqual(report(series.toReversed()), report(series));
  });
});
