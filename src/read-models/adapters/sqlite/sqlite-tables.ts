import type { Position } from '../../../streams/event-store.js';
import type { AnyCollection } from '../../read-model-store.js';
import { assertIntact, rowChecksum } from './store-damage.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { fieldExpression, fromRowId, toRowId } from './filter-to-sql.js';

function quoteName(kind: 'documents' | 'blobs' | 'index', collection: AnyCollection, suffix = ''): string {
  if (!/^[A-Za-z0-9._-]+$/.test(collection.name)) throw new TypeError(`not a collection name: ${collection.name}`);
  return `"${kind} ${collection.name}${suffix}"`;
}

export function documentTable(collection: AnyCollection): string {
  return quoteName('documents', collection);
}

export function blobTable(collection: AnyCollection): string {
  return quoteName('blobs', collection);
}

/**
 * Creates the tables of a collection: documents as JSON with an expression index per declared field combination, and
 * their blobs. Each row has a checksum, stored before the potentially long columns: SQLite itself does not detect
 * flipped bits.
 */
export function createTables(database: SqliteDatabase, collection: AnyCollection): void {
  const documents = documentTable(collection);
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${documents} (id TEXT PRIMARY KEY NOT NULL, sum INTEGER NOT NULL, document TEXT NOT NULL)`,
  );
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${blobTable(collection)} (id TEXT NOT NULL, name TEXT NOT NULL, sum INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (id, name))`,
  );
  for (const fields of collection.indexes) {
    const name = quoteName('index', collection, ` ${fields.join(' ')}`);
    database.exec(`CREATE INDEX IF NOT EXISTS ${name} ON ${documents} (${fields.map(fieldExpression).join(', ')})`);
  }
}

export function dropTables(database: SqliteDatabase, collection: AnyCollection): void {
  database.exec(`DROP TABLE IF EXISTS ${documentTable(collection)}; DROP TABLE IF EXISTS ${blobTable(collection)}`);
}

const CHECKPOINT_ROW = 'checkpoint';

export function createCheckpointTable(database: SqliteDatabase): void {
  database.exec(
    'CREATE TABLE IF NOT EXISTS checkpoints (projection TEXT PRIMARY KEY, position TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID',
  );
}

export function readCheckpoint(database: SqliteDatabase, projection: string): Position | undefined {
  const row = database.prepare('SELECT position, sum FROM checkpoints WHERE projection = ?').get(projection) as
    { position: Position; sum: number } | undefined;
  if (row !== undefined) assertIntact(row, projection, CHECKPOINT_ROW, row.position);
  return row?.position;
}

export function writeCheckpoint(database: SqliteDatabase, projection: string, position: Position): void {
  database
    .prepare('INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?)')
    .run(projection, position, rowChecksum(projection, CHECKPOINT_ROW, position));
}

/** Checksum name of a document row, distinct from the names of blobs. */
const DOCUMENT_ROW = '';

/** `id`: encoded, see fromRowId. */
export interface DocumentRow {
  readonly id: string;
  readonly sum: number;
  readonly document: string;
}

export function decodeDocumentRow<D>({ id, sum, document }: DocumentRow): D {
  assertIntact({ sum }, fromRowId(id), DOCUMENT_ROW, document);
  return JSON.parse(document) as D;
}

export interface BlobRow {
  readonly id: string;
  readonly sum: number;
  readonly data: Uint8Array;
}

export function decodeBlobRow({ id, sum, data }: BlobRow, name: string): Uint8Array {
  assertIntact({ sum }, fromRowId(id), name, data);
  return data;
}

export function insertDocument(
  database: SqliteDatabase,
  collection: AnyCollection,
  id: string,
  document: string,
): void {
  database
    .prepare(`INSERT OR REPLACE INTO ${documentTable(collection)} (id, sum, document) VALUES (?, ?, ?)`)
    .run(toRowId(id), rowChecksum(id, DOCUMENT_ROW, document), document);
}

export function insertBlob(
  database: SqliteDatabase,
  collection: AnyCollection,
  id: string,
  name: string,
  data: Uint8Array,
): void {
  database
    .prepare(`INSERT INTO ${blobTable(collection)} (id, name, sum, data) VALUES (?, ?, ?, ?)`)
    .run(toRowId(id), name, rowChecksum(id, name, data), data);
}
