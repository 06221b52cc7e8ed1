import type { AnyCollection, Change, Checkpoint, CommitResult, ReadModelStore } from '../store.js';
import { ShareReader } from './share-reader.js';

/** The same for whoever writes the read models of one share. A commit may name both what is the share's and what is not. */
export class ShareStore extends ShareReader<ReadModelStore> implements ReadModelStore {
  async commit(changes: readonly Change[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    return this.open.commit(
      changes.map((change) => ({ ...change, collection: this.names.ofDocument(change.collection, change.id) })),
      checkpoints.map((checkpoint) => ({ ...checkpoint, projection: this.names.checkpoint(checkpoint.projection) })),
    );
  }

  async drop(collection: AnyCollection): Promise<void> {
    return this.open.drop(this.names.ofAll(collection));
  }

  async dropCheckpoint(projection: string): Promise<void> {
    return this.open.dropCheckpoint(this.names.checkpoint(projection));
  }

  /** Of the whole store. */
  async vacuum(): Promise<number> {
    return this.open.vacuum();
  }
}
