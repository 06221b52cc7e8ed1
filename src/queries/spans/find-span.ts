import { ID_BLOOMS, SPAN_IDS } from '../../read-models/blocks/span-columns.js';
import { hashPair, words32 } from '../../read-models/blocks/words32.js';
import { parseId, SPAN_ID_BYTES } from '../../telemetry/ids.js';
import type { SpanSnapshot } from '../snapshot.js';
import { byStart, spanPlace, type SpanPlace } from './span-place.js';

/** The span with this id (hex of any case); of several, in different traces, the one that started last. */
export async function findSpan({ blocks, turn }: SpanSnapshot, id: string): Promise<SpanPlace | undefined> {
  const bytes = parseId(id, SPAN_ID_BYTES);
  if (bytes === undefined) return undefined;
  const [a, b] = words32(bytes);
  const hash = hashPair(a, b);
  let newest: SpanPlace | undefined;
  for (const block of blocks) {
    await turn.giveWay();
    if (!(await block.read(ID_BLOOMS)).spans.has(hash)) continue;
    for (const row of rowsWithId((await block.read(SPAN_IDS)).ids, a, b)) {
      await turn.giveWay();
      const span = await spanPlace(block, row);
      if (newest === undefined || byStart(span, newest) > 0) newest = span;
    }
  }
  return newest;
}

function rowsWithId(ids: Uint32Array, a: number, b: number): number[] {
  const rows: number[] = [];
  for (let at = 0; at < ids.length; at += 2) if (ids[at] === a && ids[at + 1] === b) rows.push(at / 2);
  return rows;
}
