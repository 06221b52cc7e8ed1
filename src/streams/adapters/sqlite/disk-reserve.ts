import { closeSync, existsSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDiskFull } from './disk-errors.js';

const RESERVE_BYTES = 16 * 1024 * 1024;

/** At most this share of the disk is held back. */
const MAX_DISK_FRACTION = 1 / 20;

/** What has to be free beside it before the reserve is taken again, and at a start: files of SQLite have to fit. */
const MIN_FREE_BYTES = 1024 * 1024;

/** How often a reserve that was given up is tried to take again (ms). */
const RETRY_INTERVAL_MS = 1_000;

const ZEROS = new Uint8Array(1024 * 1024);

/**
 * Space on the disk that telemetry cannot take: a file of zeros, given up when the disk is full so that commands, such as
 * the revocation of a key, can still be recorded. While it is given up, telemetry is refused.
 */
export class DiskReserve {
  private triedAt = -Infinity;
  private isHeld = false;

  /** `clock` gives ms and never goes back. */
  constructor(
    private readonly file: string,
    private readonly clock: () => number,
  ) {}

  /** Call before the log is opened: on a full disk a start needs the reserve. */
  prepare(): void {
    if (this.freeBytes() < MIN_FREE_BYTES) this.release();
    else this.acquire();
  }

  /** Whether the reserve is there; looks again once in a while where it is not. */
  get held(): boolean {
    if (!this.isHeld && this.clock() - this.triedAt >= RETRY_INTERVAL_MS) this.acquire();
    return this.isHeld;
  }

  release(): void {
    this.isHeld = false;
    this.triedAt = this.clock();
    rmSync(this.file, { force: true });
  }

  private acquire(): void {
    this.triedAt = this.clock();
    const wanted = this.reserveBytes();
    this.isHeld = existsSync(this.file) && statSync(this.file).size >= wanted;
    if (this.isHeld || this.freeBytes() < wanted + MIN_FREE_BYTES) return;
    try {
      this.write(wanted);
      this.isHeld = true;
    } catch (error) {
      rmSync(this.file, { force: true });
      if (!isDiskFull(error)) throw error;
    }
  }

  /** Zeros and not a hole: a hole would reserve nothing. File systems reserve blocks when they are written, so no sync. */
  private write(bytes: number): void {
    const descriptor = openSync(this.file, 'w', 0o600);
    try {
      for (let done = 0; done < bytes;) done += writeSync(descriptor, ZEROS, 0, Math.min(ZEROS.length, bytes - done));
    } finally {
      closeSync(descriptor);
    }
  }

  private reserveBytes(): number {
    const { blocks, bsize } = statfsSync(dirname(this.file));
    return Math.min(RESERVE_BYTES, Math.floor(blocks * bsize * MAX_DISK_FRACTION));
  }

  private freeBytes(): number {
    const { bavail, bsize } = statfsSync(dirname(this.file));
    return bavail * bsize;
  }
}
