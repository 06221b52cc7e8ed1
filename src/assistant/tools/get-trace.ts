import { spanTool } from './id-tool.js';
import { spanDetail } from './presented-telemetry.js';

export const getTrace = spanTool({
  name: 'GetTrace',
  description: 'One span with all its attributes, and the id of its trace.',
  ask: (telemetry, gridId, spanId) => telemetry.spanDetail(gridId, spanId),
  present: spanDetail,
  source: ({ serviceName, operationName }) => ({ type: 'span', description: `${serviceName} ${operationName}` }),
});
