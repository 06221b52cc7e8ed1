import { counted } from './counted.js';
import { diagnosticTool } from './diagnostic-tool.js';

export const getPressurePoints = diagnosticTool({
  name: 'GetPressurePoints',
  description: 'Resources close to their limit: connection pools, thread pools, queues, CPU, memory, event loops, with utilization in percent.',
  ask: (diagnostics, gridId, when) => diagnostics.pressure(gridId, when),
  source: (points) => ({ type: 'pressure', found: counted(points.length, 'resource') }),
});
