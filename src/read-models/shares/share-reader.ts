import type { Health } from '../../component.js';
import { HindsightError } from '../../errors.js';
import type { Position } from '../../streams/event-store.js';
import type { Filter, Query } from '../filter.js';
import type { AnyCollection, BlobPage, Collection, Document, ReadModelReader } from '../store.js';
import { ShareNames } from './share-names.js';

/**
 * A store as one share of Grids sees it: what shares have of their own is this share's, all else is that of all. Documents of
 * `projections` are read and written by their ids. The store stays its owner's: closing the view leaves it open.
 */
export class ShareReader<Store extends ReadModelReader = ReadModelReader> implements ReadModelReader {
  protected readonly names: ShareNames;
  private closed = false;

  constructor(
    private readonly store: Store,
    readonly share: number,
  ) {
    this.names = new ShareNames(share);
  }

  async checkpoint(projection: string): Promise<Position | undefined> {
    return this.open.checkpoint(this.names.checkpoint(projection));
  }

  async get<D extends Document>(collection: Collection<D>, id: string): Promise<D | undefined> {
    return this.open.get(this.names.ofDocument(collection, id), id);
  }

  async find<D extends Document>(collection: Collection<D>, query: Query): Promise<{ readonly id: string; readonly document: D }[]> {
    return this.open.find(this.names.ofAll(collection), query);
  }

  async count(collection: AnyCollection, filter?: Filter): Promise<number> {
    return this.open.count(this.names.ofAll(collection), filter);
  }

  async blob(collection: AnyCollection, id: string, name: string): Promise<Uint8Array | undefined> {
    return this.open.blob(this.names.ofDocument(collection, id), id, name);
  }

  async blobs(collection: AnyCollection, name: string, page: BlobPage): Promise<{ readonly id: string; readonly blob: Uint8Array }[]> {
    return this.open.blobs(this.names.ofAll(collection), name, page);
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
