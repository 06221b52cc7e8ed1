import type { Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import type { AppendResult } from '../../event-store.js';
import type { Connection } from './event-log-connection.js';
import { EventAppender } from './event-appender.js';
import type { AppendRequest } from './event-appender.js';
import { SCHEMA_VERSION } from './event-log-schema.js';

/**
 * The single writer of the log. A failure of any kind closes the connection, because after a failed fsync nobody knows
 * what the kernel kept: the next use opens a new one, which reads the truth from the file and asserts its settings again.
 */
export class EventLogWriter {
  #open: { readonly database: Connection; readonly appending: EventAppender } | undefined;
  #fault: string | undefined;

  /** `connect` opens and asserts the connection; `clock` gives ms since 1970. */
  constructor(
    private readonly connect: () => Connection,
    private readonly clock: () => number,
  ) {}

  /**
   * One transaction for the whole group, durable when it returns. An append in conflict leaves the others alone.
   * Throws `unavailable`; then none of them is in the log, or the outcome is unknown.
   */
  commit(group: readonly AppendRequest[]): AppendResult[] {
    const now = this.clock();
    return this.transaction((_database, appending) => group.map((request) => appending.append(request, now)));
  }

  /** Runs `work` in a transaction that is durable when this returns. Throws `unavailable`. */
  transaction<T>(work: (database: Connection, appending: EventAppender) => T): T {
    return this.#attempt(({ database, appending }) => {
      database.exec('BEGIN IMMEDIATE');
      const result = work(database, appending);
      database.exec('COMMIT');
      return result;
    });
  }

  /** Runs `work` outside of a transaction. Throws `unavailable`. */
  withConnection<T>(work: (database: Connection) => T): T {
    return this.#attempt(({ database }) => work(database));
  }

  /** After a failure: whether a small durable write succeeds again. */
  check(): Health {
    if (this.#fault === undefined && this.#open !== undefined) return { ok: true };
    try {
      this.transaction((database) => database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`));
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  /** Lets `check` tell of an error that no caller was told of. */
  recordFault(error: Error): void {
    this.#fault = error.message;
  }

  close(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.database.close();
  }

  #attempt<T>(work: (open: { database: Connection; appending: EventAppender }) => T): T {
    try {
      this.#open ??= this.#connect();
      const result = work(this.#open);
      this.#fault = undefined;
      return result;
    } catch (error) {
      this.#fault = (error as Error).message;
      this.#rollBackAndClose();
      throw new HindsightError('unavailable', `The event store cannot write: ${this.#fault}`, [], { cause: error });
    }
  }

  #connect(): { database: Connection; appending: EventAppender } {
    const database = this.connect();
    try {
      return { database, appending: new EventAppender(database) };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * Rolls back by itself: a closed connection keeps its locks as long as its statements live.
   * When this fails as well, the first fault stays the one to tell.
   */
  #rollBackAndClose(): void {
    const database = this.#open?.database;
    this.#open = undefined;
    try {
      if (database?.isTransaction) database.exec('ROLLBACK');
      database?.close();
    } catch (error) {
      this.#fault = `${this.#fault}; closing: ${(error as Error).message}`;
    }
  }
}
