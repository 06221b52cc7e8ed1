import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { isPageSize, readWalPages, type WalPages } from './wal-pages.js';

/** Page size of every log that Hindsight creates, for a file whose header is damaged. */
const DEFAULT_PAGE_BYTES = 16_384;
const HEADER_BYTES = 100;

/** See https://www.sqlite.org/fileformat2.html, "Pointer Map or Ptrmap Pages": every log has them. */
const POINTER_MAP_ENTRY_BYTES = 5;
const ROOT_PAGE = 1;
const TREE_PAGE = 5;

/**
 * The pages of a database file as its last commit left them, read without SQLite: pages in the write-ahead log take
 * precedence. Neither file needs to be intact. Nothing may write them meanwhile.
 */
export class DatabasePages {
  readonly pageSize: number;
  /** Pages in the files; the numbers start with 1. */
  readonly count: number;
  /** Pages that the header names and the files lack, because they were truncated. */
  readonly truncated: number;
  private readonly database: number;
  private readonly wal: number | undefined;
  private readonly walPages: WalPages | undefined;
  /** The page of the pointer map that was read last. */
  private pointerMap: { readonly page: number; readonly bytes: Buffer | undefined } | undefined;

  constructor(file: string) {
    this.walPages = readWalPages(`${file}-wal`);
    this.database = openSync(file, 'r');
    this.wal = existsSync(`${file}-wal`) ? openSync(`${file}-wal`, 'r') : undefined;
    this.pageSize = this.readPageSize();
    const ends = [...(this.walPages?.offsets.keys() ?? [])];
    this.count = ends.reduce(
      (most, page) => Math.max(most, page),
      Math.floor(fstatSync(this.database).size / this.pageSize),
    );
    this.truncated = Math.max(0, this.readHeaderCount() - this.count);
  }

  /** Undefined for a page that the files do not have completely. */
  read(page: number): Buffer | undefined {
    if (page < 1 || page > this.count) return undefined;
    const inWal = this.walPages?.offsets.get(page);
    return inWal === undefined
      ? readBytes(this.database, (page - 1) * this.pageSize, this.pageSize)
      : readBytes(this.wal!, inWal, this.pageSize);
  }

  /**
   * Whether the file says that this page belongs to a table or an index. Free pages keep what they had, such as events that
   * retention has deleted. False as well if the pointer map, which says so, is damaged there.
   */
  isInUse(page: number): boolean {
    if (page === 1) return true;
    const entriesPerPage = Math.floor(this.pageSize / POINTER_MAP_ENTRY_BYTES);
    const map = Math.floor((page - 2) / (entriesPerPage + 1)) * (entriesPerPage + 1) + 2;
    if (this.pointerMap?.page !== map) this.pointerMap = { page: map, bytes: this.read(map) };
    const kind = this.pointerMap.bytes?.[POINTER_MAP_ENTRY_BYTES * (page - map - 1)];
    return kind === ROOT_PAGE || kind === TREE_PAGE;
  }

  close(): void {
    closeSync(this.database);
    if (this.wal !== undefined) closeSync(this.wal);
  }

  private readPageSize(): number {
    const stored = readBytes(this.database, 0, HEADER_BYTES)?.readUInt16BE(16);
    const pageSize = stored === 1 ? 65_536 : (stored ?? 0);
    if (isPageSize(pageSize)) return pageSize;
    return this.walPages?.pageSize ?? DEFAULT_PAGE_BYTES;
  }

  /** Number of pages according to the header, if it is plausible: the log never shrinks to less than its pages. */
  private readHeaderCount(): number {
    const first = this.read(1);
    return first?.toString('latin1', 0, 15) === 'SQLite format 3' ? first.readUInt32BE(28) : 0;
  }
}

function readBytes(descriptor: number, at: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  return readSync(descriptor, bytes, 0, length, at) === length ? bytes : undefined;
}
