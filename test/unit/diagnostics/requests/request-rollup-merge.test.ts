import assert from 'node:assert/strict';
import { addRequestMetrics, SPAN_MARGIN_MINUTES } from '../../../../src/diagnostics/requests/request-rollup-merge.js';
import type { MetricRollup, TimeBucket } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import { HOUR_MS, inputOf, span, spans } from '../given-rollups.js';
import { metricsOf, timedSeries } from './given-request-series.js';

const HOUR = HOUR_MS / MINUTE_MS;

const reported = (service: string, minute: number, count: number): TimeBucket<MetricRollup> => ({
  minute: HOUR + minute,
  minutes: 1,
  value: metricsOf(
    service,
    timedSeries('http.server.request.duration', 's', {}, { count }),
    timedSeries('http.client.request.duration', 's', { 'server.address': 'stock' }, { count }),
  ),
});

function merge(input: ReturnType<typeof inputOf>, ...metrics: readonly TimeBucket<MetricRollup>[]) {
  return addRequestMetrics(input, { metrics, spans: input.grids, apdexThresholdMs: 500 });
}

/** Minute, service and requests. */
function countsOf({ grids }: ReturnType<typeof merge>): unknown[] {
  return grids.flatMap(({ minute, value }) =>
    value.services.map(({ service, count }) => [minute - HOUR, service, count]),
  );
}

describe('request metrics beside spans', () => {
  it('leave the input alone if there are none', () => {
    const input = inputOf([span()]);
    assert.equal(merge(input), input);
  });

  it('count where a service sends no spans', () => {
    const input = inputOf(spans(3, HOUR_MS, HOUR_MS + MINUTE_MS, { service: 'shop' }));
    const merged = merge(input, reported('cart', 0, 8), reported('cart', 1, 9));
    assert.deepEqual(countsOf(merged), [
      [0, 'cart', 8],
      [0, 'shop', 3],
      [1, 'cart', 9],
    ]);
    assert.deepEqual(
      merged.services.map(({ minute, value }) => [minute - HOUR, value.service]),
      [
        [0, 'cart'],
        [0, 'shop'],
        [1, 'cart'],
      ],
    );
  });

  it('never count beside spans of the same service, whose requests may count in another minute there', () => {
    const input = inputOf([span({ service: 'shop', endMs: HOUR_MS + 10 * MINUTE_MS })]);
    const near = [10 - SPAN_MARGIN_MINUTES, 9, 10, 11, 10 + SPAN_MARGIN_MINUTES];
    assert.deepEqual(countsOf(merge(input, ...near.map((minute) => reported('shop', minute, 5)))), [[10, 'shop', 1]]);
    const far = [9 - SPAN_MARGIN_MINUTES, 11 + SPAN_MARGIN_MINUTES];
    assert.deepEqual(countsOf(merge(input, ...far.map((minute) => reported('shop', minute, 5)))), [
      [far[0], 'shop', 5],
      [10, 'shop', 1],
      [far[1], 'shop', 5],
    ]);
  });

  it('call a service real that sends spans', () => {
    const input = inputOf(spans(3, HOUR_MS, HOUR_MS + MINUTE_MS, { service: 'stock', ms: 50 }));
    const [{ value }] = merge(input, reported('cart', 0, 8)).grids;
    assert.deepEqual(
      value.edges.map(({ source, target, virtual, paired, wireNs }) => [source, target, virtual, paired, wireNs]),
      [['cart', 'stock', false, 8, 1.2e9]],
    );
  });

  it('give the same object for the same rollups, so that what was derived from it stays valid', () => {
    const input = inputOf([]);
    const metrics = [reported('cart', 0, 8)];
    const [first, second] = [merge(input, ...metrics), merge(input, ...metrics)];
    assert.equal(first.services[0].value, second.services[0].value);
    assert.notEqual(
      addRequestMetrics(input, { metrics, spans: [], apdexThresholdMs: 50 }).services[0].value,
      first.services[0].value,
    );
  });
});
