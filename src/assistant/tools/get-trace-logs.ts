import { counted } from './counted.js';
import { traceTool } from './id-tool.js';
import { listedLog } from './presented-telemetry.js';

export const getTraceLogs = traceTool({
  name: 'GetTraceLogs',
  description: 'The log entries of one trace.',
  ask: (telemetry, gridId, traceId) => telemetry.traceLogs(gridId, traceId),
  present: (entries, traceId) => ({ traceId, logs: entries.map(listedLog) }),
  source: ({ logs, traceId }) => ({ type: 'trace-logs', description: `${counted(logs.length, 'log entry', 'log entries')} of trace ${traceId}` }),
});
