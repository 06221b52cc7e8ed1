import { LOG_PLACES, TIMES } from '../../read-models/blocks/log-columns.js';
import type { LogBlock } from './log-conditions.js';

/** A log record, found in a block, with what searches order by. */
export interface LogPlace {
  readonly block: LogBlock;
  readonly row: number;
  readonly timeUs: number;
  /** Nanoseconds beyond. */
  readonly timeNs: number;
  readonly revision: number;
  readonly ordinal: number;
}

export async function logPlace(block: LogBlock, row: number): Promise<LogPlace> {
  const times = await block.read(TIMES);
  const places = await block.read(LOG_PLACES);
  return {
    block,
    row,
    timeUs: block.document.minTimeUs + times[row],
    timeNs: places.timeNs[row],
    revision: places.revision[row],
    ordinal: places.ordinal[row],
  };
}

/** Oldest first; of equal times in the order of arrival. */
export function byTime(a: LogPlace, b: LogPlace): number {
  return a.timeUs - b.timeUs || a.timeNs - b.timeNs || a.revision - b.revision || a.ordinal - b.ordinal;
}
