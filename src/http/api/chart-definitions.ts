import type { Chart } from '../../diagnostics/chart.js';
import { PresentedList } from '../presented-list.js';
import { ChartModel } from '../requests/chart.js';
import { NOTHING } from '../requests/parse.js';
import { route, type Route } from '../route.js';
import { ChartDefinition, ChartDefinitionList } from '../schemas/charts.js';
import type { Shown } from '../schemas/terms.js';
import { changed, DEFINITIONS, onlyIf } from './definitions.js';
import { presentChart } from './presented-charts.js';
import { uuidAsKept } from './questions.js';

const CHARTS = '/admin/grids/{gridSecondaryId}/charts';
const CHART = `${CHARTS}/{chartId}` as const;
const shared = { ...DEFINITIONS, tag: 'Chart definitions' } as const;

export const chartDefinitionRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: CHARTS,
    operationId: 'listChartDefinitions',
    summary: 'List the charts of a Grid that can be changed',
    run: async ({ charts }, { params }) => (await charts.charts(params.gridSecondaryId)).filter(({ builtIn }) => !builtIn),
    answer: ChartDefinitionList,
    present: (charts) => ({ charts: new PresentedList(charts, presentDefinition) }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: CHARTS,
    tagged: true,
    operationId: 'createChart',
    summary: 'Create a chart',
    status: 201,
    body: ChartModel,
    refusals: ['conflict', 'not-found'],
    run: ({ chartCommands }, { principal, params, body }) => changed(chartCommands, chartCommands.createChart(principal.id, params.gridSecondaryId, { ...body })),
    answer: ChartDefinition,
    present: ({ chart }) => presentDefinition(chart),
  }),
  route({
    ...shared,
    method: 'GET',
    path: CHART,
    tagged: true,
    operationId: 'getChartDefinition',
    summary: 'Read the definition of a chart',
    missing: 'No chart of this id is known in the Grid.',
    run: ({ charts }, { params }) => charts.chart(params.gridSecondaryId, uuidAsKept(params.chartId)),
    answer: ChartDefinition,
    present: presentDefinition,
  }),
  route({
    ...shared,
    method: 'PUT',
    path: CHART,
    tagged: true,
    operationId: 'replaceChart',
    summary: 'Replace the definition of a chart',
    body: ChartModel,
    refusals: ['conflict', 'not-found'],
    run({ charts, chartCommands }, { principal, params, body, condition }) {
      const [gridId, chartId] = [params.gridSecondaryId, uuidAsKept(params.chartId)];
      const changing = chartCommands.changeChart(principal.id, gridId, chartId, { ...body }, onlyIf(condition, presentDefinition));
      return changed(chartCommands, changing, () => charts.chart(gridId, chartId));
    },
    answer: ChartDefinition,
    present: ({ chart }) => presentDefinition(chart),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: CHART,
    tagged: true,
    operationId: 'deleteChart',
    summary: 'Delete a chart that is on no dashboard',
    status: 204,
    refusals: ['conflict', 'not-found'],
    run({ charts, chartCommands }, { principal, params, condition }) {
      const [gridId, chartId] = [params.gridSecondaryId, uuidAsKept(params.chartId)];
      return changed(chartCommands, chartCommands.removeChart(principal.id, gridId, chartId, onlyIf(condition, presentDefinition)), () => charts.chart(gridId, chartId));
    },
    present: () => new NOTHING(),
  }),
];

/** What is shown of a chart, and what its author says besides; the unit is the author's own, if any. */
function presentDefinition(chart: Chart): Shown<typeof ChartDefinition> {
  const { unit, groupBy, aggregation } = chart;
  return { ...presentChart(chart), unit, groupBy, aggregation };
}
