import assert from 'node:assert/strict';
import { ERROR_BUDGET_METRIC } from '../../../../src/diagnostics/chart-model.js';
import { assessSlo } from '../../../../src/diagnostics/slos/slo-assessment.js';
import type { Slo } from '../../../../src/diagnostics/slos/slo-model.js';
import { withObjectiveCharts } from '../../../../src/queries/charts/objective-charts.js';
import { unpackChart } from '../../../../src/queries/charts/packed-chart.js';
import type { SloAssessments } from '../../../../src/queries/slos/slo-query-types.js';
import { chartCreated, ChartsWorld, dashboardCreated, gridCreated, MINUTE, NOON } from './support/charts-world.js';

function assess(name: string, good: number, total: number) {
  const slo = { id: name, name, objective: 99, windowDays: 28 } as unknown as Slo;
  const none = { good: 0, total: 0 };
  const burn = { '5m': none, '30m': none, '1h': none, '2h': none, '6h': none, '1d': none, '3d': none };
  return assessSlo(slo, {
    ...{ window: { fromMs: 0, toMs: NOON }, events: { good, total }, excluded: none, burn, coveredFromMs: 0 },
  });
}

const ASSESSMENTS: SloAssessments = {
  assessed: [assess('cart', 999, 1_000), assess('checkout', 980, 1_000), assess('idle', 0, 0)],
  uncounted: [],
};

describe('charts of objectives', () => {
  async function createWorld(chartType: string, assessments = ASSESSMENTS) {
    const world = new ChartsWorld();
    const position = { row: 0, col: 0, width: 6, height: 4 };
    await world.given(
      gridCreated('g'),
      chartCreated('g', { id: 'b', title: 'Budgets', chartType, metric: ERROR_BUDGET_METRIC }),
      chartCreated('g', { id: 'm', title: 'Requests' }),
      dashboardCreated('g', { id: 'd', charts: [{ chartId: 'b', position }] }),
    );
    const asked: (number | undefined)[] = [];
    const assessSlos = async (_gridId: string, asOfMs?: number): Promise<SloAssessments> => {
      asked.push(asOfMs);
      return assessments;
    };
    return { asked, charts: withObjectiveCharts(world.queries, { assessSlos }) };
  }

  it('show what each has left, the least first; none without events', async () => {
    const { asked, charts } = await createWorld('top_list');
    const found = await charts.chartData('g', 'b', {});
    assert.deepEqual(
      found?.data.series.map(({ label, points }) => [label, points.map(({ value }) => Math.round(value))]),
      [
        ['checkout', [-100]],
        ['cart', [90]],
      ],
    );
    assert.deepEqual([found.data.unit, found.data.frame.isWhole, found.data.unansweredFromMs], ['%', true, undefined]);
    assert.deepEqual(asked, [undefined]);
  });

  it('are rounded in answers of the API', async () => {
    const { charts } = await createWorld('value', { assessed: [assess('cart', 2_999, 3_000)], uncounted: [] });
    assert.equal((await charts.chartData('g', 'b', {}))?.data.series[0].points[0].value, 96.67);
  });

  it('are as of the end of the range, or of a past moment', async () => {
    const { asked, charts } = await createWorld('value');
    await charts.chartData('g', 'b', { fromMs: NOON, toMs: NOON + 10 * MINUTE });
    await charts.chartData('g', 'b', { asOfMs: NOON + 20 * MINUTE });
    assert.deepEqual(asked, [NOON + 10 * MINUTE, NOON + 20 * MINUTE]);
  });

  it('have columns in tables, and are drawn on dashboards', async () => {
    const { charts } = await createWorld('table');
    const dashboard = await charts.dashboardRenderInput('g', 'd', {});
    const { data } = unpackChart(dashboard!.charts[0], dashboard!.frame);
    assert.deepEqual(
      data.series.slice(0, 3).map(({ cell, points }) => [cell?.row, cell?.column, Math.round(points[0].value)]),
      [
        ['checkout', 'budget left', -100],
        ['checkout', 'good', 98],
        ['checkout', 'objective', 99],
      ],
    );
    assert.equal(dashboard!.charts[0].isUnanswered, undefined);
  });

  it('say which objectives could not be counted, and that they cannot be narrowed', async () => {
    const { slo } = ASSESSMENTS.assessed[0];
    const uncounted = [{ slo, failure: { code: 'unavailable', message: 'The query exceeded its time limit.' } }];
    const { charts, asked } = await createWorld('value', { assessed: [], uncounted });
    assert.match((await charts.chartData('g', 'b', {}))?.data.hint ?? '', /could not be counted: cart\.$/);
    const narrowed = await charts.chartData('g', 'b', { filter: { where: 'service = cart', serviceName: 'cart' } });
    assert.match(narrowed?.data.hint ?? '', /cannot be narrowed/);
    assert.equal(asked.length, 1);
  });
});
