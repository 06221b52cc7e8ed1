import type {
  DocumentChange,
  Checkpoint,
  AnyCollection,
  CommitResult,
  ReadModelStore,
} from '../../read-model-store.js';
import { openForWriting } from './read-model-file.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { deleteRowsInSlices, runInSlices, truncateWal, vacuumInSlices } from './sqlite-maintenance.js';
import { SqliteReadModelReader } from './read-model-reader.js';
import { toRowId } from './filter-to-sql.js';
import {
  blobTable,
  createTables,
  documentTable,
  dropTables,
  insertBlob,
  insertDocument,
  writeCheckpoint,
} from './sqlite-tables.js';

/**
 * Embedded read models: one SQLite file with one writer (the projector's thread). Long operations run in slices with
 * commits in between; once the store is closed they reject with `unavailable`.
 */
export class SqliteReadModelStore extends SqliteReadModelReader implements ReadModelStore {
  private dropped: Promise<unknown> = Promise.resolve();

  /** Unknown, as SQLite's counter does not count the commits of the connection that asks. */
  override readChangeCounter(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    return this.runInTransaction((database) => {
      const fenced = checkpoints.find(({ projection, expected }) => this.checkpointNow(projection) !== expected);
      if (fenced !== undefined) return { ok: false, fenced: true, found: this.checkpointNow(fenced.projection) };
      for (const change of changes) this.apply(database, change);
      for (const { projection, position } of checkpoints) writeCheckpoint(database, projection, position);
      return { ok: true };
    });
  }

  /** Deletes the rows gradually, which readers can observe. Nothing may be put into the collection meanwhile. */
  dropCollection(collection: AnyCollection): Promise<void> {
    const dropped = this.dropped.then(() => this.dropNow(collection));
    this.dropped = dropped.catch(() => undefined); // the caller handles the error
    return dropped;
  }

  dropCheckpoint(projection: string): Promise<void> {
    return this.runInTransaction((database) => {
      database.prepare('DELETE FROM checkpoints WHERE projection = ?').run(projection);
    });
  }

  async vacuum(): Promise<number> {
    return runInSlices(vacuumInSlices(() => this.writableDatabase()));
  }

  /** Truncates the write-ahead log, so that the next start need not read it, unless a reader still needs it. */
  override close(): Promise<void> {
    if (this.isOpen) truncateWal(this.writableDatabase());
    return super.close();
  }

  protected override open(): SqliteDatabase {
    return openForWriting(this.file, { pageCacheBytes: this.pageCacheBytes });
  }

  private async dropNow(collection: AnyCollection): Promise<void> {
    if (!this.tableExists(this.writableDatabase(), collection)) return;
    await runInSlices(deleteRowsInSlices(() => this.writableDatabase(), collection));
    await this.runInTransaction((database) => {
      this.forget(collection);
      dropTables(database, collection);
    });
  }

  private writableDatabase(): SqliteDatabase {
    const database = this.ensureConnected();
    if (database === undefined) throw new Error('cannot open the read model store for writing');
    return database;
  }

  private runInTransaction<T>(work: (database: SqliteDatabase) => T): Promise<T> {
    return new Promise((resolve) => {
      const database = this.writableDatabase();
      try {
        resolve(database.transaction(() => work(database)));
      } catch (error) {
        this.known.clear(); // a table created in this transaction was rolled back
        throw this.toHindsightError(error);
      }
    });
  }

  private apply(database: SqliteDatabase, change: DocumentChange): void {
    if (change.kind === 'put' && !this.tableExists(database, change.collection))
      createTables(database, change.collection);
    if (!this.tableExists(database, change.collection)) return;
    database.prepare(`DELETE FROM ${blobTable(change.collection)} WHERE id = ?`).run(toRowId(change.id));
    if (change.kind === 'delete') {
      database.prepare(`DELETE FROM ${documentTable(change.collection)} WHERE id = ?`).run(toRowId(change.id));
      return;
    }
    insertDocument(database, change.collection, change.id, JSON.stringify(change.document));
    for (const [name, bytes] of Object.entries(change.blobs ?? {}))
      insertBlob(database, change.collection, change.id, name, bytes);
  }
}
