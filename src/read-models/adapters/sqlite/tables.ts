import type { Position } from '../../../streams/event-store.js';
import type { AnyCollection } from '../../store.js';
import { assertIntact, sumOf } from './damage.js';
import type { Database } from './database.js';
import { fieldExpression } from './filter-sql.js';
import { idOf, rowId } from './row-ids.js';

function quoted(kind: 'documents' | 'blobs' | 'index', collection: AnyCollection, suffix = ''): string {
  if (!/^[A-Za-z0-9._-]+$/.test(collection.name)) throw new TypeError(`not a collection name: ${collection.name}`);
  return `"${kind} ${collection.name}${suffix}"`;
}

export function documentTable(collection: AnyCollection): string {
  return quoted('documents', collection);
}

export function blobTable(collection: AnyCollection): string {
  return quoted('blobs', collection);
}

/**
 * Tables of one collection: documents as JSON with an expression index a listed field combination, and blobs beside them.
 * Each row carries a sum over what it says, before what may be long: SQLite itself does not notice a flipped bit there.
 */
export function createTables(database: Database, collection: AnyCollection): void {
  const documents = documentTable(collection);
  database.exec(`CREATE TABLE IF NOT EXISTS ${documents} (id TEXT PRIMARY KEY NOT NULL, sum INTEGER NOT NULL, document TEXT NOT NULL)`);
  database.exec(`CREATE TABLE IF NOT EXISTS ${blobTable(collection)} (id TEXT NOT NULL, name TEXT NOT NULL, sum INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (id, name))`);
  for (const fields of collection.indexes) {
    const name = quoted('index', collection, ` ${fields.join(' ')}`);
    database.exec(`CREATE INDEX IF NOT EXISTS ${name} ON ${documents} (${fields.map(fieldExpression).join(', ')})`);
  }
}

export function dropTables(database: Database, collection: AnyCollection): void {
  database.exec(`DROP TABLE IF EXISTS ${documentTable(collection)}; DROP TABLE IF EXISTS ${blobTable(collection)}`);
}

const CHECKPOINT = 'checkpoint';

export function createCheckpoints(database: Database): void {
  database.exec('CREATE TABLE IF NOT EXISTS checkpoints (projection TEXT PRIMARY KEY, position TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID');
}

export function readCheckpoint(database: Database, projection: string): Position | undefined {
  const row = database.prepare('SELECT position, sum FROM checkpoints WHERE projection = ?').get(projection) as { position: Position; sum: number } | undefined;
  if (row !== undefined) assertIntact(row, projection, CHECKPOINT, row.position);
  return row?.position;
}

export function writeCheckpoint(database: Database, projection: string, position: Position): void {
  database.prepare('INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?)').run(projection, position, sumOf(projection, CHECKPOINT, position));
}

/** Name of the row that is a document, among the names of its blobs. */
const DOCUMENT = '';

/** `id` as it stands in the row: `idOf` tells the document's. */
export interface DocumentRow {
  readonly id: string;
  readonly sum: number;
  readonly document: string;
}

export function documentOf<D>({ id, sum, document }: DocumentRow): D {
  assertIntact({ sum }, idOf(id), DOCUMENT, document);
  return JSON.parse(document) as D;
}

export interface BlobRow {
  readonly id: string;
  readonly sum: number;
  readonly data: Uint8Array;
}

export function blobOf({ id, sum, data }: BlobRow, name: string): Uint8Array {
  assertIntact({ sum }, idOf(id), name, data);
  return data;
}

export function insertDocument(database: Database, collection: AnyCollection, id: string, document: string): void {
  database.prepare(`INSERT OR REPLACE INTO ${documentTable(collection)} (id, sum, document) VALUES (?, ?, ?)`).run(rowId(id), sumOf(id, DOCUMENT, document), document);
}

export function insertBlob(database: Database, collection: AnyCollection, id: string, name: string, data: Uint8Array): void {
  database.prepare(`INSERT INTO ${blobTable(collection)} (id, name, sum, data) VALUES (?, ?, ?, ?)`).run(rowId(id), name, sumOf(id, name, data), data);
}
