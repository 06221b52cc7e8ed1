import type { Turn } from '../giving-way.js';
import { frameOf } from './chart-data.js';
import type { ChartWhen, DashboardPicture, ListedChart, ListedDashboard } from './questions.js';
import { sealPicture } from './sealed-picture.js';
import { isClosed, type ShownCharts } from './shown-charts.js';

/** All charts of a dashboard over one and the same time. */
export async function dashboardPicture(
  shown: ShownCharts,
  findChart: (chartId: string) => Promise<ListedChart | undefined>,
  gridId: string,
  { title, charts: placed }: ListedDashboard,
  when: ChartWhen,
  nowMs: number,
  turn: Turn,
): Promise<DashboardPicture> {
  const charts: DashboardPicture['charts'][number][] = [];
  for (const { chartId, position } of placed) {
    const found = await findChart(chartId);
    if (found === undefined) continue; // it left between the two questions
    const { builtIn: _, ...chart } = found;
    charts.push({ ...sealPicture(await shown.picture(gridId, chart, when, nowMs, turn)), position });
    await turn.giveWay();
  }
  return { title, frame: frameOf(when, nowMs), charts, closed: isClosed(when, nowMs) };
}
