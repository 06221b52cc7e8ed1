import type { DamagedFile } from './damaged-file.js';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const SALT_BYTES = 8;
const MAGIC_LITTLE_ENDIAN = 0x377f0682;
const MAGIC_BIG_ENDIAN = 0x377f0683;

/** A write-ahead log: https://www.sqlite.org/fileformat2.html, "The Write-Ahead Log". */
export interface WalLog {
  readonly file: DamagedFile;
  readonly pageSize: number;
  readonly isLittleEndian: boolean;
  /** Frames with other salts are left from before the log restarted. */
  readonly salts: Buffer;
  readonly checksum: Checksum;
  /** Whether the header matches its checksum: SQLite ignores the whole log otherwise. */
  readonly isHeaderIntact: boolean;
}

/** The content of one page in the log. */
export interface WalFrame {
  /** Number of the frame in the file, from 0. */
  readonly number: number;
  readonly page: number;
  /** Of the page in the file. */
  readonly offset: number;
  /** Completes a commit. */
  readonly commits: boolean;
  /** If it completes a commit: pages of the database after it. */
  readonly pagesAfter: number;
  readonly isIntact: boolean;
}

type Checksum = readonly [number, number];

/**
 * Reads the header; undefined if the file is no write-ahead log. Of a damaged header, its salts are taken from the first
 * frames and the page size is `expectedPageSize`.
 */
export function readWalHeader(file: DamagedFile, expectedPageSize: number): WalLog | undefined {
  const header = file.read(0, HEADER_BYTES);
  if (header === undefined) return undefined;
  const magic = header.readUInt32BE(0);
  const checksum = readChecksum(header, 24);
  const isLittleEndian = magic !== MAGIC_BIG_ENDIAN;
  const isHeaderIntact =
    (magic === MAGIC_LITTLE_ENDIAN || magic === MAGIC_BIG_ENDIAN) &&
    equals(addToChecksum(header.subarray(0, 24), [0, 0], isLittleEndian), checksum);
  const pageSize = isHeaderIntact ? header.readUInt32BE(8) : expectedPageSize;
  if (!isPageSize(pageSize)) return undefined;
  const salts = isHeaderIntact ? header.subarray(16, 24) : readFrameSalts(file, pageSize);
  return salts && { file, pageSize, isLittleEndian, salts, checksum, isHeaderIntact };
}

/** SQLite allows powers of two from 512 to 65,536. */
export function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0;
}

/**
 * Frames of the current generation of the log. One whose salts are damaged belongs to it if it continues the checksum of
 * a frame that does: the checksum does not cover the salts.
 */
export function* readWalFrames(log: WalLog): Generator<WalFrame, void, void> {
  const { file, pageSize, salts } = log;
  const length = FRAME_HEADER_BYTES + pageSize;
  let seed = log.checksum;
  let isCurrent = true;
  for (let number = 0; ; number++) {
    const frame = file.read(HEADER_BYTES + number * length, length);
    if (frame === undefined) return;
    const stored = readChecksum(frame, 16);
    const page = frame.readUInt32BE(0);
    const matchesChecksum = equals(computeFrameChecksum(frame, seed, log.isLittleEndian), stored);
    const matchesSalts = frame.subarray(8, 16).equals(salts);
    const isIntact = matchesChecksum && matchesSalts;
    isCurrent = matchesSalts || (matchesChecksum && isCurrent);
    if (isCurrent && page > 0) {
      const offset = HEADER_BYTES + number * length + FRAME_HEADER_BYTES;
      const pagesAfter = frame.readUInt32BE(4);
      yield { number, page, offset, commits: pagesAfter > 0, pagesAfter, isIntact };
    }
    seed = stored;
  }
}

/** Salts of the first two frames that the disk returns, if they agree, or of the only one. */
function readFrameSalts(file: DamagedFile, pageSize: number): Buffer | undefined {
  const { faults } = file;
  const readSalts = (frame: number): Buffer | undefined =>
    file.read(HEADER_BYTES + frame * (FRAME_HEADER_BYTES + pageSize) + 8, SALT_BYTES);
  const salts = readSalts(0);
  const from = file.faults > faults ? 1 : 0;
  const [first, second] = [from === 0 ? salts : readSalts(1), readSalts(from + 1)];
  return first !== undefined && (second === undefined || first.equals(second)) ? first : undefined;
}

function readChecksum(bytes: Buffer, at: number): Checksum {
  return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
}

function equals(a: Checksum, b: Checksum): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** Covers the first eight bytes of the frame's header and its page, continuing from the frame before. */
function computeFrameChecksum(frame: Buffer, seed: Checksum, isLittleEndian: boolean): Checksum {
  const start = addToChecksum(frame.subarray(0, 8), seed, isLittleEndian);
  return addToChecksum(frame.subarray(FRAME_HEADER_BYTES), start, isLittleEndian);
}

function addToChecksum(bytes: Buffer, [first, second]: Checksum, isLittleEndian: boolean): Checksum {
  let a = first;
  let b = second;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + view.getUint32(at, isLittleEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, isLittleEndian) + a) >>> 0;
  }
  return [a, b];
}
