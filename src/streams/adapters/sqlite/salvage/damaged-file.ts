import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes that are read one by one where a larger read fails; those of a page of the operating system's cache. */
const BLOCK_BYTES = 4_096;

/** What reads report that the disk, or the file system because of its checksums, does not return. */
const READ_FAULTS: ReadonlySet<unknown> = new Set(['EIO', 'ENXIO', 'EUCLEAN', 'EBADMSG']);

/** The signature of `readSync`, which tests replace. */
export type ReadBytes = (descriptor: number, into: Uint8Array, at: number, length: number, from: number) => number;

/** A file that the disk may not return completely. */
export class DamagedFile {
  /** Reads so far of which the disk did not return everything. */
  faults = 0;
  private readonly descriptor: number;

  constructor(
    file: string,
    private readonly readBytes: ReadBytes = readSync,
  ) {
    this.descriptor = openSync(file, 'r');
  }

  get size(): number {
    return fstatSync(this.descriptor).size;
  }

  /** Blocks that the disk does not return are zeros. Undefined if the file ends before. Throws other errors. */
  read(at: number, length: number): Buffer | undefined {
    const bytes = Buffer.alloc(length);
    if (this.readAll(bytes, at)) return bytes;
    if (at + length > this.size) return undefined;
    this.faults++;
    return this.readBlocks(bytes, at);
  }

  close(): void {
    closeSync(this.descriptor);
  }

  /**
   * Whether the disk returned all bytes. Linux returns those before an unreadable block without an error, and the error
   * only if the first block is unreadable.
   */
  private readAll(bytes: Buffer, at: number): boolean {
    try {
      return this.readBytes(this.descriptor, bytes, 0, bytes.length, at) === bytes.length;
    } catch (error) {
      if (!isReadFault(error)) throw error;
      return false;
    }
  }

  private readBlocks(bytes: Buffer, at: number): Buffer {
    for (let from = 0; from < bytes.length;) {
      const length = Math.min(BLOCK_BYTES - ((at + from) % BLOCK_BYTES), bytes.length - from);
      try {
        this.readBytes(this.descriptor, bytes, from, length, at + from);
      } catch (error) {
        if (!isReadFault(error)) throw error;
        bytes.fill(0, from, from + length);
      }
      from += length;
    }
    return bytes;
  }
}

function isReadFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && READ_FAULTS.has(error.code);
}
