import { BSON } from 'mongodb';
import { Rows } from './rows.js';
import { ServerError, TRANSIENT } from './server-error.js';
import type { Bson } from './wire.js';

export type Index = Bson & { readonly name: string; readonly key: Bson; readonly unique?: boolean };

/** A consistent view of documents, with writes. */
export interface View {
  /** The document with an id key. */
  get(namespace: string, key: string): Bson | undefined;
  /** A superset of the documents that match the filter. */
  candidates(namespace: string, filter: Bson): Iterable<Bson>;
  /** Creates or replaces a document; undefined removes it. */
  write(namespace: string, key: string, document: Bson | undefined): void;
}

/** A unique text for an id; most ids are strings. */
export function keyOf(id: unknown): string {
  if (typeof id === 'string') return `"${id}`;
  return id instanceof BSON.ObjectId ? `#${id.toHexString()}` : BSON.EJSON.stringify({ id });
}

/** The documents of a deployment, shared by its members as if replication were instantaneous. */
export class Storage implements View {
  private readonly collections = new Map<string, Rows>();
  private readonly indexes = new Map<string, Map<string, Index>>();
  /** Number of the last write of each document, for conflict detection. */
  private readonly writes = new Map<string, number>();
  private clock = 0;
  readonly open = new Set<Transaction>();

  get(namespace: string, key: string): Bson | undefined {
    return this.collections.get(namespace)?.get(key);
  }

  candidates(namespace: string, filter: Bson): Iterable<Bson> {
    return this.collections.get(namespace)?.candidates(filter) ?? [];
  }

  write(namespace: string, key: string, document: Bson | undefined): void {
    this.create(namespace);
    for (const transaction of this.open) transaction.keep(namespace, key, this.get(namespace, key));
    this.collections.get(namespace)!.write(key, document);
    this.writes.set(`${namespace}\0${key}`, ++this.clock);
  }

  /** Number of the last write of a document; 0: none. */
  lastWrite(namespace: string, key: string): number {
    return this.writes.get(`${namespace}\0${key}`) ?? 0;
  }

  begin(): Transaction {
    const transaction = new Transaction(this, this.clock);
    this.open.add(transaction);
    return transaction;
  }

  has(namespace: string): boolean {
    return this.collections.has(namespace);
  }

  create(namespace: string): void {
    if (!this.has(namespace)) this.collections.set(namespace, new Rows());
  }

  drop(namespace: string): void {
    for (const document of this.candidates(namespace, {})) {
      for (const transaction of this.open) transaction.keep(namespace, keyOf(document._id), document);
    }
    this.collections.delete(namespace);
    this.indexes.delete(namespace);
  }

  get namespaces(): string[] {
    return [...this.collections.keys()];
  }

  indexesOf(namespace: string): Map<string, Index> {
    let found = this.indexes.get(namespace);
    if (found === undefined)
      this.indexes.set(namespace, (found = new Map([['_id_', { v: 2, name: '_id_', key: { _id: 1 } }]])));
    return found;
  }

  /** Creates an index. */
  indexed(namespace: string, { key }: Index): void {
    this.create(namespace);
    this.collections.get(namespace)!.index(Object.keys(key));
  }
}

/** Snapshot isolation: reads see the state at the start and own writes; the first of two writers of a document wins. */
export class Transaction implements View {
  private readonly written = new Map<string, Map<string, Bson | undefined>>();
  /** Original versions of documents that others have changed since the start. */
  private readonly kept = new Map<string, Map<string, Bson | undefined>>();
  private finish: () => void = () => undefined;
  readonly done = new Promise<void>((resolve) => (this.finish = resolve));

  constructor(
    private readonly storage: Storage,
    private readonly beganAt: number,
  ) {}

  get(namespace: string, key: string): Bson | undefined {
    for (const own of [this.written, this.kept]) {
      const documents = own.get(namespace);
      if (documents?.has(key)) return documents.get(key);
    }
    return this.storage.get(namespace, key);
  }

  *candidates(namespace: string, filter: Bson): Iterable<Bson> {
    const own = new Set(
      [this.written, this.kept].flatMap((documents) => [...(documents.get(namespace)?.keys() ?? [])]),
    );
    for (const document of this.storage.candidates(namespace, filter)) {
      if (own.size === 0 || !own.has(keyOf(document._id))) yield document;
    }
    for (const key of own) {
      const document = this.get(namespace, key);
      if (document !== undefined) yield document;
    }
  }

  write(namespace: string, key: string, document: Bson | undefined): void {
    const isTaken = [...this.storage.open].some((other) => other !== this && other.hasWritten(namespace, key));
    if (isTaken || this.storage.lastWrite(namespace, key) > this.beganAt)
      throw new ServerError('WriteConflict', `write conflict on ${namespace}`, [TRANSIENT]);
    setIn(this.written, namespace, key, document);
  }

  /** Preserves the version seen by this transaction when another one changes the document. */
  keep(namespace: string, key: string, document: Bson | undefined): void {
    if (this.kept.get(namespace)?.has(key) !== true) setIn(this.kept, namespace, key, document);
  }

  hasWritten(namespace: string, key?: string): boolean {
    const written = this.written.get(namespace);
    return key === undefined ? written !== undefined : written?.has(key) === true;
  }

  commit(): void {
    this.storage.open.delete(this);
    for (const [namespace, written] of this.written) {
      for (const [key, document] of written) this.storage.write(namespace, key, document);
    }
    this.finish();
  }

  end(): void {
    this.storage.open.delete(this);
    this.finish();
  }
}

function setIn(
  documents: Map<string, Map<string, Bson | undefined>>,
  namespace: string,
  key: string,
  document: Bson | undefined,
): void {
  const known = documents.get(namespace) ?? new Map<string, Bson | undefined>();
  documents.set(namespace, known.set(key, document));
}
