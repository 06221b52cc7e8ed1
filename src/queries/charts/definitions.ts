import { byText } from '../../diagnostics/by-text.js';
import type { Chart, Dashboard } from '../../diagnostics/chart.js';
import { CHARTS_PROJECTION, chartCollections, definitionId, type ChartCollections, type ChartDocument, type DashboardDocument } from '../../read-models/charts.js';
import { eq } from '../../read-models/filter.js';
import { activeVersion } from '../../read-models/projections.js';
import type { ReadModelReader } from '../../read-models/store.js';

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
    async charts(gridId) {
      const found = await collections();
      const documents = found === undefined ? [] : await store.find(found.charts, { filter: eq('gridId', gridId) });
      return documents.map(({ document }) => chartOf(document)).sort(byTitle);
    },
    async chart(gridId, chartId) {
      const found = await collections();
      const document = found && (await store.get(found.charts, definitionId(gridId, chartId)));
      return document && chartOf(document);
    },
    async dashboards(gridId) {
      const found = await collections();
      const documents = found === undefined ? [] : await store.find(found.dashboards, { filter: eq('gridId', gridId) });
      return documents.map(({ document }) => dashboardOf(document)).sort(byTitle);
    },
    async dashboard(gridId, dashboardId) {
      const found = await collections();
      const document = found && (await store.get(found.dashboards, definitionId(gridId, dashboardId)));
      return document && dashboardOf(document);
    },
  };
}

function chartOf({ gridId: _, ...chart }: ChartDocument): Chart {
  return chart;
}

function dashboardOf({ gridId: _, ...dashboard }: DashboardDocument): Dashboard {
  return dashboard;
}

interface Titled {
  readonly title: string;
  readonly id: string;
}

function byTitle(a: Titled, b: Titled): number {
  return byText(a.title, b.title) || byText(a.id, b.id);
}
