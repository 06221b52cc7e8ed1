import type { Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import type { AppendResult } from '../../event-store.js';
import type { Connection } from './event-log-connection.js';
import { EventAppender } from './event-appender.js';
import type { AppendRequest } from './event-appender.js';
import { SCHEMA_VERSION } from './event-log-schema.js';

/**
 * The single writer of the log. Any failure closes the connection, because after a failed fsync the state of the file
 * is unknown: the next use opens a new connection, which reads the actual state and verifies its settings again.
 */
export class EventLogWriter {
  #session: { readonly database: Connection; readonly appender: EventAppender } | undefined;
  #fault: string | undefined;
  /** Log time and monotonic time when the clock was first found behind the log. */
  #behindSince: { readonly logTime: number; readonly monotonic: number } | undefined;

  /**
   * `connect` opens and verifies the connection; `clock`: ms since 1970; `monotonic`: ms since any moment, not affected
   * by changes of the clock.
   */
  constructor(
    private readonly connect: () => Connection,
    private readonly clock: () => number,
    private readonly monotonic: () => number = () => 0,
  ) {}

  /**
   * Appends the group in one transaction that is durable when this returns. A conflict affects only its own append.
   * Throws `unavailable`: then none of the appends is in the log, or the outcome is unknown.
   */
  commit(group: readonly AppendRequest[]): AppendResult[] {
    return this.transaction((_database, appender) => {
      const now = this.#readLogTime(appender.newestTime);
      return group.map((request) => appender.append(request, now));
    });
  }

  /**
   * The clock, or if that is behind the newest event, the time of that event and what has passed since: log time never
   * goes back and never stands still, so that windows of deduplication pass also after the clock was set back.
   */
  #readLogTime(newest: number): number {
    const now = this.clock();
    if (now >= newest) {
      this.#behindSince = undefined;
      return now;
    }
    this.#behindSince ??= { logTime: newest, monotonic: this.monotonic() };
    const { logTime, monotonic } = this.#behindSince;
    return logTime + Math.floor(this.monotonic() - monotonic);
  }

  /** Runs `work` in a transaction that is durable when this returns. Throws `unavailable`. */
  transaction<T>(work: (database: Connection, appender: EventAppender) => T): T {
    return this.#attempt(({ database, appender }) => {
      database.exec('BEGIN IMMEDIATE');
      const result = work(database, appender);
      database.exec('COMMIT');
      return result;
    });
  }

  /** Runs `work` outside a transaction. Throws `unavailable`. */
  withConnection<T>(work: (database: Connection) => T): T {
    return this.#attempt(({ database }) => work(database));
  }

  /** After a failure, verifies that a small durable write succeeds again. */
  check(): Health {
    if (this.#fault === undefined && this.#session !== undefined) return { ok: true };
    try {
      this.transaction((database) => database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`));
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  /** Makes `check` report an error that no caller received. */
  recordFault(error: Error): void {
    this.#fault = error.message;
  }

  close(): void {
    const session = this.#session;
    this.#session = undefined;
    session?.database.close();
  }

  #attempt<T>(work: (session: { database: Connection; appender: EventAppender }) => T): T {
    try {
      this.#session ??= this.#connect();
      const result = work(this.#session);
      this.#fault = undefined;
      return result;
    } catch (error) {
      this.#fault = (error as Error).message;
      this.#rollBackAndClose();
      throw new HindsightError('unavailable', `Cannot write to the event store: ${this.#fault}`, [], { cause: error });
    }
  }

  #connect(): { database: Connection; appender: EventAppender } {
    const database = this.connect();
    try {
      return { database, appender: new EventAppender(database) };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * Rolls back explicitly, because a closed connection keeps its locks while its statements exist. If this also fails,
   * the first error is still the one to report.
   */
  #rollBackAndClose(): void {
    const database = this.#session?.database;
    this.#session = undefined;
    try {
      if (database?.isTransaction) database.exec('ROLLBACK');
      database?.close();
    } catch (error) {
      this.#fault = `${this.#fault}; closing: ${(error as Error).message}`;
    }
  }
}
