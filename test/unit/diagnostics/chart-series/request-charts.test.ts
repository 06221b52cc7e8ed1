import assert from 'node:assert/strict';
import { type ChartData, roundForApi } from '../../../../src/diagnostics/chart-series/chart-series.js';
import { createChartFold } from '../../../../src/diagnostics/chart-series/chart-fold.js';
import { createChartWindow } from '../../../../src/diagnostics/chart-series/chart-window.js';
import { bucketMidpoint, bucketIndex } from '../../../../src/diagnostics/rollups/sketch.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import type { PlainLog } from '../../../support/naive-rollups.js';
import { HOUR_MS, inputOf, minutesAgo, span, spans } from '../given-rollups.js';
import { chartOf, frameOf, labelsOf, pointsOf, computeChart, TEN_MINUTES, valuesOf } from './given-charts.js';

function log(minute: number, severity: number, service = 'shop'): PlainLog {
  return { service, timeUs: (HOUR_MS + minute * MINUTE_MS) * 1000, severity, template: 'x' };
}

const logs = (...all: readonly PlainLog[]) => inputOf([], { logs: all });

describe('charts of requests', () => {
  it('are 0 in steps without any, all through the frame', () => {
    const { series } = computeChart(
      {},
      inputOf([...spans(90, minutesAgo(5), minutesAgo(4)), span({ endMs: minutesAgo(2) })]),
    );
    assert.deepEqual(pointsOf(series[0]), [
      [-10, 0],
      [-9, 0],
      [-8, 0],
      [-7, 0],
      [-6, 0],
      [-5, 1.5],
      [-4, 0],
      [-3, 0],
      [-2, 1 / 60],
      [-1, 0],
    ]);
  });

  it('divide by the seconds up to now, and by those that lie in the frame', () => {
    const running = createChartWindow({ fromMs: minutesAgo(2), toMs: HOUR_MS + MINUTE_MS }, HOUR_MS + 20_000);
    assert.deepEqual(valuesOf(computeChart({}, inputOf(spans(30, HOUR_MS, HOUR_MS + 20_000)), running)), [[0, 0, 1.5]]);
    const week = frameOf(7 * 1440 - 50);
    const [rates] = valuesOf(
      computeChart(
        {},
        inputOf(spans(600, HOUR_MS - (7 * 1440 - 50) * MINUTE_MS, HOUR_MS - (7 * 1440 - 60) * MINUTE_MS)),
        week,
      ),
    );
    assert.deepEqual([rates.length, ...rates.slice(0, 2)], [168, 1, 0]);
  });

  it('have no point where nothing was measured, of all other metrics', () => {
    const input = inputOf([
      span({ endMs: minutesAgo(5), ms: 100 }),
      span({ endMs: minutesAgo(3), ms: 600, error: true }),
    ]);
    const points = (metric: string): unknown => pointsOf(roundForApi(computeChart({ metric }, input)).series[0]);
    assert.deepEqual(points('error_rate'), [
      [-5, 0],
      [-3, 100],
    ]);
    assert.deepEqual(points('latency_avg'), [
      [-5, 100],
      [-3, 600],
    ]);
    assert.deepEqual(points('apdex'), [
      [-5, 1],
      [-3, 0],
    ]);
    assert.deepEqual(
      points('latency_p99'),
      [
        [-5, 100],
        [-3, 600],
      ].map(([minute, ms]) => [minute, Math.round(bucketMidpoint(bucketIndex(ms * 1e6)) / 1e4) / 100]),
    );
  });

  it('preserve their digits, and specify the decimals for API results', () => {
    const input = inputOf([
      ...spans(2, minutesAgo(1), HOUR_MS, { ms: 0.3333 }),
      span({ endMs: minutesAgo(1), ms: 0.3333, error: true }),
      span({ endMs: minutesAgo(1), ms: 1000 }),
      ...spans(2, minutesAgo(1), HOUR_MS),
    ]);
    const last = (metric: string, as: (data: ChartData) => ChartData): unknown =>
      valuesOf(as(computeChart({ metric }, input)))[0].at(-1);
    const metrics = ['request_rate', 'error_rate', 'latency_avg', 'apdex'];
    assert.deepEqual(
      metrics.map((metric) => last(metric, roundForApi)),
      [0.1, 16.67, 200.17, 0.75],
    );
    assert.equal(
      last('error_rate', (data) => data),
      100 / 6,
    );
    assert.equal(computeChart({ metric: 'apdex' }, input).decimals, 3);
  });

  it('have no series without data', () => {
    assert.deepEqual(computeChart({}, inputOf([span({ endMs: minutesAgo(11) })])).series, []);
    assert.deepEqual(computeChart({ serviceName: 'nobody' }, inputOf([span({ endMs: minutesAgo(1) })])).series, []);
  });

  it('have names, units, and may be stacked where values add up', () => {
    const input = { ...inputOf([span({ endMs: minutesAgo(1) })], { logs: [log(-1, 9)] }) };
    const namesOf = (metric: string): unknown => {
      const data = computeChart({ metric }, input);
      return [labelsOf(data).join(), data.unit, data.additive];
    };
    assert.deepEqual(namesOf('request_rate'), ['Requests', 'req/s', true]);
    assert.deepEqual(namesOf('error_rate'), ['Error rate', '%', false]);
    assert.deepEqual(namesOf('latency'), ['p50,p95,p99', 'ms', false]);
    assert.deepEqual(namesOf('latency_avg'), ['Average', 'ms', false]);
    assert.deepEqual(
      ['latency_p50', 'latency_p95', 'latency_p99'].map(namesOf),
      ['p50', 'p95', 'p99'].map((label) => [label, 'ms', false]),
    );
    assert.deepEqual(namesOf('apdex'), ['Apdex', '', false]);
    assert.deepEqual(namesOf('log_rate'), ['Log records', 'logs/s', true]);
    assert.deepEqual(namesOf('error_log_rate'), ['Error log records', 'logs/s', true]);
    assert.equal(computeChart({ unit: 'orders/s' }, input).unit, 'orders/s');
  });

  it('`latency` takes no group', () => {
    assert.deepEqual(
      labelsOf(computeChart({ metric: 'latency', groupBy: 'service' }, inputOf([span({ endMs: minutesAgo(1) })]))),
      ['p50', 'p95', 'p99'],
    );
  });

  it('by operation count entry spans of every kind, and name the service where there may be several', () => {
    const endMs = minutesAgo(1);
    const input = inputOf([
      span({ endMs, operation: 'job', kind: 'INTERNAL' }),
      span({ endMs, operation: 'job', kind: 'CONSUMER' }),
      span({ endMs, operation: 'step', kind: 'INTERNAL', parentId: 'p' }),
      span({ endMs, service: 'mail', operation: 'send' }),
    ]);
    assert.deepEqual(labelsOf(computeChart({ groupBy: 'operation' }, input)), ['shop job', 'mail send']);
    assert.deepEqual(labelsOf(computeChart({ groupBy: 'operation', serviceName: 'shop' }, input)), ['job']);
    assert.equal(computeChart({ groupBy: 'operation' }, input).series[0].points.at(-1)!.value, 2 / 60);
  });

  it('do not mix up a service and an operation that read the same in one line', () => {
    const input = inputOf([
      span({ endMs: minutesAgo(1), service: 'a', operation: 'b c' }),
      span({ endMs: minutesAgo(1), service: 'a b', operation: 'c' }),
    ]);
    assert.deepEqual(labelsOf(computeChart({ groupBy: 'operation' }, input)), ['a b c', 'a b c']);
  });

  it('say what they are made from', () => {
    const parts = (chart: Parameters<typeof chartOf>[0]): unknown => {
      const { part, service } = createChartFold(chartOf(chart), TEN_MINUTES);
      return [part, service];
    };
    assert.deepEqual(parts({}), ['grids', undefined]);
    assert.deepEqual(parts({ metric: 'latency_p95', groupBy: 'service' }), ['grids', undefined]);
    assert.deepEqual(parts({ serviceName: 'shop' }), ['grids', 'shop']);
    assert.deepEqual(parts({ groupBy: 'operation' }), ['services', undefined]);
    assert.deepEqual(parts({ groupBy: 'operation', serviceName: 'shop' }), ['services', 'shop']);
    assert.deepEqual(parts({ metric: 'log_rate', serviceName: 'shop' }), ['logs', 'shop']);
    assert.deepEqual(parts({ metric: 'queue.length' }), ['metrics', undefined]);
  });

  it('may be asked again, and go on', () => {
    const [first, second] = inputOf([
      ...Array.from({ length: 12 }, (_, i) => span({ service: `s${i}`, endMs: minutesAgo(2) })),
      span({ service: 's11', endMs: minutesAgo(1) }),
    ]).grids;
    const fold = createChartFold(chartOf({ groupBy: 'service' }), TEN_MINUTES);
    if (fold.part !== 'grids') assert.fail();
    fold.add(first);
    assert.deepEqual(fold.compute(), fold.compute());
    fold.add(second);
    assert.equal(fold.compute().series[0].label, 's11');
  });
});

describe('charts of log records', () => {
  it('count records a second, of all services or one, 0 where none came', () => {
    const input = logs(
      ...Array.from({ length: 60 }, () => log(-2, 9)),
      log(-2, 9, 'mail'),
      ...Array.from({ length: 29 }, () => log(-1, 1)),
    );
    assert.deepEqual(
      valuesOf(computeChart({ metric: 'log_rate' }, input)).map((values) => values.slice(-3)),
      [[0, 61 / 60, 29 / 60]],
    );
    assert.deepEqual(
      valuesOf(computeChart({ metric: 'log_rate', serviceName: 'mail' }, input)).map((values) => values.slice(-3)),
      [[0, 1 / 60, 0]],
    );
    assert.deepEqual(labelsOf(computeChart({ metric: 'log_rate', groupBy: 'service' }, input)), ['shop', 'mail']);
  });

  it('take Error and Fatal for errors, and nothing milder', () => {
    const input = logs(...[16, 17, 20, 21, 24].map((severity) => log(-1, severity)));
    assert.equal(computeChart({ metric: 'error_log_rate' }, input).series[0].points.at(-1)!.value, 4 / 60);
  });

  it('show severities from mild to grave, those that occur', () => {
    const input = logs(log(-1, 21), log(-1, 1), ...Array.from({ length: 9 }, () => log(-2, 9)));
    assert.deepEqual(labelsOf(computeChart({ metric: 'log_rate', groupBy: 'severity' }, input)), [
      'Trace',
      'Information',
      'Fatal',
    ]);
    assert.deepEqual(labelsOf(computeChart({ metric: 'error_log_rate', groupBy: 'severity' }, input)), [
      'Error',
      'Fatal',
    ]);
  });

  it('show that there were no errors where there were records, and nothing where there were none', () => {
    assert.deepEqual(valuesOf(computeChart({ metric: 'error_log_rate' }, logs(log(-1, 9)))), [
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ]);
    assert.deepEqual(computeChart({ metric: 'error_log_rate' }, logs(log(-11, 17))).series, []);
  });
});
