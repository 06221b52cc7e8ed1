import { compareText } from '../../diagnostics/text-order.js';
import type { Chart, Dashboard } from '../../diagnostics/chart-model.js';
import {
  chartCollections,
  type ChartCollections,
  chartDefinitionId,
  type ChartDocument,
  CHARTS_PROJECTION,
  type DashboardDocument,
} from '../../read-models/documents/chart-documents.js';
import { eq } from '../../read-models/document-filter.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { Collection, ReadModelReader } from '../../read-models/read-model-store.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import type { ListedChart, ListedDashboard } from './chart-query-types.js';
import type { ServiceDashboardCache } from './service-dashboard-cache.js';

/** Stored charts and dashboards; empty before the projection's first commit. */
export interface ChartDefinitions {
  /** Sorted by title. */
  charts(gridId: string): Promise<readonly Chart[]>;
  chart(gridId: string, chartId: string): Promise<Chart | undefined>;
  /** Sorted by title. */
  dashboards(gridId: string): Promise<readonly Dashboard[]>;
  dashboard(gridId: string, dashboardId: string): Promise<Dashboard | undefined>;
}

export function createChartDefinitions(store: ReadModelReader): ChartDefinitions {
  const collections = async (): Promise<ChartCollections | undefined> => {
    const version = await readActiveVersion(store, CHARTS_PROJECTION);
    return version === undefined ? undefined : chartCollections(version);
  };
  return {
    charts: async (gridId) => findDefinitions(store, (await collections())?.charts, gridId),
    chart: async (gridId, chartId) => findDefinition(store, (await collections())?.charts, gridId, chartId),
    dashboards: async (gridId) => findDefinitions(store, (await collections())?.dashboards, gridId),
    dashboard: async (gridId, dashboardId) =>
      findDefinition(store, (await collections())?.dashboards, gridId, dashboardId),
  };
}

type Definition = ChartDocument | DashboardDocument;

async function findDefinitions<D extends Definition>(
  store: ReadModelReader,
  collection: Collection<D> | undefined,
  gridId: string,
): Promise<Omit<D, 'gridId'>[]> {
  const found = collection === undefined ? [] : await store.find(collection, { filter: eq('gridId', gridId) });
  return found
    .map(({ document }) => document)
    .sort(compareByTitle)
    .map(omitGridId);
}

async function findDefinition<D extends Definition>(
  store: ReadModelReader,
  collection: Collection<D> | undefined,
  gridId: string,
  id: string,
): Promise<Omit<D, 'gridId'> | undefined> {
  const document = collection && (await store.get(collection, chartDefinitionId(gridId, id)));
  return document && omitGridId(document);
}

function compareByTitle(a: Definition, b: Definition): number {
  return compareText(a.title, b.title) || compareText(a.id, b.id);
}

function omitGridId<D extends Definition>({ gridId: _, ...definition }: D): Omit<D, 'gridId'> {
  return definition;
}

/** Stored charts by title, then generated charts by service name. */
export async function listCharts(
  definitions: ChartDefinitions,
  services: ServiceDashboardCache,
  gridId: string,
  timeSlice: TimeSlice,
): Promise<ListedChart[]> {
  const own = await definitions.charts(gridId);
  const { serviceDashboards } = await services.get(gridId, timeSlice);
  return [
    ...own.map((chart) => ({ ...chart, builtIn: false })),
    ...serviceDashboards.flatMap(({ charts }) => charts).map((chart) => ({ ...chart, builtIn: true })),
  ];
}

/** Undefined if neither the Grid nor a discovered service has a chart with this id. */
export async function findChart(
  definitions: ChartDefinitions,
  services: ServiceDashboardCache,
  gridId: string,
  chartId: string,
  timeSlice: TimeSlice,
): Promise<ListedChart | undefined> {
  const own = await definitions.chart(gridId, chartId);
  if (own !== undefined) return { ...own, builtIn: false };
  const generated = (await services.get(gridId, timeSlice)).charts.get(chartId);
  return generated && { ...generated, builtIn: true };
}

/** Stored dashboards by title, then generated dashboards by service name. */
export async function listDashboards(
  definitions: ChartDefinitions,
  services: ServiceDashboardCache,
  gridId: string,
  timeSlice: TimeSlice,
): Promise<ListedDashboard[]> {
  const own = await definitions.dashboards(gridId);
  const charts = new Map((await definitions.charts(gridId)).map((chart) => [chart.id, chart]));
  const generated = await services.get(gridId, timeSlice);
  return [
    ...own.map((dashboard) => withChartSummaries(dashboard, false, charts)),
    ...generated.serviceDashboards.map(({ dashboard }) => withChartSummaries(dashboard, true, generated.charts)),
  ];
}

/** Undefined if neither the Grid nor a discovered service has a dashboard with this id. */
export async function findDashboard(
  definitions: ChartDefinitions,
  services: ServiceDashboardCache,
  gridId: string,
  dashboardId: string,
  timeSlice: TimeSlice,
): Promise<ListedDashboard | undefined> {
  const own = await definitions.dashboard(gridId, dashboardId);
  if (own !== undefined)
    return withChartSummaries(
      own,
      false,
      new Map((await definitions.charts(gridId)).map((chart) => [chart.id, chart])),
    );
  const { dashboards, charts } = await services.get(gridId, timeSlice);
  const dashboard = dashboards.get(dashboardId);
  return dashboard && withChartSummaries(dashboard, true, charts);
}

/** Adds title and type of each chart. Charts that were deleted since the dashboard was read are left out. */
function withChartSummaries(
  { charts: chartPositions, ...dashboard }: Dashboard,
  builtIn: boolean,
  charts: ReadonlyMap<string, Chart>,
): ListedDashboard {
  const summaries = chartPositions.flatMap(({ chartId, position }) => {
    const chart = charts.get(chartId);
    return chart === undefined ? [] : [{ chartId, title: chart.title, chartType: chart.chartType, position }];
  });
  return { ...dashboard, builtIn, charts: summaries };
}
