import type { Chart } from '../../diagnostics/chart-model.js';
import { type ChartData, type ChartWindow, removeExpiredPoints } from '../../diagnostics/chart-series/chart-series.js';
import { ChartRollupReader } from '../../read-models/rollups/chart-rollup-reader.js';
import type { GridRollupReader } from '../../read-models/rollups/grid-rollup-reader.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { AlertQueries } from '../diagnostics/alert-queries.js';
import { Semaphore } from '../scheduling/query-concurrency-limiter.js';
import { findDeployments, findThresholds } from './chart-annotations.js';
import type {
  ChartPicture,
  ChartTimeSelection,
  DashboardPicture,
  ListedChart,
  ListedDashboard,
} from './chart-query-types.js';
import { createChartFold } from '../../diagnostics/chart-series/chart-fold.js';
import { createChartWindow, HOUR_MS, usesHourlyRollups } from '../../diagnostics/chart-series/chart-window.js';
import { floorMinute, MINUTE_MS, type TimeWindow } from '../../diagnostics/time-windows.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { packPicture } from './packed-picture.js';

/** What arrives later than this (ms) after its time hardly ever does. */
const SETTLED_MS = 15 * 60_000;

/** Charts that are computed at once: each may take what its fold is bounded to, and each lets a diagnostic wait for one slice more. */
const MAX_CONCURRENT_CHARTS = 3;

/** What charts show at a moment. */
export class ChartDataReader {
  private readonly rollups: ChartRollupReader;
  private readonly computing = new Semaphore(MAX_CONCURRENT_CHARTS);

  constructor(
    readerOf: ReaderForGrid,
    private readonly reader: GridRollupReader,
    private readonly alerts: Pick<AlertQueries, 'alertRules'>,
  ) {
    this.rollups = new ChartRollupReader(readerOf, reader);
  }

  readData(chart: Chart, question: ChartQuery): Promise<ChartData> {
    return this.computing.run(async () => {
      const data = await computeChartData(this.rollups, chart, question);
      return removeExpiredPoints(data, this.reader.retainedFromMs(question.gridId));
    });
  }

  async readPicture(chart: Chart, question: ChartQuery): Promise<ChartPicture> {
    const { gridId } = question;
    const data = await this.readData(chart, question);
    const [rules, catalogs] = [await this.alerts.alertRules(gridId), await this.reader.loadServiceCatalogs(gridId)];
    return {
      chart,
      data,
      thresholds: findThresholds(chart, rules),
      deployments: findDeployments(chart, data.frame, catalogs),
      closed: isRangeSettled(question),
    };
  }
}

/** An end that was named lies so far back that nothing can change any more. */
export function isRangeSettled({ when: { toMs }, clockMs }: ChartQuery): boolean {
  return toMs !== undefined && toMs <= clockMs - SETTLED_MS;
}

/** The numbers of a chart. Steps of whole hours are read by the hour: so a month costs hardly more than a day. */
async function computeChartData(rollups: ChartRollupReader, chart: Chart, question: ChartQuery): Promise<ChartData> {
  const { gridId, turn } = question;
  const frame = resolveChartFrame(question);
  const fold = createChartFold(chart, frame);
  await rollups.foldInto(
    fold,
    gridId,
    { from: frame.fromMs / MINUTE_MS, to: frame.toMs / MINUTE_MS, byHour: usesHourlyRollups(frame) },
    () => turn.yieldIfDue(),
  );
  const pieces = fold.computeInSlices();
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
    await turn.yieldIfDue();
  }
}

/** What a chart shows at that time, whatever is measured. */
function resolveChartFrame({ when, clockMs }: ChartQuery): ChartWindow {
  const { range, nowMs } = resolveChartTime(when, clockMs);
  return createChartWindow(range, nowMs);
}

/** One question about what charts of a Grid show: when, by a clock (ms since 1970) that is read once for all of them. */
interface ChartQuery {
  readonly gridId: string;
  readonly when: ChartTimeSelection;
  readonly clockMs: number;
  readonly turn: TimeSlice;
}

interface ChartTime {
  readonly range: TimeWindow;
  /** Nothing after it shows. */
  readonly nowMs: number;
}

/** What a client's words about time mean. A moment before the running minute rounds down, so that no chart knows its future. */
export function resolveChartTime({ fromMs, toMs, asOfMs }: ChartTimeSelection, clockMs: number): ChartTime {
  const isPast = asOfMs !== undefined && asOfMs < floorMinute(clockMs);
  const nowMs = isPast ? floorMinute(asOfMs) : Math.min(asOfMs ?? clockMs, clockMs);
  const endMs = toMs ?? nowMs;
  return { range: { fromMs: fromMs ?? endMs - HOUR_MS, toMs: endMs }, nowMs };
}

/** All charts of a dashboard over one and the same time. */
export async function readDashboardPicture(
  shown: ChartDataReader,
  findChart: (chartId: string) => Promise<ListedChart | undefined>,
  { title, charts: placed }: ListedDashboard,
  question: ChartQuery,
): Promise<DashboardPicture> {
  const charts: DashboardPicture['charts'][number][] = [];
  for (const { chartId, position } of placed) {
    const found = await findChart(chartId);
    if (found === undefined) continue; // it left between the two questions
    const { builtIn: _, ...chart } = found;
    charts.push({ ...packPicture(await shown.readPicture(chart, question)), position });
    await question.turn.yieldIfDue();
  }
  return { title, frame: resolveChartFrame(question), charts, closed: isRangeSettled(question) };
}
