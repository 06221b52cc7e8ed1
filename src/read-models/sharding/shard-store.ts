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
 * A store as one share of Grids sees it: what shares have of their own is this share's, all else is that of all. Documents of
 * `projections` are read and written by their ids. The store stays its owner's: closing the view leaves it open.
 */
export class ShardReader<Store extends ReadModelReader = ReadModelReader> implements ReadModelReader {
  protected readonly names: ShardNaming;
  private closed = false;

  constructor(
    private readonly store: Store,
    readonly share: number,
  ) {
    this.names = new ShardNaming(share);
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

  /** The store as long as this view of it is open. */
  protected get open(): Store {
    if (this.closed) throw new HindsightError('unavailable', CLOSED);
    return this.store;
  }
}

const CLOSED = 'The share of the read models is closed';

/** The same for whoever writes the read models of one share. A commit may name both what is the share's and what is not. */
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

  /** Of the whole store. */
  async vacuum(): Promise<number> {
    return this.open.vacuum();
  }
}
