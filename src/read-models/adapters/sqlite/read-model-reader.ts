import type { Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import type { Position } from '../../../streams/event-store.js';
import type { Filter, DocumentQuery } from '../../document-filter.js';
import type { AnyCollection, BlobPage, Collection, Document, ReadModelReader } from '../../read-model-store.js';
import { isDamageError, recordDamage } from './store-damage.js';
import { DEFAULT_PAGE_CACHE_BYTES, openForReading } from './read-model-file.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { fromRowId, toBlobPageSql, toQuerySql, toRowId, toWhereSql } from './filter-to-sql.js';
import {
  decodeBlobRow,
  blobTable,
  decodeDocumentRow,
  documentTable,
  readCheckpoint,
  type BlobRow,
  type DocumentRow,
} from './sqlite-tables.js';

/**
 * Reads the embedded read models over its own connection; can run in any thread. Damaged rows are never returned: the
 * file is recorded as damaged, `onDamage` is called, and the read rejects with `unavailable`.
 */
export class SqliteReadModelReader implements ReadModelReader {
  private database: SqliteDatabase | undefined;
  private closed = false;
  /** Collections whose tables are known to exist. */
  protected readonly known = new Set<string>();

  constructor(
    protected readonly file: string,
    private readonly onDamage: (error: Error) => void = () => undefined,
    protected readonly pageCacheBytes = DEFAULT_PAGE_CACHE_BYTES,
  ) {}

  /** SQLite's counter of commits of other connections: a thread that reads has no commits of its own. */
  readChangeCounter(): Promise<number | undefined> {
    return this.run(
      (database) => (database.prepare('PRAGMA data_version').get() as { data_version: number }).data_version,
    );
  }

  readCheckpoint(projection: string): Promise<Position | undefined> {
    return this.run(() => this.checkpointNow(projection));
  }

  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | undefined> {
    return this.run((database) => {
      if (!this.tableExists(database, collection)) return undefined;
      const row = database
        .prepare(`SELECT id, sum, document FROM ${documentTable(collection)} WHERE id = ?`)
        .get(toRowId(id)) as DocumentRow | undefined;
      return row && decodeDocumentRow<D>(row);
    });
  }

  async find<D extends Document>(
    collection: Collection<D>,
    query: DocumentQuery,
  ): Promise<{ id: string; document: D }[]> {
    const sql = toQuerySql(query);
    const found = await this.run((database) => {
      if (!this.tableExists(database, collection)) return [];
      const rows = database
        .prepare(`SELECT id, sum, document FROM ${documentTable(collection)} ${sql.text}`)
        .all(...sql.values) as DocumentRow[];
      return rows.map((row) => ({ id: fromRowId(row.id), document: decodeDocumentRow<D>(row) }));
    });
    return found ?? [];
  }

  async count(collection: AnyCollection, filter?: Filter): Promise<number> {
    const where = filter === undefined ? { text: '1', values: [] } : toWhereSql(filter);
    const counted = await this.run((database) => {
      if (!this.tableExists(database, collection)) return 0;
      const row = database
        .prepare(`SELECT count(*) AS n FROM ${documentTable(collection)} WHERE ${where.text}`)
        .get(...where.values) as { n: number };
      return row.n;
    });
    return counted ?? 0;
  }

  readBlob(collection: AnyCollection, id: string, name: string): Promise<Uint8Array | undefined> {
    return this.run((database) => {
      if (!this.tableExists(database, collection)) return undefined;
      const row = database
        .prepare(`SELECT id, sum, data FROM ${blobTable(collection)} WHERE id = ? AND name = ?`)
        .get(toRowId(id), name) as BlobRow | undefined;
      return row && decodeBlobRow(row, name);
    });
  }

  async readBlobs(
    collection: AnyCollection,
    name: string,
    page: BlobPage,
  ): Promise<{ id: string; blob: Uint8Array }[]> {
    const sql = toBlobPageSql(name, page);
    const found = await this.run((database) => {
      if (!this.tableExists(database, collection)) return [];
      const statement = database.prepare(`SELECT id, sum, data FROM ${blobTable(collection)} ${sql.text}`);
      statement.setReturnArrays(true); // tens of thousands per chart: objects would take 50 % longer
      const rows = statement.all(...sql.values) as unknown as [id: string, sum: number, data: Uint8Array][];
      return rows.map(([id, sum, data]) => ({ id: fromRowId(id), blob: decodeBlobRow({ id, sum, data }, name) }));
    });
    return found ?? [];
  }

  async check(): Promise<Health> {
    try {
      await this.run((database) => database.exec('SELECT count(*) FROM checkpoints'));
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: `read models: ${(error as Error).message}` };
    }
  }

  releaseMemory(): void {
    this.database?.exec('PRAGMA shrink_memory');
  }

  close(): Promise<void> {
    this.closeConnection();
    return Promise.resolve();
  }

  protected closeConnection(): void {
    this.closed = true;
    this.database?.close();
    this.database = undefined;
    this.known.clear();
  }

  protected open(): SqliteDatabase | undefined {
    return openForReading(this.file, this.pageCacheBytes);
  }

  protected get isOpen(): boolean {
    return this.database !== undefined;
  }

  protected ensureConnected(): SqliteDatabase | undefined {
    if (this.closed) throw new HindsightError('unavailable', 'The read model store is closed');
    return (this.database ??= this.open());
  }

  protected checkpointNow(projection: string): Position | undefined {
    const database = this.ensureConnected();
    return database && readCheckpoint(database, projection);
  }

  /**
   * Whether the collection's tables exist according to SQLite's parsed schema: the rows of the schema table are text
   * that can be corrupted unnoticed. Another connection may create and drop tables at any time.
   */
  protected tableExists(database: SqliteDatabase, collection: AnyCollection): boolean {
    if (this.known.has(collection.name)) return true;
    const found =
      database.prepare('SELECT 1 FROM pragma_table_info(?)').get(`documents ${collection.name}`) !== undefined;
    if (found) this.known.add(collection.name);
    return found;
  }

  protected forget(collection: AnyCollection): void {
    this.known.delete(collection.name);
    this.database?.forgetStatements();
  }

  /** Maps an error for callers; records damage of the file. */
  protected toHindsightError(error: unknown): unknown {
    if (!isDamageError(error)) return error;
    recordDamage(this.file, error.message);
    this.onDamage(new Error(`the read models are damaged: ${error.message}`, { cause: error }));
    return new HindsightError('unavailable', 'The read models are damaged and will be rebuilt from the log', [], {
      cause: error,
    });
  }

  private run<T>(read: (database: SqliteDatabase) => T): Promise<T | undefined> {
    return new Promise((resolve) => {
      try {
        const database = this.ensureConnected();
        resolve(database && this.readWithSchemaRetry(database, read));
      } catch (error) {
        throw this.toHindsightError(error);
      }
    });
  }

  /** A collection that another connection has dropped meanwhile is treated as unknown. */
  private readWithSchemaRetry<T>(database: SqliteDatabase, read: (database: SqliteDatabase) => T): T {
    try {
      return read(database);
    } catch (error) {
      if (!/no such table/.test((error as Error).message)) throw error;
      this.known.clear();
      database.forgetStatements();
      return read(database);
    }
  }
}
