import { counted } from './counted.js';
import { traceTool } from './id-tool.js';
import { traceError } from './presented-telemetry.js';

export const getTraceErrors = traceTool({
  name: 'GetTraceErrors',
  description: 'The exceptions of one trace with type, message and stack trace.',
  ask: (telemetry, gridId, traceId) => telemetry.traceErrors(gridId, traceId),
  present: (errors, traceId) => ({ traceId, errors: errors.map(traceError) }),
  source: ({ errors, traceId }) => ({ type: 'trace-errors', description: `${counted(errors.length, 'exception')} of trace ${traceId}` }),
});
