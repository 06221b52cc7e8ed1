import { counted } from './counted.js';
import { spanTool } from './id-tool.js';

export const getTraceSpanTags = spanTool({
  name: 'GetTraceSpanTags',
  description: 'The tags of one span, those of its resource included.',
  ask: (telemetry, gridId, spanId) => telemetry.spanTags(gridId, spanId),
  present: (tags, spanId) => ({ spanId, tags }),
  source: ({ tags, spanId }) => ({ type: 'span-tags', description: `${counted(Object.keys(tags).length, 'tag')} of span ${spanId}` }),
});
