import { words32 } from '../../read-models/blocks/words32.js';
import { parseId, TRACE_ID_BYTES } from '../../telemetry/ids.js';
import type { SpanBlock } from './span-conditions.js';
import { byStart, type SpanPlace } from './span-place.js';
import { spansOfTraces, tracesInBlock, WantedTraces } from './trace-assembly.js';

/** All known spans of a trace (hex of any case), oldest first; none when the trace is unknown. */
export async function spansOfTrace(blocks: readonly SpanBlock[], traceId: string): Promise<SpanPlace[]> {
  const wanted = wantedTrace(traceId);
  if (wanted === undefined) return [];
  const [spans] = await spansOfTraces(blocks, wanted);
  return spans.sort(byStart);
}

/** Whether any span of the trace is known. */
export async function hasSpans(blocks: readonly SpanBlock[], traceId: string): Promise<boolean> {
  const wanted = wantedTrace(traceId);
  if (wanted === undefined) return false;
  for (const block of blocks) {
    const numbers = await tracesInBlock(block, wanted);
    if (numbers?.includes(0)) return true;
  }
  return false;
}

function wantedTrace(traceId: string): WantedTraces | undefined {
  const bytes = parseId(traceId, TRACE_ID_BYTES);
  if (bytes === undefined) return undefined;
  const wanted = new WantedTraces();
  wanted.add(words32(bytes), 0);
  return wanted;
}
