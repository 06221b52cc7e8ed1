import { LOG_LOCATIONS, LOG_TIMES } from '../../read-models/blocks/log-block-columns.js';
import type { LogBlock } from './log-conditions.js';

/** A log record in a block, with its sort key. */
export interface LogLocation {
  readonly block: LogBlock;
  readonly row: number;
  readonly timeUs: number;
  /** Remaining nanoseconds (0–999). */
  readonly timeNs: number;
  readonly revision: number;
  readonly ordinal: number;
}

export async function locateLog(block: LogBlock, row: number): Promise<LogLocation> {
  const times = await block.read(LOG_TIMES);
  const places = await block.read(LOG_LOCATIONS);
  return {
    block,
    row,
    timeUs: block.document.minTimeUs + times[row],
    timeNs: places.timeNs[row],
    revision: places.revision[row],
    ordinal: places.ordinal[row],
  };
}

/** Oldest first; equal times in order of arrival. */
export function compareByTime(a: LogLocation, b: LogLocation): number {
  return a.timeUs - b.timeUs || a.timeNs - b.timeNs || a.revision - b.revision || a.ordinal - b.ordinal;
}

const LOG_ID_RADIX = 36;
const LOG_ID_PATTERN = /^([0-9a-z]{1,11})-([0-9a-z]{1,7})$/;

/** Public id of a log record: the revision of its event and its position in the event. Opaque to callers. */
export function formatLogId(revision: number, ordinal: number): string {
  return `${revision.toString(LOG_ID_RADIX)}-${ordinal.toString(LOG_ID_RADIX)}`;
}

/** Inverse of formatLogId; undefined for anything else. */
export function parseLogId(id: string): { revision: number; ordinal: number } | undefined {
  const match = LOG_ID_PATTERN.exec(id);
  if (match === null) return undefined;
  const revision = parseInt(match[1], LOG_ID_RADIX);
  const ordinal = parseInt(match[2], LOG_ID_RADIX);
  return formatLogId(revision, ordinal) === id ? { revision, ordinal } : undefined;
}
