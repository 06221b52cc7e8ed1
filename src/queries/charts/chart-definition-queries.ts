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

/** Charts and dashboards as the log has them; none before the projection's first commit. */
export interface ChartDefinitions {
  /** By title. */
  charts(gridId: string): Promise<readonly Chart[]>;
  chart(gridId: string, chartId: string): Promise<Chart | undefined>;
  /** By title. */
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

/** Own ones by title, then those of services by service. */
export async function listCharts(
  definitions: ChartDefinitions,
  services: ServiceDashboardCache,
  gridId: string,
  turn: TimeSlice,
): Promise<ListedChart[]> {
  const own = await definitions.charts(gridId);
  const { boards } = await services.get(gridId, turn);
  return [
    ...own.map((chart) => ({ ...chart, builtIn: false })),
    ...boards.flatMap(({ charts }) => charts).map((chart) => ({ ...chart, builtIn: true })),
  ];
}

/** Undefined: neither the Grid nor a discovered service has a chart of this id. */
export async function findChart(
  definitions: ChartDefinitions,
  services: ServiceDashboardCache,
  gridId: string,
  chartId: string,
  turn: TimeSlice,
): Promise<ListedChart | undefined> {
  const own = await definitions.chart(gridId, chartId);
  if (own !== undefined) return { ...own, builtIn: false };
  const ofService = (await services.get(gridId, turn)).charts.get(chartId);
  return ofService && { ...ofService, builtIn: true };
}

/** Own ones by title, then those of services by service. */
export async function listDashboards(
  definitions: ChartDefinitions,
  services: ServiceDashboardCache,
  gridId: string,
  turn: TimeSlice,
): Promise<ListedDashboard[]> {
  const own = await definitions.dashboards(gridId);
  const charts = new Map((await definitions.charts(gridId)).map((chart) => [chart.id, chart]));
  const ofServices = await services.get(gridId, turn);
  return [
    ...own.map((dashboard) => withChartSummaries(dashboard, false, charts)),
    ...ofServices.boards.map(({ dashboard }) => withChartSummaries(dashboard, true, ofServices.charts)),
  ];
}

/** Undefined: neither the Grid nor a discovered service has a dashboard of this id. */
export async function findDashboard(
  definitions: ChartDefinitions,
  services: ServiceDashboardCache,
  gridId: string,
  dashboardId: string,
  turn: TimeSlice,
): Promise<ListedDashboard | undefined> {
  const own = await definitions.dashboard(gridId, dashboardId);
  if (own !== undefined)
    return withChartSummaries(
      own,
      false,
      new Map((await definitions.charts(gridId)).map((chart) => [chart.id, chart])),
    );
  const { dashboards, charts } = await services.get(gridId, turn);
  const dashboard = dashboards.get(dashboardId);
  return dashboard && withChartSummaries(dashboard, true, charts);
}

/** With what is told of its charts. One that left between the two questions is left out. */
function withChartSummaries(
  { charts: placed, ...dashboard }: Dashboard,
  builtIn: boolean,
  charts: ReadonlyMap<string, Chart>,
): ListedDashboard {
  const told = placed.flatMap(({ chartId, position }) => {
    const chart = charts.get(chartId);
    return chart === undefined ? [] : [{ chartId, title: chart.title, chartType: chart.chartType, position }];
  });
  return { ...dashboard, builtIn, charts: told };
}
