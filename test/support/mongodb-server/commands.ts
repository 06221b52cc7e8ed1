import { BSON } from 'mongodb';
import { Documents } from './documents.js';
import { aggregated } from './matching.js';
import { ServerError } from './server-error.js';
import type { Index, Storage, View } from './storage.js';
import type { Bson } from './wire.js';

const FIRST_BATCH = 101;
const BATCH_BYTES = 16 * 1024 * 1024;

/** Context of a command. */
interface Scope {
  readonly storage: Storage;
  readonly view: View;
  readonly database: string;
}

interface Cursor {
  readonly namespace: string;
  rest: Bson[];
}

/** Commands on documents, collections and indexes. Cursor results are computed immediately, as a snapshot. */
export class Commands {
  private readonly cursors = new Map<string, Cursor>();
  private lastCursor = 0;

  run(name: string, command: Bson, scope: Scope): Bson {
    const perform = this.table[name];
    if (perform === undefined) throw new ServerError('CommandNotFound', `no such command: '${name}'`);
    return { ...perform(command, scope), ok: 1 };
  }

  get openCursors(): number {
    return this.cursors.size;
  }

  private readonly table: Readonly<Record<string, ((command: Bson, scope: Scope) => Bson) | undefined>> = {
    find: (command, scope) =>
      this.cursor(
        command,
        namespaceOf(command.find, scope),
        documentsOf(command.find, scope).find(command),
        command.batchSize,
      ),
    aggregate: (command, scope) => {
      const [first, ...rest] = command.pipeline as Bson[];
      // Like the server, starts with the results of an index.
      const [filter, pipeline] =
        first?.$match === undefined ? [{}, command.pipeline as Bson[]] : [first.$match as Bson, rest];
      const found = aggregated(documentsOf(command.aggregate, scope).matching(filter), pipeline);
      return this.cursor(command, namespaceOf(command.aggregate, scope), found, (command.cursor as Bson).batchSize);
    },
    getMore: (command) => this.more(command),
    killCursors: ({ cursors }) => {
      for (const id of cursors as unknown[]) this.cursors.delete(String(id));
      return { cursorsKilled: cursors as unknown[] };
    },
    insert: (command, scope) =>
      writing(
        command.documents as Bson[],
        command,
        (document) => (documentsOf(command.insert, scope).insert(document), 1),
      ),
    delete: (command, scope) =>
      writing(command.deletes as Bson[], command, (entry) => documentsOf(command.delete, scope).delete(entry)),
    update: updateCommand,
    findAndModify: (command, scope) => ({ ...documentsOf(command.findAndModify, scope).findAndModify(command) }),
    create: ({ create }, { storage, database }) => {
      if (storage.has(`${database}.${create}`))
        throw new ServerError('NamespaceExists', `Collection ${database}.${create} already exists.`);
      storage.create(`${database}.${create}`);
      return {};
    },
    drop: ({ drop }, { storage, database }) => {
      if (!storage.has(`${database}.${drop}`)) throw new ServerError('NamespaceNotFound', 'ns not found');
      storage.drop(`${database}.${drop}`);
      return {};
    },
    dropDatabase: (_, { storage, database }) => {
      for (const namespace of storage.namespaces) if (namespace.startsWith(`${database}.`)) storage.drop(namespace);
      return {};
    },
    createIndexes,
    dropIndexes: ({ dropIndexes, index }, { storage, database }) => {
      if (!storage.indexesOf(`${database}.${dropIndexes}`).delete(String(index)))
        throw new ServerError('IndexNotFound', `index not found with name [${index}]`);
      return {};
    },
    listIndexes: (command, scope) => {
      const namespace = namespaceOf(command.listIndexes, scope);
      if (!scope.storage.has(namespace)) throw new ServerError('NamespaceNotFound', `ns does not exist: ${namespace}`);
      return this.cursor(command, namespace, [...scope.storage.indexesOf(namespace).values()], undefined);
    },
  };

  private cursor(command: Bson, namespace: string, found: Bson[], batchSize: unknown): Bson {
    const cursor = { namespace, rest: found };
    const firstBatch = batchOf(cursor, batchSize === undefined ? FIRST_BATCH : Number(batchSize));
    if (cursor.rest.length === 0 || command.singleBatch === true)
      return { cursor: { id: BSON.Long.ZERO, ns: namespace, firstBatch } };
    const id = BSON.Long.fromNumber(++this.lastCursor);
    this.cursors.set(String(id), cursor);
    return { cursor: { id, ns: namespace, firstBatch } };
  }

  private more({ getMore, batchSize }: Bson): Bson {
    const cursor = this.cursors.get(String(getMore));
    if (cursor === undefined) throw new ServerError('CursorNotFound', `cursor id ${getMore} not found`);
    const nextBatch = batchOf(cursor, batchSize === undefined ? Infinity : Number(batchSize));
    if (cursor.rest.length > 0)
      return { cursor: { id: BSON.Long.fromValue(getMore as number), ns: cursor.namespace, nextBatch } };
    this.cursors.delete(String(getMore));
    return { cursor: { id: BSON.Long.ZERO, ns: cursor.namespace, nextBatch } };
  }
}

const namespaceOf = (collection: unknown, { database }: Scope): string => `${database}.${String(collection)}`;
const documentsOf = (collection: unknown, scope: Scope): Documents =>
  new Documents(scope.storage, scope.view, namespaceOf(collection, scope));

/** At most `size` documents and the size of a message, but at least one. */
function batchOf(cursor: Cursor, size: number): Bson[] {
  let [count, bytes] = [0, 0];
  while (count < Math.min(size, cursor.rest.length)) {
    bytes += BSON.calculateObjectSize(cursor.rest[count]);
    if (bytes > BATCH_BYTES && count > 0) break;
    count++;
  }
  return cursor.rest.splice(0, count);
}

/** Performs the entries of a write command. Errors are reported by index; in a transaction they fail the command. */
function writing(entries: readonly Bson[], command: Bson, perform: (entry: Bson, index: number) => number): Bson {
  let n = 0;
  const writeErrors: Bson[] = [];
  for (const [index, entry] of entries.entries()) {
    try {
      n += perform(entry, index);
    } catch (error) {
      if (!(error instanceof ServerError) || error.labels.length > 0) throw error;
      writeErrors.push({ index, code: error.answer.code as number, errmsg: error.message });
      if (command.ordered !== false) break;
    }
  }
  return { n, ...(writeErrors.length > 0 && { writeErrors }) };
}

function updateCommand(command: Bson, scope: Scope): Bson {
  const upserted: Bson[] = [];
  const answer = writing(command.updates as Bson[], command, (entry, index) => {
    const done = documentsOf(command.update, scope).update(entry);
    if (done.upserted !== undefined) upserted.push({ index, _id: done.upserted });
    return done.matched;
  });
  return { ...answer, nModified: (answer.n as number) - upserted.length, ...(upserted.length > 0 && { upserted }) };
}

function createIndexes({ createIndexes: collection, indexes }: Bson, { storage, database }: Scope): Bson {
  const namespace = `${database}.${collection}`;
  storage.create(namespace);
  const known = storage.indexesOf(namespace);
  for (const index of indexes as Index[]) {
    const found = known.get(index.name);
    if (found !== undefined && BSON.EJSON.stringify(found.key) !== BSON.EJSON.stringify(index.key))
      throw new ServerError(
        'IndexKeySpecsConflict',
        `An existing index has the same name as the requested index: ${index.name}`,
      );
    known.set(index.name, { v: 2, ...index });
    storage.indexed(namespace, index);
  }
  return { numIndexesAfter: known.size };
}
