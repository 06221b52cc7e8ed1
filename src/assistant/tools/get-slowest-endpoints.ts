import { counted } from './counted.js';
import { diagnosticTool } from './diagnostic-tool.js';

export const getSlowestEndpoints = diagnosticTool({
  name: 'GetSlowestEndpoints',
  description: 'The 20 slowest endpoints over all services, ranked by p99 latency.',
  ask: (diagnostics, gridId, when) => diagnostics.slowestEndpoints(gridId, when),
  source: (endpoints) => ({ type: 'slowest-endpoints', found: counted(endpoints.length, 'endpoint') }),
});
