import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { openCheckpointer } from './connection.js';
import type { Connection } from './connection.js';
import { isFailedSync, isUnsyncedDatabase, UnsyncedDatabase } from './disk-faults.js';
import { checkpoint } from './wal-keeper.js';

/** Copies what is committed from the WAL into the database while appends go on. */
export class Checkpointer {
  #database: Connection | undefined;

  /**
   * Stays open as long as the store: closing any descriptor of a file drops the locks that this process holds on it.
   */
  #descriptor: number | undefined;

  /** `warn` is told of a pass that could not write. */
  constructor(private readonly file: string, private readonly warn: (message: string) => void) {}

  /**
   * A pass that cannot write leaves the WAL as it is, and loses nothing: the writer meets the same disk and tells of it.
   * Throws `UnsyncedDatabase` where a sync failed, which MUST end the service: SQLite counts what earlier passes copied
   * as done, and only a new start copies it again.
   */
  pass(): void {
    try {
      this.#database ??= openCheckpointer(this.file);
      checkpoint(this.#database, 'PASSIVE');
      // A pass that appends overtook does not sync what it copied: left for later it would all be the writer's to sync.
      this.#descriptor ??= openSync(this.file, 'r');
      fdatasyncSync(this.#descriptor);
    } catch (error) {
      if (isUnsyncedDatabase(error)) throw error;
      if (isFailedSync(error)) throw new UnsyncedDatabase(error);
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
