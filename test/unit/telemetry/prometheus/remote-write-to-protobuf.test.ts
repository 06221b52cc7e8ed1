import assert from 'node:assert/strict';
import { toUcumUnit } from '../../../../src/telemetry/prometheus/metric-families.js';
import type { RemoteWriteFormat } from '../../../../src/telemetry/prometheus/remote-write.js';
import { translateRemoteWriteToProtobuf } from '../../../../src/telemetry/prometheus/remote-write-to-protobuf.js';
import { officialDecode } from '../../../support/official-otlp.js';
import {
  encodeVersion1,
  encodeVersion2,
  type FamilyModel,
  type HistogramModel,
  type SeriesModel,
  TYPES,
} from '../../../support/remote-write-encoder.js';

const MS = 1_700_000_000_000;
const NS = `${MS}000000`;

interface Metric {
  readonly name: string;
  readonly [field: string]: unknown;
}

const attributes = (values: Record<string, string>): object[] =>
  Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));

/** The metrics of a translated request, by the official decoder, each with its resource's attributes. */
function translate(format: RemoteWriteFormat, body: Uint8Array) {
  const { protobuf, counts } = translateRemoteWriteToProtobuf(format, body);
  const { resourceMetrics = [] } = officialDecode('metrics', protobuf) as {
    resourceMetrics?: { resource: { attributes?: object[] }; scopeMetrics: { metrics: Metric[] }[] }[];
  };
  const metrics = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  const resources = resourceMetrics.map(({ resource }) => resource.attributes ?? []);
  return { metrics, resources, written: counts.countWritten([]), message: counts.describe(), counts };
}

const one = (...series: SeriesModel[]) => translate('remote-write-1', encodeVersion1(series));
const two = (...series: SeriesModel[]) => translate('remote-write-2', encodeVersion2(series));

function sample(name: string, value: number | 'stale', labels: Record<string, string> = {}): SeriesModel {
  return { labels: { __name__: name, ...labels }, samples: [{ value, ms: MS }] };
}

const points = ({ metrics }: { metrics: Metric[] }, kind: string) =>
  metrics.map((metric) => (metric[kind] as { dataPoints: Record<string, unknown>[] }).dataPoints[0]);

const CLASSIC: readonly SeriesModel[] = [
  sample('latency_bucket', 1, { le: '0.1', route: '/' }),
  sample('latency_bucket', 3, { le: '0.5', route: '/' }),
  sample('latency_bucket', 4, { le: '+Inf', route: '/' }),
  sample('latency_sum', 1.75, { route: '/' }),
  sample('latency_count', 4, { route: '/' }),
];

describe('series of Prometheus remote write', () => {
  it('become gauges and cumulative counters of the service that their job names', () => {
    const labels = { instance: '10.0.0.1:80', job: 'shop/till', pod: 'a' };
    const { metrics, resources, written } = one(sample('up', 1, labels), sample('paid_total', 7, labels));
    assert.deepEqual(resources, [
      attributes({ 'service.namespace': 'shop', 'service.name': 'till', 'service.instance.id': '10.0.0.1:80' }),
    ]);
    const point = { timeUnixNano: NS, attributes: attributes({ pod: 'a' }) };
    assert.deepEqual(metrics, [
      { name: 'up', gauge: { dataPoints: [{ ...point, asDouble: 1 }] } },
      {
        name: 'paid_total',
        sum: { dataPoints: [{ ...point, asDouble: 7 }], aggregationTemporality: 2, isMonotonic: true },
      },
    ]);
    assert.deepEqual(written, { samples: 2, histograms: 0, exemplars: 0 });
  });

  it('have the service of any job, and none without one', () => {
    for (const [labels, expected] of [
      [{ job: 'till' }, { 'service.name': 'till' }],
      [{ job: '/till' }, { 'service.name': '/till' }],
      [{ job: 'a/b/c' }, { 'service.namespace': 'a', 'service.name': 'b/c' }],
      [{ instance: 'i' }, { 'service.instance.id': 'i' }],
      [{}, {}],
    ] as [Record<string, string>, Record<string, string>][])
      assert.deepEqual(one(sample('up', 1, labels)).resources, [attributes(expected)]);
  });

  it('have the type, help and unit of their family in version 1, and their own in version 2', () => {
    const families: FamilyModel[] = [
      { name: 'hits', type: TYPES.counter, help: 'Hits.', unit: 'bytes_per_seconds' },
      { name: 'depth_total', type: TYPES.gauge },
    ];
    const first = translate('remote-write-1', encodeVersion1([sample('hits', 1), sample('depth_total', 2)], families));
    assert.deepEqual(
      first.metrics.map(({ name, description, unit, sum }) => [name, description, unit, sum !== undefined]),
      [
        ['hits', 'Hits.', 'By/s', true],
        ['depth_total', undefined, undefined, false],
      ],
    );
    const typed = (name: string, type: keyof typeof TYPES, labels = {}) => ({
      ...sample(name, 1, labels),
      type: TYPES[type],
      unit: 'seconds',
      help: 'h',
      createdMs: MS - 1000,
    });
    const second = two(
      typed('hits', 'counter'),
      typed('hits_total', 'gauge'),
      typed('wait', 'summary', { quantile: '0.5' }),
      typed('wait_sum', 'summary'),
      typed('wait_count', 'summary'),
      typed('build_info', 'info'),
      typed('queue_bucket', 'gaugehistogram', { le: '1' }),
    );
    const kinds = second.metrics.map(({ name, gauge }) => [name, gauge === undefined ? 'sum' : 'gauge']);
    assert.deepEqual(kinds, [
      ['hits', 'sum'],
      ['hits_total', 'gauge'],
      ['wait', 'gauge'],
      ['wait_sum', 'sum'],
      ['wait_count', 'sum'],
      ['build_info', 'gauge'],
      ['queue_bucket', 'gauge'],
    ]);
    assert.deepEqual([second.metrics[0]['unit'], second.metrics[0]['description']], ['s', 'h']);
    assert.equal(points({ metrics: [second.metrics[0]] }, 'sum')[0]['startTimeUnixNano'], `${MS - 1000}000000`);
  });

  it('have units of OpenTelemetry, rates too', () => {
    for (const [unit, expected] of [
      ['', ''],
      ['bytes_per_second', 'By/s'],
      ['mebibytes_per_minute', 'MiBy/min'],
      ['kilobytes_per_hour', 'kBy/h'],
      ['requests_per_day', 'requests/d'],
      ['joules_per_week', 'J/wk'],
      ['grams_per_month', 'g/mo'],
      ['grams_per_year', 'g/a'],
      ['minutes', 'min'],
      ['days', 'd'],
      ['percent', '%'],
      ['second', 'second'],
      ['constructor_per_constructor', 'constructor/constructor'],
    ])
      assert.equal(toUcumUnit(unit), expected);
  });

  it('that have ended are taken without a value', () => {
    const { metrics, written, message } = one(sample('up', 'stale'), sample('x_bucket', 'stale', { le: '1' }));
    assert.deepEqual([metrics, written, message], [[], { samples: 2, histograms: 0, exemplars: 0 }, '']);
  });

  it('without a name, a time or proper labels are counted as not taken, the others taken', () => {
    const { metrics, written, message, counts } = one(
      sample('ok', 1),
      {
        labels: { job: 'x' },
        samples: [
          { value: 1, ms: MS },
          { value: 2, ms: MS + 1 },
        ],
      },
      { labels: { __name__: 'timeless' }, samples: [{ value: 1, ms: 0 }] },
    );
    assert.deepEqual([metrics.length, written.samples, counts.untranslated], [1, 1, 3]);
    assert.equal(
      message,
      '3 samples rejected: 2 without the label __name__ (first in timeseries[1]), 1 without a timestamp after 1970 (first in timeseries[2])',
    );
  });
});

describe('classic histograms of Prometheus', () => {
  const POINT = {
    timeUnixNano: NS,
    count: '4',
    sum: 1.75,
    bucketCounts: ['1', '2', '1'],
    explicitBounds: [0.1, 0.5],
    attributes: attributes({ route: '/' }),
  };

  it('become one point where they come together, in any order', () => {
    for (const series of [CLASSIC, CLASSIC.toReversed(), CLASSIC.filter((_, i) => i !== 4)]) {
      const { metrics, written } = one(...series);
      assert.deepEqual(metrics, [{ name: 'latency', histogram: { dataPoints: [POINT], aggregationTemporality: 2 } }]);
      assert.equal(written.samples, series.length);
    }
    const typed = CLASSIC.map((each) => ({ ...each, type: TYPES.histogram, createdMs: MS - 5 }));
    assert.deepEqual(points(two(...typed), 'histogram'), [{ ...POINT, startTimeUnixNano: `${MS - 5}000000` }]);
  });

  it('stay in parts where one is missing, contradicts the others or is of another time', () => {
    const [low, , infinite, sum, count] = CLASSIC;
    for (const series of [
      [low, infinite, count],
      [low, sum, count],
      [low, infinite, sum, sample('latency_count', 5, { route: '/' })],
      [low, sample('latency_bucket', 0, { le: '+Inf', route: '/' }), sum],
      [low, sample('latency_bucket', 1.5, { le: '+Inf', route: '/' }), sum],
      [low, low, infinite, sum],
      [low, infinite, sample('latency_sum', 1.75, { route: '/x' })],
      [low, infinite, { ...sum, samples: [{ value: 1, ms: MS + 1 }] }],
    ]) {
      const { metrics, written } = one(...series);
      assert.deepEqual(
        metrics.filter(({ histogram }) => histogram !== undefined),
        [],
        JSON.stringify(series),
      );
      assert.equal(written.samples, series.length);
      assert.deepEqual(
        metrics.map(({ name, sum: isSum }) => name.endsWith('_bucket') === (isSum !== undefined)),
        series.map(() => true),
        'buckets are counters, the rest gauges',
      );
    }
  });

  it('are apart by labels, time and target, with a bound of any spelling', () => {
    const sets: Record<string, string>[] = [{ route: '/' }, { route: '/b' }, { route: '/', job: 'x' }];
    const copies = sets.flatMap((labels) => [
      sample('latency_bucket', 1, { le: '1e-1', ...labels }),
      sample('latency_bucket', 1, { le: '+Inf', ...labels }),
      sample('latency_sum', 1, labels),
    ]);
    const { metrics } = one(...copies);
    assert.deepEqual(
      metrics.map(
        ({ histogram }) => (histogram as { dataPoints: { explicitBounds: number[] }[] }).dataPoints[0].explicitBounds,
      ),
      [[0.1], [0.1], [0.1]],
    );
    const strange = one(sample('latency_bucket', 1, { le: 'x' }), sample('latency_bucket', 1, { le: '-Inf' }));
    assert.equal(strange.metrics.length, 2);
  });
});

describe('native histograms of Prometheus', () => {
  const NATIVE: HistogramModel = {
    ms: MS,
    count: 12,
    sum: 18.4,
    schema: 1,
    zeroThreshold: 0.001,
    zeroCount: 2,
    positive: {
      spans: [
        [0, 2],
        [1, 2],
      ],
      deltas: [1, 1, -1, 0],
    },
    negative: { spans: [[-1, 2]], deltas: [2, 1] },
  };
  const native = (histogram: Partial<HistogramModel>): SeriesModel => ({
    labels: { __name__: 'latency' },
    histograms: [{ ...NATIVE, ...histogram }],
  });
  const EXPONENTIAL = {
    timeUnixNano: NS,
    count: '12',
    sum: 18.4,
    scale: 1,
    zeroCount: '2',
    zeroThreshold: 0.001,
    positive: { offset: -1, bucketCounts: ['1', '2', '0', '1', '1'] },
    negative: { offset: -2, bucketCounts: ['2', '3'] },
  };

  it('become exponential histograms, whose index is one less', () => {
    const expected = [
      { name: 'latency', exponentialHistogram: { dataPoints: [EXPONENTIAL], aggregationTemporality: 2 } },
    ];
    for (const { metrics, written } of [one(native({})), two(native({}))]) {
      assert.deepEqual(metrics, expected);
      assert.deepEqual(written, { samples: 0, histograms: 1, exemplars: 0 });
    }
    const asDoubles = native({
      isFloat: true,
      positive: {
        spans: [
          [0, 2],
          [1, 2],
        ],
        counts: [1, 2, 1, 1],
      },
      negative: { spans: [[-1, 2]], counts: [2, 3] },
    });
    assert.deepEqual(one(asDoubles).metrics, expected);
  });

  it('with custom bounds become explicit ones', () => {
    const { metrics } = two(
      native({
        schema: -53,
        count: 6,
        zeroCount: 0,
        negative: { spans: [] },
        positive: {
          spans: [
            [0, 1],
            [1, 1],
          ],
          deltas: [4, -2],
        },
        customValues: [1, 5],
      }),
    );
    assert.deepEqual(points({ metrics }, 'histogram'), [
      { timeUnixNano: NS, count: '6', sum: 18.4, bucketCounts: ['4', '0', '2'], explicitBounds: [1, 5] },
    ]);
  });

  it('that are wider than what is stored have neighbours joined', () => {
    const wide = native({
      schema: 8,
      count: 5,
      zeroCount: 0,
      negative: { spans: [] },
      positive: {
        spans: [
          [0, 2],
          [8_000, 1],
        ],
        deltas: [1, 1, 0],
      },
    });
    const [point] = points(one(wide), 'exponentialHistogram');
    const { offset, bucketCounts } = point['positive'] as { offset: number; bucketCounts: string[] };
    assert.equal(point['scale'], 7);
    assert.deepEqual([offset, bucketCounts.length, bucketCounts[0], bucketCounts[1]], [-1, 4002, '1', '2']);
    assert.equal(bucketCounts[4001], '2');
  });

  it('are not taken where a point cannot hold them', () => {
    const faults: [Partial<HistogramModel>, RegExp][] = [
      [{ schema: 9 }, /schema/],
      [{ schema: -5 }, /schema/],
      [{ resetHint: 3 }, /gauge histogram/],
      [{ count: 13 }, /add up/],
      [{ isFloat: true, count: 12.5 }, /whole/],
      [{ positive: { spans: [[0, 2]], deltas: [1] } }, /spans/],
      [{ positive: { spans: [[0, 1]], deltas: [1, 1] } }, /spans/],
      [
        {
          positive: {
            spans: [
              [0, 2],
              [-1, 1],
            ],
            deltas: [1, 1, 1],
          },
        },
        /spans/,
      ],
      [{ positive: { spans: [[0, 2]], deltas: [1, -2] } }, /spans/],
      [{ positive: { spans: [[0, 4_000_000_000]], deltas: [1] } }, /spans/],
      [{ zeroThreshold: NaN }, /threshold/],
      [{ ms: 0 }, /timestamp/],
      [{ schema: -53, customValues: [2, 1] }, /ascend/],
      [{ schema: -53, customValues: [1, 2] }, /outside/],
    ];
    for (const [change, expected] of faults) {
      const { metrics, message, written } = one(native(change));
      assert.deepEqual([metrics, written.histograms], [[], 0], JSON.stringify(change));
      assert.match(message, expected);
    }
    const stale = one(native({ sum: 'stale' }));
    assert.deepEqual([stale.metrics, stale.written.histograms, stale.message], [[], 1, '']);
    assert.equal(one(native({ sum: NaN, count: 13 })).metrics.length, 1, 'NaN was observed');
  });
});

describe('exemplars of Prometheus', () => {
  const TRACE = { trace_id: '5b8efff798038103d269b633813fc60c', span_id: 'eee19b7ec3c1b174', who: 'me' };
  const exemplars = [{ labels: TRACE, value: 0.3, ms: MS - 5 }];
  const EXPECTED = {
    timeUnixNano: `${MS - 5}000000`,
    asDouble: 0.3,
    traceId: Buffer.from(TRACE.trace_id, 'hex'),
    spanId: Buffer.from(TRACE.span_id, 'hex'),
    filteredAttributes: attributes({ who: 'me' }),
  };
  const decoded = (of: Record<string, unknown>) =>
    (of['exemplars'] as { traceId: Uint8Array; spanId: Uint8Array }[]).map((each) => ({
      ...each,
      traceId: Buffer.from(each.traceId),
      spanId: Buffer.from(each.spanId),
    }));

  it('belong to the next point of their series, though they come in one of their own', () => {
    const labels = { __name__: 'paid_total' };
    for (const series of [
      [{ labels, samples: [{ value: 1, ms: MS }], exemplars }],
      [sample('paid_total', 1), { labels, exemplars }],
      [{ labels, exemplars }, sample('paid_total', 1)],
    ])
      for (const translated of [one(...series), two(...series)]) {
        assert.deepEqual(decoded(points(translated, 'sum')[0]), [EXPECTED]);
        assert.deepEqual(translated.written, { samples: 1, histograms: 0, exemplars: 1 });
      }
  });

  it('of buckets belong to their histogram, and those without a point are not counted', () => {
    const bucket = { labels: CLASSIC[1].labels, exemplars };
    const { metrics, written, message } = one(...CLASSIC, bucket, { labels: { __name__: 'other' }, exemplars });
    assert.deepEqual(decoded(points({ metrics }, 'histogram')[0]), [EXPECTED]);
    assert.deepEqual([written, message], [{ samples: 5, histograms: 0, exemplars: 1 }, '']);
  });
});
