import { words32 } from '../../read-models/blocks/words32.js';
import { parseId, TRACE_ID_BYTES } from '../../telemetry/ids.js';
import type { SpanSnapshot } from '../snapshot.js';
import { sorted } from '../sorting.js';
import { byStart, type SpanPlace } from './span-place.js';
import { addressesOfTraces, spansAt, tracesInBlock, WantedTraces } from './trace-assembly.js';

/** All known spans of a trace (hex of any case), oldest first; none when the trace is unknown. */
export async function spansOfTrace(snapshot: SpanSnapshot, traceId: string): Promise<SpanPlace[]> {
  const wanted = wantedTrace(traceId);
  if (wanted === undefined) return [];
  const [addresses] = await addressesOfTraces(snapshot, wanted);
  return sorted(await spansAt(snapshot, addresses), byStart, snapshot.turn);
}

/** Whether any span of the trace is known. */
export async function hasSpans({ blocks, turn }: SpanSnapshot, traceId: string): Promise<boolean> {
  const wanted = wantedTrace(traceId);
  if (wanted === undefined) return false;
  for (const block of blocks) {
    await turn.giveWay();
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
