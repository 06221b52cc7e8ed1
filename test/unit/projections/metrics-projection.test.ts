import assert from 'node:assert/strict';
import { OTHER_NAME, ROLLUP_BOUNDS, type MetricSeriesRollup } from '../../../src/diagnostics/rollups/rollup-types.js';
import type { HistogramBuckets } from '../../../src/telemetry/metric-distributions.js';
import { metricSeriesCollections } from '../../../src/read-models/documents/metric-series-documents.js';
import { readActiveVersion, PROJECTIONS } from '../../../src/read-models/documents/projection-documents.js';
import {
  metricRollupCollections,
  METRICS_PROJECTION,
  ROLLUP_BLOB,
  rollupId,
} from '../../../src/read-models/documents/rollup-documents.js';
import { decodeMetricRollup } from '../../../src/read-models/rollups/metric-rollup-codec.js';
import { FORMAT_4_BLOB } from '../read-models/rollups/support/former-blobs.js';
import { GRID, metricsReceived, type TestPoint } from './engine/support/requests.js';
import { ProjectedLog } from './engine/support/projected.js';
import { until } from './engine/support/until.js';

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DELTA = 1;

describe('metric rollups', () => {
  let log: ProjectedLog;
  let noon: number;

  beforeEach(() => {
    log = new ProjectedLog();
    noon = log.now;
  });
  afterEach(() => log.remove());

  async function received(...points: readonly TestPoint[]): Promise<void> {
    await log.append(metricsReceived(points));
    await log.settle();
  }

  /** Series of the minute that holds this time. */
  async function seriesAt(time: number, service = 'shop', hours = false): Promise<readonly MetricSeriesRollup[]> {
    const collections = metricRollupCollections((await readActiveVersion(log.store, METRICS_PROJECTION)) ?? 0);
    const id = rollupId({ gridId: GRID, minute: Math.floor(time / MINUTE), service });
    const blob = await log.store.readBlob(hours ? collections.hours : collections.minutes, id, ROLLUP_BLOB);
    return blob === undefined ? [] : decodeMetricRollup(blob).series;
  }

  async function one(time: number): Promise<Partial<MetricSeriesRollup>> {
    const found = await seriesAt(time);
    assert.equal(found.length, 1);
    const { points, sum, count, min, max, last } = found[0];
    return { points, sum, count, min, max, last };
  }

  describe('of gauges', () => {
    it('hold values, extremes and the newest', async () => {
      await received({ time: noon + 20 * SECOND, value: 3, unit: 'By', instance: 'a', attributes: { state: 'used' } });
      await received(
        { time: noon + 40 * SECOND, value: -1, unit: 'By', instance: 'a', attributes: { state: 'used' } },
        { time: noon + 30 * SECOND, value: 8, unit: 'By', instance: 'a', attributes: { state: 'used' } },
      );
      assert.deepEqual(await seriesAt(noon), [
        {
          metric: 'm',
          unit: 'By',
          kind: 'gauge',
          monotonic: false,
          instance: 'a',
          attributes: [['state', 'used']],
          points: 3,
          sum: 10,
          count: 3,
          min: -1,
          max: 8,
          last: -1,
          lastUs: (noon + 40 * SECOND) * 1000,
          buckets: [],
          quantiles: [],
          exemplars: [],
        },
      ]);
    });

    it('leave out what is not a number', async () => {
      await received(
        { time: noon, value: NaN },
        { time: noon + 1, value: Infinity },
        { time: noon + 2, value: 4 },
        { time: noon + 3, value: -Infinity },
      );
      assert.deepEqual(await one(noon), { points: 1, sum: 4, count: 1, min: 4, max: 4, last: 4 });
    });

    it('count a point once, also in another request and out of order', async () => {
      await received({ time: noon, value: 1 }, { time: noon + 30 * SECOND, value: 2 });
      await received(
        { time: noon, value: 1 },
        { time: noon + 30 * SECOND, value: 9 },
        { time: noon + 10 * SECOND, value: 5 },
      );
      await log.restart();
      await received({ time: noon + 10 * SECOND, value: 5 }, { time: noon + 31 * SECOND, value: 6 });
      assert.deepEqual(await one(noon), { points: 4, sum: 14, count: 4, min: 1, max: 6, last: 6 });
    });

    it('distinguish series by metric, kind, instance and attributes', async () => {
      const point = { time: noon, value: 1 };
      await received(
        point,
        { ...point, metric: 'n' },
        { ...point, instance: 'i' },
        { ...point, attributes: { a: '1' } },
        { ...point, attributes: { a: '2' } },
        { ...point, kind: 'sum', temporality: DELTA },
        { ...point, kind: 'sum', temporality: DELTA, monotonic: false },
      );
      assert.equal((await seriesAt(noon)).length, 7);
    });
  });

  describe('of sums', () => {
    const counter = (time: number, value: number, start?: number): TestPoint => ({
      kind: 'sum',
      time: noon + time * SECOND,
      value,
      ...(start === undefined ? {} : { start: noon + start * SECOND }),
    });

    it('that are delta add up', async () => {
      await received({ ...counter(0, 5), temporality: DELTA }, { ...counter(10, 7), temporality: DELTA });
      assert.deepEqual(await one(noon), { points: 2, sum: 12, count: 2, min: 5, max: 7, last: 7 });
    });

    it('that may fall are values', async () => {
      await received({ ...counter(0, 5), monotonic: false }, { ...counter(10, 3), monotonic: false });
      assert.deepEqual(await one(noon), { points: 2, sum: 8, count: 2, min: 3, max: 5, last: 3 });
    });

    it('that are cumulative become increments, across minutes and restarts', async () => {
      await received(counter(0, 100));
      assert.deepEqual(await one(noon), { points: 1, sum: 0, count: 1, min: NaN, max: NaN, last: 100 });
      await received(counter(30, 110));
      await log.restart();
      await received(counter(60, 125), counter(70, 125));
      assert.deepEqual(await one(noon), { points: 2, sum: 10, count: 2, min: 10, max: 10, last: 110 });
      assert.deepEqual(await one(noon + MINUTE), { points: 2, sum: 15, count: 2, min: 0, max: 15, last: 125 });
    });

    it('start over when the value falls, and when they say so', async () => {
      await received(counter(0, 100, -5), counter(10, 4, -5), counter(20, 6, -5), counter(30, 90, 25));
      assert.deepEqual(await one(noon), { points: 4, sum: 100 + 4 + 2 + 90, count: 4, min: 2, max: 100, last: 90 });
    });

    it('that two exporters send, by delta and cumulative, count once', async () => {
      const delta = (time: number, value: number): TestPoint => ({
        ...counter(time, value, time - 10),
        temporality: DELTA,
      });
      await received(delta(0, 5), counter(1, 1_005, -86_400), delta(10, 7));
      await log.restart();
      await received(counter(11, 1_012, -86_400), delta(20, 8), counter(21, 1_020, -86_400));
      assert.equal((await one(noon)).sum, 5 + 7 + 8);
    });

    it('that are cumulative since a new start count whole after deltas', async () => {
      await received({ ...counter(0, 5, -10), temporality: DELTA }, counter(20, 3, 15), counter(30, 4, 15));
      assert.equal((await one(noon)).sum, 5 + 3 + 1);
    });

    it('of a start long ago count from the first point that is seen', async () => {
      await received(counter(0, 1_000_000, -86_400));
      await received(counter(10, 1_000_007, -86_400));
      assert.equal((await one(noon)).sum, 7);
    });

    it('that begin on a source that has been there count whole', async () => {
      await received(counter(0, 1_000, -86_400));
      await received({ ...counter(660, 2, -86_400), attributes: { error: 'yes' } });
      assert.equal((await seriesAt(noon + 11 * MINUTE))[0].sum, 2);
    });

    it('add nothing by points that are older than the newest', async () => {
      await received(counter(0, 100), counter(40, 140));
      await received(counter(20, 120));
      await received(counter(50, 145));
      assert.deepEqual(await one(noon), { points: 4, sum: 45, count: 4, min: 5, max: 40, last: 145 });
    });

    it('of two processes without an instance do not mix', async () => {
      const from = (pid: string, time: number, value: number) => ({
        ...counter(time, value, -86_400),
        resource: { 'process.pid': pid },
      });
      await received(from('1', 0, 100), from('2', 0, 7_000), from('1', 10, 101), from('2', 10, 7_002));
      assert.deepEqual(await one(noon), { points: 4, sum: 3, count: 4, min: 1, max: 2, last: 7_002 });
    });
  });

  for (const kind of ['histogram', 'exponentialHistogram'] as const)
    describe(`of ${kind}s`, () => {
      const point = (time: number, count: number, value: number, more: Partial<TestPoint> = {}): TestPoint => ({
        kind,
        time: noon + time * SECOND,
        count,
        value,
        ...more,
      });

      it('that are delta hold observations and extremes', async () => {
        await received(
          point(0, 3, 30, { temporality: DELTA, min: 5, max: 15 }),
          point(10, 1, 2, { temporality: DELTA, min: 2, max: 2 }),
        );
        assert.deepEqual(await one(noon), { points: 2, sum: 32, count: 4, min: 2, max: 15, last: 2 });
      });

      it('that are cumulative become increments', async () => {
        await received(
          point(0, 3, 30, { min: 5, max: 15 }),
          point(10, 5, 42, { min: 5, max: 15 }),
          point(20, 1, 6),
          point(30, 4, 9, { start: noon + 25 * SECOND }),
        );
        assert.deepEqual(await one(noon), {
          points: 4,
          sum: 12 + 6 + 9,
          count: 2 + 1 + 4,
          min: NaN,
          max: NaN,
          last: 9,
        });
      });

      it('of which some do not report their extremes have none, also as an hour', async () => {
        await received(
          point(0, 1, 5, { start: noon - SECOND, min: 5, max: 5 }),
          point(60, 1, 5, { start: noon - SECOND, min: 5, max: 5 }),
          point(90, 2, 905, { start: noon - SECOND, min: 5, max: 900 }),
        );
        await received({ time: noon + 2 * HOUR, value: 1, metric: 'other' });
        const extremes = (found: readonly MetricSeriesRollup[]) =>
          found.map(({ count, min, max }) => ({ count, min, max }));
        assert.deepEqual(extremes(await seriesAt(noon)), [{ count: 1, min: 5, max: 5 }]);
        assert.deepEqual(extremes(await seriesAt(noon + MINUTE)), [{ count: 1, min: NaN, max: NaN }]);
        assert.deepEqual(extremes(await seriesAt(noon, 'shop', true)), [{ count: 2, min: NaN, max: NaN }]);
      });

      it('lose their extremes to later ones of the same minute that do not report them', async () => {
        await received(
          point(0, 1, 5, { start: noon - SECOND, min: 5, max: 5 }),
          point(30, 2, 905, { start: noon - SECOND, min: 5, max: 900 }),
        );
        assert.deepEqual(await one(noon), { points: 2, sum: 905, count: 2, min: NaN, max: NaN, last: 905 });
      });

      it('without a sum count observations, and have none', async () => {
        await received(point(0, 3, NaN, { temporality: DELTA }));
        assert.deepEqual(await one(noon), { points: 1, sum: NaN, count: 3, min: NaN, max: NaN, last: 0 });
      });

      it('of which some do not report their sum have none, also as an hour and after a start', async () => {
        await received(
          point(0, 1, NaN, { start: noon - SECOND }),
          point(60, 1, NaN, { start: noon - SECOND }),
          point(70, 2, Infinity, { start: noon - SECOND }),
        );
        await log.restart();
        await received(point(120, 5, 50, { start: noon - SECOND }), point(180, 6, 57, { start: noon - SECOND }));
        await received({ time: noon + 2 * HOUR, value: 1, metric: 'other' });
        const sums = await Promise.all(
          [0, 1, 2, 3].map(async (minute) => (await seriesAt(noon + minute * MINUTE))[0].sum),
        );
        assert.deepEqual(sums, [NaN, NaN, NaN, 7]);
        const hours = await seriesAt(noon, 'shop', true);
        assert.deepEqual(
          hours.map(({ count, sum }) => ({ count, sum })),
          [{ count: 6, sum: NaN }],
        );
      });
    });

  describe('after a clock that was ahead was set back', () => {
    const DAY = 24 * HOUR;
    const sum = (time: number, value: number, start = noon - DAY): TestPoint => ({ time, value, kind: 'sum', start });
    async function arrived(...points: readonly TestPoint[]): Promise<void> {
      for (const point of points) await log.append(metricsReceived([point], GRID, point.time));
      await log.settle();
    }

    it('count increments of cumulative sums again from their second point on', async () => {
      await arrived(sum(noon, 10), sum(noon + 30 * DAY, 20), sum(noon + 30 * DAY + MINUTE, 30));
      await arrived(sum(noon + 2 * MINUTE, 40), sum(noon + 3 * MINUTE, 45));
      assert.deepEqual([(await one(noon + 2 * MINUTE)).sum, (await one(noon + 3 * MINUTE)).sum], [0, 5]);
      await log.restart();
      await arrived(sum(noon + 4 * MINUTE, 52));
      assert.equal((await one(noon + 4 * MINUTE)).sum, 7);
      const projector = await log.settle();
      assert.ok((await projector.verify('metrics')).equal);
    });

    it('forget idle series again', async () => {
      const series = async () =>
        (await log.store.find(metricSeriesCollections(1).sources, {})).flatMap(({ document }) => document.series);
      await arrived(sum(noon + 30 * DAY, 20));
      await arrived({ ...sum(noon, 40), metric: 'idle' }, { ...sum(noon + 25 * HOUR, 1), metric: 'other' });
      assert.deepEqual(
        (await series()).map(({ metric }) => metric),
        ['other'],
      );
    });

    it('still take late points for older than the newest', async () => {
      await arrived(sum(noon, 10), sum(noon + 5 * MINUTE, 20));
      await log.append(metricsReceived([sum(noon + 2 * MINUTE, 15)], GRID, noon - 30 * MINUTE));
      await log.settle();
      assert.equal((await one(noon + 2 * MINUTE)).sum, 0);
      await arrived(sum(noon + 6 * MINUTE, 23));
      assert.equal((await one(noon + 6 * MINUTE)).sum, 3, 'a receiver whose clock is half an hour behind');
    });
  });

  describe('of points a nanosecond apart', () => {
    const COUNT = 50;
    const points = (point: Partial<TestPoint>, value: (n: number) => number = () => 1) =>
      Array.from({ length: COUNT }, (_, nanos) => ({ time: noon, nanos, value: value(nanos), ...point }));

    for (const kind of ['gauge', 'sum', 'histogram', 'exponentialHistogram'] as const)
      it(`count each: ${kind}`, async () => {
        const sent = points({ kind, temporality: DELTA });
        await received(...sent);
        const { points: counted, sum, count } = await one(noon);
        assert.deepEqual({ counted, sum, count }, { counted: COUNT, sum: COUNT, count: COUNT });
        await log.restart();
        await received(...sent.slice(10), { time: noon, nanos: COUNT, value: 1, kind, temporality: DELTA });
        assert.equal((await one(noon)).sum, COUNT + 1, 'repeated points do not count again, a new one does');
      });

    it('count each: summary', async () => {
      const point = (n: number, nanos: number): TestPoint => ({
        time: noon,
        nanos,
        kind: 'summary',
        value: n,
        count: n,
        start: noon - MINUTE,
      });
      await received(...Array.from({ length: COUNT }, (_, n) => point(n + 1, n)));
      const { points: counted, sum } = await one(noon);
      assert.deepEqual({ counted, sum }, { counted: COUNT, sum: COUNT });
    });

    it('add up increments of cumulative sums, in any order of series', async () => {
      const start = noon - MINUTE;
      const a = points({ kind: 'sum', start, metric: 'a' }, (n) => n + 1);
      const b = points({ kind: 'sum', start, metric: 'b' }, (n) => n + 1);
      await received(...a.flatMap((point, n) => [point, b[n]]));
      const series = await seriesAt(noon);
      assert.deepEqual(
        series.map(({ metric, points: counted, sum }) => ({ metric, counted, sum })),
        ['a', 'b'].map((metric) => ({ metric, counted: COUNT, sum: COUNT })),
      );
    });

    it('add nothing for a cumulative point that is a nanosecond older than the newest', async () => {
      const point = (nanos: number, value: number): TestPoint => ({
        time: noon,
        nanos,
        value,
        kind: 'sum',
        start: noon - MINUTE,
      });
      await received(point(0, 1), point(2, 5), point(1, 3));
      const { points: counted, sum } = await one(noon);
      assert.deepEqual({ counted, sum }, { counted: 3, sum: 5 });
    });
  });

  describe('of distributions', () => {
    const buckets = (...counts: number[]): HistogramBuckets => ({ kind: 'explicit', bounds: [5, 10], counts });
    const point = (seconds: number, more: Partial<TestPoint>): TestPoint => ({
      kind: 'histogram',
      time: noon + seconds * SECOND,
      count: 6,
      value: 1,
      ...more,
    });
    const distribution = async (time: number) => {
      const [{ buckets: found, quantiles, exemplars }] = await seriesAt(time);
      return { buckets: found, quantiles, exemplars };
    };

    it('add up delta buckets', async () => {
      await received(
        point(0, { temporality: DELTA, buckets: buckets(1, 2, 3) }),
        point(10, { temporality: DELTA, buckets: buckets(0, 0, 6) }),
      );
      assert.deepEqual((await distribution(noon)).buckets, [buckets(1, 2, 9)]);
    });

    it('count cumulative buckets by what came on top, across minutes and restarts', async () => {
      await received(point(0, { buckets: buckets(1, 2, 3) }), point(10, { count: 8, buckets: buckets(1, 4, 3) }));
      assert.deepEqual((await distribution(noon)).buckets, [buckets(0, 2, 0)]);
      await log.restart();
      await received(point(70, { count: 9, buckets: buckets(2, 4, 3) }));
      assert.deepEqual((await distribution(noon + MINUTE)).buckets, [buckets(1, 0, 0)]);
    });

    it('take fewer observations in a bucket for a reset, and compare counts and sums where no bound is common', async () => {
      const others: HistogramBuckets = { kind: 'explicit', bounds: [7], counts: [8, 2] };
      await received(
        point(0, { buckets: buckets(1, 2, 3) }),
        point(10, { count: 7, buckets: buckets(7, 0, 0), value: 4 }),
        point(20, { count: 10, buckets: others, value: 9 }),
      );
      const [{ count, sum, buckets: found }] = await seriesAt(noon);
      assert.deepEqual([count, sum, found], [10, 9, [buckets(7, 0, 0)]]);
    });

    it('bring exponential buckets to one scale', async () => {
      const exponential = (scale: number, offset: number, ...counts: number[]): HistogramBuckets => ({
        kind: 'exponential',
        scale,
        zeroThreshold: 0,
        zeroCount: 1,
        positive: { offset, counts },
        negative: { offset: 0, counts: [] },
      });
      const reported = (seconds: number, own: HistogramBuckets) =>
        point(seconds, { kind: 'exponentialHistogram', temporality: DELTA, buckets: own });
      await received(reported(0, exponential(1, -3, 1, 0, 1)), reported(10, exponential(0, -2, 4)));
      assert.deepEqual((await distribution(noon)).buckets, [{ ...exponential(0, -2, 5, 1), zeroCount: 2 }]);
    });

    it('hold the quantiles of the newest summary', async () => {
      const summary = (seconds: number, ...quantiles: [number, number][]) =>
        point(seconds, { kind: 'summary', quantiles });
      await received(summary(0, [0.5, 1], [0.99, 2]), summary(30, [0.99, 9], [0.5, 3]), summary(20, [0.5, 7]));
      assert.deepEqual((await distribution(noon)).quantiles, [
        [0.5, 3],
        [0.99, 9],
      ]);
    });

    it('keep the exemplars of the largest values, each once', async () => {
      const exemplar = (value: number) => ({
        timeUs: noon * 1000 + value,
        value,
        traceId: 'ab'.repeat(16),
        spanId: 'cd'.repeat(8),
      });
      await received(
        point(0, { exemplars: [2, 9, 4].map(exemplar) }),
        point(1, { exemplars: [9, 1, 7].map(exemplar) }),
      );
      assert.deepEqual((await distribution(noon)).exemplars, [9, 7, 4, 2].map(exemplar));
    });

    it('of gauges are exemplars', async () => {
      const exemplar = { timeUs: noon * 1000, value: 3, traceId: '', spanId: '' };
      await received({ time: noon, value: 1, exemplars: [exemplar] });
      assert.deepEqual((await distribution(noon)).exemplars, [exemplar]);
    });

    it('are part of the digest, which a replay gives too', async () => {
      await received(point(0, { buckets: buckets(1, 2, 3) }));
      await log.restart();
      await received(
        point(10, { count: 8, buckets: buckets(1, 4, 3) }),
        point(80, { count: 9, buckets: buckets(2, 4, 3) }),
      );
      assert.ok((await (await log.settle()).verify(METRICS_PROJECTION)).equal);
    });
  });

  it('of summaries are increments of count and sum', async () => {
    const point = (time: number, count: number, value: number): TestPoint => ({
      kind: 'summary',
      time: noon + time,
      count,
      value,
    });
    await received(point(0, 10, 100), point(1, 14, 150));
    assert.deepEqual(await one(noon), { points: 2, sum: 50, count: 4, min: NaN, max: NaN, last: 150 });
  });

  describe('past the bound of series', () => {
    const many = (from: number, to: number, time: number) =>
      Array.from({ length: to - from }, (_, i): TestPoint => ({ time, value: 1, attributes: { n: String(from + i) } }));

    it('are those past 10,000 of a Grid, or of services past 1,000', () => {
      assert.deepEqual([ROLLUP_BOUNDS.series, ROLLUP_BOUNDS.services], [10_000, 1_000]);
    });

    it('count points alone, and the Grid is informed', async () => {
      await received(...many(0, ROLLUP_BOUNDS.series, noon));
      assert.equal((await log.store.get(metricSeriesCollections(1).grids, GRID))?.overflow, undefined);
      await received(
        ...many(ROLLUP_BOUNDS.series, ROLLUP_BOUNDS.series + 5, noon),
        { time: noon, value: 1, metric: 'new', service: 'new' },
        { time: noon + 1, value: 2, attributes: { n: '0' } },
      );
      const series = await seriesAt(noon);
      assert.equal(series.length, ROLLUP_BOUNDS.series + 1);
      const others = series.find(({ instance }) => instance === OTHER_NAME);
      assert.deepEqual([others?.metric, others?.points, others?.count, others?.sum], ['m', 5, 0, 0]);
      assert.equal(series.find(({ attributes }) => attributes[0]?.[1] === '0')?.points, 2, 'known series go on');
      const [unknown] = await seriesAt(noon, OTHER_NAME);
      assert.deepEqual([unknown.metric, unknown.points], [OTHER_NAME, 1]);
      const minute = noon / MINUTE;
      assert.deepEqual((await log.store.get(metricSeriesCollections(1).grids, GRID))?.overflow, {
        firstMinute: minute,
        lastMinute: minute,
      });
    });

    it('are reported again after a day without any', async () => {
      const overflowAfter = async (hours: number) => {
        await received(...many(0, ROLLUP_BOUNDS.series + 1, noon + hours * HOUR));
        const { firstMinute, lastMinute } =
          (await log.store.get(metricSeriesCollections(1).grids, GRID))?.overflow ?? {};
        return [firstMinute, lastMinute].map((minute) => (minute! - noon / MINUTE) / 60);
      };
      assert.deepEqual(
        [await overflowAfter(0), await overflowAfter(24), await overflowAfter(49)],
        [
          [0, 0],
          [0, 24],
          [49, 49],
        ],
      );
    });

    it('are those too whose names are no names', async () => {
      const long = 'x'.repeat(10_000);
      await received(
        { time: noon, value: 1, metric: long },
        { time: noon, value: 1, instance: long },
        { time: noon, value: 1, attributes: { a: long } },
        { time: noon, value: 1 },
      );
      const known = (await seriesAt(noon)).map(({ metric, instance, points }) => [metric, instance, points]);
      assert.deepEqual(known, [['m', '', 1]]);
      const [others] = await seriesAt(noon, OTHER_NAME);
      assert.deepEqual([others.metric, others.points], [OTHER_NAME, 3]);
    });

    it('report nothing by a first point for a day: it may have had points before', async () => {
      const counter = (hours: number, value: number, n: string): TestPoint => ({
        kind: 'sum',
        time: noon + hours * HOUR,
        start: noon - HOUR,
        value,
        attributes: { n },
      });
      const sumAt = async (hours: number, n: string) =>
        (await seriesAt(noon + hours * HOUR)).find(({ attributes }) => attributes[0]?.[1] === n)?.sum;
      await received(...many(0, ROLLUP_BOUNDS.series, noon));
      await received(counter(23, 500, 'passed by'), ...many(0, 1, noon + 23 * HOUR));
      await received(counter(25, 600, 'passed by'), counter(48, 7, 'new'));
      assert.deepEqual([await sumAt(25, 'passed by'), await sumAt(48, 'new')], [0, 7]);
    });

    it('find room again when others have been silent for a day', async () => {
      await received(...many(0, ROLLUP_BOUNDS.series, noon));
      await received({ time: noon + 25 * HOUR, value: 1, metric: 'new' });
      assert.equal((await seriesAt(noon + 25 * HOUR))[0].metric, 'new');
      assert.equal(await log.store.count(metricSeriesCollections(1).sources), 1);
    });
  });

  it('become hours', async () => {
    await received({ time: noon, value: 1 }, { time: noon + 59 * MINUTE, value: 5 });
    await received({ time: noon + 71 * MINUTE, value: 9 });
    const [{ points, sum, min, max, last }] = await seriesAt(noon, 'shop', true);
    assert.deepEqual({ points, sum, min, max, last }, { points: 2, sum: 6, min: 1, max: 5, last: 5 });
  });

  it('that version 1 wrote are answered until they are rebuilt, with what it left out', async () => {
    const point: TestPoint = {
      kind: 'histogram',
      temporality: DELTA,
      time: noon,
      value: 1,
      count: 3,
      buckets: { kind: 'explicit', bounds: [5], counts: [1, 2] },
    };
    await received(point);
    await log.stop();
    await asVersion1(log, noon);
    assert.deepEqual(
      (await seriesAt(noon)).map(({ metric, buckets }) => [metric, buckets.length]),
      [
        ['calls', 0],
        ['cpu', 0],
      ],
    );
    await log.start();
    await until(async () => (await readActiveVersion(log.store, METRICS_PROJECTION)) === 2);
    assert.deepEqual(
      (await seriesAt(noon)).map(({ metric, buckets }) => [metric, buckets]),
      [['m', [point.buckets]]],
    );
    await received({ ...point, time: noon + 1 });
    assert.equal((await seriesAt(noon))[0].points, 2);
    assert.ok((await (await log.settle()).verify(METRICS_PROJECTION)).equal);
  });

  it('leave with retention, and are not let in again', async () => {
    await received({ time: noon - 1, value: 1 }, { time: noon, value: 2, metric: 'n' });
    await log.expire(noon);
    await received({ time: noon - 2, value: 1 });
    assert.deepEqual(await seriesAt(noon - 1), []);
    assert.equal((await seriesAt(noon)).length, 1);
    const [{ document }] = await log.store.find(metricSeriesCollections(1).sources, {});
    assert.deepEqual(
      document.series.map(({ metric }) => metric),
      ['n'],
    );
    assert.ok((await (await log.settle()).verify(METRICS_PROJECTION)).equal);
  });
});

/** Puts a blob of that version in place of the minute's, and says that all was written by it. */
async function asVersion1(log: ProjectedLog, time: number): Promise<void> {
  const { minutes } = metricRollupCollections(1);
  const id = rollupId({ gridId: GRID, minute: Math.floor(time / MINUTE), service: 'shop' });
  const document = await log.store.get(minutes, id);
  await log.store.commit(
    [
      { kind: 'put', collection: minutes, id, document: document!, blobs: { [ROLLUP_BLOB]: FORMAT_4_BLOB } },
      { kind: 'put', collection: PROJECTIONS, id: METRICS_PROJECTION, document: { active: 1, schema: 1 } },
    ],
    [],
  );
}
