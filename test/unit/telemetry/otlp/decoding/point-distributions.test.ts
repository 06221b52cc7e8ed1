import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createMetricColumns, type MetricColumns } from '../../../../../src/telemetry/columns/metric-batch-columns.js';
import { translateJsonToProtobuf } from '../../../../../src/telemetry/otlp/json/json-to-protobuf.js';
import { decodeMetrics } from '../../../../../src/telemetry/otlp/decoding/metric-decoder.js';
import { validateRecords } from '../../../../../src/telemetry/otlp/validation/validate-export-request.js';
import { MalformedBody } from '../../../../../src/telemetry/otlp/wire/wire-reader.js';
import { bucketsOf, exemplarsOf, quantilesOf } from '../../../../support/distribution-oracle.js';
import {
  bodyOf,
  BOUNDS,
  decoded,
  decodedBody,
  exponential,
  EXPONENTIAL,
  gauge,
  GAUGE,
  histogram,
  HISTOGRAM,
  nest,
  real,
  requestOf,
  summary,
  SUMMARY,
  TIME,
} from '../../../../support/metric-bodies.js';
import {
  hasValue,
  metricRequest,
  pointsOf,
  type MetricRequest,
  type ModelPoint,
} from '../../../../support/metric-model.js';
import { officialEncode } from '../../../../support/official-otlp.js';
import { toOtlpJson } from '../../../../support/otlp-json.js';
import { NOW_NS } from '../../../../support/otlp-model.js';

/** protobufjs leaves out a zero of either sign where the field is not optional. */
function withoutSigns(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

function assertLists(columns: MetricColumns, expected: readonly ModelPoint[]): void {
  assert.equal(columns.count, expected.length);
  for (const list of [columns.buckets, columns.quantiles, columns.exemplars]) assert.ok(list.length <= columns.count);
  expected.forEach((each, row) => {
    assert.deepEqual(withoutSigns(columns.buckets[row]), withoutSigns(bucketsOf(each)));
    assert.deepEqual(withoutSigns(columns.quantiles[row]), withoutSigns(quantilesOf(each.point)));
    assert.deepEqual(withoutSigns(columns.exemplars[row]), withoutSigns(exemplarsOf(each.point)));
  });
}

function accepted(request: MetricRequest, rejected: readonly number[]): ModelPoint[] {
  return pointsOf(request).filter((each) => hasValue(each) && !rejected.includes(each.ordinal));
}

describe('buckets, quantiles and exemplars of data points', () => {
  it('are those of random requests that the official encoder wrote, of all kinds', () => {
    const columns = createMetricColumns(1);
    fc.assert(
      fc.property(metricRequest, (request) => {
        columns.clear();
        decodeMetrics(officialEncode('metrics', request), 0, [], columns);
        assertLists(columns, pointsOf(request).filter(hasValue));
      }),
      { numRuns: 500 },
    );
  });

  it('are the same in JSON', () => {
    fc.assert(
      fc.property(metricRequest, (request) => {
        const body = translateJsonToProtobuf('metrics', Buffer.from(toOtlpJson(request)));
        const { rejected } = validateRecords('metrics', body, BOUNDS);
        assertLists(decodedBody(body, rejected), accepted(request, rejected));
      }),
      { numRuns: 300 },
    );
  });

  it('stand in the rows of their points, whatever stands between', () => {
    const bucketed = { explicitBounds: [1], bucketCounts: [2n, 3n] };
    const columns = decoded(
      gauge({}, {}),
      histogram(bucketed),
      gauge({}),
      histogram({ ...bucketed, flags: 1 }),
      gauge({}),
      histogram(bucketed),
    );
    assert.deepEqual(
      columns.buckets.map((each) => each?.kind === 'explicit' && each.counts),
      [false, false, [2, 3], false, false, [2, 3]],
    );
  });

  it('go with the rows that a body leaves which does not parse', () => {
    const point = { explicitBounds: [1], bucketCounts: [2n, 3n], exemplars: [{ asInt: 1n }] };
    const body = officialEncode(
      'metrics',
      requestOf(histogram(point, point), summary({ quantileValues: [{ quantile: 0.5, value: 1 }] })),
    );
    const columns = decodedBody(body);
    assert.throws(() => decodeMetrics(Buffer.concat([body, Buffer.from([0x0a, 1])]), 1, [], columns), MalformedBody);
    assert.deepEqual([columns.buckets.length, columns.quantiles.length, columns.exemplars.length], [3, 3, 3]);
    columns.clear();
    assert.deepEqual([columns.buckets.length, columns.quantiles.length, columns.exemplars.length], [0, 0, 0]);
  });
});

describe('quantiles', () => {
  it('are 32 at most', () => {
    const quantileValues = Array.from({ length: 100 }, (_, i) => ({ quantile: 1 - i / 100, value: i }));
    const [quantiles] = decoded(summary({ quantileValues })).quantiles;
    assert.equal(quantiles?.length, 32);
    assert.deepEqual(
      [quantiles[0], quantiles[31]],
      [
        [1 - 31 / 100, 31],
        [1, 0],
      ],
    );
  });

  it('leave out what is not a quantile, and what has no value', () => {
    const quantileValues = [
      { quantile: -0.1, value: 1 },
      { quantile: 1.1, value: 1 },
      { quantile: NaN, value: 1 },
      { quantile: 0.5, value: NaN },
      { quantile: 0.9, value: -Infinity },
    ];
    assert.deepEqual(decoded(summary({ quantileValues }, {})).quantiles, []);
  });
});

describe('exemplars', () => {
  it('of very many are the four of the largest values', () => {
    const exemplars = Array.from({ length: 20_000 }, (_, i) => ({
      timeUnixNano: NOW_NS,
      asInt: BigInt((i * 7_919) % 20_000),
      spanId: Buffer.alloc(8, 1),
      traceId: Buffer.alloc(16, 2),
    }));
    const [kept] = decoded(gauge({ exemplars })).exemplars;
    assert.deepEqual(
      kept?.map(({ value }) => value),
      [19_999, 19_998, 19_997, 19_996],
    );
    assert.deepEqual([kept?.[0].spanId, kept?.[0].traceId], ['01'.repeat(8), '02'.repeat(16)]);
  });

  it('use the last of repeated ids, ignoring those of wrong length', () => {
    const exemplar = nest(
      5,
      real(3, 5),
      nest(4, Buffer.alloc(8, 1)),
      nest(4, Buffer.alloc(7, 1)),
      nest(5, Buffer.alloc(3)),
      nest(5, Buffer.alloc(16, 0xab)),
    );
    const body = bodyOf(GAUGE, real(4, 1), exemplar);
    assert.deepEqual(validateRecords('metrics', body, BOUNDS).rejected, []);
    assert.deepEqual(decodedBody(body).exemplars, [[{ timeUs: 0, value: 5, traceId: 'ab'.repeat(16), spanId: '' }]]);
  });
});

describe('malformed buckets and exemplars', () => {
  const parts = {
    'packed counts of an odd size': bodyOf(HISTOGRAM, nest(6, Buffer.alloc(7))),
    'packed bounds of an odd size': bodyOf(HISTOGRAM, nest(7, Buffer.alloc(12))),
    'a packed count that does not end': bodyOf(EXPONENTIAL, nest(8, nest(2, Buffer.from([0x80])))),
    'a packed count of more than ten bytes': bodyOf(EXPONENTIAL, nest(9, nest(2, Buffer.alloc(11, 0x80)))),
    'an exemplar that ends in its time': bodyOf(HISTOGRAM, nest(8, TIME.subarray(0, 5))),
    'an exemplar whose id overruns': bodyOf(EXPONENTIAL, nest(11, Buffer.from([0x22, 9, 1]))),
    'a quantile that ends in its value': bodyOf(SUMMARY, nest(6, real(2, 1).subarray(0, 4))),
  };
  for (const [what, body] of Object.entries(parts)) {
    it(`are refused by validation and decoder: ${what}`, () => {
      assert.throws(() => validateRecords('metrics', body, BOUNDS), MalformedBody);
      assert.throws(() => decodedBody(body), MalformedBody);
    });
  }

  it('with changed bytes are refused, or decode consistently with validation', () => {
    const exemplars = [
      { timeUnixNano: NOW_NS, asDouble: 3, spanId: Buffer.alloc(8, 1), traceId: Buffer.alloc(16, 2) },
      { asInt: -2n },
    ];
    const body = officialEncode(
      'metrics',
      requestOf(
        histogram({ explicitBounds: [1, 2], bucketCounts: [1n, 2n, 3n], exemplars }),
        exponential({
          scale: 3,
          positive: { offset: -2, bucketCounts: [1, 200, 3] },
          negative: { offset: 300, bucketCounts: [1] },
          exemplars,
        }),
        summary({
          quantileValues: [
            { quantile: 0.5, value: 1 },
            { quantile: 1, value: 2 },
          ],
        }),
        gauge({ exemplars }),
      ),
    );
    const changes = fc.array(
      fc.tuple(fc.nat(body.length - 1), fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 127, 128, 255))),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(changes, (edits) => {
        const changed = Buffer.from(body);
        for (const [at, byte] of edits) changed[at] = byte;
        const verdict = outcome(() => validateRecords('metrics', changed, BOUNDS).rejected);
        if (verdict !== undefined) assert.ok(decodedBody(changed, verdict).count <= body.length);
      }),
      { numRuns: 4_000 },
    );
  });
});

/** Undefined where the bytes are not protobuf; any other error is one of ours. */
function outcome<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof MalformedBody) return undefined;
    throw error;
  }
}
