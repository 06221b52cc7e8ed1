import type { Db } from 'mongodb';
import type { Health } from '../../../component.js';
import type { Position } from '../../../streams/event-store.js';
import type { Filter, Query } from '../../filter.js';
import type { AnyCollection, BlobPage, Collection, Document, ReadModelReader } from '../../store.js';
import { assembledPage } from './blob-chunks.js';
import { checkpointsIn, chunksIn, documentsOf } from './collections.js';
import { Connection, type ReadOptions } from './connection.js';
import { blobPageCondition, conditionOf, sortOf } from './filter-bson.js';
import { documentOf } from './stored-document.js';

/** An API answers within 2 s, or says that it cannot. */
export const READ_TIMEOUT_MS = 1_800;

/** A batch ends at 16 MiB anyway. */
const LARGEST_BATCH = 1_000;

const CHUNK_ORDER = { id: 1, name: 1, part: 1 } as const;

/**
 * Reads read models in MongoDB. A question sees one moment of the store, never half of a commit, where the deployment has
 * transactions; a standalone server has neither.
 */
export class MongoReadModelReader implements ReadModelReader {
  protected readonly connection: Connection;
  private readonly readTimeoutMs: number;

  /** Throws where `url` is no address of MongoDB. `readTimeoutMs`: after so long a question is rejected with `unavailable`. */
  constructor(url: string, { readTimeoutMs = READ_TIMEOUT_MS }: { readonly readTimeoutMs?: number } = {}) {
    this.readTimeoutMs = readTimeoutMs;
    this.connection = new Connection({ url, readTimeoutMs });
  }

  checkpoint(projection: string): Promise<Position | undefined> {
    return this.read(async (database, options) => (await checkpointsIn(database).findOne({ _id: { $eq: projection } }, options))?.position);
  }

  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | undefined> {
    return this.read(async (database, options) => {
      const found = await documentsOf(database, collection).findOne({ _id: { $eq: id } }, options);
      return found === null ? undefined : documentOf<D>(found);
    });
  }

  find<D extends Document>(collection: Collection<D>, { filter, sort, skip, limit }: Query): Promise<{ id: string; document: D }[]> {
    return this.read(async (database, options) => {
      // To MongoDB a limit of 0 is none.
      if (limit === 0) return [];
      const page = { sort: sortOf(sort), allowDiskUse: true, ...(skip !== undefined && { skip }), ...(limit !== undefined && { limit }) };
      const found = await documentsOf(database, collection).find(conditionOf(filter ?? EVERYTHING), { ...options, ...page }).toArray();
      return found.map((stored) => ({ id: stored._id, document: documentOf<D>(stored) }));
    });
  }

  count(collection: AnyCollection, filter?: Filter): Promise<number> {
    return this.read((database, options) => documentsOf(database, collection).countDocuments(conditionOf(filter ?? EVERYTHING), options));
  }

  blob(collection: AnyCollection, id: string, name: string): Promise<Uint8Array | undefined> {
    return this.read(async (database, options) => {
      const chunks = chunksIn(database, collection).find({ id: { $eq: id }, name: { $eq: name } }, { ...options, sort: CHUNK_ORDER });
      return (await assembledPage(chunks, 1)).at(0)?.blob;
    });
  }

  blobs(collection: AnyCollection, name: string, page: BlobPage): Promise<{ id: string; blob: Uint8Array }[]> {
    return this.read((database, options) => {
      const found = chunksIn(database, collection).find(blobPageCondition(name, page), { ...options, sort: CHUNK_ORDER, batchSize: Math.min(page.limit + 1, LARGEST_BATCH) });
      return assembledPage(found, page.limit);
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

  protected read<T>(ask: (database: Db, options: ReadOptions) => Promise<T>): Promise<T> {
    return this.connection.read(this.readTimeoutMs, ask);
  }
}

const EVERYTHING: Filter = { op: 'and', filters: [] };
