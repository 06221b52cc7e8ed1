import { frameOf } from './chart-data.js';
import type { ChartQuestion } from './chart-time.js';
import type { DashboardPicture, ListedChart, ListedDashboard } from './questions.js';
import { sealPicture } from './sealed-picture.js';
import { isClosed, type ShownCharts } from './shown-charts.js';

/** All charts of a dashboard over one and the same time. */
export async function dashboardPicture(
  shown: ShownCharts,
  findChart: (chartId: string) => Promise<ListedChart | undefined>,
  { title, charts: placed }: ListedDashboard,
  question: ChartQuestion,
): Promise<DashboardPicture> {
  const charts: DashboardPicture['charts'][number][] = [];
  for (const { chartId, position } of placed) {
    const found = await findChart(chartId);
    if (found === undefined) continue; // it left between the two questions
    const { builtIn: _, ...chart } = found;
    charts.push({ ...sealPicture(await shown.picture(chart, question)), position });
    await question.turn.giveWay();
  }
  return { title, frame: frameOf(question), charts, closed: isClosed(question) };
}
