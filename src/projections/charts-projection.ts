import type { Chart } from '../diagnostics/chart-model.js';
import {
  CHARTS_PROJECTION,
  CHARTS_VERSION,
  chartCollections,
  chartDefinitionId,
  type ChartDocument,
  type DashboardDocument,
} from '../read-models/documents/chart-documents.js';
import type { ReadModelReader } from '../read-models/read-model-store.js';
import type { ChartEvent, StoredChart, StoredDashboard } from '../streams/events/chart-events.js';
import { createDefaultCharts, createDefaultDashboards } from '../streams/events/grid-defaults.js';
import type { GridEvent } from '../streams/events/grid-events.js';
import { GRID_PREFIX } from '../streams/stream-names.js';
import { createDocumentFold, type DocumentFold, type EventMapping } from './document-fold.js';
import { checkpointName, type Projection } from './projection.js';

/** What one event means for one document: its new content, or undefined if it is deleted. */
interface Step {
  readonly gridId: string;
  /** Id of the chart or dashboard. */
  readonly id: string;
  readonly at: number;
}
interface ChartStep extends Step {
  readonly kind: 'chart';
  readonly chart: StoredChart | undefined;
}
interface DashboardStep extends Step {
  readonly kind: 'dashboard';
  readonly dashboard: StoredDashboard | undefined;
}

/** Charts and dashboards, including the defaults of every Grid. */
export const chartsProjection: Projection = {
  name: CHARTS_PROJECTION,
  schema: CHARTS_VERSION,
  contents: (version) => {
    const collections = chartCollections(version);
    return [collections.charts, collections.dashboards].map((collection) => ({ kind: 'documents', collection }));
  },
};

export function createChartsRun(version: number, store: ReadModelReader) {
  const collections = chartCollections(version);
  const folds = [
    { collection: collections.charts, documentId: documentIdFor('chart'), evolve: evolveChart },
    { collection: collections.dashboards, documentId: documentIdFor('dashboard'), evolve: evolveDashboard },
  ] as DocumentFold<object, ChartStep | DashboardStep>[];
  return {
    name: chartsProjection.name,
    group: chartsProjection.name,
    prefixes: [GRID_PREFIX],
    checkpoints: [checkpointName(chartsProjection.name, version)],
    fold: createDocumentFold(folds, store, STEPS),
  };
}

/** The creation of a Grid also creates its default charts and dashboards. */
const STEPS: EventMapping<GridEvent | ChartEvent, ChartStep | DashboardStep> = {
  'GridCreated.v1': (data) => [
    ...createDefaultCharts(data.gridId).map((chart) => toChartStep(data, chart.id, chart)),
    ...createDefaultDashboards(data.gridId).map((dashboard) => toDashboardStep(data, dashboard.id, dashboard)),
  ],
  'ChartCreated.v2': (data) => [toChartStep(data, data.chart.id, data.chart)],
  'ChartChanged.v2': (data) => [toChartStep(data, data.chart.id, data.chart)],
  'ChartDeleted.v1': (data) => [toChartStep(data, data.chartId, undefined)],
  'DashboardCreated.v2': (data) => [toDashboardStep(data, data.dashboard.id, data.dashboard)],
  'DashboardChanged.v2': (data) => [toDashboardStep(data, data.dashboard.id, data.dashboard)],
  'DashboardDeleted.v1': (data) => [toDashboardStep(data, data.dashboardId, undefined)],
};

function toChartStep({ gridId, at }: Omit<Step, 'id'>, id: string, chart: StoredChart | undefined): ChartStep {
  return { kind: 'chart', gridId, id, at, chart };
}

function toDashboardStep(
  { gridId, at }: Omit<Step, 'id'>,
  id: string,
  dashboard: StoredDashboard | undefined,
): DashboardStep {
  return { kind: 'dashboard', gridId, id, at, dashboard };
}

function documentIdFor(kind: 'chart' | 'dashboard') {
  return (step: ChartStep | DashboardStep): string | undefined =>
    step.kind === kind ? chartDefinitionId(step.gridId, step.id) : undefined;
}

/** Commands validate the definition before it reaches the log. */
function evolveChart(before: ChartDocument | undefined, { gridId, at, chart }: ChartStep): ChartDocument | undefined {
  return chart && { ...(chart as Chart), gridId, createdAt: before?.createdAt ?? at, updatedAt: at };
}

function evolveDashboard(
  before: DashboardDocument | undefined,
  { gridId, at, dashboard }: DashboardStep,
): DashboardDocument | undefined {
  return dashboard && { ...dashboard, gridId, createdAt: before?.createdAt ?? at, updatedAt: at };
}
