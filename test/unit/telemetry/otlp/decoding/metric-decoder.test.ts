import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createMetricColumns,
  POINT_GAUGE,
  POINT_SUM,
  TEMPORALITY_CUMULATIVE,
  type MetricColumns,
} from '../../../../../src/telemetry/columns/metric-batch-columns.js';
import { decodeMetrics } from '../../../../../src/telemetry/otlp/decoding/metric-decoder.js';
import { validateRecords } from '../../../../../src/telemetry/otlp/validation/validate-export-request.js';
import { MalformedBody } from '../../../../../src/telemetry/otlp/wire/wire-reader.js';
import { hasValue, metricRequest, pointsOf, type ModelPoint } from '../../../../support/metric-model.js';
import { officialEncode } from '../../../../support/official-otlp.js';
import { NOW_NS, type KeyValue } from '../../../../support/otlp-model.js';
import { attributesOf, serviceOf, textOf } from '../../../../support/otlp-oracle.js';
import { createTelemetryGenerator } from '../../../../support/telemetry-generator.js';

const REVISION = 7;
const LAST_EXACT_US = 2 ** 53;

function canonical(pairs: readonly KeyValue[]): string {
  const byKey = [...attributesOf(pairs)].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(byKey.map(([key, value]) => [key, String(value)]));
}

function valuesOf({ kind, point }: ModelPoint): { value: number; observations: number; min: number; max: number } {
  if (kind === POINT_GAUGE || kind === POINT_SUM) {
    const value = point.asDouble ?? (point.asInt === undefined ? NaN : Number(point.asInt));
    return { value, observations: 1, min: value, max: value };
  }
  const last = (quantile: number): number | undefined =>
    point.quantileValues?.filter((each) => each.quantile === quantile).at(-1)?.value;
  return {
    value: point.sum ?? NaN,
    observations: Number(point.count),
    min: point.min ?? last(0) ?? NaN,
    max: point.max ?? last(1) ?? NaN,
  };
}

function microsOf(nanos: bigint): number {
  return Math.min(LAST_EXACT_US, Number(nanos / 1000n));
}

function assertRow(columns: MetricColumns, row: number, expected: ModelPoint, body: Uint8Array): void {
  const { strings } = columns;
  const { data, kind, metric, point, resource } = expected;
  const { value, observations, min, max } = columns;
  assert.deepEqual(
    { value: value[row], observations: observations[row], min: min[row], max: max[row] },
    unsignedZeros(valuesOf(expected), columns, row),
  );
  assert.equal(columns.kind[row], kind);
  assert.equal(columns.temporality[row], (data.aggregationTemporality ?? 0) % 3);
  assert.equal(columns.monotonic[row], data.isMonotonic === true ? 1 : 0);
  assert.equal(Math.min(LAST_EXACT_US, columns.timeUs[row]), microsOf(point.timeUnixNano));
  assert.equal(Math.min(LAST_EXACT_US, columns.startUs[row]), microsOf(point.startTimeUnixNano));
  assert.equal(strings.text(columns.metric[row]), metric.name);
  assert.equal(strings.text(columns.unit[row]), metric.unit);
  assert.equal(strings.text(columns.attributes[row]), canonical(point.attributes));
  assert.equal(strings.text(columns.service[row]), serviceOf(resource));
  assert.equal(strings.text(columns.resourceVersions[columns.resource[row]]), textOf(resource, 'service.version'));
  assert.equal(strings.text(columns.resourceInstances[columns.resource[row]]), textOf(resource, 'service.instance.id'));
  assert.equal(columns.revision[row], REVISION);
  assert.ok(columns.offset[row] + columns.length[row] <= body.length);
}

/** protobufjs leaves out a zero of either sign where the field is not optional. */
function unsignedZeros<T extends Record<string, number>>(values: T, columns: MetricColumns, row: number): T {
  const seen = columns as unknown as Record<string, Float64Array>;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === 0 && seen[name][row] === 0 ? seen[name][row] : value,
    ]),
  ) as T;
}

function decoded(...metrics: object[]): MetricColumns {
  const columns = createMetricColumns();
  decodeMetrics(officialEncode('metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }), 0, [], columns);
  return columns;
}

function nest(field: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([field * 8 + 2, payload.length]), payload]);
}

const POINT = { timeUnixNano: NOW_NS };
const pair = (key: string, stringValue: string): KeyValue => ({ key, value: { stringValue } });

describe('metric decoder', () => {
  it('agrees with the official encoder on every field of random requests', () => {
    const columns = createMetricColumns(1);
    fc.assert(
      fc.property(metricRequest, (request) => {
        const body = officialEncode('metrics', request);
        const expected = pointsOf(request).filter(hasValue);
        columns.clear();
        decodeMetrics(body, REVISION, [], columns);
        assert.equal(columns.count, expected.length);
        expected.forEach((each, row) => assertRow(columns, row, each, body));
        const resources = request.resourceMetrics.flatMap(({ resource }) => resource?.attributes ?? []);
        assert.deepEqual(
          columns.keys,
          new Set([...resources, ...expected.flatMap(({ point }) => point.attributes)].map(({ key }) => key)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('passes by what the validator rejects, whose ordinals count the points of all kinds', () => {
    fc.assert(
      fc.property(metricRequest, (request) => {
        const body = officialEncode('metrics', request);
        const { rejected } = validateRecords('metrics', body, { oldestMs: 1, newestMs: Number(NOW_NS / 1_000_000n) });
        const kept = pointsOf(request).filter((each) => hasValue(each) && !rejected.includes(each.ordinal));
        const columns = createMetricColumns();
        decodeMetrics(body, REVISION, rejected, columns);
        assert.equal(columns.count, kept.length);
        kept.forEach((each, row) => assertRow(columns, row, each, body));
      }),
      { numRuns: 300 },
    );
  });

  it('preserves numbers as sent', () => {
    const dataPoints = [
      { ...POINT, asInt: -5n },
      { ...POINT, asInt: 2n ** 62n },
      { ...POINT, asDouble: NaN },
      { ...POINT, asDouble: -Infinity },
      POINT,
    ];
    const columns = decoded({ name: 'm', gauge: { dataPoints } });
    assert.deepEqual([...columns.value.subarray(0, 5)], [-5, 2 ** 62, NaN, -Infinity, NaN]);
  });

  it('creates no row for a point flagged as having no value', () => {
    const columns = decoded({
      name: 'm',
      sum: {
        dataPoints: [
          { ...POINT, asInt: 1n },
          { ...POINT, flags: 1 },
          { ...POINT, asInt: 3n },
        ],
      },
    });
    assert.deepEqual([...columns.value.subarray(0, columns.count)], [1, 3]);
  });

  it('gives one id to the same attributes in any order, repeated keys and other kinds of points', () => {
    const a = pair('a', '1');
    const b = pair('b', '2');
    const dataPoints = [
      { ...POINT, attributes: [a, b] },
      { ...POINT, attributes: [b, a] },
      { ...POINT, attributes: [b, a, pair('a', '3')] },
      { ...POINT, attributes: [a] },
    ];
    const columns = decoded({ name: 'm', gauge: { dataPoints } }, { name: 'h', histogram: { dataPoints } });
    assert.equal(columns.strings.text(columns.attributes[0]), '[["a","1"],["b","2"]]');
    assert.equal(new Set(columns.attributes.subarray(0, columns.count)).size, 2);
  });

  it('takes name, unit, temporality and attributes from wherever they stand', () => {
    const attribute = (key: string): Buffer =>
      nest(7, Buffer.concat([nest(1, Buffer.from(key)), nest(2, nest(1, Buffer.from('v')))]));
    const value = Buffer.from([0x31, 5, 0, 0, 0, 0, 0, 0, 0]);
    const point = Buffer.concat([attribute('b'), value, attribute('a')]);
    const metric = Buffer.concat([
      nest(7, Buffer.concat([nest(1, point), Buffer.from([0x10, 2])])),
      nest(3, Buffer.from('By')),
      nest(1, Buffer.from('late')),
    ]);
    const columns = createMetricColumns();
    decodeMetrics(nest(1, nest(2, nest(2, metric))), 0, [], columns);
    const { strings } = columns;
    assert.deepEqual(
      [strings.text(columns.metric[0]), strings.text(columns.unit[0]), columns.temporality[0], columns.value[0]],
      ['late', 'By', TEMPORALITY_CUMULATIVE, 5],
    );
    assert.equal(strings.text(columns.attributes[0]), '[["a","v"],["b","v"]]');
    assert.deepEqual(columns.keys, new Set(['a', 'b']));
  });

  it('lists keys again after clear(), and ids hold for strings that were replaced', () => {
    const many = Array.from({ length: 70_000 }, (_, n) => ({ ...POINT, attributes: [pair('n', String(n))] }));
    const body = officialEncode('metrics', {
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', gauge: { dataPoints: many } }] }] }],
    });
    const columns = createMetricColumns();
    for (let round = 0; round < 3; round++) {
      columns.clear();
      decodeMetrics(body, 0, [], columns);
      assert.deepEqual([...columns.keys], ['n']);
      assert.equal(columns.strings.text(columns.attributes[69_999]), '[["n","69999"]]');
    }
  });

  it('leaves the columns as they were when a body does not parse', () => {
    const generator = createTelemetryGenerator(3);
    const columns = createMetricColumns();
    decodeMetrics(generator.metrics(20), 0, [], columns);
    const resources = columns.resourceTokens.length;
    assert.throws(() => decodeMetrics(generator.metrics(500).subarray(0, -3), 1, [], columns), MalformedBody);
    assert.equal(columns.count, 20);
    assert.deepEqual(
      [columns.resourceTokens.length, columns.resourceVersions.length, columns.resourceInstances.length],
      [resources, resources, resources],
    );
  });
});
