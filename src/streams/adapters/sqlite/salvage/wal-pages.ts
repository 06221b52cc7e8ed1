import { closeSync, existsSync, openSync, readSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC_LITTLE_ENDIAN = 0x377f0682;
const MAGIC_BIG_ENDIAN = 0x377f0683;

/** Committed pages in a write-ahead log. */
export interface WalPages {
  readonly pageSize: number;
  /** Offset in the file of the latest committed content, by page number. */
  readonly offsets: ReadonlyMap<number, number>;
}

interface Frame {
  readonly page: number;
  readonly offset: number;
  readonly endsCommit: boolean;
}

/**
 * Finds the committed pages of a write-ahead log; undefined if there is none. SQLite ignores every frame after the first
 * that does not match its checksum. This reads on, because every event carries its own checksum: frames count up to the
 * last one that completes a commit and matches its checksum.
 */
export function readWalPages(file: string): WalPages | undefined {
  if (!existsSync(file)) return undefined;
  const descriptor = openSync(file, 'r');
  try {
    const header = readBytes(descriptor, 0, HEADER_BYTES);
    if (header === undefined) return undefined;
    const magic = header.readUInt32BE(0);
    const pageSize = header.readUInt32BE(8);
    if ((magic !== MAGIC_LITTLE_ENDIAN && magic !== MAGIC_BIG_ENDIAN) || !isPageSize(pageSize)) return undefined;
    return { pageSize, offsets: findCommittedPages([...readFrames(descriptor, header, pageSize)]) };
  } finally {
    closeSync(descriptor);
  }
}

/** SQLite allows powers of two from 512 to 65,536. */
export function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0;
}

function findCommittedPages(frames: readonly Frame[]): Map<number, number> {
  const last = frames.findLastIndex(({ endsCommit }) => endsCommit);
  return new Map(frames.slice(0, last + 1).map(({ page, offset }) => [page, offset]));
}

/** Frames of the current generation of the log: others are left from before it restarted. */
function* readFrames(descriptor: number, header: Buffer, pageSize: number): Generator<Frame, void, void> {
  const littleEndian = header.readUInt32BE(0) === MAGIC_LITTLE_ENDIAN;
  const salts = header.subarray(16, 24);
  let seed = readChecksum(header, 24);
  for (let at = HEADER_BYTES; ; at += FRAME_HEADER_BYTES + pageSize) {
    const frame = readBytes(descriptor, at, FRAME_HEADER_BYTES + pageSize);
    if (frame === undefined) return;
    const stored = readChecksum(frame, 16);
    const page = frame.readUInt32BE(0);
    if (frame.subarray(8, 16).equals(salts) && page > 0) {
      const commits = frame.readUInt32BE(4) > 0;
      const isIntact = (): boolean => equals(computeFrameChecksum(frame, seed, littleEndian), stored);
      yield { page, offset: at + FRAME_HEADER_BYTES, endsCommit: commits && isIntact() };
    }
    seed = stored;
  }
}

type Checksum = readonly [number, number];

function readChecksum(bytes: Buffer, at: number): Checksum {
  return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
}

function equals(a: Checksum, b: Checksum): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** Covers the first eight bytes of the frame's header and its page, continuing from the frame before. */
function computeFrameChecksum(frame: Buffer, seed: Checksum, littleEndian: boolean): Checksum {
  return addToChecksum(
    frame.subarray(FRAME_HEADER_BYTES),
    addToChecksum(frame.subarray(0, 8), seed, littleEndian),
    littleEndian,
  );
}

function addToChecksum(bytes: Buffer, [first, second]: Checksum, littleEndian: boolean): Checksum {
  let a = first;
  let b = second;
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + (littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)) + b) >>> 0;
    b = (b + (littleEndian ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at + 4)) + a) >>> 0;
  }
  return [a, b];
}

/** Undefined if the file ends before. */
function readBytes(descriptor: number, at: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  return readSync(descriptor, bytes, 0, length, at) === length ? bytes : undefined;
}
