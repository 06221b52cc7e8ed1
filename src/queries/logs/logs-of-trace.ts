import { LOG_ID_BLOOMS, LOG_IDS } from '../../read-models/blocks/log-columns.js';
import { localTrace, traceHash } from '../../read-models/blocks/trace-column.js';
import { words32 } from '../../read-models/blocks/words32.js';
import { parseId, TRACE_ID_BYTES } from '../../telemetry/ids.js';
import type { LogSnapshot } from '../snapshot.js';
import { sorted } from '../sorting.js';
import type { LogBlock } from './log-conditions.js';
import { byTime, logPlace, type LogPlace } from './log-place.js';

/** All log records of a trace (hex of any case), oldest first; none when there are none. */
export async function logsOfTrace(snapshot: LogSnapshot, traceId: string): Promise<LogPlace[]> {
  const found: LogPlace[] = [];
  for await (const { block, trace } of holders(snapshot, traceId)) {
    const { local } = (await block.read(LOG_IDS)).traces;
    for (let row = 0; row < local.length; row++) {
      if (local[row] !== trace) continue;
      await snapshot.turn.giveWay();
      found.push(await logPlace(block, row));
    }
  }
  return sorted(found, byTime, snapshot.turn);
}

/** Whether any log record of the trace is known. */
export async function hasLogs(snapshot: LogSnapshot, traceId: string): Promise<boolean> {
  for await (const holder of holders(snapshot, traceId)) if (holder.trace >= 0) return true;
  return false;
}

/** Blocks with records of the trace, and its local number there. */
async function* holders({ blocks, turn }: LogSnapshot, traceId: string): AsyncGenerator<{ block: LogBlock; trace: number }> {
  const bytes = parseId(traceId, TRACE_ID_BYTES);
  if (bytes === undefined) return;
  const words = words32(bytes);
  const hash = traceHash(words, 0);
  for (const block of blocks) {
    await turn.giveWay();
    if (!(await block.read(LOG_ID_BLOOMS)).traces.has(hash)) continue;
    const trace = localTrace((await block.read(LOG_IDS)).traces, words, 0);
    if (trace >= 0) yield { block, trace };
  }
}
