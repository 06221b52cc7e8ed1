import { counted } from './counted.js';
import { diagnosticTool } from './diagnostic-tool.js';

export const getSystemHealth = diagnosticTool({
  name: 'GetSystemHealth',
  description: 'Health of every service: status, error rate (percent), Apdex, requests and average latency. Start here to see whether anything is wrong.',
  ask: (diagnostics, gridId, when) => diagnostics.health(gridId, when),
  source: ({ services }) => ({ type: 'health', found: counted(services.length, 'service') }),
});
