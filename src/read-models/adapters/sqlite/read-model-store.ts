import type { Change, Checkpoint, AnyCollection, CommitResult, ReadModelStore } from '../../store.js';
import { openForWriting, type Database } from './database.js';
import { emptyTables, shrinkLog, vacuumSlices } from './maintenance.js';
import { SqliteReadModelReader } from './read-model-reader.js';
import { rowId } from './row-ids.js';
import { inSlices } from './slices.js';
import { blobTable, createTables, documentTable, dropTables, insertBlob, insertDocument, writeCheckpoint } from './tables.js';

/**
 * Embedded read models: one SQLite file, one writer (the projector's thread). Long works go in slices with commits in
 * between; once the store is closed they reject with `unavailable`.
 */
export class SqliteReadModelStore extends SqliteReadModelReader implements ReadModelStore {
  private dropped: Promise<unknown> = Promise.resolve();

  commit(changes: readonly Change[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    return this.write((database) => {
      const fenced = checkpoints.find(({ projection, expected }) => this.checkpointNow(projection) !== expected);
      if (fenced !== undefined) return { ok: false, fenced: true, found: this.checkpointNow(fenced.projection) };
      for (const change of changes) this.apply(database, change);
      for (const { projection, position } of checkpoints) writeCheckpoint(database, projection, position);
      return { ok: true };
    });
  }

  /** Readers see it shrink. Nothing may be put into the collection meanwhile. */
  drop(collection: AnyCollection): Promise<void> {
    const dropped = this.dropped.then(() => this.dropNow(collection));
    this.dropped = dropped.catch(() => undefined); // told to who asked
    return dropped;
  }

  dropCheckpoint(projection: string): Promise<void> {
    return this.write((database) => {
      database.prepare('DELETE FROM checkpoints WHERE projection = ?').run(projection);
    });
  }

  async vacuum(): Promise<number> {
    return inSlices(vacuumSlices(() => this.writable()));
  }

  /** Leaves no write-ahead log behind for the next start to read, unless a reader still needs it. */
  override close(): Promise<void> {
    if (this.isOpen) shrinkLog(this.writable());
    return super.close();
  }

  protected override open(): Database {
    return openForWriting(this.file);
  }

  private async dropNow(collection: AnyCollection): Promise<void> {
    if (!this.exists(this.writable(), collection)) return;
    await inSlices(emptyTables(() => this.writable(), collection));
    await this.write((database) => {
      this.forget(collection);
      dropTables(database, collection);
    });
  }

  private writable(): Database {
    const database = this.connected();
    if (database === undefined) throw new Error('the store of read models could not be opened for writing');
    return database;
  }

  private write<T>(work: (database: Database) => T): Promise<T> {
    return new Promise((resolve) => {
      const database = this.writable();
      try {
        resolve(database.transaction(() => work(database)));
      } catch (error) {
        this.known.clear(); // a table made in this transaction went with it
        throw this.told(error);
      }
    });
  }

  private apply(database: Database, change: Change): void {
    if (change.kind === 'put' && !this.exists(database, change.collection)) createTables(database, change.collection);
    if (!this.exists(database, change.collection)) return;
    database.prepare(`DELETE FROM ${blobTable(change.collection)} WHERE id = ?`).run(rowId(change.id));
    if (change.kind === 'delete') {
      database.prepare(`DELETE FROM ${documentTable(change.collection)} WHERE id = ?`).run(rowId(change.id));
      return;
    }
    insertDocument(database, change.collection, change.id, JSON.stringify(change.document));
    for (const [name, bytes] of Object.entries(change.blobs ?? {})) insertBlob(database, change.collection, change.id, name, bytes);
  }
}
