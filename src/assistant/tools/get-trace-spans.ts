import { counted } from './counted.js';
import { traceTool } from './id-tool.js';
import { traceSpan } from './presented-telemetry.js';

export const getTraceSpans = traceTool({
  name: 'GetTraceSpans',
  description: 'All spans of one trace, the oldest first: who called whom, how long each took and which failed.',
  ask: (telemetry, gridId, traceId) => telemetry.traceSpans(gridId, traceId),
  present: (spans, traceId) => ({ traceId, spans: spans.map(traceSpan) }),
  source: ({ spans, traceId }) => ({ type: 'trace-spans', description: `${counted(spans.length, 'span')} of trace ${traceId}` }),
});
