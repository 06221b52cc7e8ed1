import type { ChartRenderer } from '../../src/charts/look.js';
import { createChartQueries } from '../../src/queries/charts/chart-queries.js';
import type { ChartQueries } from '../../src/queries/charts/questions.js';
import { createChartCommands } from '../../src/commands/chart-commands.js';
import type { ChartPort } from '../../src/http/route.js';
import { ChartPool } from '../../src/threads/chart-pool.js';

export function fakeCharts(): { readonly charts: ChartQueries; readonly renderer: ChartRenderer; readonly chartCommands: ChartPort } {
  return {
    charts: createChartQueries(undefined as never),
    renderer: new ChartPool({ threads: 1, maxWaiting: 1 }),
    chartCommands: { ...createChartCommands(undefined as never), whenAt: () => Promise.resolve() },
  };
}
