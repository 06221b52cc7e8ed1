import { type Connection, openCheckpointer, prepareCached } from './event-log-connection.js';
import { isSyncFailure, isUnsyncedDatabase, UnsyncedDatabase } from './disk-errors.js';
import { closeSync, fdatasyncSync, openSync } from 'node:fs';

/** New WAL that is worth a pass of the checkpointer. */
const PASS_BYTES = 8 * 1024 * 1024;

/** Where the WAL starts over at the end of a pass. */
const RESTART_BYTES = 64 * 1024 * 1024;

/** Where it starts over without waiting for a pass: the checkpointer is stuck or gone. */
const LIMIT_BYTES = 4 * RESTART_BYTES;

export interface WalBounds {
  readonly passBytes: number;
  readonly restartBytes: number;
  readonly limitBytes: number;
}

export const WAL_BOUNDS: WalBounds = { passBytes: PASS_BYTES, restartBytes: RESTART_BYTES, limitBytes: LIMIT_BYTES };

/**
 * Keeps the WAL bounded without checkpoints in the way of appends. The checkpointer's thread copies pages (PASSIVE)
 * while appends go on, so it never quite reaches the end. Right after a pass little is left: then the writer itself
 * copies the rest and starts the WAL over (RESTART), which keeps the file and its blocks.
 */
export class WalCheckpointer {
  #passing = false;
  #requestedAt = 0;
  #restartAt: number;

  /** `requestPass` asks the checkpointer, who tells the end by `passed`. */
  constructor(
    private readonly requestPass: () => void,
    private readonly bounds: WalBounds = WAL_BOUNDS,
  ) {
    this.#restartAt = bounds.restartBytes;
  }

  afterCommit(database: Connection): void {
    const bytes = readWalBytes(database);
    if (bytes < this.#requestedAt) this.#startedOver();
    if (bytes >= this.bounds.limitBytes && bytes >= this.#restartAt) this.#restart(database, bytes);
    else if (!this.#passing && bytes - this.#requestedAt >= this.bounds.passBytes) {
      this.#passing = true;
      this.#requestedAt = bytes;
      this.requestPass();
    }
  }

  afterPass(database: Connection): void {
    this.#passing = false;
    const bytes = readWalBytes(database);
    if (bytes >= this.#restartAt) this.#restart(database, bytes);
  }

  #restart(database: Connection, bytes: number): void {
    const { busy } = restartWal(database, 'RESTART');
    if (busy === 0) this.#startedOver();
    // A long read pins the WAL: try again when it has grown by as much as a pass.
    else this.#restartAt = bytes + this.bounds.passBytes;
  }

  #startedOver(): void {
    this.#requestedAt = 0;
    this.#restartAt = this.bounds.restartBytes;
  }
}

interface CheckpointRow {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

const PAGE_BYTES = 16_384;

/** Bytes that the WAL holds since it last started over; NOOP only tells, in about a microsecond. */
export function readWalBytes(database: Connection): number {
  return Math.max(checkpoint(database, 'NOOP').log, 0) * PAGE_BYTES;
}

/** Milliseconds that appends may wait for readers to let go of the WAL. */
const RESTART_TIMEOUT_MS = 20;

/** Copies the rest of the WAL and starts it over; TRUNCATE also empties the file. Busy: a reader still needs it. */
export function restartWal(database: Connection, mode: 'RESTART' | 'TRUNCATE'): CheckpointRow {
  const { timeout } = prepareCached(database, 'PRAGMA busy_timeout').get() as { timeout: number };
  database.exec(`PRAGMA busy_timeout = ${RESTART_TIMEOUT_MS}`);
  try {
    return checkpoint(database, mode);
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

/** Throws `UnsyncedDatabase` where a sync fails. Asks for one row, because errors of `all` come without their code. */
export function checkpoint(database: Connection, mode: 'NOOP' | 'PASSIVE' | 'RESTART' | 'TRUNCATE'): CheckpointRow {
  try {
    return prepareCached(database, `PRAGMA wal_checkpoint(${mode})`).get() as unknown as CheckpointRow;
  } catch (error) {
    throw isSyncFailure(error) ? new UnsyncedDatabase(error) : error;
  }
}

/** Copies what is committed from the WAL into the database while appends go on. */
export class PassiveCheckpointer {
  #database: Connection | undefined;

  /**
   * Stays open as long as the store: closing any descriptor of a file drops the locks that this process holds on it.
   */
  #descriptor: number | undefined;

  /** `warn` is told of a pass that could not write. */
  constructor(
    private readonly file: string,
    private readonly warn: (message: string) => void,
  ) {}

  /**
   * A pass that cannot write leaves the WAL as it is, and loses nothing: the writer meets the same disk and tells of it.
   * Throws `UnsyncedDatabase` where a sync failed, which MUST end the service: SQLite counts what earlier passes copied
   * as done, and only a new start copies it again.
   */
  runPass(): void {
    try {
      this.#database ??= openCheckpointer(this.file);
      checkpoint(this.#database, 'PASSIVE');
      // A pass that appends overtook does not sync what it copied: left for later it would all be the writer's to sync.
      this.#descriptor ??= openSync(this.file, 'r');
      fdatasyncSync(this.#descriptor);
    } catch (error) {
      if (isUnsyncedDatabase(error)) throw error;
      if (isSyncFailure(error)) throw new UnsyncedDatabase(error);
      this.warn(`Checkpoint of the event log failed: ${(error as Error).message}`);
      this.#database?.close();
      this.#database = undefined;
    }
  }

  close(): void {
    this.#database?.close();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#database = this.#descriptor = undefined;
  }
}
