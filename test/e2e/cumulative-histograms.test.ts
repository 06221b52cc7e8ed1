import assert from 'node:assert/strict';
import { BlackBox } from '../support/black-box.js';
import { ChartClient } from '../support/chart-client.js';

const MINUTE_MS = 60_000;
const ns = (ms: number): string => `${ms}000000`;

describe('charts of cumulative histograms', function () {
  this.timeout(60_000);
  let box: BlackBox;
  let charts: ChartClient;
  before(async () => {
    box = await BlackBox.start();
    charts = await ChartClient.with(box);
  });
  after(() => box.dispose());

  const start = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 6 * MINUTE_MS;
  /** After `minute` minutes: of 10 observations in each minute, 9 lie at 11 and one between 3 and 12. */
  const histogram = (minute: number, bucketCounts: number[], explicitBounds = [1, 10, 100]) => ({
    startTimeUnixNano: ns(start),
    timeUnixNano: ns(start + minute * MINUTE_MS + 30_000),
    count: String(10 * minute),
    sum: 108 * minute,
    min: 3,
    max: 12,
    bucketCounts: bucketCounts.map(String),
    explicitBounds,
  });
  const send = (name: string, dataPoints: object[]): Promise<void> =>
    box.record('metrics', {
      resourceMetrics: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'till' } }] },
          scopeMetrics: [{ metrics: [{ name, unit: 'ms', histogram: { aggregationTemporality: 2, dataPoints } }] }],
        },
      ],
    });
  const read = async (metric: string, aggregation: string): Promise<number[]> => {
    const chart = await charts.create({ metric, aggregation, serviceName: 'till' });
    const { series } = await charts.rangeData(
      chart,
      `?rangeStart=${new Date(start).toISOString()}&rangeEnd=${new Date(start + 5 * MINUTE_MS).toISOString()}`,
    );
    return series.flatMap(({ dataPoints }) => dataPoints.map(({ value }) => value));
  };

  it('never show a percentile or an extreme beyond the extremes that were sent', async () => {
    await send(
      'wait',
      [1, 2, 3, 4].map((minute) => histogram(minute, [0, minute, 9 * minute, 0])),
    );
    for (const aggregation of ['p50', 'p95', 'p99', 'max', 'min']) {
      const values = await read('wait', aggregation);
      assert.equal(values.length, 4, aggregation);
      assert.ok(
        values.every((value) => value >= 3 && value <= 12),
        `${aggregation}: ${values.join()}`,
      );
    }
  });

  it('count each observation once where a sender reports only some of the buckets', async () => {
    await send('parts', [histogram(1, [0, 1, 9, 0]), histogram(2, [2, 18, 0], [10, 100]), histogram(3, [0, 3, 27, 0])]);
    assert.deepEqual(await read('parts', 'count'), [10, 10, 10]);
    const [, , p50] = await read('parts', 'p50');
    assert.ok(p50 > 10 && p50 <= 12, String(p50));
  });
});
