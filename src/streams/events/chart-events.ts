import type { Authored } from './grid-events.js';

/**
 * Chart as stored in events: the members of diagnostics/chart-model.ts, frozen here as the stored format. Its times are
 * those of its events.
 */
export interface StoredChart {
  readonly id: string;
  readonly title: string;
  readonly chartType: string;
  readonly metric: string;
  readonly serviceName: string;
  readonly groupBy: string;
  readonly aggregation: string;
  readonly unit: string;
  /** Only of charts whose metric is `query`. */
  readonly query?: StoredChartQuery;
}

/** The query of a chart, with all members. Empty texts and 0 stand for what it leaves out. */
export interface StoredChartQuery {
  readonly signal: string;
  readonly where: string;
  readonly groupBy: readonly string[];
  readonly select: readonly { readonly fn: string; readonly field: string; readonly as: string }[];
  /** 0: the default. */
  readonly limit: number;
}

/** Versions of charts without a query; upcast when read. */
export const CHARTS_V1 = ['ChartCreated.v1', 'ChartChanged.v1'] as const;

export interface StoredDashboard {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly charts: readonly {
    readonly chartId: string;
    readonly position: { readonly row: number; readonly col: number; readonly width: number; readonly height: number };
  }[];
  /** Only of dashboards that have some. */
  readonly variables?: readonly string[];
}

/** Versions of dashboards without variables; upcast when read. */
export const DASHBOARDS_V1 = ['DashboardCreated.v1', 'DashboardChanged.v1'] as const;

/** Events in the stream `grid-<gridId>`, next to its settings. */
export type ChartEvent =
  | {
      readonly type: 'ChartCreated.v2';
      readonly data: Authored & { readonly gridId: string; readonly chart: StoredChart };
    }
  | {
      readonly type: 'ChartChanged.v2';
      readonly data: Authored & { readonly gridId: string; readonly chart: StoredChart };
    }
  | {
      readonly type: 'ChartDeleted.v1';
      readonly data: Authored & { readonly gridId: string; readonly chartId: string };
    }
  | {
      readonly type: 'DashboardCreated.v2';
      readonly data: Authored & { readonly gridId: string; readonly dashboard: StoredDashboard };
    }
  | {
      readonly type: 'DashboardChanged.v2';
      readonly data: Authored & { readonly gridId: string; readonly dashboard: StoredDashboard };
    }
  | {
      readonly type: 'DashboardDeleted.v1';
      readonly data: Authored & { readonly gridId: string; readonly dashboardId: string };
    };
