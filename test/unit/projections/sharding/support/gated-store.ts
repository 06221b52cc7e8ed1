import type { Health } from '../../../../../src/component.js';
import { HindsightError } from '../../../../../src/errors.js';
import type { Filter, DocumentQuery } from '../../../../../src/read-models/document-filter.js';
import type {
  AnyCollection,
  BlobPage,
  DocumentChange,
  Checkpoint,
  Collection,
  CommitResult,
  Document,
  ReadModelStore,
} from '../../../../../src/read-models/read-model-store.js';
import type { Position } from '../../../../../src/streams/event-store.js';

/** Store of one process: its writes wait while it is stalled, like those of a paused process, and fail once it was killed. */
export class GatedStore implements ReadModelStore {
  private gate: Promise<void> | undefined;
  private release: () => void = () => undefined;
  private isDead = false;
  /** Writes that wait. */
  waiting = 0;

  constructor(private readonly inner: ReadModelStore) {}

  stall(): void {
    this.gate ??= new Promise((resolve) => (this.release = resolve));
  }

  resume(): void {
    this.release();
    this.gate = undefined;
  }

  kill(): void {
    this.isDead = true;
    this.resume();
  }

  commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    return this.write(() => this.inner.commit(changes, checkpoints));
  }

  dropCollection(collection: AnyCollection): Promise<void> {
    return this.write(() => this.inner.dropCollection(collection));
  }

  dropCheckpoint(projection: string): Promise<void> {
    return this.write(() => this.inner.dropCheckpoint(projection));
  }

  vacuum(): Promise<number> {
    return this.write(() => this.inner.vacuum());
  }

  readCheckpoint(projection: string): Promise<Position | undefined> {
    return this.inner.readCheckpoint(projection);
  }

  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | undefined> {
    return this.inner.get(collection, id);
  }

  find<D extends Document>(
    collection: Collection<D>,
    query: DocumentQuery,
  ): Promise<{ readonly id: string; readonly document: D }[]> {
    return this.inner.find(collection, query);
  }

  count(collection: AnyCollection, filter?: Filter): Promise<number> {
    return this.inner.count(collection, filter);
  }

  readBlob(collection: AnyCollection, id: string, name: string): Promise<Uint8Array | undefined> {
    return this.inner.readBlob(collection, id, name);
  }

  readBlobs(
    collection: AnyCollection,
    name: string,
    page: BlobPage,
  ): Promise<{ readonly id: string; readonly blob: Uint8Array }[]> {
    return this.inner.readBlobs(collection, name, page);
  }

  check(): Promise<Health> {
    return this.inner.check();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async write<T>(work: () => Promise<T>): Promise<T> {
    this.waiting++;
    await this.gate;
    this.waiting--;
    if (this.isDead) throw new HindsightError('unavailable', 'the process is dead');
    return work();
  }
}
