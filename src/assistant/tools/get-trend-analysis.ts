import { diagnosticTool } from './diagnostic-tool.js';

export const getTrendAnalysis = diagnosticTool({
  name: 'GetTrendAnalysis',
  description: 'Latency percentiles, error rate and throughput of the whole Grid against the hour before.',
  ask: (diagnostics, gridId, when) => diagnostics.trends(gridId, when),
  source: () => ({ type: 'trends', found: 'latency, error rate and throughput' }),
});
