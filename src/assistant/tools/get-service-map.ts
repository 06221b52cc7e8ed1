import { counted } from './counted.js';
import { diagnosticTool } from './diagnostic-tool.js';

export const getServiceMap = diagnosticTool({
  name: 'GetServiceMap',
  description: 'Which service calls which, databases and other dependencies included, with calls, error rate and average latency of each edge.',
  ask: (diagnostics, gridId, when) => diagnostics.serviceMap(gridId, when),
  source: ({ services, edges }) => ({ type: 'service-map', found: `${counted(services.length, 'service')}, ${counted(edges.length, 'dependency', 'dependencies')}` }),
});
