import assert from 'node:assert/strict';
import { MetricRollupProjection } from '../../../../../src/projections/telemetry/rollups/metric-rollup-projection.js';
import { createDroppedRecords, selectRowsByGrid } from '../../../../../src/projections/telemetry/telemetry-batch.js';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import { metricRollupCollections, ROLLUP_BLOB } from '../../../../../src/read-models/documents/rollup-documents.js';
import { decodeMetricRollup } from '../../../../../src/read-models/rollups/metric-rollup-codec.js';
import { createMetricColumns } from '../../../../../src/telemetry/columns/metric-batch-columns.js';
import { decodeMetrics } from '../../../../../src/telemetry/otlp/decoding/metric-decoder.js';
import type { RemoteWriteFormat } from '../../../../../src/telemetry/prometheus/remote-write.js';
import { translateRemoteWriteToProtobuf } from '../../../../../src/telemetry/prometheus/remote-write-to-protobuf.js';
import { encodeVersion1, encodeVersion2, type SeriesModel, TYPES } from '../../../../support/remote-write-encoder.js';
import { GRID } from '../../engine/support/requests.js';

const NOON = Date.UTC(2026, 5, 20, 12);
const MINUTE_MS = 60_000;
const BOUNDS = ['0.1', '0.5', '1'];
/** Series of one scrape. */
const SERIES = BOUNDS.length + 3;

/** A service that has run for ten hours: in each minute, 4 observations of 0.05, 0.3, 0.7 and 2. */
function scrape(minute: number, bounds: readonly string[] = BOUNDS): SeriesModel[] {
  const observed = 600 + minute;
  const one = (name: string, value: number, labels = {}): SeriesModel => ({
    labels: { __name__: name, job: 'till', ...labels },
    samples: [{ value, ms: NOON + minute * MINUTE_MS }],
    type: TYPES.histogram,
    createdMs: NOON - 600 * MINUTE_MS,
  });
  return [
    ...bounds.map((le) =>
      one('latency_bucket', [0.05, 0.3, 0.7, 2].filter((v) => v <= Number(le)).length * observed, { le }),
    ),
    one('latency_bucket', 4 * observed, { le: '+Inf' }),
    one('latency_sum', 3 * observed),
    one('latency_count', 4 * observed),
  ];
}

/** What the metrics of requests that came one after the other add up to. */
async function totalsOf(format: RemoteWriteFormat, requests: readonly SeriesModel[][]) {
  const store = new MemoryReadModelStore();
  const rollups = new MetricRollupProjection(1, store);
  await rollups.restore();
  for (const series of requests) {
    const body = format === 'remote-write-1' ? encodeVersion1(series) : encodeVersion2(series);
    const columns = createMetricColumns();
    decodeMetrics(translateRemoteWriteToProtobuf(format, body).protobuf, 0, [], columns);
    const request = { identity: '', recordedAt: 0, gridId: GRID, revision: 0, spans: 0 };
    const dropped = createDroppedRecords();
    const section = { gridId: GRID, from: 0, to: columns.count, recordedAt: 0, keys: [], request, event: 0, dropped };
    const rows = selectRowsByGrid([section], () => true);
    await store.commit(await rollups.foldBatch({ columns, eventRows: [section], rows, floorUs: () => 0 }), []);
  }
  const { minutes } = metricRollupCollections(1);
  const totals: Record<string, { count: number; sum: number }> = {};
  for (const { id } of await store.find(minutes, {}))
    for (const { metric, kind, count, sum } of decodeMetricRollup((await store.readBlob(minutes, id, ROLLUP_BLOB))!)
      .series) {
      const total = (totals[`${metric} ${kind}`] ??= { count: 0, sum: 0 });
      total.count += count;
      total.sum += sum;
    }
  return totals;
}

const splitAt = (series: SeriesModel[], at: number): SeriesModel[][] =>
  [series.slice(0, at), series.slice(at)].filter(({ length }) => length > 0);

describe('classic histograms of Prometheus that come in parts', () => {
  for (const format of ['remote-write-1', 'remote-write-2'] as const)
    it(`count each observation once wherever two scrapes are cut (${format})`, async () => {
      for (let first = 0; first <= SERIES; first++)
        for (let second = 0; second <= SERIES; second++) {
          const requests = [scrape(0), splitAt(scrape(20), first), splitAt(scrape(21), second), scrape(22)].map(
            (each) => (Array.isArray(each[0]) ? each : [each]) as SeriesModel[][],
          );
          const { 'latency histogram': histogram, ...parts } = await totalsOf(format, requests.flat());
          const place = `cut at ${first} and ${second}`;
          assert.deepEqual(histogram, { count: 4 * 22, sum: 3 * 22 }, place);
          for (const [name, { sum }] of Object.entries(parts).filter(([name]) => !name.endsWith('gauge')))
            assert.ok(sum >= 0 && sum <= (name.startsWith('latency_bucket') ? 10 : 4), `${place}: ${name} ${sum}`);
        }
    });

  for (const shards of [
    [
      ['0.1', '0.5'],
      ['0.5', '1'],
    ],
    [['0.1'], ['0.5', '1']],
    [[], ['0.1', '1']],
  ])
    it(`count each once where senders take turns with bounds ${JSON.stringify(shards)}`, async () => {
      const requests = Array.from({ length: 9 }, (_, minute) => scrape(minute, shards[minute % 2]));
      for (const format of ['remote-write-1', 'remote-write-2'] as const)
        assert.deepEqual(await totalsOf(format, requests), { 'latency histogram': { count: 4 * 8, sum: 3 * 8 } });
    });
});
