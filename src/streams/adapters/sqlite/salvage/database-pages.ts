import { existsSync } from 'node:fs';
import { DamagedFile, type ReadBytes } from './damaged-file.js';
import { findPageSize, readStoredPageSize } from './page-size.js';
import { readWalHeader } from './wal-frames.js';
import { findWalPages, type WalPages } from './wal-pages.js';

/** See https://www.sqlite.org/fileformat2.html, "Pointer Map or Ptrmap Pages": every log has them. */
const POINTER_MAP_ENTRY_BYTES = 5;
const ROOT_PAGE = 1;
const TREE_PAGE = 5;

/** Content of pages by number; undefined for a page that is not there completely. */
export interface PageSource {
  read(page: number): Buffer | undefined;
}

/**
 * The pages of a database file as its last commit left them, read without SQLite: pages in the write-ahead log take
 * precedence. Neither file needs to be intact or readable everywhere: what the disk does not return is zeros. Nothing may
 * write them meanwhile.
 */
export class DatabasePages implements PageSource {
  readonly pageSize: number;
  /** Pages in the files; the numbers start with 1. */
  readonly count: number;
  /** Pages that the header names and the files lack, because they were truncated. */
  readonly truncated: number;
  private readonly database: DamagedFile;
  private readonly wal: DamagedFile | undefined;
  private readonly walPages: WalPages | undefined;
  /** The page of the pointer map that was read last. */
  private pointerMap: { readonly page: number; readonly bytes: Buffer | undefined } | undefined;

  constructor(file: string, readBytes?: ReadBytes) {
    this.database = new DamagedFile(file, readBytes);
    this.wal = existsSync(`${file}-wal`) ? new DamagedFile(`${file}-wal`, readBytes) : undefined;
    const stored = readStoredPageSize(this.database);
    const expected = findPageSize(this.database);
    const log = this.wal && readWalHeader(this.wal, expected);
    this.walPages = log && findWalPages(log);
    this.pageSize = stored ?? this.walPages?.pageSize ?? expected;
    const ends = [...(this.walPages?.offsets.keys() ?? [])];
    this.count = ends.reduce((most, page) => Math.max(most, page), Math.floor(this.database.size / this.pageSize));
    this.truncated = Math.max(0, this.readHeaderCount() - this.count);
  }

  /** Reads of the database file so far of which the disk did not return everything. */
  get faults(): number {
    return this.database.faults;
  }

  /** Frames of the write-ahead log that the disk does not return completely; 1 if not even its start. */
  get unreadableFrames(): number {
    return this.walPages?.unreadableFrames ?? Math.min(1, this.wal?.faults ?? 0);
  }

  /** Whether the latest content of some pages, in the write-ahead log, does not match its checksum. */
  get hasDamagedCopies(): boolean {
    return (this.walPages?.damaged.size ?? 0) > 0;
  }

  read(page: number): Buffer | undefined {
    return this.readCopy(page, this.walPages?.offsets.get(page));
  }

  /** The latest content of each page that matches its checksum; older than that of `read` where that is damaged. */
  get intactCopies(): PageSource {
    const { damaged, offsets } = this.walPages ?? { damaged: new Map<number, undefined>(), offsets: new Map() };
    return {
      read: (page) =>
        this.readCopy(page, damaged.has(page) ? damaged.get(page) : (offsets.get(page) as number | undefined)),
    };
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
    this.database.close();
    this.wal?.close();
  }

  /** `inWal`: offset in the write-ahead log; undefined: from the database file. */
  private readCopy(page: number, inWal: number | undefined): Buffer | undefined {
    if (page < 1 || page > this.count) return undefined;
    return inWal === undefined
      ? this.database.read((page - 1) * this.pageSize, this.pageSize)
      : this.wal!.read(inWal, this.pageSize);
  }

  /** Number of pages according to the header, if it is plausible: the log never shrinks to less than its pages. */
  private readHeaderCount(): number {
    const first = this.read(1);
    return first?.toString('latin1', 0, 15) === 'SQLite format 3' ? first.readUInt32BE(28) : 0;
  }
}
