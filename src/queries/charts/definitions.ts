import { byText } from '../../diagnostics/by-text.js';
import type { Chart, Dashboard } from '../../diagnostics/chart.js';
import { CHARTS_PROJECTION, chartCollections, definitionId, type ChartCollections, type ChartDocument, type DashboardDocument } from '../../read-models/charts.js';
import { eq } from '../../read-models/filter.js';
import { activeVersion } from '../../read-models/projections.js';
import type { Collection, ReadModelReader } from '../../read-models/store.js';

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
    const version = await activeVersion(store, CHARTS_PROJECTION);
    return version === undefined ? undefined : chartCollections(version);
  };
  return {
    charts: async (gridId) => allOf(store, (await collections())?.charts, gridId),
    chart: async (gridId, chartId) => oneOf(store, (await collections())?.charts, gridId, chartId),
    dashboards: async (gridId) => allOf(store, (await collections())?.dashboards, gridId),
    dashboard: async (gridId, dashboardId) => oneOf(store, (await collections())?.dashboards, gridId, dashboardId),
  };
}

type Definition = ChartDocument | DashboardDocument;

async function allOf<D extends Definition>(store: ReadModelReader, collection: Collection<D> | undefined, gridId: string): Promise<Omit<D, 'gridId'>[]> {
  const found = collection === undefined ? [] : await store.find(collection, { filter: eq('gridId', gridId) });
  return found.map(({ document }) => document).sort(byTitle).map(withoutGrid);
}

async function oneOf<D extends Definition>(store: ReadModelReader, collection: Collection<D> | undefined, gridId: string, id: string): Promise<Omit<D, 'gridId'> | undefined> {
  const document = collection && (await store.get(collection, definitionId(gridId, id)));
  return document && withoutGrid(document);
}

function byTitle(a: Definition, b: Definition): number {
  return byText(a.title, b.title) || byText(a.id, b.id);
}

function withoutGrid<D extends Definition>({ gridId: _, ...definition }: D): Omit<D, 'gridId'> {
  return definition;
}
