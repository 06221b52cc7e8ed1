import { type Connection, openCheckpointer, prepareCached, readPragma } from './event-log-connection.js';
import { isSyncFailure, isUnsyncedDatabase, UnsyncedDatabase } from './disk-errors.js';
import { closeSync, fdatasyncSync, openSync } from 'node:fs';

/** WAL growth (bytes) after which a checkpoint pass is requested. */
const PASS_BYTES = 8 * 1024 * 1024;

/** WAL size (bytes) from which the WAL is restarted at the end of a pass. */
const RESTART_BYTES = 64 * 1024 * 1024;

/**
 * WAL size (bytes) from which the WAL is restarted without waiting for a pass: the checkpoint worker is stuck or gone.
 */
const LIMIT_BYTES = 4 * RESTART_BYTES;

export interface WalBounds {
  readonly passBytes: number;
  readonly restartBytes: number;
  readonly limitBytes: number;
}

export const WAL_BOUNDS: WalBounds = { passBytes: PASS_BYTES, restartBytes: RESTART_BYTES, limitBytes: LIMIT_BYTES };

/**
 * Bounds the size of the WAL without running checkpoints during appends. The checkpoint worker copies pages (PASSIVE)
 * while appends continue, so it never quite reaches the end. Right after a pass little is left: then the writer copies
 * the rest and restarts the WAL (RESTART), which keeps the file and its disk blocks.
 */
export class WalCheckpointer {
  #isPassRunning = false;
  #requestedAt = 0;
  #restartAt: number;

  /** `requestPass` starts a pass of the checkpoint worker; call `afterPass` when it has ended. */
  constructor(
    private readonly requestPass: () => void,
    private readonly bounds: WalBounds = WAL_BOUNDS,
  ) {
    this.#restartAt = bounds.restartBytes;
  }

  afterCommit(database: Connection): void {
    const bytes = readWalBytes(database);
    if (bytes < this.#requestedAt) this.#markRestarted();
    if (bytes >= this.bounds.limitBytes && bytes >= this.#restartAt) this.#restart(database, bytes);
    else if (!this.#isPassRunning && bytes - this.#requestedAt >= this.bounds.passBytes) {
      this.#isPassRunning = true;
      this.#requestedAt = bytes;
      this.requestPass();
    }
  }

  afterPass(database: Connection): void {
    this.#isPassRunning = false;
    const bytes = readWalBytes(database);
    if (bytes >= this.#restartAt) this.#restart(database, bytes);
  }

  #restart(database: Connection, bytes: number): void {
    const { busy } = restartWal(database, 'RESTART');
    if (busy === 0) this.#markRestarted();
    // A long read pins the WAL: try again after as much growth as triggers a pass.
    else this.#restartAt = bytes + this.bounds.passBytes;
  }

  #markRestarted(): void {
    this.#requestedAt = 0;
    this.#restartAt = this.bounds.restartBytes;
  }
}

interface CheckpointRow {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

/** Bytes in the WAL since it last restarted. NOOP only reads the state, which takes about a microsecond. */
export function readWalBytes(database: Connection): number {
  return Math.max(checkpoint(database, 'NOOP').log, 0) * (readPragma(database, 'page_size') as number);
}

/** Time (ms) that appends may wait for readers to release the WAL. */
const RESTART_TIMEOUT_MS = 20;

/**
 * Copies the rest of the WAL and restarts it; TRUNCATE also empties the file. `busy` in the result: a reader still uses
 * it.
 */
export function restartWal(database: Connection, mode: 'RESTART' | 'TRUNCATE'): CheckpointRow {
  const { timeout } = prepareCached(database, 'PRAGMA busy_timeout').get() as { timeout: number };
  database.exec(`PRAGMA busy_timeout = ${RESTART_TIMEOUT_MS}`);
  try {
    return checkpoint(database, mode);
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

/**
 * Runs a checkpoint. Throws `UnsyncedDatabase` if a sync fails. Uses `get`, because errors of `all` have no error code.
 */
export function checkpoint(database: Connection, mode: 'NOOP' | 'PASSIVE' | 'RESTART' | 'TRUNCATE'): CheckpointRow {
  try {
    return prepareCached(database, `PRAGMA wal_checkpoint(${mode})`).get() as unknown as CheckpointRow;
  } catch (error) {
    throw isSyncFailure(error) ? new UnsyncedDatabase(error) : error;
  }
}

/** Copies committed pages from the WAL into the database while appends continue. */
export class PassiveCheckpointer {
  #database: Connection | undefined;

  /** Open until `close`: closing any descriptor of the file releases the locks that this process holds on it. */
  #descriptor: number | undefined;

  /** `warn` is called when a pass could not write. */
  constructor(
    private readonly file: string,
    private readonly warn: (message: string) => void,
  ) {}

  /**
   * Runs one pass. If it cannot write, the WAL stays as it is and nothing is lost; the writer will report the same disk
   * error. Throws `UnsyncedDatabase` if a sync failed, which MUST end the service: SQLite considers the pages of
   * earlier passes copied, and only a restart copies them again.
   */
  runPass(): void {
    try {
      this.#database ??= openCheckpointer(this.file);
      checkpoint(this.#database, 'PASSIVE');
      // A pass that was overtaken by appends does not sync the pages it copied; without this the writer would have to.
      this.#descriptor ??= openSync(this.file, 'r');
      fdatasyncSync(this.#descriptor);
    } catch (error) {
      if (isUnsyncedDatabase(error)) throw error;
      if (isSyncFailure(error)) throw new UnsyncedDatabase(error);
      this.warn(`WAL checkpoint of the event log failed: ${(error as Error).message}`);
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
