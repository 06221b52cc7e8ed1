import type { Turn } from '../giving-way.js';
import type { ChartDefinitions } from './definitions.js';
import type { ListedChart } from './questions.js';
import type { ServiceBoards } from './service-boards.js';

/** Own ones by title, then those of services by service. */
export async function listCharts(definitions: ChartDefinitions, services: ServiceBoards, gridId: string, turn: Turn): Promise<ListedChart[]> {
  const own = await definitions.charts(gridId);
  const { boards } = await services.of(gridId, turn);
  return [...own.map((chart) => ({ ...chart, builtIn: false })), ...boards.flatMap(({ charts }) => charts).map((chart) => ({ ...chart, builtIn: true }))];
}

/** Undefined: neither the Grid nor a discovered service has a chart of this id. */
export async function findChart(definitions: ChartDefinitions, services: ServiceBoards, gridId: string, chartId: string, turn: Turn): Promise<ListedChart | undefined> {
  const own = await definitions.chart(gridId, chartId);
  if (own !== undefined) return { ...own, builtIn: false };
  const ofService = (await services.of(gridId, turn)).charts.get(chartId);
  return ofService && { ...ofService, builtIn: true };
}
