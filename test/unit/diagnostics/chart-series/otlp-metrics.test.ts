import assert from 'node:assert/strict';
import { AGGREGATIONS, type NewChart } from '../../../../src/diagnostics/chart-model.js';
import {
  OTHER_NAME,
  type MetricSeriesRollup,
  type TimeBucket,
  type MetricRollup,
} from '../../../../src/diagnostics/rollups/rollup-types.js';
import type { Exemplar } from '../../../../src/telemetry/metric-distributions.js';
import { divideWindow } from '../../../../src/diagnostics/chart-series/chart-window.js';
import { HOUR_MS } from '../given-rollups.js';
import { frameOf, labelsOf, pointsOf, computeChart, TEN_MINUTES } from './given-charts.js';
import { minutesOf, point, type Point, type PointLike } from './given-points.js';

function loadOf(points: readonly Point[], chart: Partial<NewChart> = {}, window = TEN_MINUTES) {
  return computeChart({ metric: 'load', ...chart }, { metrics: minutesOf(points) }, window);
}

/** Of the only step that has a value: the hour in which all of these come. */
function valueOf(points: readonly Point[], aggregation: NewChart['aggregation']): number | undefined {
  const window = frameOf(24 * 60 + 1);
  const { series } = loadOf(points, { aggregation }, window);
  assert.ok(series.length <= 1 && (series.length === 0 || series[0].points.length === 1));
  return series.at(0)?.points[0].value;
}

const counter = (like: PointLike): Point => point({ kind: 'sum', monotonic: true, ...like });
const histogram = (like: PointLike): Point => point({ kind: 'histogram', ...like });
const summary = (like: PointLike): Point => point({ kind: 'summary', ...like });

describe('gauges, and sums that may fall', () => {
  // Two series, one of them told twice.
  const points = [
    point({ minute: -3, value: 2 }),
    point({ minute: -1, value: 6 }),
    point({ minute: -2, value: 10, instance: 'i2' }),
  ];

  it('over a whole range do not count series that have ended beside those that replaced them', () => {
    const pods = [-9, -7, -5, -3, -1].flatMap((minute, pod) =>
      [0, 1].map((later) => point({ minute: minute + later - 1, value: 100 + pod, instance: `pod ${pod}` })),
    );
    const whole = divideWindow(TEN_MINUTES, 'value');
    const valueFor = (aggregation: NewChart['aggregation']) =>
      loadOf(pods, { aggregation }, whole).series.map(({ points: [{ value }] }) => value);
    assert.deepEqual(valueFor('sum'), [102]);
    assert.deepEqual(valueFor('last'), [104]);
    const increases = [-9, -5, -1].map((minute) => counter({ minute, value: 7, instance: `pod ${minute}` }));
    assert.deepEqual(loadOf(increases, { aggregation: 'sum' }, whole).series[0].points[0].value, 21);
  });

  it('avg is the mean of all values, and what "" means', () => {
    assert.deepEqual([valueOf(points, 'avg'), valueOf(points, '')], [6, 6]);
  });

  it('sum adds up the mean of each series', () => {
    assert.equal(valueOf(points, 'sum'), 14);
  });

  it('min and max are those of all values', () => {
    assert.deepEqual([valueOf(points, 'min'), valueOf(points, 'max')], [2, 10]);
  });

  it('last is the mean of the newest value of each series', () => {
    assert.equal(valueOf(points, 'last'), 8);
  });

  it('count is the number of points', () => {
    assert.equal(valueOf(points, 'count'), 3);
  });

  it('a non-monotonic sum is a level like a gauge', () => {
    const sums = points.map((each): Point => ({ ...each, kind: 'sum' }));
    assert.deepEqual(
      (['', 'sum', 'last'] as const).map((aggregation) => valueOf(sums, aggregation)),
      [6, 14, 8],
    );
  });

  it('series are distinguished by service, instance and attributes', () => {
    const apart = [
      point({ value: 1 }),
      point({ value: 2, service: 'mail' }),
      point({ value: 4, attributes: [['a', 'b']] }),
      point({ value: 8, attributes: [['ab', '']] }),
      point({ value: 16, instance: 'i2' }),
    ];
    assert.equal(valueOf(apart, 'sum'), 31);
    const alike = [
      point({ service: 'ab', instance: 'c' }),
      point({ service: 'a', instance: 'bc' }),
      point({ instance: '', attributes: [['a', 'bc']] }),
      point({ instance: '', attributes: [['ab', 'c']] }),
    ];
    assert.equal(valueOf(alike, 'sum'), 4);
  });
});

describe('counters', () => {
  const points = [
    counter({ minute: -3, value: 30 }),
    counter({ minute: -1, value: 60 }),
    counter({ minute: -1, value: 30, instance: 'i2' }),
  ];

  it('rate is increments a second, and what "" means', () => {
    assert.deepEqual(pointsOf(loadOf(points).series[0]), [
      [-3, 0.5],
      [-1, 1.5],
    ]);
    assert.deepEqual(
      loadOf(points).series,
      loadOf(points, { aggregation: 'rate' }).series.map((series) => ({ ...series, label: 'load' })),
    );
  });

  it('sum is increments, count points', () => {
    assert.deepEqual([valueOf(points, 'sum'), valueOf(points, 'count')], [120, 3]);
  });
});

describe('histograms and summaries', () => {
  const received = [
    [0.5, 2],
    [0.95, 5],
    [0.99, 7],
  ] as const;
  for (const kind of ['histogram', 'exponential_histogram', 'summary'] as const) {
    const points = [
      point({ kind, minute: -3, values: [1, 3], quantiles: received }),
      point({ kind, minute: -1, values: [8], quantiles: received }),
      point({ kind, minute: -2, values: [] }),
    ];

    it(`${kind}: avg is of the observations, and what "" means`, () => {
      assert.deepEqual([valueOf(points, 'avg'), valueOf(points, '')], [4, 4]);
      assert.deepEqual(pointsOf(loadOf(points).series[0]), [
        [-3, 2],
        [-1, 8],
      ]);
    });

    it(`${kind}: sum, observations, observations a second, extremes as told`, () => {
      assert.deepEqual(
        (['sum', 'count', 'min', 'max'] as const).map((aggregation) => valueOf(points, aggregation)),
        [12, 3, 1, 8],
      );
      assert.deepEqual(
        pointsOf(loadOf(points, { aggregation: 'rate' }).series[0]).map(([, value]) => value),
        [2 / 60, 0, 1 / 60],
      );
    });
  }

  it('without a sum have neither average nor sum, and change those of no other', () => {
    const points = [histogram({ values: [3, 5], tellsSum: false })];
    for (const aggregation of ['avg', 'sum'] as const) {
      assert.deepEqual(
        [loadOf(points, { aggregation }).series, loadOf(points, { aggregation }).hint],
        [[], `The data points of load lack the values needed for ${aggregation}.`],
      );
      assert.equal(valueOf([...points, histogram({ instance: 'i2', values: [4] })], aggregation), 4);
    }
    assert.equal(valueOf(points, 'count'), 2);
  });

  it('extremes are edges of buckets if unknown', () => {
    const points = [histogram({ values: [3, 5], tellsExtremes: false })];
    assert.deepEqual([valueOf(points, 'min'), valueOf(points, 'max')], [2, 8]);
    assert.deepEqual(
      [
        valueOf([...points, histogram({ instance: 'i2', values: [5, 7] })], 'min'),
        valueOf([...points, histogram({ instance: 'i2', values: [1, 9] })], 'max'),
      ],
      [2, 9],
    );
  });

  it('percentiles are those of all buckets together', () => {
    const points = [
      histogram({ values: [1, 1, 1], tellsExtremes: false }),
      histogram({ values: [3], instance: 'i2', tellsExtremes: false }),
    ];
    assert.equal(valueOf(points, 'p50'), 2 / 3);
    assert.ok(Math.abs(valueOf(points, 'p95')! - 3.6) < 1e-9);
  });

  it('percentiles accept histograms of more layouts than a rollup stores', () => {
    const points = Array.from({ length: 6 }, (_, i) =>
      histogram({ instance: `i${i}`, bounds: [i, 10 + i], values: [i === 5 ? 100 : i + 1], tellsExtremes: false }),
    );
    assert.equal(valueOf(points, 'p99'), 15);
  });

  it('percentiles of a histogram stay within the extremes if all series have them', () => {
    const one = histogram({ values: [5, 5] });
    assert.equal(valueOf([one], 'p99'), 5);
    assert.ok(valueOf([one, histogram({ values: [5], instance: 'i2', tellsExtremes: false })], 'p99')! > 7.8);
  });

  it('percentiles of summaries are the largest of the newest values of the series', () => {
    const points = [
      summary({ minute: -3, quantiles: [[0.95, 9]] }),
      summary({ minute: -1, quantiles: [[0.95, 4]] }),
      summary({ minute: -2, instance: 'i2', quantiles: received }),
    ];
    assert.deepEqual([valueOf(points, 'p95'), valueOf(points, 'p99'), valueOf(points.slice(0, 2), 'p95')], [5, 7, 4]);
  });
});

describe('what is not defined for a kind', () => {
  const kinds = {
    gauge: point({}),
    counter: counter({}),
    histogram: histogram({}),
    summary: summary({
      quantiles: [
        [0.5, 1],
        [0.95, 1],
        [0.99, 1],
      ],
    }),
  };
  const DEFINED = {
    gauge: ['avg', 'sum', 'min', 'max', 'last', 'count'],
    counter: ['sum', 'count', 'rate'],
    histogram: ['avg', 'sum', 'min', 'max', 'count', 'rate', 'p50', 'p95', 'p99'],
    summary: ['avg', 'sum', 'min', 'max', 'count', 'rate', 'p50', 'p95', 'p99'],
  };

  for (const [kind, one] of Object.entries(kinds)) {
    it(`of a ${kind} is explained in a sentence`, () => {
      const answers = AGGREGATIONS.map((aggregation) => ({ aggregation, ...loadOf([one], { aggregation }) }));
      assert.deepEqual(
        answers.filter(({ series }) => series.length > 0).map(({ aggregation }) => aggregation),
        DEFINED[kind as keyof typeof DEFINED],
      );
      for (const { series, hint, aggregation } of answers)
        assert.equal(hint?.startsWith(`${aggregation} is not defined for a `) ?? false, series.length === 0);
    });
  }

  it('reads like this', () => {
    assert.equal(
      loadOf([counter({})], { aggregation: 'p95' }).hint,
      'p95 is not defined for a counter such as load: choose rate, sum or count.',
    );
  });

  it('adds nothing where other series have it, and needs no hint then', () => {
    const { series, hint } = loadOf([point({ value: 1e6 }), counter({ value: 60, service: 'mail' })], {
      aggregation: 'rate',
    });
    assert.deepEqual([series.map(pointsOf), hint], [[[[-1, 1]]], undefined]);
  });

  it('differs from points without the required values', () => {
    assert.equal(
      loadOf([summary({ quantiles: [[0.9, 1]] })], { aggregation: 'p95' }).hint,
      'The data points of load lack the values needed for p95.',
    );
    assert.equal(loadOf([], { aggregation: 'p95' }).hint, undefined);
  });
});

describe('charts of OTLP metrics', () => {
  it('take the newest value for the newest, in whatever order time buckets come', () => {
    const metrics = minutesOf([
      point({ minute: -3, value: 2 }),
      point({ minute: -2, value: 6 }),
      point({ minute: -1, value: 4 }),
    ]);
    const summaries = minutesOf([
      summary({ minute: -3, quantiles: [[0.95, 2]] }),
      summary({ minute: -2, quantiles: [[0.95, 6]] }),
      summary({ minute: -1, quantiles: [[0.95, 4]] }),
    ]);
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const newest = (aggregation: NewChart['aggregation'], all: typeof metrics): unknown =>
        computeChart({ metric: 'load', aggregation }, { metrics: order.map((i) => all[i]) }, frameOf(1441)).series[0]
          .points[0].value;
      assert.deepEqual([newest('last', metrics), newest('p95', summaries)], [4, 4]);
    }
  });

  it('have gaps where no points came, no zeros', () => {
    for (const kind of [point({ minute: -4 }), counter({ minute: -4, value: 60 })])
      assert.deepEqual(pointsOf(loadOf([kind]).series[0]), [[-4, 1]]);
  });

  it('show a counter that stood still as 0', () => {
    assert.deepEqual(pointsOf(loadOf([counter({ value: 0 })]).series[0]), [[-1, 0]]);
  });

  it('look at one metric, and one service where it is said', () => {
    const points = [point({ value: 1 }), point({ value: 2, metric: 'other' }), point({ value: 3, service: 'mail' })];
    assert.equal(loadOf(points, { aggregation: 'sum' }).series[0].points[0].value, 4);
    assert.equal(loadOf(points, { aggregation: 'sum', serviceName: 'mail' }).series[0].points[0].value, 3);
  });

  it('take each series by its own kind', () => {
    const points = [
      point({ service: 'a', value: 5 }),
      counter({ service: 'b', value: 120 }),
      histogram({ service: 'c', values: [3, 5] }),
    ];
    assert.deepEqual(
      loadOf(points, { groupBy: 'service' }).series.map(({ label, points }) => [label, points[0].value]),
      [
        ['a', 5],
        ['c', 4],
        ['b', 2],
      ],
    );
  });

  it('take what the newest series is where averages and rates meet in one', () => {
    const [level, count] = [
      point({ value: 5, second: 1 }),
      counter({ value: 120, service: 'b', second: 2, unit: 'By' }),
    ];
    const both = loadOf([level, count]);
    assert.deepEqual([both.series[0].points[0].value, both.unit, both.additive], [2, 'By/s', true]);
    const other = loadOf([point({ value: 5, second: 3, unit: 'ms' }), count]);
    assert.deepEqual([other.series[0].points[0].value, other.unit, other.additive], [5, 'ms', false]);
  });

  it('are grouped by service, instance or attribute, and those without it are one group', () => {
    const points = [
      point({ value: 3, attributes: [['pool', 'main']] }),
      point({
        value: 2,
        service: 'mail',
        instance: '',
        attributes: [
          ['pool', 'main'],
          ['x', 'y'],
        ],
      }),
      point({ value: 1, instance: 'i2' }),
    ];
    const groups = (groupBy: string): unknown =>
      loadOf(points, { groupBy, aggregation: 'sum' }).series.map(({ label, points: [{ value }] }) => [label, value]);
    assert.deepEqual(groups('service'), [
      ['shop', 4],
      ['mail', 2],
    ]);
    assert.deepEqual(groups('instance'), [
      ['i1', 3],
      ['(none)', 2],
      ['i2', 1],
    ]);
    assert.deepEqual(groups('pool'), [
      ['main', 5],
      ['(none)', 1],
    ]);
    assert.deepEqual(groups('x'), [
      ['(none)', 4],
      ['y', 2],
    ]);
  });

  it('are named after the aggregation, or the metric where that is the usual one', () => {
    assert.deepEqual(
      [labelsOf(loadOf([point()])), labelsOf(loadOf([point()], { aggregation: 'max' }))],
      [['load'], ['max']],
    );
  });

  it('are not rounded', () => {
    assert.equal(loadOf([point({ value: 0.123456789 })]).series[0].points[0].value, 0.123456789);
  });

  it('leave out what is no number', () => {
    assert.deepEqual(
      pointsOf(
        loadOf(
          [
            point({ minute: -2, value: Number.MAX_VALUE }),
            point({ minute: -2, value: Number.MAX_VALUE, instance: 'i2' }),
            point(),
          ],
          { aggregation: 'sum' },
        ).series[0],
      ),
      [[-1, 1]],
    );
  });

  it('have the unit of the newest series, that of a rate per second', () => {
    const units = [
      point({ unit: 'By' }),
      counter({ unit: 'By' }),
      counter({ unit: '{request}' }),
      counter({ unit: '1' }),
      counter({ unit: '' }),
      histogram({ unit: 'ms' }),
    ];
    assert.deepEqual(
      units.map((one) => loadOf([one]).unit),
      ['By', 'By/s', '{request}/s', '/s', '/s', 'ms'],
    );
    assert.deepEqual(
      units.map((one) => loadOf([one], { aggregation: 'count' }).unit),
      ['', '', '', '', '', ''],
    );
    assert.equal(loadOf([histogram({ unit: 'ms' })], { aggregation: 'rate' }).unit, '/s');
    assert.equal(loadOf([point({ unit: 'new', second: 9 }), point({ unit: 'old', instance: 'i2' })]).unit, 'new');
    assert.equal(loadOf([point({ unit: 'By' })], { unit: 'apples' }).unit, 'apples');
  });

  it('add up for rates, counts and sums alone', () => {
    const additive = AGGREGATIONS.filter(
      (aggregation) => loadOf([point(), counter({}), histogram({})], { aggregation }).additive,
    );
    assert.deepEqual(additive, ['sum', 'count', 'rate']);
    assert.deepEqual(
      [point(), counter({}), histogram({})].map((one) => loadOf([one]).additive),
      [false, true, false],
    );
  });

  it('contain the four largest exemplars of each series shown', () => {
    const exemplars = (...values: number[]): Exemplar[] =>
      values.map((value) => ({ timeUs: HOUR_MS * 1000, value, traceId: `${value}`, spanId: '' }));
    const points = [
      histogram({ minute: -2, exemplars: exemplars(5, 1) }),
      histogram({ exemplars: exemplars(9, 3, 2) }),
      histogram({ instance: 'i2', exemplars: exemplars(7) }),
    ];
    const carried = (groupBy: string): unknown =>
      loadOf(points, { groupBy }).series.map((series) => [series.label, series.exemplars.map(({ value }) => value)]);
    assert.deepEqual(carried(''), [['load', [9, 7, 5, 3]]]);
    assert.deepEqual(carried('instance'), [
      ['i1', [9, 5, 3, 2]],
      ['i2', [7]],
    ]);
    const many = Array.from({ length: 12 }, (_, i) =>
      histogram({ instance: `i${i}`, values: [i], exemplars: exemplars(i) }),
    );
    assert.deepEqual(
      loadOf(many, { groupBy: 'instance' })
        .series.at(-1)!
        .exemplars.map(({ value }) => value),
      [1, 0],
    );
  });
});

describe('series past the bound of a Grid', () => {
  const nameless = (like: Partial<MetricSeriesRollup>): TimeBucket<MetricRollup> => {
    const [{ minute, minutes, value }] = minutesOf([point()]);
    return {
      minute,
      minutes,
      value: {
        ...value,
        series: [
          {
            ...value.series[0],
            instance: OTHER_NAME,
            unit: '',
            points: 5,
            sum: 0,
            count: 0,
            min: NaN,
            max: NaN,
            last: 0,
            lastUs: 0,
            ...like,
          },
        ],
      },
    };
  };
  const timeBuckets = [...minutesOf([point({ value: 4, attributes: [['pool', 'main']] })]), nameless({})];
  const ask = (chart: Partial<NewChart>, metrics = timeBuckets) =>
    computeChart({ metric: 'load', ...chart }, { metrics });

  it('are counted, and change no other value', () => {
    const values = (['avg', 'sum', 'min', 'max', 'last', 'count', ''] as const).map(
      (aggregation) => ask({ aggregation }).series[0].points[0].value,
    );
    assert.deepEqual(values, [4, 4, 4, 4, 4, 6, 4]);
  });

  it('belong to their service, and to no other group', () => {
    const groups = (groupBy: string): unknown =>
      ask({ groupBy, aggregation: 'count' }).series.map(({ label, points: [{ value }] }) => [label, value]);
    assert.deepEqual(groups('service'), [['shop', 6]]);
    for (const group of ['pool', 'instance'])
      assert.deepEqual(groups(group), [
        [group === 'pool' ? 'main' : 'i1', 1],
        ['other', 5],
      ]);
  });

  it('are the reason for an empty chart where there are no others', () => {
    assert.match(ask({}, [nameless({})]).hint!, /^All series of load exceed the Grid.s limit of 10000/);
    assert.match(ask({ aggregation: 'count' }, [nameless({ kind: 'histogram' })]).hint!, /^All series of load/);
  });
});
