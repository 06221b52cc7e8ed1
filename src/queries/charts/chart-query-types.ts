import type { MetricKind } from '../../diagnostics/rollups/rollup-types.js';
import type { Chart, ChartPosition, ChartType, Dashboard } from '../../diagnostics/chart-model.js';
import type { ChartData, ChartWindow } from '../../diagnostics/chart-series/chart-series.js';
import type { Severity } from '../../diagnostics/diagnostic-results.js';

/** What a client may say about the time that a chart shows, ms since 1970: each alone, or none. Ends: now; begins: an hour before the end. */
export interface ChartTimeSelection {
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Moves now; not together with the others. */
  readonly asOfMs?: number;
}

export interface ListedChart extends Chart {
  /** Made for a service that was discovered: it cannot be changed. */
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

/** A value from which an alert rule fires that watches what the chart shows. */
export interface Threshold {
  readonly value: number;
  readonly severity: Severity;
  /** Such as `alert > 5%`. */
  readonly label: string;
}

/** A version that a service had for the first time. */
export interface DeploymentMarker {
  readonly atMs: number;
  /** Such as `checkout 1.4.2`. */
  readonly label: string;
}

/** All that a picture of a chart shows. */
export interface ChartPicture {
  readonly chart: Chart;
  readonly data: ChartData;
  readonly thresholds: readonly Threshold[];
  /** Ascending. */
  readonly deployments: readonly DeploymentMarker[];
  /** The range lies in the past for good: nothing that arrives in time can change it any more. */
  readonly closed: boolean;
}

/**
 * A picture of a chart as a text and numbers that nobody reads on their way to who draws it. Points as objects would be copied
 * twice by the thread that serves: a dashboard may have hundreds of thousands, which would hold it for a second.
 */
export interface PackedPicture {
  /** All but the points. */
  readonly sealed: string;
  /** Moment and value of each point, those of one series behind those of another. */
  readonly points: Float64Array;
  /** Equal for pictures that show the same within one frame. */
  readonly digest: string;
  /** As of the picture. */
  readonly closed: boolean;
}

/** All that a picture of one chart shows. */
export interface PackedChartPicture extends PackedPicture {
  readonly frame: ChartWindow;
}

/** All that a picture of a dashboard shows: its charts within one frame, as of one moment. */
export interface DashboardPicture {
  readonly title: string;
  readonly frame: ChartWindow;
  /** In the order of the dashboard; positions do not overlap. */
  readonly charts: readonly (PackedPicture & { readonly position: ChartPosition })[];
  /** As of each chart. */
  readonly closed: boolean;
}

/** An OTLP metric that was seen within the last day of the Grid's data. */
export interface ListedMetric {
  readonly name: string;
  readonly unit: string;
  readonly type: MetricKind;
  /** Of sums: it only grows. */
  readonly monotonic: boolean;
  /** Ascending, both; attributes are those of data points. */
  readonly services: readonly string[];
  readonly attributeKeys: readonly string[];
  readonly seriesCount: number;
}

export interface MetricCatalog {
  /** By name, then kind. */
  readonly metrics: readonly ListedMetric[];
  readonly seriesCount: number;
  readonly seriesLimit: number;
  /** Points came of series past the limit: when the first and the last, ms since 1970, to the minute. */
  readonly overflow?: { readonly firstMs: number; readonly lastMs: number };
}

/** Every question about charts, dashboards and metrics, by name. Undefined: nothing is known under the id. */
export interface ChartQueries {
  /** Own ones by title, then those of services by service. */
  charts(gridId: string): Promise<readonly ListedChart[]>;
  chart(gridId: string, chartId: string): Promise<ListedChart | undefined>;
  /** Values are rounded as answers are, in pictures they are not. */
  chartData(
    gridId: string,
    chartId: string,
    when: ChartTimeSelection,
  ): Promise<{ readonly chart: Chart; readonly data: ChartData } | undefined>;
  chartPicture(gridId: string, chartId: string, when: ChartTimeSelection): Promise<PackedChartPicture | undefined>;
  /** Own ones by title, then those of services by service. */
  dashboards(gridId: string): Promise<readonly ListedDashboard[]>;
  dashboard(gridId: string, dashboardId: string): Promise<ListedDashboard | undefined>;
  dashboardPicture(
    gridId: string,
    dashboardId: string,
    when: ChartTimeSelection,
  ): Promise<DashboardPicture | undefined>;
  metrics(gridId: string): Promise<MetricCatalog>;
}
