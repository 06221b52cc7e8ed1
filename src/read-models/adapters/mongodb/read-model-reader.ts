import type { Db } from 'mongodb';
import type { Health } from '../../../component.js';
import type { Position } from '../../../streams/event-store.js';
import type { Filter, DocumentQuery } from '../../document-filter.js';
import type { AnyCollection, BlobPage, Collection, Document, ReadModelReader } from '../../read-model-store.js';
import { assembleBlobPage, fromStoredDocument } from './mongo-storage-format.js';
import { checkpointCollection, chunkCollection, documentCollection } from './mongo-collections.js';
import { MongoConnection, STORE_TIMEOUT_MS, type ReadOptions } from './mongo-connection.js';
import { toBlobPageFilter, toMongoFilter, toMongoSort } from './filter-to-bson.js';

/** Part of the store timeout: an API request responds or fails within the whole of it. */
const READ_PART = 0.9;

/** Documents per batch; a batch ends at 16 MiB anyway. */
const MAX_BATCH_SIZE = 1_000;

const CHUNK_ORDER = { id: 1, name: 1, part: 1 } as const;

export interface MongoReaderSettings {
  /** Timeout (ms) from which those of connections and checks follow. Default: 2 s. */
  readonly storeTimeoutMs?: number;
  readonly readTimeoutMs?: number;
}

/**
 * Reads read models in MongoDB. Each read sees a consistent snapshot, never half of a commit, if the deployment
 * supports transactions; a standalone server does not.
 */
export class MongoReadModelReader implements ReadModelReader {
  protected readonly connection: MongoConnection;
  private readonly readTimeoutMs: number;

  /**
   * Throws if `url` is not a MongoDB URL. `readTimeoutMs`: timeout after which reads reject with `unavailable`; nine
   * tenths of `storeTimeoutMs` by default.
   */
  constructor(url: string, { storeTimeoutMs = STORE_TIMEOUT_MS, readTimeoutMs }: MongoReaderSettings = {}) {
    this.readTimeoutMs = readTimeoutMs ?? Math.round(READ_PART * storeTimeoutMs);
    this.connection = new MongoConnection({ url, storeTimeoutMs, readTimeoutMs: this.readTimeoutMs });
  }

  readCheckpoint(projection: string): Promise<Position | undefined> {
    return this.read(
      async (database, options) =>
        (await checkpointCollection(database).findOne({ _id: { $eq: projection } }, options))?.position,
    );
  }

  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | undefined> {
    return this.read(async (database, options) => {
      const found = await documentCollection(database, collection).findOne({ _id: { $eq: id } }, options);
      return found === null ? undefined : fromStoredDocument<D>(found);
    });
  }

  find<D extends Document>(
    collection: Collection<D>,
    { filter, sort, skip, limit }: DocumentQuery,
  ): Promise<{ id: string; document: D }[]> {
    return this.read(async (database, options) => {
      // MongoDB treats a limit of 0 as no limit.
      if (limit === 0) return [];
      const page = {
        sort: toMongoSort(sort),
        allowDiskUse: true,
        ...(skip !== undefined && { skip }),
        ...(limit !== undefined && { limit }),
      };
      const found = await documentCollection(database, collection)
        .find(toMongoFilter(filter ?? EVERYTHING), { ...options, ...page })
        .toArray();
      return found.map((stored) => ({ id: stored._id, document: fromStoredDocument<D>(stored) }));
    });
  }

  count(collection: AnyCollection, filter?: Filter): Promise<number> {
    return this.read((database, options) =>
      documentCollection(database, collection).countDocuments(toMongoFilter(filter ?? EVERYTHING), options),
    );
  }

  readBlob(collection: AnyCollection, id: string, name: string): Promise<Uint8Array | undefined> {
    return this.read(async (database, options) => {
      const chunks = chunkCollection(database, collection).find(
        { id: { $eq: id }, name: { $eq: name } },
        { ...options, sort: CHUNK_ORDER },
      );
      return (await assembleBlobPage(chunks, 1)).at(0)?.blob;
    });
  }

  readBlobs(collection: AnyCollection, name: string, page: BlobPage): Promise<{ id: string; blob: Uint8Array }[]> {
    return this.read((database, options) => {
      const found = chunkCollection(database, collection).find(toBlobPageFilter(name, page), {
        ...options,
        sort: CHUNK_ORDER,
        batchSize: Math.min(page.limit + 1, MAX_BATCH_SIZE),
      });
      return assembleBlobPage(found, page.limit);
    });
  }

  async check(): Promise<Health> {
    try {
      await this.connection.ping();
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: `read models: ${(error as Error).message}` };
    }
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  protected read<T>(query: (database: Db, options: ReadOptions) => Promise<T>): Promise<T> {
    return this.connection.read(this.readTimeoutMs, query);
  }
}

const EVERYTHING: Filter = { op: 'and', filters: [] };
