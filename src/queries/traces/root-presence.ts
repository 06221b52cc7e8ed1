import { SPAN_ROOTS } from '../../read-models/blocks/span-block-columns.js';
import { asWords32 } from '../../read-models/blocks/uint32-words.js';
import { parseHexId, TRACE_ID_BYTES } from '../../telemetry/trace-identifiers.js';
import type { TraceSearchSnapshot } from '../telemetry/block-snapshots.js';
import type { SpanLocation } from './span-location.js';
import { findTracesInBlock, TraceIdSet } from './trace-assembly.js';

/** For each span, whether a root of its trace is known; the spans are of different traces. */
export async function findRootArrivals(
  { blocks, timeSlice }: Pick<TraceSearchSnapshot, 'blocks' | 'timeSlice'>,
  spans: readonly SpanLocation[],
): Promise<readonly boolean[]> {
  const arrived = spans.map(({ parentId }) => parentId === '');
  const wanted = new TraceIdSet();
  const places: number[] = [];
  for (const [place, { traceId }] of spans.entries()) {
    if (arrived[place]) continue;
    wanted.add(asWords32(parseHexId(traceId, TRACE_ID_BYTES)!), 0);
    places.push(place);
  }
  if (places.length === 0) return arrived;
  for (const block of blocks) {
    await timeSlice.yieldIfDue();
    const numbers = await findTracesInBlock(block, wanted);
    if (numbers === undefined) continue;
    const rootless = new Set((await block.read(SPAN_ROOTS)).rootless);
    for (const [local, number] of numbers.entries())
      if (number >= 0 && !rootless.has(local)) arrived[places[number]] = true;
  }
  return arrived;
}
