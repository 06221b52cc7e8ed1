import type { PageSource } from './database-pages.js';

/** See https://www.sqlite.org/fileformat2.html, "B-tree Pages" and "Record Format". */
const PAGE_TYPES = { interiorIndex: 2, interiorTable: 5, leafIndex: 10, leafTable: 13 } as const;

/** Longer than any record of the log: an append holds at most 16 MiB. */
const MAX_RECORD_BYTES = 32 * 1024 * 1024;

/** Undefined: the bytes are missing. */
export type RecordValue = number | string | Uint8Array | null | undefined;

/** A record of a table or an index. `rowid` is that of a table. */
export interface PageRecord {
  readonly rowid?: number;
  readonly values: readonly RecordValue[];
}

/** A page and its number. */
export interface NumberedPage {
  readonly number: number;
  readonly bytes: Buffer;
}

/** What a page claims to hold. */
export function readPageKind({ number, bytes }: NumberedPage): keyof typeof PAGE_TYPES | 'other' {
  const type = bytes[headerOffset(number)];
  return (Object.keys(PAGE_TYPES) as (keyof typeof PAGE_TYPES)[]).find((kind) => PAGE_TYPES[kind] === type) ?? 'other';
}

/** Page numbers of the children of an interior page. */
export function readChildren({ number, bytes }: NumberedPage): number[] {
  const cells = readCellOffsets(bytes, number, 12).filter((at) => at + 4 <= bytes.length);
  return [...cells.map((at) => bytes.readUInt32BE(at)), bytes.readUInt32BE(headerOffset(number) + 8)];
}

/**
 * Yields the records of a leaf of a table, or of any page of an index, skipping what cannot be one. A record whose
 * overflow pages are lost has undefined values; without `pages`, records that have overflow pages are skipped. Cells
 * never overlap on a page that SQLite wrote; of two that do, the later one is skipped, so that bytes inside of a value
 * cannot pass for a record.
 */
export function* readRecords(
  { number, bytes }: NumberedPage,
  kind: 'leafTable' | 'leafIndex' | 'interiorIndex',
  pages?: PageSource,
): Generator<PageRecord, void, void> {
  const taken = new Uint8Array(bytes.length);
  const isInterior = kind === 'interiorIndex';
  for (const at of readCellOffsets(bytes, number, isInterior ? 12 : 8)) {
    const cell = readCell(bytes, isInterior ? at + 4 : at, kind === 'leafTable');
    if (cell === undefined || (pages === undefined && cell.local < cell.total)) continue;
    const overlap = taken.indexOf(1, at);
    if (overlap >= 0 && overlap < cell.end) continue;
    taken.fill(1, at, cell.end);
    const values = decodeRecord(readPayload(bytes, cell, pages), cell.total);
    if (values !== undefined) yield cell.rowid === undefined ? { values } : { rowid: cell.rowid, values };
  }
}

function headerOffset(number: number): number {
  return number === 1 ? 100 : 0;
}

function readCellOffsets(page: Buffer, number: number, headerBytes: number): number[] {
  const header = headerOffset(number);
  const first = header + headerBytes;
  const count = Math.min(page.readUInt16BE(header + 3), (page.length - first) >> 1);
  const offsets: number[] = [];
  for (let cell = 0; cell < count; cell++) {
    const at = page.readUInt16BE(first + cell * 2);
    if (at >= first + count * 2 && at < page.length) offsets.push(at);
  }
  return offsets;
}

interface Cell {
  readonly rowid?: number;
  /** Payload on this page: from `start`, `local` bytes of `total`. */
  readonly start: number;
  readonly local: number;
  readonly total: number;
  readonly end: number;
}

function readCell(page: Buffer, at: number, isTable: boolean): Cell | undefined {
  const size = readVarint(page, at);
  const rowid = isTable && size !== undefined ? readVarint(page, size.next) : undefined;
  if (size === undefined || size.value > MAX_RECORD_BYTES || (isTable && rowid === undefined)) return undefined;
  const start = rowid?.next ?? size.next;
  const local = countLocalBytes(size.value, page.length, isTable);
  const end = start + local + (local < size.value ? 4 : 0);
  if (end > page.length) return undefined;
  return { ...(rowid !== undefined && { rowid: rowid.value }), start, local, total: size.value, end };
}

/** How many bytes of a payload are on its page; the rest is on overflow pages. */
function countLocalBytes(total: number, usable: number, isTable: boolean): number {
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (total <= most) return total;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const rest = least + ((total - least) % (usable - 4));
  return rest <= most ? rest : least;
}

/** What is there of a payload: it ends early where an overflow page is lost. */
function readPayload(page: Buffer, { start, local, total, end }: Cell, pages: PageSource | undefined): Buffer {
  const chunks = [page.subarray(start, start + local)];
  let missing = total - local;
  let next = missing > 0 ? page.readUInt32BE(end - 4) : 0;
  while (missing > 0) {
    const overflow = pages?.read(next);
    if (overflow === undefined) break;
    const chunk = overflow.subarray(4, 4 + Math.min(missing, overflow.length - 4));
    chunks.push(chunk);
    missing -= chunk.length;
    next = overflow.readUInt32BE(0);
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

/** Undefined if the bytes are not a record of `total` bytes, of which the last may be missing. */
function decodeRecord(bytes: Buffer, total: number): RecordValue[] | undefined {
  const header = readVarint(bytes, 0);
  if (header === undefined || header.value > bytes.length) return undefined;
  const values: RecordValue[] = [];
  let value = header.value;
  for (let at = header.next; at < header.value;) {
    const type = readVarint(bytes, at);
    if (type === undefined || isReservedType(type.value)) return undefined;
    const length = measureValue(type.value);
    if (value + length > total) return undefined;
    values.push(
      value + length > bytes.length ? undefined : decodeValue(type.value, bytes.subarray(value, value + length)),
    );
    value += length;
    at = type.next;
  }
  return value === total ? values : undefined;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0] as const;

function isReservedType(type: number): boolean {
  return type === 10 || type === 11;
}

function measureValue(type: number): number {
  return type < 12 ? INTEGER_BYTES[type] : (type - 12 - (type % 2)) / 2;
}

function decodeValue(type: number, bytes: Buffer): RecordValue {
  if (type >= 12) return type % 2 === 0 ? new Uint8Array(bytes) : bytes.toString('utf8');
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type <= 5) return bytes.readIntBE(0, bytes.length);
  return type === 6 ? Number(bytes.readBigInt64BE(0)) : bytes.readDoubleBE(0);
}

/** A varint of up to nine bytes; undefined beyond the page or 2^53. */
function readVarint(bytes: Buffer, from: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let at = from; at < from + 8 && at < bytes.length; at++) {
    value = value * 128 + (bytes[at] & 0x7f);
    if (bytes[at] < 0x80) return value <= Number.MAX_SAFE_INTEGER ? { value, next: at + 1 } : undefined;
  }
  return undefined;
}
