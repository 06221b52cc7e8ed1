import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Sketch } from '../../../../src/diagnostics/rollups/sketch.js';
import { EdgeAccumulator } from '../../../../src/projections/telemetry/rollups/grid-rollup-accumulator.js';
import type { Intern } from '../../../../src/read-models/rollups/byte-codec.js';
import { decodeGridRollup, encodeGridRollup } from '../../../../src/read-models/rollups/grid-rollup-codec.js';
import { decodeLogRollup, encodeLogRollup } from '../../../../src/read-models/rollups/log-rollup-codec.js';
import { decodeMetricRollup, encodeMetricRollup } from '../../../../src/read-models/rollups/metric-rollup-codec.js';
import { decodeServiceRollup, encodeServiceRollup } from '../../../../src/read-models/rollups/service-rollup-codec.js';
import { gridRollup, logRollup, metricRollup, serviceRollup } from './support/arbitrary-rollups.js';
import { plain, reversed } from './support/plain.js';

function laws<T>(
  what: string,
  rollups: fc.Arbitrary<T>,
  encode: (rollup: T) => Uint8Array,
  decode: (bytes: Uint8Array, intern?: Intern) => T,
): void {
  describe(`the bytes of ${what}`, () => {
    it('give back the rollup', () => {
      fc.assert(fc.property(rollups, (rollup) => assert.deepEqual(plain(decode(encode(rollup))), plain(rollup))));
    });

    it('are equal for equal rollups, in whatever order their lists come, and after decoding', () => {
      fc.assert(
        fc.property(rollups, (rollup) => {
          const bytes = encode(rollup);
          assert.deepEqual(encode(reversed(rollup)), bytes);
          assert.deepEqual(encode(decode(bytes)), bytes);
        }),
      );
    });

    it('are refused with a clear error when cut off anywhere, or with bytes too many', () => {
      fc.assert(
        fc.property(rollups, fc.double({ min: 0, max: 0.999, noNaN: true }), (rollup, share) => {
          const bytes = encode(rollup);
          assert.throws(() => decode(bytes.subarray(0, Math.floor(bytes.length * share))), { name: 'DamagedRollup' });
          assert.throws(() => decode(Buffer.concat([bytes, Buffer.of(0)])), { name: 'DamagedRollup' });
        }),
      );
    });

    it('are refused under the number of another format', () => {
      fc.assert(
        fc.property(rollups, (rollup) => {
          const bytes = encode(rollup);
          bytes[0] += 1;
          assert.throws(() => decode(bytes), /format/);
        }),
      );
    });

    it('make no other error than DamagedRollup when overwritten', () => {
      fc.assert(
        fc.property(rollups, fc.nat(), fc.nat(255), (rollup, place, byte) => {
          const bytes = encode(rollup);
          bytes[place % bytes.length] = byte;
          try {
            plain(decode(bytes));
          } catch (error) {
            assert.equal((error as Error).name, 'DamagedRollup');
          }
        }),
      );
    });
  });
}

describe('rollup codecs', () => {
  laws('a Grid rollup', gridRollup, encodeGridRollup, decodeGridRollup);
  laws('a service rollup', serviceRollup, encodeServiceRollup, decodeServiceRollup);
  laws('a log rollup', logRollup, encodeLogRollup, decodeLogRollup);
  laws('a metric rollup', metricRollup, encodeMetricRollup, decodeMetricRollup);

  const durations = [1, 5, 5, 1_000_000, 2 ** 40];
  const sketch = new Sketch();
  for (const duration of durations) sketch.add(duration);
  const measures = { count: 5, errors: 1, durationNs: 2 ** 53, satisfied: 2 ** 33, tolerating: 0, latency: sketch };
  const grid = {
    services: [{ service: 'cart', ...measures, kinds: [0, 5, 0, 0, 0] as const, entryKinds: [0, 5, 0, 0, 0] as const }],
    edges: [],
  };

  it('keep counts above 2^32 and sums up to 2^53', () => {
    const [decoded] = decodeGridRollup(encodeGridRollup(grid)).services;

    assert.equal(decoded.satisfied, 2 ** 33);
    assert.equal(decoded.durationNs, 2 ** 53);
  });

  it('keep sums that no clock or sender can mean within their bounds, for one Grid must not stop the projection of all', () => {
    const histogram = {
      metric: 'h',
      unit: '',
      kind: 'histogram',
      monotonic: false,
      instance: '',
      attributes: [],
      points: 65,
      sum: 1,
      count: 65 * 2 ** 64,
      min: 1,
      max: 1,
      last: 1,
      lastUs: 1,
      buckets: [],
      quantiles: [],
      exemplars: [],
    } as const;
    const [{ count }] = decodeMetricRollup(encodeMetricRollup({ service: '', series: [histogram] })).series;
    assert.ok(count < 65 * 2 ** 64 && count > 63 * 2 ** 64);
    // Longer than 2^53 ns, five calls and their taking back leave one ns less than there was.
    const call = new EdgeAccumulator({ source: 'a', target: 'b', virtual: true });
    call.addCall(0, false, 1);
    call.addCall(1, false, 1);
    for (const times of [5, -5]) for (let i = 0; i < 5; i++) call.addCall(30 * 86_400e9 + 1, false, Math.sign(times));
    call.addCall(1, false, -1);
    const [edge] = decodeGridRollup(encodeGridRollup({ services: [], edges: [call] })).edges;
    assert.deepEqual([call.durationNs < 0, edge.count, edge.durationNs], [true, 1, 0]);
  });

  it('refuse what is no count', () => {
    for (const count of [-1, 0.5, NaN, Infinity])
      assert.throws(
        () => encodeLogRollup({ service: '', severities: [count, 0, 0, 0, 0, 0], templates: [], exceptions: [] }),
        RangeError,
      );
  });

  it('read sketches that answer as the ones written, add up, and cannot be changed', () => {
    const [{ latency }] = decodeGridRollup(encodeGridRollup(grid)).services;
    const sum = new Sketch();
    sum.merge(latency);
    sum.merge(latency);

    for (const p of [1, 50, 99, 100]) assert.equal(latency.percentile(p), sketch.percentile(p));
    assert.equal(latency.countAbove(5), 2);
    assert.equal(sum.count, 10);
    assert.throws(() => latency.add(3), /cannot be changed/);
    assert.throws(() => latency.merge(sketch), /cannot be changed/);
  });

  it('hand every string through intern', () => {
    const seen: string[] = [];
    decodeGridRollup(encodeGridRollup(grid), (text) => {
      seen.push(text);
      return text;
    });

    assert.deepEqual(seen, ['cart']);
  });
});
