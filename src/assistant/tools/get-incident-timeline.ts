import { counted } from './counted.js';
import { diagnosticTool } from './diagnostic-tool.js';
import { historyInWords } from './window.js';

export const getIncidentTimeline = diagnosticTool({
  name: 'GetIncidentTimeline',
  description: 'What happened, in order: deployments, scaling, anomalies, alerts. The last 60 minutes unless a window is given.',
  ask: (diagnostics, gridId, when) => diagnostics.timeline(gridId, when),
  source: (events) => ({ type: 'timeline', found: counted(events.length, 'event') }),
  window: historyInWords,
});
