import type { Health } from '../../component.js';
import { HindsightError } from '../../errors.js';
import type { Position } from '../../streams/event-store.js';
import type { DocumentQuery, Filter } from '../document-filter.js';
import type {
  AnyCollection,
  BlobPage,
  Checkpoint,
  Collection,
  CommitResult,
  Document,
  DocumentChange,
  ReadModelReader,
  ReadModelStore,
} from '../read-model-store.js';
import { ShardNaming } from './shard-naming.js';

/**
 * View of a store for one shard: sharded collections are those of the shard, all others are common. Documents of
 * `projections` are read and written by id. Closing the view leaves the underlying store open.
 */
export class ShardReader<Store extends ReadModelReader = ReadModelReader> implements ReadModelReader {
  protected readonly names: ShardNaming;
  private closed = false;

  constructor(
    private readonly store: Store,
    readonly shard: number,
  ) {
    this.names = new ShardNaming(shard);
  }

  async readCheckpoint(projection: string): Promise<Position | undefined> {
    return this.open.readCheckpoint(this.names.checkpointName(projection));
  }

  async get<D extends Document>(collection: Collection<D>, id: string): Promise<D | undefined> {
    return this.open.get(this.names.collectionForDocument(collection, id), id);
  }

  async find<D extends Document>(
    collection: Collection<D>,
    query: DocumentQuery,
  ): Promise<{ readonly id: string; readonly document: D }[]> {
    return this.open.find(this.names.wholeCollection(collection), query);
  }

  async count(collection: AnyCollection, filter?: Filter): Promise<number> {
    return this.open.count(this.names.wholeCollection(collection), filter);
  }

  async readBlob(collection: AnyCollection, id: string, name: string): Promise<Uint8Array | undefined> {
    return this.open.readBlob(this.names.collectionForDocument(collection, id), id, name);
  }

  async readBlobs(
    collection: AnyCollection,
    name: string,
    page: BlobPage,
  ): Promise<{ readonly id: string; readonly blob: Uint8Array }[]> {
    return this.open.readBlobs(this.names.wholeCollection(collection), name, page);
  }

  async check(): Promise<Health> {
    return this.closed ? { ok: false, reason: CLOSED } : this.store.check();
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }

  /** The underlying store while this view is open. */
  protected get open(): Store {
    if (this.closed) throw new HindsightError('unavailable', CLOSED);
    return this.store;
  }
}

const CLOSED = 'The read models of this shard are closed';

/** The same with write access. A commit may contain both sharded and common changes. */
export class ShardStore extends ShardReader<ReadModelStore> implements ReadModelStore {
  async commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    return this.open.commit(
      changes.map((change) => ({
        ...change,
        collection: this.names.collectionForDocument(change.collection, change.id),
      })),
      checkpoints.map((checkpoint) => ({
        ...checkpoint,
        projection: this.names.checkpointName(checkpoint.projection),
      })),
    );
  }

  async dropCollection(collection: AnyCollection): Promise<void> {
    return this.open.dropCollection(this.names.wholeCollection(collection));
  }

  async dropCheckpoint(projection: string): Promise<void> {
    return this.open.dropCheckpoint(this.names.checkpointName(projection));
  }

  /** Vacuums the whole store. */
  async vacuum(): Promise<number> {
    return this.open.vacuum();
  }
}
