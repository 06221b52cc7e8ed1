import type { Authored } from './grid-events.js';

/** A chart as events carry it: the members of diagnostics/chart-model.ts, frozen here as what was written. Times are those of its events. */
export interface StoredChart {
  readonly id: string;
  readonly title: string;
  readonly chartType: string;
  readonly metric: string;
  readonly serviceName: string;
  readonly groupBy: string;
  readonly aggregation: string;
  readonly unit: string;
}

export interface StoredDashboard {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly charts: readonly {
    readonly chartId: string;
    readonly position: { readonly row: number; readonly col: number; readonly width: number; readonly height: number };
  }[];
}

/** In the Grid's own stream, beside its other settings. */
export type ChartEvent =
  | {
      readonly type: 'ChartCreated.v1';
      readonly data: Authored & { readonly gridId: string; readonly chart: StoredChart };
    }
  | {
      readonly type: 'ChartChanged.v1';
      readonly data: Authored & { readonly gridId: string; readonly chart: StoredChart };
    }
  | {
      readonly type: 'ChartDeleted.v1';
      readonly data: Authored & { readonly gridId: string; readonly chartId: string };
    }
  | {
      readonly type: 'DashboardCreated.v1';
      readonly data: Authored & { readonly gridId: string; readonly dashboard: StoredDashboard };
    }
  | {
      readonly type: 'DashboardChanged.v1';
      readonly data: Authored & { readonly gridId: string; readonly dashboard: StoredDashboard };
    }
  | {
      readonly type: 'DashboardDeleted.v1';
      readonly data: Authored & { readonly gridId: string; readonly dashboardId: string };
    };
