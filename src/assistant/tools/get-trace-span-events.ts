import { counted } from './counted.js';
import { spanTool } from './id-tool.js';
import { spanEvent } from './presented-telemetry.js';

export const getTraceSpanEvents = spanTool({
  name: 'GetTraceSpanEvents',
  description: 'The events that one span recorded.',
  ask: (telemetry, gridId, spanId) => telemetry.spanEvents(gridId, spanId),
  present: (events, spanId) => ({ spanId, events: events.map(spanEvent) }),
  source: ({ events, spanId }) => ({ type: 'span-events', description: `${counted(events.length, 'event')} of span ${spanId}` }),
});
