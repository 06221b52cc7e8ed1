import type { Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import type { Position } from '../../../streams/event-store.js';
import type { Filter, Query } from '../../filter.js';
import type { AnyCollection, BlobPage, Collection, Document, ReadModelReader } from '../../store.js';
import { isDamage, noteDamage } from './damage.js';
import { openForReading, type Database } from './database.js';
import { blobPageSql, querySql, whereSql } from './filter-sql.js';
import { idOf, rowId } from './row-ids.js';
import { blobOf, blobTable, documentOf, documentTable, readCheckpoint, type BlobRow, type DocumentRow } from './tables.js';

/**
 * Reads the embedded read models over a connection of its own; may live in any thread. Rows that are not what was written
 * are never given: the file is noted as damaged, `onDamage` is told, and the question is rejected with `unavailable`.
 */
export class SqliteReadModelReader implements ReadModelReader {
  private database: Database | undefined;
  private closed = false;
  /** Collections whose tables have been seen. */
  protected readonly known = new Set<string>();

  constructor(
    protected readonly file: string,
    private readonly onDamage: (error: Error) => void = () => undefined,
  ) {}

  checkpoint(projection: string): Promise<Position | undefined> {
    return this.answer(() => this.checkpointNow(projection));
  }

  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | undefined> {
    return this.answer((database) => {
      if (!this.exists(database, collection)) return undefined;
      const row = database.prepare(`SELECT id, sum, document FROM ${documentTable(collection)} WHERE id = ?`).get(rowId(id)) as DocumentRow | undefined;
      return row && documentOf<D>(row);
    });
  }

  async find<D extends Document>(collection: Collection<D>, query: Query): Promise<{ id: string; document: D }[]> {
    const sql = querySql(query);
    const found = await this.answer((database) => {
      if (!this.exists(database, collection)) return [];
      const rows = database.prepare(`SELECT id, sum, document FROM ${documentTable(collection)} ${sql.text}`).all(...sql.values) as DocumentRow[];
      return rows.map((row) => ({ id: idOf(row.id), document: documentOf<D>(row) }));
    });
    return found ?? [];
  }

  async count(collection: AnyCollection, filter?: Filter): Promise<number> {
    const where = filter === undefined ? { text: '1', values: [] } : whereSql(filter);
    const counted = await this.answer((database) => {
      if (!this.exists(database, collection)) return 0;
      const row = database.prepare(`SELECT count(*) AS n FROM ${documentTable(collection)} WHERE ${where.text}`).get(...where.values) as { n: number };
      return row.n;
    });
    return counted ?? 0;
  }

  blob(collection: AnyCollection, id: string, name: string): Promise<Uint8Array | undefined> {
    return this.answer((database) => {
      if (!this.exists(database, collection)) return undefined;
      const row = database.prepare(`SELECT id, sum, data FROM ${blobTable(collection)} WHERE id = ? AND name = ?`).get(rowId(id), name) as BlobRow | undefined;
      return row && blobOf(row, name);
    });
  }

  async blobs(collection: AnyCollection, name: string, page: BlobPage): Promise<{ id: string; blob: Uint8Array }[]> {
    const sql = blobPageSql(name, page);
    const found = await this.answer((database) => {
      if (!this.exists(database, collection)) return [];
      const statement = database.prepare(`SELECT id, sum, data FROM ${blobTable(collection)} ${sql.text}`);
      statement.setReturnArrays(true); // tens of thousands a chart: an object each takes half as long again
      const rows = statement.all(...sql.values) as unknown as [id: string, sum: number, data: Uint8Array][];
      return rows.map(([id, sum, data]) => ({ id: idOf(id), blob: blobOf({ id, sum, data }, name) }));
    });
    return found ?? [];
  }

  async check(): Promise<Health> {
    try {
      await this.answer((database) => database.exec('SELECT count(*) FROM checkpoints'));
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: `read models: ${(error as Error).message}` };
    }
  }

  close(): Promise<void> {
    this.release();
    return Promise.resolve();
  }

  protected release(): void {
    this.closed = true;
    this.database?.close();
    this.database = undefined;
    this.known.clear();
  }

  protected open(): Database | undefined {
    return openForReading(this.file);
  }

  protected get isOpen(): boolean {
    return this.database !== undefined;
  }

  protected connected(): Database | undefined {
    if (this.closed) throw new HindsightError('unavailable', 'The store of read models is closed');
    return (this.database ??= this.open());
  }

  protected checkpointNow(projection: string): Position | undefined {
    const database = this.connected();
    return database && readCheckpoint(database, projection);
  }

  /**
   * Whether the collection's tables are there, by what SQLite goes by: the rows of its schema are text that can rot unnoticed.
   * Another connection may create and drop them at any time.
   */
  protected exists(database: Database, collection: AnyCollection): boolean {
    if (this.known.has(collection.name)) return true;
    const found = database.prepare('SELECT 1 FROM pragma_table_info(?)').get(`documents ${collection.name}`) !== undefined;
    if (found) this.known.add(collection.name);
    return found;
  }

  protected forget(collection: AnyCollection): void {
    this.known.delete(collection.name);
    this.database?.forgetStatements();
  }

  /** What callers are told of an error. */
  protected told(error: unknown): unknown {
    if (!isDamage(error)) return error;
    noteDamage(this.file, error.message);
    this.onDamage(new Error(`the read models are damaged: ${error.message}`, { cause: error }));
    return new HindsightError('unavailable', 'The read models are damaged and are built anew from the log', [], { cause: error });
  }

  private answer<T>(read: (database: Database) => T): Promise<T | undefined> {
    return new Promise((resolve) => {
      try {
        const database = this.connected();
        resolve(database && this.readTwice(database, read));
      } catch (error) {
        throw this.told(error);
      }
    });
  }

  /** A collection that was dropped by another connection after we had seen it is an unknown one. */
  private readTwice<T>(database: Database, read: (database: Database) => T): T {
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
