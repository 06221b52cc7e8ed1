import assert from 'node:assert/strict';
import { createChartCommands } from '../../../../src/commands/charts/chart-commands.js';
import { chartsDecider } from '../../../../src/commands/charts/chart-decider.js';
import { gridDecider } from '../../../../src/commands/grids/grid-decider.js';
import { createCommandHandler } from '../../../../src/commands/handle-command.js';
import type { NewChart, NewDashboard } from '../../../../src/diagnostics/chart-model.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';
import { createDefaultCharts, createDefaultDashboards } from '../../../../src/streams/events/grid-defaults.js';
import { gridStream } from '../../../../src/streams/stream-names.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const CHART: NewChart = {
  title: 'Slow',
  chartType: 'line',
  metric: 'latency_p95',
  serviceName: '',
  groupBy: 'operation',
  aggregation: '',
  unit: '',
};
const dashboardOf = (...chartIds: string[]): NewDashboard => ({
  title: 'Mine',
  description: '',
  charts: chartIds.map((chartId, index) => ({ chartId, position: { row: index, col: 0, width: 12, height: 1 } })),
});

/** A Grid of the moment 1; its clock ticks with every command, from 101 on. */
async function ofGrid() {
  const store = new MemoryEventStore();
  await createCommandHandler(store, gridDecider)(gridStream(gridId), {
    type: 'CreateGrid',
    actor: 'alice',
    at: 1,
    gridId,
    name: 'shop',
  });
  const minted = { ids: 0, now: 100 };
  const commands = createChartCommands({
    handle: createCommandHandler(store, chartsDecider),
    newId: () => `minted-${(minted.ids += 1)}`,
    now: () => (minted.now += 1),
  });
  return { store, commands };
}

describe('chart commands', () => {
  it('write into the stream of the Grid, with author and time, and answer where it shows', async () => {
    const { store, commands } = await ofGrid();
    const { position: first, chart } = await commands.createChart('bob', gridId, CHART);
    const { position: second } = await commands.changeChart('carol', gridId, chart.id, { ...CHART, title: 'Slowest' });
    const { position: third, dashboard } = await commands.createDashboard('dave', gridId, dashboardOf(chart.id));
    const { position: fourth } = await commands.changeDashboard('erin', gridId, dashboard.id, dashboardOf());
    const { position: fifth } = await commands.removeDashboard('frank', gridId, dashboard.id);
    const { position: sixth } = await commands.removeChart('grace', gridId, chart.id);
    const recorded = (await store.readStream(gridStream(gridId))).slice(1);
    assert.deepEqual(
      recorded.map(({ type, data, position }) => [
        type,
        (data as { actor: string }).actor,
        (data as { at: number }).at,
        position,
      ]),
      [
        ['ChartCreated.v2', 'bob', 101, first],
        ['ChartChanged.v2', 'carol', 102, second],
        ['DashboardCreated.v2', 'dave', 103, third],
        ['DashboardChanged.v2', 'erin', 104, fourth],
        ['DashboardDeleted.v1', 'frank', 105, fifth],
        ['ChartDeleted.v1', 'grace', 106, sixth],
      ],
    );
    assert.equal(sixth, await store.head());
  });

  it('answer the record as the log has it: since when it is, and when it changed last', async () => {
    const { commands } = await ofGrid();
    const { chart } = await commands.createChart('bob', gridId, CHART);
    assert.deepEqual(chart, { id: 'minted-1', ...CHART, createdAt: 101, updatedAt: 101 });
    const changed = await commands.changeChart('bob', gridId, chart.id, { ...CHART, unit: 'milliseconds' });
    assert.deepEqual(changed.chart, { id: 'minted-1', ...CHART, unit: 'milliseconds', createdAt: 101, updatedAt: 102 });
    const { dashboard } = await commands.createDashboard('bob', gridId, dashboardOf(chart.id, chart.id));
    assert.deepEqual(dashboard, { id: 'minted-2', ...dashboardOf(chart.id, chart.id), createdAt: 103, updatedAt: 103 });
    const emptied = await commands.changeDashboard('bob', gridId, dashboard.id, dashboardOf());
    assert.deepEqual(emptied.dashboard, { id: 'minted-2', ...dashboardOf(), createdAt: 103, updatedAt: 104 });
  });

  it('answer a dashboard with the charts that it shows, as they are by then', async () => {
    const { commands } = await ofGrid();
    const first = await commands.createChart('bob', gridId, CHART);
    const second = await commands.createChart('bob', gridId, { ...CHART, title: 'Other' });
    const placed = [second.chart, first.chart, second.chart];
    const { dashboard, charts } = await commands.createDashboard(
      'bob',
      gridId,
      dashboardOf(...placed.map(({ id }) => id)),
    );
    assert.deepEqual(charts, placed);
    const { chart: renamed } = await commands.changeChart('bob', gridId, first.chart.id, { ...CHART, title: 'New' });
    assert.deepEqual((await commands.changeDashboard('bob', gridId, dashboard.id, dashboardOf(renamed.id))).charts, [
      renamed,
    ]);
  });

  it('know since when there is what a Grid started with', async () => {
    const { commands } = await ofGrid();
    const [{ id: chartId, ...first }] = createDefaultCharts(gridId);
    const { chart } = await commands.changeChart('bob', gridId, chartId, { ...(first as NewChart), title: 'Ours' });
    assert.deepEqual(chart, { id: chartId, ...first, title: 'Ours', createdAt: 1, updatedAt: 101 });
    const { dashboard } = await commands.changeDashboard(
      'bob',
      gridId,
      createDefaultDashboards(gridId)[0].id,
      dashboardOf(),
    );
    assert.deepEqual([dashboard.createdAt, dashboard.updatedAt], [1, 102]);
  });

  it('append nothing where nothing changes, and keep the time of the last change', async () => {
    const { store, commands } = await ofGrid();
    const { chart } = await commands.createChart('bob', gridId, CHART);
    const done = await commands.createDashboard('bob', gridId, dashboardOf(chart.id));
    assert.deepEqual(await commands.changeChart('bob', gridId, chart.id, CHART), { position: done.position, chart });
    assert.deepEqual(await commands.changeDashboard('bob', gridId, done.dashboard.id, dashboardOf(chart.id)), done);
    assert.equal((await store.readStream(gridStream(gridId))).length, 3);
  });

  it('let only one of two win that would place a chart and delete it', async () => {
    const { store, commands } = await ofGrid();
    const { chart } = await commands.createChart('bob', gridId, CHART);
    const elsewhere = createChartCommands({
      handle: createCommandHandler(store, chartsDecider),
      newId: () => 'elsewhere',
      now: () => 200,
    });
    const outcomes = await Promise.allSettled([
      commands.removeChart('bob', gridId, chart.id),
      elsewhere.createDashboard('carol', gridId, dashboardOf(chart.id)),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  it('leave the Grid its other commands', async () => {
    const { store, commands } = await ofGrid();
    await commands.createChart('bob', gridId, CHART);
    const { events } = await createCommandHandler(store, gridDecider)(gridStream(gridId), {
      type: 'ChangeSettings',
      actor: 'bob',
      at: 2,
      gridId,
      changes: { name: 'mall' },
    });
    assert.equal(events.length, 1);
    await commands.createChart('bob', gridId, CHART);
  });

  it('say why they are refused', async () => {
    const { commands } = await ofGrid();
    const fields = (...names: string[]) => ({ code: 'invalid-request', fields: names });
    const reported = (work: Promise<unknown>) =>
      work.then(
        () => undefined,
        ({ code, fields: faults }: { code: string; fields: { field: string }[] }) => ({
          code,
          fields: faults.map(({ field }) => field),
        }),
      );
    assert.deepEqual(
      await reported(commands.createChart('bob', gridId, { ...CHART, title: '', aggregation: 'avg' })),
      fields('title', 'aggregation'),
    );
    assert.deepEqual(
      await reported(commands.createDashboard('bob', gridId, dashboardOf('unknown'))),
      fields('charts[0].chartId'),
    );
    assert.deepEqual(await reported(commands.createChart('bob', 'another', CHART)), { code: 'not-found', fields: [] });
    assert.deepEqual(await reported(commands.removeChart('bob', gridId, 'unknown')), { code: 'not-found', fields: [] });
    assert.deepEqual(await reported(commands.removeDashboard('bob', gridId, 'unknown')), {
      code: 'not-found',
      fields: [],
    });
    assert.deepEqual(await reported(commands.removeChart('bob', gridId, createDefaultCharts(gridId)[0].id)), {
      code: 'conflict',
      fields: [],
    });
  });
});
