import { counted } from './counted.js';
import { plainTool } from './plain-tool.js';

export const getLogFilterFacets = plainTool({
  name: 'GetLogFilterFacets',
  description: 'Severity levels, services and attribute keys that log entries can be searched by.',
  ask: ({ queries, gridId }) => queries.telemetry.logFilterOptions(gridId),
  source: ({ serviceNames, attributeKeys }) => ({ type: 'log-filters', description: `${counted(serviceNames.length, 'service')}, ${counted(attributeKeys.length, 'attribute')}` }),
});
