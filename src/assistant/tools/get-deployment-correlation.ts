import { counted } from './counted.js';
import { diagnosticTool } from './diagnostic-tool.js';
import { historyInWords } from './window.js';

export const getDeploymentCorrelation = diagnosticTool({
  name: 'GetDeploymentCorrelation',
  description: 'Deployments, scaling, new services and endpoints, each with its impact on latency and errors. The last 60 minutes unless a window is given.',
  ask: (diagnostics, gridId, when) => diagnostics.changes(gridId, when),
  source: (changes) => ({ type: 'changes', found: counted(changes.length, 'change') }),
  window: historyInWords,
});
