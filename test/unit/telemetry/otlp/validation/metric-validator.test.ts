import assert from 'node:assert/strict';
import { validateRecords } from '../../../../../src/telemetry/otlp/validation/validate-export-request.js';
import { MalformedBody } from '../../../../../src/telemetry/otlp/wire/wire-reader.js';
import { officialEncode } from '../../../../support/official-otlp.js';
import { NOW_NS } from '../../../../support/otlp-model.js';

const BOUNDS = { oldestMs: 1, newestMs: Number(NOW_NS / 1_000_000n) };
const STALE = { timeUnixNano: 0n, flags: 1 };
const POINT = { timeUnixNano: NOW_NS };

function rejected(...metrics: object[]): readonly number[] {
  return validateRecords(
    'metrics',
    officialEncode('metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }),
    BOUNDS,
  ).rejected;
}

const gauge = (...dataPoints: object[]): object => ({ name: 'm', gauge: { dataPoints } });
const histogram = (...dataPoints: object[]): object => ({ name: 'm', histogram: { dataPoints } });
const buckets = (counts: number, bounds: number): object => ({
  ...POINT,
  bucketCounts: Array.from({ length: counts }, () => 1n),
  explicitBounds: Array.from({ length: bounds }, (_, n) => n),
});

describe('validation of metrics', () => {
  it('counts data points of every kind in the order of the body', () => {
    const dataPoints = [POINT, { timeUnixNano: 0n }];
    assert.deepEqual(
      rejected(
        { name: 'g', gauge: { dataPoints } },
        { name: 's', sum: { dataPoints } },
        { name: 'h', histogram: { dataPoints } },
        { name: 'e', exponentialHistogram: { dataPoints } },
        { name: 'q', summary: { dataPoints } },
      ),
      [1, 3, 5, 7, 9],
    );
  });

  it('rejects a point without a time unless it is flagged as having no value', () => {
    assert.deepEqual(rejected(gauge({ timeUnixNano: 0n }, STALE, POINT)), [0]);
  });

  it('rejects points out of bounds', () => {
    assert.deepEqual(
      rejected(gauge({ timeUnixNano: 1n }, { timeUnixNano: 2n ** 64n - 1n }, { timeUnixNano: NOW_NS + 1_000_000n })),
      [0, 1, 2],
    );
  });

  it('rejects buckets that do not fit the bounds', () => {
    assert.deepEqual(
      rejected(
        histogram(buckets(3, 2), buckets(3, 3), buckets(0, 0), buckets(1, 0), buckets(0, 2), {
          ...buckets(9, 2),
          flags: 1,
        }),
      ),
      [1, 4],
    );
  });

  it('counts buckets that are not packed too', () => {
    const unpacked = Buffer.from([
      0x19,
      ...timeBytes(),
      0x31,
      ...Array<number>(8).fill(0),
      0x31,
      ...Array<number>(8).fill(0),
      0x39,
      ...Array<number>(8).fill(0),
    ]);
    const metric = Buffer.concat([Buffer.from([0x0a, 1, 0x6d]), nest(9, nest(1, unpacked))]);
    assert.deepEqual(validateRecords('metrics', nest(1, nest(2, nest(2, metric))), BOUNDS), {
      total: 1,
      rejected: [],
      message: '',
    });
  });

  it('refuses packed buckets of an odd size', () => {
    const metric = nest(9, nest(1, nest(6, Buffer.alloc(7))));
    assert.throws(() => validateRecords('metrics', nest(1, nest(2, nest(2, metric))), BOUNDS), MalformedBody);
  });

  it('rejects all points of a metric without a name, and only those', () => {
    assert.deepEqual(
      rejected(gauge(POINT), { gauge: { dataPoints: [POINT, { timeUnixNano: 0n }] } }, gauge(POINT)),
      [1, 2],
    );
    const { message } = validateRecords(
      'metrics',
      officialEncode('metrics', {
        resourceMetrics: [{ scopeMetrics: [{ metrics: [{ gauge: { dataPoints: [POINT] } }] }] }],
      }),
      BOUNDS,
    );
    assert.equal(message, '1 data point rejected: 1 of a metric without a name');
  });

  it('takes exponential histograms, exemplars and quantiles', () => {
    const exponential = {
      ...POINT,
      scale: -3,
      positive: { offset: -1, bucketCounts: [1, 2, 300] },
      exemplars: [{ timeUnixNano: NOW_NS, filteredAttributes: [{ key: 'k' }] }],
    };
    assert.deepEqual(
      rejected(
        { name: 'e', exponentialHistogram: { dataPoints: [exponential] } },
        { name: 's', summary: { dataPoints: [{ ...POINT, quantileValues: [{ quantile: 0.5, value: 1 }] }] } },
      ),
      [],
    );
  });
});

function timeBytes(): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(NOW_NS);
  return bytes;
}

function nest(field: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([field * 8 + 2, payload.length]), payload]);
}
