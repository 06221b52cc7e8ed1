import type { Chart, Dashboard } from '../../diagnostics/chart-model.js';
import type { Collection } from '../read-model-store.js';

export interface ChartDocument extends Chart {
  readonly gridId: string;
}

export interface DashboardDocument extends Dashboard {
  readonly gridId: string;
}

/** Charts and dashboards by `chartDefinitionId`, including the defaults of every Grid. */
export interface ChartCollections {
  readonly charts: Collection<ChartDocument>;
  readonly dashboards: Collection<DashboardDocument>;
}

/** Name of the projection that writes these collections, and its version in this release. */
export const CHARTS_PROJECTION = 'charts';
export const CHARTS_VERSION = 2;

/** Prefixed with the Grid, because in a hand-made log definitions of two Grids may have the same id. */
export function chartDefinitionId(gridId: string, id: string): string {
  return `${gridId}/${id}`;
}

export function chartCollections(version: number): ChartCollections {
  return {
    charts: { name: `charts.v${version}`, indexes: [['gridId']] },
    dashboards: { name: `dashboards.v${version}`, indexes: [['gridId']] },
  };
}
