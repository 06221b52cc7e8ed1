import { counted } from './counted.js';
import { plainTool } from './plain-tool.js';

export const getMetrics = plainTool({
  name: 'GetMetrics',
  description: 'Names of the OTLP metrics seen within a day, with unit, type, services and attribute keys.',
  ask: async ({ queries, gridId }) => ({ metrics: (await queries.charts.metrics(gridId)).metrics }),
  source: ({ metrics }) => ({ type: 'metrics', description: counted(metrics.length, 'metric') }),
});
