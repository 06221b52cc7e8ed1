import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import { ChartClient, type ChartFields, type RangeData } from '../../support/chart-client.js';
import {
  counter,
  CUMULATIVE,
  DELTA,
  exponentialHistogram,
  exportTimeOf,
  gauge,
  histogram,
  summary,
  type Exported,
  type Exporting,
  type Instrument,
  type Measurement,
} from '../../support/instruments.js';
import type { Json } from '../../support/otlp-requests.js';
import { randomNumbers } from '../../support/random-numbers.js';

const MINUTE_MS = 60_000;
const NOW = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
const BEGIN = NOW - 200 * MINUTE_MS;
const FROM = NOW - 90 * MINUTE_MS;
const TO = NOW - 30 * MINUTE_MS;
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SCALE = 3;
const INSTANCES = ['a', 'b'];
const ROUTES = Array.from({ length: 13 }, (_, i) => `/route/${String(i).padStart(2, '0')}`);

const RESTART = NOW - 61 * MINUTE_MS - 7_000;

/** Exports every 20 s, not aligned to minutes; the process is silent for 15 minutes and restarts. */
const EXPORTING: Exporting = {
  startsMs: [BEGIN, RESTART],
  exportsMs: Array.from({ length: 3 * 190 }, (_, i) => BEGIN + (i + 1) * 20_000 + 3_000).filter(
    (ms) => ms < NOW - 75 * MINUTE_MS || ms > RESTART + 20_000,
  ),
};

const random = randomNumbers(44);

/** Measurements of one process, a few in the 20 s before each export. */
function measurementsOf(value: () => number, routes: readonly string[] = []): Measurement[] {
  return EXPORTING.exportsMs
    .flatMap((exportMs) =>
      Array.from({ length: 1 + Math.floor(3 * random()) }, () => ({
        atMs: exportMs - 1 - Math.floor(19_000 * random()),
        value: value(),
        attributes: routes.length === 0 ? [] : [['route', routes[Math.floor(routes.length * random() ** 2)]] as const],
      })),
    )
    .sort((a, b) => a.atMs - b.atMs);
}

interface Sent {
  readonly name: string;
  readonly exported: Exported;
  readonly unit: string;
  readonly byInstance: ReadonlyMap<string, Instrument>;
}

function instrument(
  name: string,
  unit: string,
  exported: Exported,
  value: () => number,
  routes?: readonly string[],
): Sent {
  return {
    name,
    unit,
    exported,
    byInstance: new Map(
      INSTANCES.map((instance) => [instance, { name, unit, measurements: measurementsOf(value, routes) }]),
    ),
  };
}

const seconds = (): number => 0.004 * Math.exp(6 * random());

const SENT = {
  cumulativeCounter: instrument('orders.placed', '{order}', counter(CUMULATIVE), () => Math.ceil(10 * random())),
  deltaCounter: instrument('orders.cancelled', '{order}', counter(DELTA), () => Math.ceil(3 * random()), ROUTES),
  upDown: instrument('queue.length', '1', counter(CUMULATIVE, false), () => Math.floor(9 * random()) - 4),
  gauge: instrument('room.temperature', 'Cel', gauge, () => 40 * random() - 10, ROUTES.slice(0, 2)),
  deltaHistogram: instrument('request.duration', 's', histogram(DELTA, BOUNDS), seconds, ROUTES.slice(0, 3)),
  cumulativeHistogram: instrument('query.duration', 's', histogram(CUMULATIVE, BOUNDS), seconds),
  deltaExponential: instrument('render.duration', 's', exponentialHistogram(DELTA, SCALE), seconds),
  cumulativeExponential: instrument('call.duration', 's', exponentialHistogram(CUMULATIVE, SCALE), seconds),
  summary: instrument('sleep.duration', 's', summary([0.5, 0.95, 0.99]), seconds),
};

function requestAt(instance: string, exportMs: number): object {
  const metrics: Json[] = Object.values(SENT).map(({ exported, byInstance }) =>
    exported(byInstance.get(instance)!, EXPORTING, exportMs),
  );
  const attributes = [
    { key: 'service.name', value: { stringValue: 'shop' } },
    { key: 'service.instance.id', value: { stringValue: instance } },
  ];
  return {
    resource: { attributes },
    scopeMetrics: [{ metrics: metrics.filter((metric) => JSON.stringify(metric).includes('timeUnixNano')) }],
  };
}

/** Measurements of both processes, by the step of the export that contains them. */
function expectedSteps(
  { byInstance }: Sent,
  stepMs: number,
  fromMs: number,
  toMs: number,
  where: (measurement: Measurement) => boolean = () => true,
): Map<number, number[]> {
  const steps = new Map<number, number[]>();
  for (const { measurements } of byInstance.values()) {
    for (const measurement of measurements) {
      const exportMs = exportTimeOf(EXPORTING, measurement.atMs);
      if (exportMs === undefined || exportMs < fromMs || exportMs >= toMs || !where(measurement)) continue;
      const atMs = Math.floor(exportMs / stepMs) * stepMs;
      steps.set(atMs, [...(steps.get(atMs) ?? []), measurement.value]);
    }
  }
  return new Map([...steps].sort(([a], [b]) => a - b));
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const mean = (values: readonly number[]): number => total(values) / values.length;
const routeIs =
  (route: string) =>
  ({ attributes }: Measurement): boolean =>
    attributes.some(([, value]) => value === route);

type Series = RangeData['series'][number];

/** Asserts that exactly the expected steps have values. */
function assertValues(
  { label, dataPoints }: Series,
  steps: ReadonlyMap<number, readonly number[]>,
  valueOf: (values: readonly number[], atMs: number) => number,
): void {
  assert.deepEqual(
    dataPoints.map(({ timestamp }) => timestamp),
    [...steps.keys()].map((atMs) => new Date(atMs).toISOString()),
    label,
  );
  dataPoints.forEach(({ timestamp, value }) => {
    const wanted = valueOf(steps.get(Date.parse(timestamp))!, Date.parse(timestamp));
    assert.ok(
      Math.abs(value - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted)),
      `${label} at ${timestamp}: ${value} is not ${wanted}`,
    );
  });
}

/** Asserts that the value lies in the same bucket as the nearest-rank percentile of the measurements. */
function assertInBucket(
  { dataPoints }: Series,
  steps: ReadonlyMap<number, readonly number[]>,
  p: number,
  edgesOf: (value: number) => readonly [number, number],
): void {
  assert.equal(dataPoints.length, steps.size);
  for (const { timestamp, value } of dataPoints) {
    const sorted = [...steps.get(Date.parse(timestamp))!].sort((a, b) => a - b);
    const exact = sorted[Math.max(1, Math.ceil((p / 100) * sorted.length)) - 1];
    const [lower, upper] = edgesOf(exact);
    assert.ok(
      value >= lower * (1 - 1e-9) && value <= upper * (1 + 1e-9),
      `${timestamp}: ${value} is not between ${lower} and ${upper}, where ${exact} is`,
    );
  }
}

const explicitEdges = (value: number): readonly [number, number] => {
  const index = BOUNDS.filter((bound) => bound < value).length;
  return [BOUNDS[index - 1] ?? 0, BOUNDS[index] ?? Infinity];
};
const exponentialEdges = (value: number): readonly [number, number] => {
  const index = Math.ceil(Math.log2(value) * 2 ** SCALE) - 1;
  return [2 ** (index / 2 ** SCALE), 2 ** ((index + 1) / 2 ** SCALE)];
};

describe('charts of OTLP metrics with known measurements', function () {
  this.timeout(180_000);
  let box: BlackBox;
  let charting: ChartClient;
  const show = async (fields: ChartFields, fromMs = FROM, toMs = TO): Promise<readonly Series[]> =>
    (await charting.show(fields, fromMs, toMs)).series;
  const only = async (fields: ChartFields, fromMs = FROM, toMs = TO): Promise<Series> => {
    const series = await show(fields, fromMs, toMs);
    assert.equal(series.length, 1, JSON.stringify(fields));
    return series[0];
  };

  before(async () => {
    box = await BlackBox.start();
    charting = await ChartClient.with(box);
    const requests: object[] = [];
    for (let first = 0; first < EXPORTING.exportsMs.length; first += 30) {
      const resourceMetrics = EXPORTING.exportsMs
        .slice(first, first + 30)
        .flatMap((exportMs) => INSTANCES.map((instance) => requestAt(instance, exportMs)));
      requests.push({ resourceMetrics });
    }
    // The third is sent twice, as after a lost acknowledgement.
    await box.record('metrics', ...requests, requests[2]);
  });
  after(() => box.dispose());

  for (const name of ['cumulativeCounter', 'deltaCounter'] as const) {
    it(`${name}: rate and increments`, async () => {
      const steps = expectedSteps(SENT[name], MINUTE_MS, FROM, TO);
      assertValues(await only({ metric: SENT[name].name }), steps, (values) => total(values) / 60);
      assertValues(await only({ metric: SENT[name].name, aggregation: 'rate' }), steps, (values) => total(values) / 60);
      assertValues(await only({ metric: SENT[name].name, aggregation: 'sum' }), steps, total);
    });

    it(`${name}: rates of hours over two days`, async () => {
      const fromMs = NOW - 48 * 60 * MINUTE_MS + 7 * MINUTE_MS;
      const hours = expectedSteps(SENT[name], 60 * MINUTE_MS, fromMs, TO);
      assertValues(await only({ metric: SENT[name].name, aggregation: 'sum' }, fromMs, TO), hours, total);
      assertValues(
        await only({ metric: SENT[name].name }, fromMs, TO),
        hours,
        (values, atMs) => total(values) / ((Math.min(TO, atMs + 60 * MINUTE_MS) - Math.max(fromMs, atMs)) / 1000),
      );
    });
  }

  it('by attribute: the ten largest, and the sum of all others', async () => {
    const ofRoute = (route: string): number =>
      total([...expectedSteps(SENT.deltaCounter, MINUTE_MS, FROM, TO, routeIs(route)).values()].flat());
    const ranked = [...ROUTES].sort((a, b) => ofRoute(b) - ofRoute(a) || (a < b ? -1 : 1));
    const series = await show({ metric: 'orders.cancelled', groupBy: 'route', aggregation: 'sum' });
    assert.deepEqual(
      series.map(({ label }) => label),
      [...ranked.slice(0, 10), 'other'],
    );
    for (const one of series.slice(0, 10))
      assertValues(one, expectedSteps(SENT.deltaCounter, MINUTE_MS, FROM, TO, routeIs(one.label)), total);
    assertValues(
      series[10],
      expectedSteps(SENT.deltaCounter, MINUTE_MS, FROM, TO, (each) =>
        ranked.slice(10).some((route) => routeIs(route)(each)),
      ),
      total,
    );
  });

  it('gauges: average, extremes, newest value', async () => {
    // Each export contains the newest gauge value of each route and instance.
    const newest = [...SENT.gauge.byInstance.values()]
      .flatMap(({ measurements }) => {
        const byExport = new Map<string, Measurement & { readonly exportMs: number }>();
        for (const each of measurements) {
          const exportMs = exportTimeOf(EXPORTING, each.atMs)!;
          byExport.set(`${exportMs} ${JSON.stringify(each.attributes)}`, { ...each, exportMs });
        }
        return [...byExport.values()];
      })
      .filter(({ exportMs }) => exportMs >= FROM && exportMs < TO);
    const steps = new Map<number, number[]>();
    for (const { exportMs, value } of newest.sort((a, b) => a.exportMs - b.exportMs)) {
      const atMs = Math.floor(exportMs / MINUTE_MS) * MINUTE_MS;
      steps.set(atMs, [...(steps.get(atMs) ?? []), value]);
    }
    assertValues(await only({ metric: 'room.temperature' }), steps, mean);
    assertValues(await only({ metric: 'room.temperature', aggregation: 'min' }), steps, (values) =>
      Math.min(...values),
    );
    assertValues(await only({ metric: 'room.temperature', aggregation: 'max' }), steps, (values) =>
      Math.max(...values),
    );
    assertValues(await only({ metric: 'room.temperature', aggregation: 'count' }), steps, (values) => values.length);
  });

  it('a non-monotonic sum is a value, not an increment, per instance', async () => {
    const series = await show({ metric: 'queue.length', groupBy: 'instance', aggregation: 'last' });
    assert.deepEqual(series.map(({ label }) => label).sort(), INSTANCES);
    for (const { label, dataPoints } of series) {
      const { measurements } = SENT.upDown.byInstance.get(label)!;
      for (const { timestamp, value } of dataPoints) {
        const lastExport = EXPORTING.exportsMs
          .filter((ms) => ms >= Date.parse(timestamp) && ms < Date.parse(timestamp) + MINUTE_MS)
          .at(-1)!;
        const start = EXPORTING.startsMs.filter((ms) => ms < lastExport).at(-1)!;
        assert.equal(
          value,
          total(measurements.filter(({ atMs }) => atMs > start && atMs <= lastExport).map((each) => each.value)),
          `${label} at ${timestamp}`,
        );
      }
      assert.ok(dataPoints.length > 30);
    }
  });

  for (const name of ['deltaHistogram', 'cumulativeHistogram', 'deltaExponential', 'cumulativeExponential'] as const) {
    it(`${name}: average, observations, rate, percentiles`, async () => {
      const metric = SENT[name].name;
      const steps = expectedSteps(SENT[name], MINUTE_MS, FROM, TO);
      assertValues(await only({ metric }), steps, mean);
      assertValues(await only({ metric, aggregation: 'count' }), steps, (values) => values.length);
      assertValues(await only({ metric, aggregation: 'sum' }), steps, total);
      assertValues(await only({ metric, aggregation: 'rate' }), steps, (values) => values.length / 60);
      for (const p of [50, 95, 99])
        assertInBucket(
          await only({ metric, aggregation: `p${p}` }),
          steps,
          p,
          name.endsWith('Histogram') ? explicitEdges : exponentialEdges,
        );
      if (name.startsWith('delta')) {
        assertValues(await only({ metric, aggregation: 'min' }), steps, (values) => Math.min(...values));
        assertValues(await only({ metric, aggregation: 'max' }), steps, (values) => Math.max(...values));
      }
    });

    it(`${name}: percentiles of hours over two days`, async () => {
      const fromMs = NOW - 48 * 60 * MINUTE_MS;
      assertInBucket(
        await only({ metric: SENT[name].name, aggregation: 'p95' }, fromMs, NOW),
        expectedSteps(SENT[name], 60 * MINUTE_MS, fromMs, NOW),
        95,
        name.endsWith('Histogram') ? explicitEdges : exponentialEdges,
      );
    });
  }

  it('summaries: observations and the reported percentiles', async () => {
    const steps = expectedSteps(SENT.summary, MINUTE_MS, FROM, TO);
    assertValues(await only({ metric: 'sleep.duration' }), steps, mean);
    assertValues(await only({ metric: 'sleep.duration', aggregation: 'count' }), steps, (values) => values.length);
    const { dataPoints } = await only({ metric: 'sleep.duration', aggregation: 'p95' });
    assert.equal(dataPoints.length, steps.size);
    for (const { value } of dataPoints) assert.ok(value >= 0.004 && value <= 0.004 * Math.exp(6));
  });

  it('units are those of the metric, per second for rates, unless the chart sets one', async () => {
    const unitOf = async (fields: ChartFields): Promise<string> => (await charting.show(fields, FROM, TO)).unit;
    assert.equal(await unitOf({ metric: 'request.duration', aggregation: 'p95' }), 's');
    assert.equal(await unitOf({ metric: 'room.temperature' }), 'Cel');
    assert.equal(await unitOf({ metric: 'orders.placed' }), '{order}/s');
    assert.equal(await unitOf({ metric: 'orders.placed', unit: 'orders a second' }), 'orders a second');
  });

  it('metrics are listed with unit, type, services and attribute keys', async () => {
    const { status, body } = await box.api.get<{
      metrics: { name: string; unit: string; type: string; services: string[]; attributeKeys: string[] }[];
    }>(`/apm/metrics/${box.gridId}`);
    assert.equal(status, 200);
    const listed = body.metrics.map(({ name, unit, type, services, attributeKeys }) => [
      name,
      unit,
      type,
      services,
      attributeKeys,
    ]);
    assert.deepEqual(listed, [
      ['call.duration', 's', 'exponential_histogram', ['shop'], []],
      ['orders.cancelled', '{order}', 'sum', ['shop'], ['route']],
      ['orders.placed', '{order}', 'sum', ['shop'], []],
      ['query.duration', 's', 'histogram', ['shop'], []],
      ['queue.length', '1', 'sum', ['shop'], []],
      ['render.duration', 's', 'exponential_histogram', ['shop'], []],
      ['request.duration', 's', 'histogram', ['shop'], ['route']],
      ['room.temperature', 'Cel', 'gauge', ['shop'], ['route']],
      ['sleep.duration', 's', 'summary', ['shop'], []],
    ]);
  });
});
