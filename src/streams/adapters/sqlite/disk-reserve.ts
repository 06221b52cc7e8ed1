import { closeSync, existsSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDiskFull } from './disk-errors.js';

const RESERVE_BYTES = 16 * 1024 * 1024;

/** Upper limit as a fraction of the disk. */
const MAX_DISK_FRACTION = 1 / 20;

/**
 * Free space required in addition to the reserve before it is acquired, and at startup: SQLite's side files have to
 * fit.
 */
const MIN_FREE_BYTES = 1024 * 1024;

/** Interval (ms) at which a released reserve is acquired again. */
const RETRY_INTERVAL_MS = 1_000;

const ZEROS = new Uint8Array(1024 * 1024);

/**
 * Disk space that telemetry cannot use: a file of zeros that is deleted when the disk is full, so that commands, such
 * as the revocation of a key, can still be recorded. Until the reserve is acquired again, telemetry is rejected.
 */
export class DiskReserve {
  private triedAt = -Infinity;
  private isHeld = false;

  /** `clock`: monotonic milliseconds. */
  constructor(
    private readonly file: string,
    private readonly clock: () => number,
  ) {}

  /** Call before opening the log: on a full disk, startup needs the reserved space. */
  prepare(): void {
    if (this.freeBytes() < MIN_FREE_BYTES) this.release();
    else this.acquire();
  }

  /** Whether the reserve exists; tries to acquire it at most once per retry interval. */
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
    const requiredBytes = this.reserveBytes();
    this.isHeld = existsSync(this.file) && statSync(this.file).size >= requiredBytes;
    if (this.isHeld || this.freeBytes() < requiredBytes + MIN_FREE_BYTES) return;
    try {
      this.write(requiredBytes);
      this.isHeld = true;
    } catch (error) {
      rmSync(this.file, { force: true });
      if (!isDiskFull(error)) throw error;
    }
  }

  /**
   * Writes zeros because a sparse file would reserve nothing. File systems allocate blocks on write, so no sync is
   * needed.
   */
  private write(bytes: number): void {
    const descriptor = openSync(this.file, 'w', 0o600);
    try {
      for (let written = 0; written < bytes;)
        written += writeSync(descriptor, ZEROS, 0, Math.min(ZEROS.length, bytes - written));
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
