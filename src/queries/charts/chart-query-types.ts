import type { MetricKind } from '../../diagnostics/rollups/rollup-types.js';
import type { Chart, ChartPosition, ChartType, Dashboard } from '../../diagnostics/chart-model.js';
import type { ChartData, ChartWindow } from '../../diagnostics/chart-series/chart-series.js';
import type { ChartFilter } from './chart-filter.js';
import type { Severity } from '../../diagnostics/diagnostic-results.js';

/**
 * Time selection of a client, ms since 1970; each field is optional. Default end: now; default start: one hour before
 * the end.
 */
export interface ChartTimeSelection {
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Replaces "now"; not allowed together with the other fields. */
  readonly asOfMs?: number;
}

/** What of a chart a client asks for. */
export interface ChartSelection extends ChartTimeSelection {
  readonly filter?: ChartFilter;
}

export interface ListedChart extends Chart {
  /** Generated for a discovered service; cannot be changed. */
  readonly builtIn: boolean;
}

export interface ListedDashboard extends Omit<Dashboard, 'charts'> {
  readonly builtIn: boolean;
  readonly charts: readonly {
    readonly chartId: string;
    readonly title: string;
    readonly chartType: ChartType;
    readonly position: ChartPosition;
  }[];
}

/** Threshold of an alert rule that watches what the chart shows. */
export interface Threshold {
  readonly value: number;
  readonly severity: Severity;
  /** Such as `alert > 5%`. */
  readonly label: string;
}

/** First appearance of a version of a service. */
export interface DeploymentMarker {
  readonly atMs: number;
  /** Such as `checkout 1.4.2`. */
  readonly label: string;
}

/** Everything that is needed to draw one chart. */
export interface ChartRenderInput {
  readonly chart: Chart;
  /** Condition that narrows it; absent if there is none, or if `chart` names the service that it is narrowed to. */
  readonly filter?: string;
  readonly data: ChartData;
  readonly thresholds: readonly Threshold[];
  /** Ascending. */
  readonly deployments: readonly DeploymentMarker[];
  /** The range is in the past and its data no longer changes. */
  readonly closed: boolean;
}

/**
 * A chart picture in a form that is cheap to pass between threads: JSON plus one array of numbers. Structured cloning
 * of points as objects would block the serving thread for a second: a dashboard may have hundreds of thousands of
 * points.
 */
export interface PackedChart {
  /** JSON of everything but the points. */
  readonly sealed: string;
  /** Time and value of each point, series after series. */
  readonly points: Float64Array;
  /** Equal for pictures with the same content within one frame. */
  readonly digest: string;
  /** See ChartRenderInput. */
  readonly closed: boolean;
  /** Present if its query, or its objectives, are still to be asked. */
  readonly isUnanswered?: true;
}

/** Packed picture of one chart. */
export interface PackedChartInput extends PackedChart {
  readonly frame: ChartWindow;
}

/** Packed pictures of all charts of a dashboard, within one frame and as of the same time. */
export interface DashboardRenderInput {
  readonly title: string;
  readonly frame: ChartWindow;
  /** In dashboard order; positions do not overlap. */
  readonly charts: readonly (PackedChart & { readonly position: ChartPosition })[];
  /** True if this holds for each chart. */
  readonly closed: boolean;
}

/** An OTLP metric that was received within the last day of the Grid's data. */
export interface ListedMetric {
  readonly name: string;
  readonly unit: string;
  readonly type: MetricKind;
  /** True only for sums that never decrease. */
  readonly monotonic: boolean;
  /** Both ascending; attribute keys are those of data points. */
  readonly services: readonly string[];
  readonly attributeKeys: readonly string[];
  readonly seriesCount: number;
}

export interface MetricCatalog {
  /** Sorted by name, then kind. */
  readonly metrics: readonly ListedMetric[];
  readonly seriesCount: number;
  readonly seriesLimit: number;
  /** When points of series beyond the limit were first and last received; ms since 1970, rounded to the minute. */
  readonly overflow?: { readonly firstMs: number; readonly lastMs: number };
}

/** All queries about charts, dashboards and metrics. `undefined` means that the id is unknown. */
export interface ChartQueries {
  /** Stored charts by title, then generated charts by service name. */
  charts(gridId: string): Promise<readonly ListedChart[]>;
  chart(gridId: string, chartId: string): Promise<ListedChart | undefined>;
  /** Values are rounded for the API, unlike those in pictures. */
  chartData(
    gridId: string,
    chartId: string,
    when: ChartSelection,
  ): Promise<{ readonly chart: Chart; readonly data: ChartData } | undefined>;
  chartRenderInput(gridId: string, chartId: string, when: ChartSelection): Promise<PackedChartInput | undefined>;
  /** Stored dashboards by title, then generated dashboards by service name. */
  dashboards(gridId: string): Promise<readonly ListedDashboard[]>;
  dashboard(gridId: string, dashboardId: string): Promise<ListedDashboard | undefined>;
  dashboardRenderInput(
    gridId: string,
    dashboardId: string,
    when: ChartSelection,
  ): Promise<DashboardRenderInput | undefined>;
  metrics(gridId: string): Promise<MetricCatalog>;
}
