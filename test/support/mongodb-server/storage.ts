import { BSON } from 'mongodb';
import { ServerError, TRANSIENT } from './server-error.js';
import type { Bson } from './wire.js';

export type Index = Bson & { readonly name: string; readonly key: Bson; readonly unique?: boolean };
type Rows = Map<string, Bson>;

/** Documents of one moment, with writes to them. */
export interface View {
  rows(namespace: string): ReadonlyMap<string, Bson>;
  /** Creates, replaces, or removes where there is no document. */
  write(namespace: string, key: string, document: Bson | undefined): void;
}

export const keyOf = (id: unknown): string => BSON.EJSON.stringify({ id });

/** The documents of a whole deployment; its members share them, as if replication took no time. */
export class Storage implements View {
  private readonly collections = new Map<string, Rows>();
  private readonly indexes = new Map<string, Map<string, Index>>();
  /** Number of the last write of each document, to find conflicts by. */
  private readonly writes = new Map<string, number>();
  private clock = 0;
  readonly open = new Set<Transaction>();

  rows(namespace: string): Rows {
    return this.collections.get(namespace) ?? new Map<string, Bson>();
  }

  write(namespace: string, key: string, document: Bson | undefined): void {
    this.create(namespace);
    const rows = this.rows(namespace);
    if (document === undefined) rows.delete(key);
    else rows.set(key, document);
    this.writes.set(`${namespace}\0${key}`, ++this.clock);
  }

  /** Number of the last write of a document; 0 before the first. */
  lastWrite(namespace: string, key: string): number {
    return this.writes.get(`${namespace}\0${key}`) ?? 0;
  }

  begin(): Transaction {
    const transaction = new Transaction(this, new Map([...this.collections].map(([name, rows]) => [name, new Map(rows)])), this.clock);
    this.open.add(transaction);
    return transaction;
  }

  has(namespace: string): boolean {
    return this.collections.has(namespace);
  }

  create(namespace: string): void {
    if (!this.has(namespace)) this.collections.set(namespace, new Map());
  }

  drop(namespace: string): void {
    this.collections.delete(namespace);
    this.indexes.delete(namespace);
  }

  get namespaces(): string[] {
    return [...this.collections.keys()];
  }

  indexesOf(namespace: string): Map<string, Index> {
    let found = this.indexes.get(namespace);
    if (found === undefined) this.indexes.set(namespace, (found = new Map([['_id_', { v: 2, name: '_id_', key: { _id: 1 } }]])));
    return found;
  }
}

/** Snapshot isolation: reads see the moment of the beginning and its own writes; the first of two writers of a document wins. */
export class Transaction implements View {
  private readonly written = new Map<string, Map<string, Bson | undefined>>();
  private finish: () => void = () => undefined;
  readonly done = new Promise<void>((resolve) => (this.finish = resolve));

  constructor(
    private readonly storage: Storage,
    private readonly snapshot: Map<string, Rows>,
    private readonly beganAt: number,
  ) {}

  rows(namespace: string): Rows {
    return this.snapshot.get(namespace) ?? new Map<string, Bson>();
  }

  write(namespace: string, key: string, document: Bson | undefined): void {
    const isTaken = [...this.storage.open].some((other) => other !== this && other.hasWritten(namespace, key));
    if (isTaken || this.storage.lastWrite(namespace, key) > this.beganAt) throw new ServerError('WriteConflict', `write conflict on ${namespace}`, [TRANSIENT]);
    const rows = this.rows(namespace);
    if (document === undefined) rows.delete(key);
    else rows.set(key, document);
    this.snapshot.set(namespace, rows);
    const written = this.written.get(namespace) ?? new Map<string, Bson | undefined>();
    this.written.set(namespace, written.set(key, document));
  }

  hasWritten(namespace: string, key?: string): boolean {
    const written = this.written.get(namespace);
    return key === undefined ? written !== undefined : written?.has(key) === true;
  }

  commit(): void {
    for (const [namespace, written] of this.written) {
      for (const [key, document] of written) this.storage.write(namespace, key, document);
    }
    this.end();
  }

  end(): void {
    this.storage.open.delete(this);
    this.finish();
  }
}
