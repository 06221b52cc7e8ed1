import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRejection } from '../../../../src/commands/decider.js';
import type { ChartCommand, ChartsEvent } from '../../../../src/commands/charts/chart-command-types.js';
import { chartsDecider, type ChartsState } from '../../../../src/commands/charts/chart-decider.js';
import { validateDashboard } from '../../../../src/commands/charts/chart-validation.js';
import {
  CHART_TYPES,
  DASHBOARD_COLUMNS,
  type NewChart,
  type NewDashboard,
} from '../../../../src/diagnostics/chart-model.js';
import { createDefaultCharts, createDefaultDashboards } from '../../../../src/streams/events/grid-defaults.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const created: ChartsEvent = { type: 'GridCreated.v1', data: { actor: 'alice', at: 0, gridId, name: 'shop' } };

/** Few ids, so that commands speak of the same things; two of them are there from the start. */
const anyChartId = fc.constantFrom(
  'a',
  'b',
  'c',
  ...createDefaultCharts(gridId)
    .slice(0, 2)
    .map(({ id }) => id),
);
const anyDashboardId = fc.constantFrom('x', 'y', createDefaultDashboards(gridId)[0].id);
const anyChart: fc.Arbitrary<NewChart> = fc.record({
  title: fc.constantFrom('', 'Heap', 'Load'),
  chartType: fc.constantFrom(...CHART_TYPES),
  metric: fc.constantFrom('heap', 'apdex'),
  serviceName: fc.constant(''),
  groupBy: fc.constantFrom('', 'severity'),
  aggregation: fc.constant('' as const),
  unit: fc.constant(''),
});
/** Mostly within the columns, sometimes beyond; rows so few that charts collide. */
const anyPosition = fc.record({
  row: fc.integer({ min: -1, max: 6 }),
  col: fc.integer({ min: 0, max: 11 }),
  width: fc.integer({ min: 0, max: 7 }),
  height: fc.integer({ min: 1, max: 3 }),
});
const anyDashboard = fc.record({
  title: fc.constant('Shop'),
  description: fc.constant(''),
  charts: fc.array(fc.record({ chartId: anyChartId, position: anyPosition }), { maxLength: 4 }),
});

const common = { actor: fc.constant('alice'), at: fc.nat(), gridId: fc.constant(gridId) };
const anyCommand: fc.Arbitrary<ChartCommand> = fc.oneof(
  fc.record({
    ...common,
    type: fc.constantFrom('CreateChart' as const, 'ChangeChart' as const),
    chartId: anyChartId,
    chart: anyChart,
  }),
  fc.record({ ...common, type: fc.constant('DeleteChart' as const), chartId: anyChartId }),
  fc.record({
    ...common,
    type: fc.constantFrom('CreateDashboard' as const, 'ChangeDashboard' as const),
    dashboardId: anyDashboardId,
    dashboard: anyDashboard,
  }),
  fc.record({ ...common, type: fc.constant('DeleteDashboard' as const), dashboardId: anyDashboardId }),
);

/** A cell that two charts cover is named twice. */
function cellsOf({ charts }: NewDashboard): string[] {
  return charts.flatMap(({ position: { row, col, width, height } }) =>
    Array.from({ length: width * height }, (_, cell) => `${row + Math.floor(cell / width)}/${col + (cell % width)}`),
  );
}

function assertSound(state: ChartsState): void {
  for (const dashboard of state!.dashboards.values()) {
    for (const {
      chartId,
      position: { row, col, width },
    } of dashboard.charts) {
      assert.ok(state!.charts.has(chartId), `${chartId} is placed and does not exist`);
      assert.ok(row >= 0 && col + width <= DASHBOARD_COLUMNS);
    }
    const cells = cellsOf(dashboard);
    assert.equal(new Set(cells).size, cells.length, 'two charts cover a cell');
  }
}

describe('places on a dashboard', () => {
  const withinBounds = anyPosition.filter(
    ({ row, col, width }) => row >= 0 && width > 0 && col + width <= DASHBOARD_COLUMNS,
  );

  it('are refused just where two cover a cell', () => {
    fc.assert(
      fc.property(fc.array(withinBounds, { maxLength: 4 }), (positions) => {
        const dashboard = {
          title: 'Shop',
          description: '',
          charts: positions.map((position) => ({ chartId: 'a', position })),
        };
        const cells = cellsOf(dashboard);
        assert.equal(validateDashboard(dashboard).length === 0, new Set(cells).size === cells.length);
      }),
    );
  });
});

describe('charts and dashboards after any commands', () => {
  it('are sound: every placed chart exists, and none overlaps', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 40 }), (commands) => {
        let state = chartsDecider.evolveAll!(undefined, [created]);
        const events: ChartsEvent[] = [created];
        for (const command of commands) {
          const decision = chartsDecider.decide(command, state);
          if (isRejection(decision)) continue;
          events.push(...decision);
          state = decision.reduce((before, event) => chartsDecider.evolve(before, event), state);
          assertSound(state);
          const again = chartsDecider.decide(command, state);
          assert.ok(
            command.type.startsWith('Change') ? !isRejection(again) && again.length === 0 : isRejection(again),
            'what was done cannot be done again',
          );
        }
        assert.deepEqual(chartsDecider.evolveAll!(undefined, events), state);
      }),
      { numRuns: 300 },
    );
  });
});
