import type { Chart } from '../diagnostics/chart.js';
import { CHARTS_PROJECTION, CHARTS_VERSION, chartCollections, definitionId, type ChartDocument, type DashboardDocument } from '../read-models/charts.js';
import type { ReadModelReader } from '../read-models/store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { ChartEvent, StoredChart, StoredDashboard } from '../streams/events/chart-events.js';
import { defaultCharts, defaultDashboards } from '../streams/events/default-charts.js';
import type { GridEvent } from '../streams/events/grid-events.js';
import { GRID_PREFIX } from '../streams/stream-names.js';
import { foldDocuments, type DocumentFold } from './documents.js';
import { checkpointName, type Projection } from './projection.js';

/** What one event means for one document: what it says from then on; undefined: it is gone. */
interface Step {
  readonly gridId: string;
  /** Of the chart or dashboard. */
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

/** Charts and dashboards, those that every Grid starts with included. */
export const charts: Projection = {
  name: CHARTS_PROJECTION,
  schema: CHARTS_VERSION,
  contents: (version) => {
    const collections = chartCollections(version);
    return [collections.charts, collections.dashboards].map((collection) => ({ kind: 'documents', collection }));
  },
};

export function chartsRun(version: number, store: ReadModelReader) {
  const collections = chartCollections(version);
  const folds = [
    { collection: collections.charts, idOf: idOf('chart'), evolve: evolveChart },
    { collection: collections.dashboards, idOf: idOf('dashboard'), evolve: evolveDashboard },
  ] as DocumentFold<object, ChartStep | DashboardStep>[];
  return {
    name: charts.name,
    group: charts.name,
    prefixes: [GRID_PREFIX],
    checkpoints: [checkpointName(charts.name, version)],
    fold: foldDocuments(folds, store, stepsOf),
  };
}

/** A Grid's creation is that of its first charts and dashboards. What concerns neither is passed by. */
function stepsOf({ type, data }: RecordedEvent): readonly (ChartStep | DashboardStep)[] {
  const event = { type, data } as GridEvent | ChartEvent;
  switch (event.type) {
    case 'GridCreated.v1':
      return [
        ...defaultCharts(event.data.gridId).map((chart) => chartStep(event.data, chart.id, chart)),
        ...defaultDashboards(event.data.gridId).map((dashboard) => dashboardStep(event.data, dashboard.id, dashboard)),
      ];
    case 'ChartCreated.v1':
    case 'ChartChanged.v1':
      return [chartStep(event.data, event.data.chart.id, event.data.chart)];
    case 'ChartDeleted.v1':
      return [chartStep(event.data, event.data.chartId, undefined)];
    case 'DashboardCreated.v1':
    case 'DashboardChanged.v1':
      return [dashboardStep(event.data, event.data.dashboard.id, event.data.dashboard)];
    case 'DashboardDeleted.v1':
      return [dashboardStep(event.data, event.data.dashboardId, undefined)];
    default:
      return [];
  }
}

function chartStep({ gridId, at }: Omit<Step, 'id'>, id: string, chart: StoredChart | undefined): ChartStep {
  return { kind: 'chart', gridId, id, at, chart };
}

function dashboardStep({ gridId, at }: Omit<Step, 'id'>, id: string, dashboard: StoredDashboard | undefined): DashboardStep {
  return { kind: 'dashboard', gridId, id, at, dashboard };
}

function idOf(kind: 'chart' | 'dashboard') {
  return (step: ChartStep | DashboardStep): string | undefined => (step.kind === kind ? definitionId(step.gridId, step.id) : undefined);
}

/** Commands let nothing but the words of Chart into the log. */
function evolveChart(before: ChartDocument | undefined, { gridId, at, chart }: ChartStep): ChartDocument | undefined {
  return chart && { ...(chart as Chart), gridId, createdAt: before?.createdAt ?? at, updatedAt: at };
}

function evolveDashboard(before: DashboardDocument | undefined, { gridId, at, dashboard }: DashboardStep): DashboardDocument | undefined {
  return dashboard && { ...dashboard, gridId, createdAt: before?.createdAt ?? at, updatedAt: at };
}
