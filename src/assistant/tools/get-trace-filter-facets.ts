import { counted } from './counted.js';
import { plainTool } from './plain-tool.js';

export const getTraceFilterFacets = plainTool({
  name: 'GetTraceFilterFacets',
  description: 'Names of services and operations, statuses and tag keys that traces can be searched by.',
  ask: ({ queries, gridId }) => queries.telemetry.traceFilterOptions(gridId),
  source: ({ serviceNames, operationNames }) => ({ type: 'trace-filters', description: `${counted(serviceNames.length, 'service')}, ${counted(operationNames.length, 'operation')}` }),
});
