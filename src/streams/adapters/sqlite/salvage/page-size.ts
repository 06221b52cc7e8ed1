import type { DamagedFile } from './damaged-file.js';
import { isPageSize } from './wal-frames.js';

/** Page sizes of logs that Hindsight creates, and that versions until 2026-11-24 created. */
export const LOG_PAGE_BYTES = 4096;
const FORMER_LOG_PAGE_BYTES = 16_384;
const HEADER_BYTES = 100;

/** Page 2 is a pointer map, and its first entry says that page 3 is the root of a table. */
const FIRST_POINTER = Buffer.from([1, 0, 0, 0, 0]);

/** Page size of a database file from its header; undefined if that is damaged. */
export function readStoredPageSize(database: DamagedFile): number | undefined {
  const stored = database.read(0, HEADER_BYTES)?.readUInt16BE(16);
  const pageSize = stored === 1 ? 65_536 : (stored ?? 0);
  return isPageSize(pageSize) ? pageSize : undefined;
}

/** Page size of an event log whose header may be damaged. */
export function findPageSize(database: DamagedFile): number {
  const found = [LOG_PAGE_BYTES, FORMER_LOG_PAGE_BYTES].find((size) =>
    database.read(size, FIRST_POINTER.length)?.equals(FIRST_POINTER),
  );
  return readStoredPageSize(database) ?? found ?? LOG_PAGE_BYTES;
}
