import assert from 'node:assert/strict';
import { chartsProjection } from '../../../src/projections/charts-projection.js';
import { checkpointName } from '../../../src/projections/projection.js';
import {
  CHARTS_PROJECTION,
  chartCollections,
  chartDefinitionId,
  type ChartDocument,
  type DashboardDocument,
} from '../../../src/read-models/documents/chart-documents.js';
import { eq } from '../../../src/read-models/document-filter.js';
import { readActiveVersion, PROJECTIONS } from '../../../src/read-models/documents/projection-documents.js';
import type { ChartEvent, StoredChart, StoredDashboard } from '../../../src/streams/events/chart-events.js';
import { createDefaultCharts, createDefaultDashboards } from '../../../src/streams/events/grid-defaults.js';
import type { GridEvent } from '../../../src/streams/events/grid-events.js';
import { gridStream } from '../../../src/streams/stream-names.js';
import { ProjectedLog } from './engine/support/projected.js';
import { STORAGES } from './engine/support/storages.js';

const chart: StoredChart = {
  id: 'c1',
  title: 'Heap',
  chartType: 'area',
  metric: 'heap',
  serviceName: 'cart',
  groupBy: 'instance',
  aggregation: 'max',
  unit: 'bytes',
};
const dashboard: StoredDashboard = {
  id: 'd1',
  title: 'Cart',
  description: '',
  charts: [{ chartId: 'c1', position: { row: 0, col: 0, width: 6, height: 4 } }],
};

function by(gridId: string, at: number) {
  return { actor: 'owner', at, gridId };
}

function gridCreated(gridId: string, at: number): GridEvent {
  return { type: 'GridCreated.v1', data: { ...by(gridId, at), name: 'shop' } };
}

async function append(log: ProjectedLog, ...events: (GridEvent | ChartEvent)[]): Promise<void> {
  for (const { type, data } of events)
    await log.events.append(gridStream(data.gridId), 'any', [{ id: crypto.randomUUID(), type, data }]);
}

interface Found {
  readonly charts: readonly ChartDocument[];
  readonly dashboards: readonly DashboardDocument[];
}

/** What a Grid has beside what it started with. */
async function found({ store }: ProjectedLog, gridId: string, inherited = false): Promise<Found> {
  const collections = chartCollections((await readActiveVersion(store, CHARTS_PROJECTION)) ?? 0);
  const filter = eq('gridId', gridId);
  const defaults = new Set([...createDefaultCharts(gridId), ...createDefaultDashboards(gridId)].map(({ id }) => id));
  const sorted = <D extends ChartDocument | DashboardDocument>(
    entries: readonly { readonly id: string; readonly document: D }[],
  ): D[] => {
    assert.deepEqual(
      entries.map(({ id }) => id),
      entries.map(({ document }) => chartDefinitionId(gridId, document.id)),
    );
    return entries
      .map(({ document }) => document)
      .filter(({ id }) => defaults.has(id) === inherited)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  };
  return {
    charts: sorted(await store.find(collections.charts, { filter })),
    dashboards: sorted(await store.find(collections.dashboards, { filter })),
  };
}

/** Ends at once and continues after a restart, which must make no difference. */
for (const restarted of [false, true]) {
  describe(`charts projection${restarted ? ', restarted after every event' : ''}`, () => {
    let log: ProjectedLog;
    beforeEach(() => void (log = new ProjectedLog()));
    afterEach(() => log.remove());
    const given = async (...events: (GridEvent | ChartEvent)[]): Promise<void> => {
      for (const event of events) {
        await append(log, event);
        if (restarted) await log.restart();
      }
      await log.settle();
    };

    it('creates the default charts and dashboards with a Grid', async () => {
      await given(gridCreated('g', 10), gridCreated('h', 20));
      for (const [gridId, at] of [
        ['g', 10],
        ['h', 20],
      ] as const) {
        const times = { gridId, createdAt: at, updatedAt: at };
        const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);
        assert.deepEqual(await found(log, gridId, true), {
          charts: createDefaultCharts(gridId)
            .map((each) => ({ ...each, ...times }))
            .sort(byId),
          dashboards: createDefaultDashboards(gridId).map((each) => ({ ...each, ...times })),
        });
        assert.deepEqual(await found(log, gridId), { charts: [], dashboards: [] });
      }
    });

    it('allows changing and deleting them like others', async () => {
      const [first, second] = createDefaultCharts('g');
      const [overview] = createDefaultDashboards('g');
      await given(
        gridCreated('g', 10),
        { type: 'DashboardChanged.v2', data: { ...by('g', 20), dashboard: { ...overview, charts: [] } } },
        { type: 'ChartDeleted.v1', data: { ...by('g', 30), chartId: first.id } },
        { type: 'ChartChanged.v2', data: { ...by('g', 40), chart: { ...second, title: 'Ours' } } },
      );
      const { charts: left, dashboards } = await found(log, 'g', true);
      assert.equal(left.length, createDefaultCharts('g').length - 1);
      assert.deepEqual(
        left.find(({ id }) => id === second.id),
        { ...second, title: 'Ours', gridId: 'g', createdAt: 10, updatedAt: 40 },
      );
      assert.deepEqual(dashboards, [{ ...overview, charts: [], gridId: 'g', createdAt: 10, updatedAt: 20 }]);
    });

    it('follows charts and dashboards from creation to deletion', async () => {
      await given(
        gridCreated('g', 10),
        { type: 'ChartCreated.v2', data: { ...by('g', 20), chart } },
        { type: 'ChartCreated.v2', data: { ...by('g', 21), chart: { ...chart, id: 'c2' } } },
        { type: 'DashboardCreated.v2', data: { ...by('g', 30), dashboard } },
        { type: 'DashboardCreated.v2', data: { ...by('g', 31), dashboard: { ...dashboard, id: 'd2' } } },
        { type: 'ChartChanged.v2', data: { ...by('g', 40), chart: { ...chart, unit: '' } } },
        { type: 'DashboardChanged.v2', data: { ...by('g', 50), dashboard: { ...dashboard, title: 'Basket' } } },
        { type: 'DashboardDeleted.v1', data: { ...by('g', 60), dashboardId: 'd2' } },
        { type: 'ChartDeleted.v1', data: { ...by('g', 61), chartId: 'c2' } },
      );
      assert.deepEqual(await found(log, 'g'), {
        charts: [{ ...chart, unit: '', gridId: 'g', createdAt: 20, updatedAt: 40 }],
        dashboards: [{ ...dashboard, title: 'Basket', gridId: 'g', createdAt: 30, updatedAt: 50 }],
      });
    });

    it('separates Grids, and charts from dashboards, also with equal ids', async () => {
      await given(
        gridCreated('g', 10),
        gridCreated('h', 10),
        { type: 'ChartCreated.v2', data: { ...by('g', 20), chart } },
        { type: 'ChartCreated.v2', data: { ...by('h', 30), chart } },
        { type: 'DashboardCreated.v2', data: { ...by('h', 31), dashboard: { ...dashboard, id: 'c1' } } },
        { type: 'ChartDeleted.v1', data: { ...by('g', 40), chartId: 'c1' } },
      );
      assert.deepEqual(await found(log, 'g'), { charts: [], dashboards: [] });
      assert.deepEqual(
        (await found(log, 'h')).charts.map(({ id, createdAt }) => [id, createdAt]),
        [['c1', 30]],
      );
      assert.equal((await found(log, 'h')).dashboards.length, 1);
    });
  });
}

for (const storage of STORAGES)
  describe(`charts projection over ${storage.name}`, () => {
    let log: ProjectedLog;
    let before: Found[];
    const all = async (): Promise<Found[]> => [await found(log, 'g'), await found(log, 'g', true)];
    beforeEach(async () => {
      log = new ProjectedLog(undefined, { graceMs: 0 }, storage);
      await append(
        log,
        gridCreated('g', 10),
        { type: 'ChartCreated.v2', data: { ...by('g', 20), chart } },
        { type: 'DashboardCreated.v2', data: { ...by('g', 30), dashboard } },
      );
      await log.settle();
      before = await all();
    });
    afterEach(() => log.remove());

    it('is rebuilt from the log, and verified', async () => {
      const projector = await log.settle();
      const { digest } = await projector.digest(CHARTS_PROJECTION);
      await projector.rebuild(CHARTS_PROJECTION, () => undefined);
      assert.deepEqual(await all(), before);
      assert.equal((await projector.verify(CHARTS_PROJECTION)).equal, true);
      assert.equal((await projector.digest(CHARTS_PROJECTION)).digest, digest);
      await append(log, {
        type: 'DashboardChanged.v2',
        data: { ...by('g', 40), dashboard: { ...dashboard, charts: [] } },
      });
      await log.settle();
      assert.notEqual((await projector.digest(CHARTS_PROJECTION)).digest, digest);
    });

    it('adds the defaults to Grids of an older release', async () => {
      const version = await readActiveVersion(log.store, CHARTS_PROJECTION);
      assert.ok(version !== undefined);
      await log.stop();
      await log.store.commit([{ kind: 'delete', collection: PROJECTIONS, id: CHARTS_PROJECTION }], []);
      for (const { collection } of chartsProjection.contents(version)) await log.store.dropCollection(collection);
      await log.store.dropCheckpoint(checkpointName(CHARTS_PROJECTION, version));
      assert.equal(await readActiveVersion(log.store, CHARTS_PROJECTION), undefined);
      await log.settle();
      assert.deepEqual(await all(), before);
      assert.equal(before[1].dashboards.length, 1);
    });
  });
