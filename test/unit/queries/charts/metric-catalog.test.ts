import assert from 'node:assert/strict';
import fc from 'fast-check';
import type {
  MetricSourceDocument,
  StoredSeries,
} from '../../../../src/read-models/documents/metric-series-documents.js';
import { buildMetricCatalog, readMetricCatalog } from '../../../../src/queries/charts/metric-catalog.js';
import { ProjectedLog } from '../../projections/engine/support/projected.js';
import { GRID, metricsReceived } from '../../projections/engine/support/requests.js';

const LIMIT = 10_000;

function series(more: Partial<StoredSeries> = {}): StoredSeries {
  return {
    metric: 'm',
    unit: 'By',
    kind: 'gauge',
    monotonic: false,
    attributes: '[]',
    startUs: 0,
    value: 1,
    count: 1,
    times: 0,
    ...more,
  };
}

function source(
  service: string,
  all: readonly StoredSeries[],
  times: MetricSourceDocument['times'] = [[1_000]],
): MetricSourceDocument {
  return { gridId: GRID, service, instance: '', resource: '', firstUs: 0, times, series: all };
}

const attributesOf = (...keys: readonly string[]): string => JSON.stringify(keys.map((key) => [key, 'v']));

describe('the catalog of metrics', () => {
  it('lists each metric once, with its services and attribute keys in order', () => {
    const sources = [
      source('shop', [series({ attributes: attributesOf('b', 'c') }), series({ attributes: attributesOf('a') })]),
      source('cart', [series({ attributes: attributesOf('b') })]),
    ];
    assert.deepEqual(buildMetricCatalog(sources, undefined), {
      metrics: [
        {
          name: 'm',
          unit: 'By',
          type: 'gauge',
          monotonic: false,
          services: ['cart', 'shop'],
          attributeKeys: ['a', 'b', 'c'],
          seriesCount: 3,
        },
      ],
      seriesCount: 3,
      seriesLimit: LIMIT,
    });
  });

  it('distinguishes kinds of one name, by name and then kind', () => {
    const all = [
      series({ metric: 'n', kind: 'summary' }),
      series({ metric: 'n', kind: 'histogram' }),
      series({ metric: 'n', kind: 'sum', monotonic: true }),
      series({ metric: 'n', kind: 'sum' }),
      series({ metric: 'n' }),
      series({ metric: 'a', kind: 'exponential_histogram' }),
    ];
    assert.deepEqual(
      buildMetricCatalog([source('shop', all)], undefined).metrics.map(({ name, type, monotonic }) => [
        name,
        type,
        monotonic,
      ]),
      [
        ['a', 'exponential_histogram', false],
        ['n', 'gauge', false],
        ['n', 'sum', false],
        ['n', 'sum', true],
        ['n', 'histogram', false],
        ['n', 'summary', false],
      ],
    );
  });

  it('has the unit that was reported last', () => {
    const sources = [
      source(
        'shop',
        [series({ unit: 'ms', times: 0 }), series({ unit: 's', times: 1, attributes: attributesOf('a') })],
        [
          [5_000, 10],
          [9_000, 8_000],
        ],
      ),
      source('cart', [series({ unit: 'h' })], [[8_000]]),
    ];
    assert.deepEqual(
      buildMetricCatalog(sources, undefined).metrics.map(({ unit }) => unit),
      ['s'],
    );
  });

  it('lists 256 keys of one metric', () => {
    const keys = Array.from({ length: 300 }, (_, i) => `k${String(i).padStart(3, '0')}`);
    const [{ attributeKeys }] = buildMetricCatalog(
      [
        source(
          'shop',
          keys.map((key) => series({ attributes: attributesOf(key) })),
        ),
      ],
      undefined,
    ).metrics;
    assert.deepEqual(attributeKeys, keys.slice(0, 256));
  });

  it('says since when there are too many series', () => {
    const { overflow } = buildMetricCatalog([], {
      gridId: GRID,
      newestHour: 1,
      overflow: { firstMinute: 3, lastMinute: 7 },
    });
    assert.deepEqual(overflow, { firstMs: 180_000, lastMs: 420_000 });
    assert.equal('overflow' in buildMetricCatalog([], { gridId: GRID, newestHour: 1 }), false);
  });

  it('is the same in whatever order sources and series come', () => {
    const someSeries = fc
      .record({
        metric: fc.constantFrom('a', 'b'),
        unit: fc.constantFrom('s', 'ms'),
        kind: fc.constantFrom('gauge' as const, 'sum' as const),
        monotonic: fc.boolean(),
        attributes: fc.constantFrom('[]', attributesOf('x'), attributesOf('x', 'y')),
        times: fc.constantFrom(0, 1),
      })
      .map(series);
    const someSource = fc.tuple(
      fc.constantFrom('shop', 'cart'),
      fc.array(someSeries, { maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(3)), { minLength: 2, maxLength: 2 }),
    );
    const shuffled = fc
      .array(someSource, { maxLength: 4 })
      .chain((sources) => fc.tuple(fc.constant(sources), fc.shuffledSubarray(sources, { minLength: sources.length })));
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        const catalog = (sources: typeof one, turned: boolean) =>
          buildMetricCatalog(
            sources.map(([service, all, times]) => source(service, turned ? [...all].reverse() : all, times)),
            undefined,
          );
        const sorted = catalog(one, false);
        assert.deepEqual(catalog(other, true), sorted);
        assert.equal(
          sorted.metrics.reduce((sum, { seriesCount }) => sum + seriesCount, 0),
          sorted.seriesCount,
        );
      }),
    );
  });

  describe('of a Grid', () => {
    let log: ProjectedLog;

    beforeEach(() => {
      log = new ProjectedLog();
    });
    afterEach(() => log.remove());

    it('is that of the series it has sent, and of no other Grid', async () => {
      assert.deepEqual((await readMetricCatalog(log.store, GRID)).metrics, []);
      await log.append(
        metricsReceived([
          { time: log.now, value: 1, unit: 'By', attributes: { state: 'used' } },
          { time: log.now, value: 2, metric: 'n', kind: 'sum' },
        ]),
      );
      await log.settle();
      assert.deepEqual(await readMetricCatalog(log.store, GRID), {
        metrics: [
          {
            name: 'm',
            unit: 'By',
            type: 'gauge',
            monotonic: false,
            services: ['shop'],
            attributeKeys: ['state'],
            seriesCount: 1,
          },
          { name: 'n', unit: '', type: 'sum', monotonic: true, services: ['shop'], attributeKeys: [], seriesCount: 1 },
        ],
        seriesCount: 2,
        seriesLimit: LIMIT,
      });
      assert.deepEqual((await readMetricCatalog(log.store, 'another')).metrics, []);
    });
  });
});
