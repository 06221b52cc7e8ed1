import { prepared } from './connection.js';
import type { Connection } from './connection.js';
import { isFailedSync, UnsyncedDatabase } from './disk-faults.js';

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
export class WalKeeper {
  #passing = false;
  #requestedAt = 0;
  #restartAt: number;

  /** `requestPass` asks the checkpointer, who tells the end by `passed`. */
  constructor(private readonly requestPass: () => void, private readonly bounds: WalBounds = WAL_BOUNDS) {
    this.#restartAt = bounds.restartBytes;
  }

  afterCommit(database: Connection): void {
    const bytes = walBytes(database);
    if (bytes < this.#requestedAt) this.#startedOver();
    if (bytes >= this.bounds.limitBytes && bytes >= this.#restartAt) this.#restart(database, bytes);
    else if (!this.#passing && bytes - this.#requestedAt >= this.bounds.passBytes) {
      this.#passing = true;
      this.#requestedAt = bytes;
      this.requestPass();
    }
  }

  passed(database: Connection): void {
    this.#passing = false;
    const bytes = walBytes(database);
    if (bytes >= this.#restartAt) this.#restart(database, bytes);
  }

  #restart(database: Connection, bytes: number): void {
    const { busy } = startOver(database, 'RESTART');
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
export function walBytes(database: Connection): number {
  return Math.max(checkpoint(database, 'NOOP').log, 0) * PAGE_BYTES;
}

/** Milliseconds that appends may wait for readers to let go of the WAL. */
const RESTART_PATIENCE_MS = 20;

/** Copies the rest of the WAL and starts it over; TRUNCATE also empties the file. Busy: a reader still needs it. */
export function startOver(database: Connection, mode: 'RESTART' | 'TRUNCATE'): CheckpointRow {
  const { timeout } = prepared(database, 'PRAGMA busy_timeout').get() as { timeout: number };
  database.exec(`PRAGMA busy_timeout = ${RESTART_PATIENCE_MS}`);
  try {
    return checkpoint(database, mode);
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

/** Throws `UnsyncedDatabase` where a sync fails. Asks for one row, because errors of `all` come without their code. */
export function checkpoint(database: Connection, mode: 'NOOP' | 'PASSIVE' | 'RESTART' | 'TRUNCATE'): CheckpointRow {
  try {
    return prepared(database, `PRAGMA wal_checkpoint(${mode})`).get() as unknown as CheckpointRow;
  } catch (error) {
    throw isFailedSync(error) ? new UnsyncedDatabase(error) : error;
  }
}
