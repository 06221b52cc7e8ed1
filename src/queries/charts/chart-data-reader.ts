import type { ChartFoldCache } from '../../read-models/rollups/chart-fold-cache.js';
import { type Chart, isAnsweredElsewhere, isOverTime, isOverWholeRange } from '../../diagnostics/chart-model.js';
import { type ChartData, type ChartWindow, removeExpiredPoints } from '../../diagnostics/chart-series/chart-series.js';
import { ChartRollupReader } from '../../read-models/rollups/chart-rollup-reader.js';
import type { GridRollupReader } from '../../read-models/rollups/grid-rollup-reader.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { AlertQueries } from '../diagnostics/alert-queries.js';
import { Semaphore } from '../scheduling/query-concurrency-limiter.js';
import type { ChartFilter } from './chart-filter.js';
import { findDeployments, findThresholds } from './chart-annotations.js';
import type {
  ChartRenderInput,
  ChartSelection,
  ChartTimeSelection,
  DashboardRenderInput,
  ListedChart,
  ListedDashboard,
} from './chart-query-types.js';
import { createChartFold } from '../../diagnostics/chart-series/chart-fold.js';
import {
  createChartWindow,
  divideWindow,
  HOUR_MS,
  usesHourlyRollups,
} from '../../diagnostics/chart-series/chart-window.js';
import { floorMinute, MINUTE_MS, type TimeWindow } from '../../diagnostics/time-windows.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { packChart } from './packed-chart.js';

/** Telemetry hardly ever arrives later than this (ms) after its own time. */
const SETTLED_MS = 15 * 60_000;

/**
 * Charts computed concurrently. Bounds the memory of their folds, and how long a diagnostic query waits for its next
 * time slice.
 */
const MAX_CONCURRENT_CHARTS = 3;

/** Reads the data of charts, within the retention of the Grid. */
export class ChartDataReader {
  private readonly rollups: ChartRollupReader;
  private readonly computing = new Semaphore(MAX_CONCURRENT_CHARTS);

  constructor(
    readerFor: ReaderForGrid,
    private readonly reader: GridRollupReader,
    private readonly alerts: Pick<AlertQueries, 'alertRules'>,
    folds?: ChartFoldCache,
  ) {
    this.rollups = new ChartRollupReader(readerFor, reader, folds);
  }

  async readData(chart: Chart, query: ChartQuery): Promise<ChartData> {
    const { gridId } = query;
    const isElsewhere = isAnsweredElsewhere(chart.metric, chart.query !== undefined);
    // Others learn what is retained when they have been read.
    if (isElsewhere || isOverWholeRange(chart.chartType)) await this.reader.refresh(gridId);
    const retainedFromMs = Math.max(0, this.reader.retainedFromMs(gridId));
    const frame = divideWindow(resolveChartFrame(query), chart.chartType, retainedFromMs);
    const nothing = { frame, series: [], unit: chart.unit, additive: false };
    if (isElsewhere) return { ...nothing, unansweredFromMs: retainedFromMs };
    const narrowed = narrowMetricChart(chart, query.when.filter);
    if (typeof narrowed === 'string') return { ...nothing, hint: narrowed };
    return this.computing.run(async () => {
      const data = await computeChartData(this.rollups, narrowed, frame, query);
      return removeExpiredPoints(data, this.reader.retainedFromMs(gridId));
    });
  }

  async readPicture(chart: Chart, query: ChartQuery): Promise<ChartRenderInput> {
    const { gridId, when } = query;
    const data = await this.readData(chart, query);
    const isElsewhere = isAnsweredElsewhere(chart.metric, chart.query !== undefined);
    const shown = isElsewhere ? undefined : narrowMetricChart(chart, when.filter);
    const narrowed = typeof shown === 'object' ? shown : chart;
    const hasAnnotations = isOverTime(chart.chartType);
    const rules = hasAnnotations ? await this.alerts.alertRules(gridId) : [];
    const catalogs = hasAnnotations ? await this.reader.loadServiceCatalogs(gridId) : [];
    return {
      chart: narrowed,
      ...(typeof shown !== 'object' && when.filter !== undefined && { filter: when.filter.where }),
      data,
      thresholds: findThresholds(narrowed, rules),
      deployments: findDeployments(narrowed, data.frame, catalogs),
      closed: isRangeSettled(query),
    };
  }
}

/** The chart of the records that meet the filter; a sentence if a chart of a metric cannot show them. */
function narrowMetricChart(chart: Chart, filter: ChartFilter | undefined): Chart | string {
  if (filter === undefined) return chart;
  const { where, serviceName } = filter;
  if (serviceName === undefined) return `Charts of metrics can be narrowed by service only, not to ${where}.`;
  if (chart.serviceName !== '' && chart.serviceName !== serviceName)
    return `This chart shows ${chart.serviceName} only.`;
  return { ...chart, serviceName };
}

/** True if the range has an explicit end that is so far back that its data no longer changes. */
export function isRangeSettled({ when: { toMs }, clockMs }: ChartQuery): boolean {
  return toMs !== undefined && toMs <= clockMs - SETTLED_MS;
}

/** Steps of whole hours are read from hourly rollups, so that a month costs hardly more than a day. */
async function computeChartData(
  rollups: ChartRollupReader,
  chart: Chart,
  frame: ChartWindow,
  { gridId, timeSlice }: Pick<ChartQuery, 'gridId' | 'timeSlice'>,
): Promise<ChartData> {
  const fold = createChartFold(chart, frame);
  await rollups.foldInto(
    fold,
    gridId,
    { from: frame.fromMs / MINUTE_MS, to: frame.toMs / MINUTE_MS, byHour: usesHourlyRollups(frame) },
    () => timeSlice.yieldIfDue(),
  );
  const slices = fold.computeInSlices();
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
    await timeSlice.yieldIfDue();
  }
}

function resolveChartFrame({ when, clockMs }: ChartQuery): ChartWindow {
  const { range, nowMs } = resolveChartTime(when, clockMs);
  return createChartWindow(range, nowMs);
}

/**
 * What to read for charts of a Grid. `clockMs` (ms since 1970) is read once, so that all charts of a dashboard share
 * it.
 */
interface ChartQuery {
  readonly gridId: string;
  readonly when: ChartSelection;
  readonly clockMs: number;
  readonly timeSlice: TimeSlice;
}

interface ChartTime {
  readonly range: TimeWindow;
  /** Later points are not shown. */
  readonly nowMs: number;
}

/**
 * Resolves a client's time selection. A time before the current minute is rounded down to a whole minute, so that no
 * chart shows data from after it.
 */
export function resolveChartTime({ fromMs, toMs, asOfMs }: ChartTimeSelection, clockMs: number): ChartTime {
  const isPast = asOfMs !== undefined && asOfMs < floorMinute(clockMs);
  const nowMs = isPast ? floorMinute(asOfMs) : Math.min(asOfMs ?? clockMs, clockMs);
  const endMs = toMs ?? nowMs;
  return { range: { fromMs: fromMs ?? endMs - HOUR_MS, toMs: endMs }, nowMs };
}

/** All charts of a dashboard over the same time range. */
export async function readDashboardPicture(
  dataReader: ChartDataReader,
  findChart: (chartId: string) => Promise<ListedChart | undefined>,
  { title, charts: chartPositions }: ListedDashboard,
  query: ChartQuery,
): Promise<DashboardRenderInput> {
  const charts: DashboardRenderInput['charts'][number][] = [];
  for (const { chartId, position } of chartPositions) {
    const found = await findChart(chartId);
    if (found === undefined) continue; // deleted since the dashboard was read
    const { builtIn: _, ...chart } = found;
    charts.push({ ...packChart(await dataReader.readPicture(chart, query)), position });
    await query.timeSlice.yieldIfDue();
  }
  const { filter } = query.when;
  const narrowedTitle = filter === undefined ? title : `${title} (${filter.where})`;
  return { title: narrowedTitle, frame: resolveChartFrame(query), charts, closed: isRangeSettled(query) };
}
