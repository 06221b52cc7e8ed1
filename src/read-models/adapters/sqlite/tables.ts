import type { AnyCollection } from '../../store.js';
import type { Database } from './database.js';
import { fieldExpression } from './filter-sql.js';

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

/** Tables of one collection: documents as JSON with an expression index a listed field combination, and blobs beside them. */
export function createTables(database: Database, collection: AnyCollection): void {
  const documents = documentTable(collection);
  database.exec(`CREATE TABLE IF NOT EXISTS ${documents} (id TEXT PRIMARY KEY NOT NULL, document TEXT NOT NULL)`);
  database.exec(`CREATE TABLE IF NOT EXISTS ${blobTable(collection)} (id TEXT NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (id, name))`);
  for (const fields of collection.indexes) {
    const name = quoted('index', collection, ` ${fields.join(' ')}`);
    database.exec(`CREATE INDEX IF NOT EXISTS ${name} ON ${documents} (${fields.map(fieldExpression).join(', ')})`);
  }
}

export function dropTables(database: Database, collection: AnyCollection): void {
  database.exec(`DROP TABLE IF EXISTS ${documentTable(collection)}; DROP TABLE IF EXISTS ${blobTable(collection)}`);
}
