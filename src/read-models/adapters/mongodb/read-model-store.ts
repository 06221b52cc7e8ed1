import type { Db } from 'mongodb';
import type {
  AnyCollection,
  DocumentChange,
  Checkpoint,
  CommitResult,
  ReadModelStore,
} from '../../read-model-store.js';
import { checkpointCollection, chunkCollection, createCollection, documentCollection } from './mongo-collections.js';
import { STORE_TIMEOUT_MS, type ReadOptions } from './mongo-connection.js';
import {
  checkFence,
  commitByJournal,
  commitInTransaction,
  hasInterruptedCommit,
  type PlannedCommit,
  recoverJournal,
} from './mongo-commit.js';
import { MongoReadModelReader, type MongoReaderSettings } from './read-model-reader.js';
import { WriterLease, type LeaseTimes } from './writer-lease.js';
import { WriterSessionRegistry } from './writer-session-registry.js';
import { planWriteSteps } from './write-steps.js';

export interface MongoStoreSettings extends MongoReaderSettings {
  /** How long a commit is retried (ms): longer than an election takes. */
  readonly commitTimeoutMs?: number;
  readonly lease?: LeaseTimes;
}

/** Timeout (ms) of a read: a restarting projector reads whole collections. At least this, and a multiple of the store timeout. */
const MIN_READ_TIMEOUT_MS = 30_000;
const READ_MULTIPLE = 15;
/** How long (ms) a commit is retried: at least this, and a multiple of the store timeout. */
const MIN_COMMIT_TIMEOUT_MS = 20_000;
const COMMIT_MULTIPLE = 10;

/**
 * Read models in MongoDB 5.0 or later. On a replica set or a sharded cluster a commit is one transaction, durable on a
 * majority once it has resolved. On a standalone server it goes through a journal, and only one store at a time may
 * write.
 */
export class MongoReadModelStore extends MongoReadModelReader implements ReadModelStore {
  private readonly commitTimeoutMs: number;
  private readonly soleWriter: WriterLease;
  private readonly writers = new WriterSessionRegistry();
  /** Collections that have been created with their indexes, by name. */
  private readonly created = new Map<string, Promise<void>>();
  /** On a standalone server operations are serialised. */
  private queue: Promise<unknown> = Promise.resolve();
  /** Whether the journal may contain an unfinished commit: before the first access, and after a failure. */
  private isUnfinished = true;

  constructor(
    url: string,
    { storeTimeoutMs = STORE_TIMEOUT_MS, readTimeoutMs, commitTimeoutMs, lease }: MongoStoreSettings = {},
  ) {
    const minReadMs = Math.max(MIN_READ_TIMEOUT_MS, READ_MULTIPLE * storeTimeoutMs);
    super(url, { storeTimeoutMs, readTimeoutMs: readTimeoutMs ?? minReadMs });
    this.commitTimeoutMs = commitTimeoutMs ?? Math.max(MIN_COMMIT_TIMEOUT_MS, COMMIT_MULTIPLE * storeTimeoutMs);
    this.soleWriter = new WriterLease(lease);
  }

  async commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    const commit = { writes: planWriteSteps(changes), checkpoints };
    const puts = changes.filter(({ kind }) => kind === 'put').map(({ collection }) => collection);
    return this.connection.write(async (deployment) => {
      const { database, hasTransactions } = deployment;
      if (!hasTransactions) return this.runExclusively(database, () => this.commitStandalone(database, puts, commit));
      await this.completeStandaloneCommit(database);
      await this.createCollections(database, puts, hasTransactions);
      return commitInTransaction(deployment, this.writers, commit, this.commitTimeoutMs);
    });
  }

  /** Documents are dropped first, so that none is visible without its blobs. The server frees the files at once. */
  dropCollection(collection: AnyCollection): Promise<void> {
    return this.write(async (database) => {
      await documentCollection(database, collection).drop();
      await chunkCollection(database, collection).drop();
    }).finally(() => this.created.delete(collection.name));
  }

  dropCheckpoint(projection: string): Promise<void> {
    return this.write(async (database) => {
      await checkpointCollection(database).deleteOne({ _id: { $eq: projection } });
    });
  }

  /**
   * Always 0: the server reuses freed space, but its files shrink only by `compact`, which an operator runs, one member
   * at a time. A dropped collection frees its files by itself.
   */
  vacuum(): Promise<number> {
    return this.connection.write(() => Promise.resolve(0));
  }

  /** Another store may write only when the operation in progress has ended. */
  override async close(): Promise<void> {
    await this.queue;
    if (this.connection.isOpen)
      await this.connection.write(({ database }) => this.soleWriter.release(database)).catch(() => undefined); // then the lease expires by itself
    await super.close();
  }

  /** The writer never reads half of its own last commit. */
  protected override async read<T>(query: (database: Db, options: ReadOptions) => Promise<T>): Promise<T> {
    if (this.isUnfinished) await this.write(() => Promise.resolve());
    return super.read(query);
  }

  private write<T>(work: (database: Db) => Promise<T>): Promise<T> {
    return this.connection.write(async ({ database, hasTransactions }) => {
      if (!hasTransactions) return this.runExclusively(database, () => work(database));
      await this.completeStandaloneCommit(database);
      return work(database);
    });
  }

  /** A server that became a replica set may hold a commit that was interrupted when it was a standalone server. */
  private async completeStandaloneCommit(database: Db): Promise<void> {
    if (!this.isUnfinished) return;
    if (await hasInterruptedCommit(database))
      await this.runExclusively(database, () => this.soleWriter.release(database));
    this.isUnfinished = false;
  }

  /** Serialises operations, as the only writer, after completing an interrupted commit. */
  private runExclusively<T>(database: Db, work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(async () => {
      if (await this.soleWriter.acquire(database)) this.isUnfinished = true;
      if (this.isUnfinished) await recoverJournal(database);
      this.isUnfinished = false;
      return work();
    });
    this.queue = result.catch(() => undefined); // the caller of `done` handles the error
    return result;
  }

  private async commitStandalone(
    database: Db,
    puts: readonly AnyCollection[],
    commit: PlannedCommit,
  ): Promise<CommitResult> {
    const fenced = await checkFence(database, commit.checkpoints);
    if (fenced !== undefined) return fenced;
    await this.createCollections(database, puts, false);
    this.isUnfinished = true;
    await commitByJournal(database, commit);
    this.isUnfinished = false;
    return { ok: true };
  }

  /** Before the transaction, because indexes cannot be created inside one. */
  private async createCollections(
    database: Db,
    collections: readonly AnyCollection[],
    isReplicated: boolean,
  ): Promise<void> {
    const missing = new Map(collections.map((collection) => [collection.name, collection]));
    await Promise.all(
      [...missing.values()].map((collection) => this.createCollectionOnce(database, collection, isReplicated)),
    );
  }

  private createCollectionOnce(database: Db, collection: AnyCollection, isReplicated: boolean): Promise<void> {
    const known = this.created.get(collection.name);
    if (known !== undefined) return known;
    const creating = createCollection(database, collection, isReplicated);
    this.created.set(collection.name, creating);
    creating.catch(() => this.created.delete(collection.name));
    return creating;
  }
}
