import type { Health } from '../../component.js';
import { HindsightError } from '../../errors.js';
import type { Filter, DocumentQuery } from '../../read-models/document-filter.js';
import type {
  AnyCollection,
  BlobPage,
  DocumentChange,
  Checkpoint,
  Collection,
  CommitResult,
  Document,
  ReadModelStore,
} from '../../read-models/read-model-store.js';
import type { Position } from '../../streams/event-store.js';
import type { FencingToken } from './shard-leases.js';

/** Name of the checkpoint that holds the fencing token of the current writer. */
export const FENCING_CHECKPOINT = 'tenure';

/** Digits of the largest token. */
const TOKEN_DIGITS = 16;

/** How an attempt to become the writer ended. */
export type AcquireOutcome =
  | 'taken'
  /** A later lease holder has written: this one can never write again. */
  | 'superseded'
  /** The lease is not held at the moment. */
  | 'no lease';

/** A token as the position of a checkpoint: positions are compared as strings. */
export function toFencingPosition(token: FencingToken): Position {
  return String(token).padStart(TOKEN_DIGITS, '0') as Position;
}

/**
 * A store in which one lease holder writes at a time. Every commit expects the holder's token in the checkpoint
 * `tenure`, and the first commit takes it over from an earlier holder. So the store rejects, atomically with the
 * commit, whatever a former holder commits after a takeover, however late it arrives. The lease itself is checked first
 * and only saves the attempt. Closing this view leaves the underlying store open.
 */
export class FencedStore implements ReadModelStore {
  private readonly ownPosition: Position;
  private acquiring: Promise<CommitResult> | undefined;

  /** `currentToken`: the token of the lease now, undefined without a lease. */
  constructor(
    private readonly store: ReadModelStore,
    private readonly token: FencingToken,
    private readonly currentToken: () => FencingToken | undefined,
  ) {
    this.ownPosition = toFencingPosition(token);
  }

  /** Becomes the writer unless a later holder has written, or verifies that it still is the writer. */
  async acquire(): Promise<AcquireOutcome> {
    const isFirst = this.acquiring === undefined && this.hasLease;
    const result = isFirst ? await this.acquireOnce() : await this.commit([], []);
    if (result.ok) return 'taken';
    return (result.found ?? '') > this.ownPosition ? 'superseded' : 'no lease';
  }

  async commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    const result = this.hasLease ? await this.acquireOnce() : FENCED;
    if (!result.ok) return result;
    if (!this.hasLease) return FENCED;
    return this.store.commit(changes, [
      { projection: FENCING_CHECKPOINT, expected: this.ownPosition, position: this.ownPosition },
      ...checkpoints,
    ]);
  }

  async dropCollection(collection: AnyCollection): Promise<void> {
    await this.assertAcquired();
    return this.store.dropCollection(collection);
  }

  async dropCheckpoint(projection: string): Promise<void> {
    await this.assertAcquired();
    return this.store.dropCheckpoint(projection);
  }

  async vacuum(): Promise<number> {
    await this.assertAcquired();
    return this.store.vacuum();
  }

  readCheckpoint(projection: string): Promise<Position | undefined> {
    return this.store.readCheckpoint(projection);
  }

  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | undefined> {
    return this.store.get(collection, id);
  }

  find<D extends Document>(
    collection: Collection<D>,
    query: DocumentQuery,
  ): Promise<{ readonly id: string; readonly document: D }[]> {
    return this.store.find(collection, query);
  }

  count(collection: AnyCollection, filter?: Filter): Promise<number> {
    return this.store.count(collection, filter);
  }

  readBlob(collection: AnyCollection, id: string, name: string): Promise<Uint8Array | undefined> {
    return this.store.readBlob(collection, id, name);
  }

  readBlobs(
    collection: AnyCollection,
    name: string,
    page: BlobPage,
  ): Promise<{ readonly id: string; readonly blob: Uint8Array }[]> {
    return this.store.readBlobs(collection, name, page);
  }

  check(): Promise<Health> {
    return this.store.check();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private get hasLease(): boolean {
    return this.currentToken() === this.token;
  }

  /** Once for concurrent commits; repeated after a failure or rejection. */
  private acquireOnce(): Promise<CommitResult> {
    if (this.acquiring !== undefined) return this.acquiring;
    const acquiring = this.takeOver();
    this.acquiring = acquiring;
    const reset = (): void => void (this.acquiring = undefined);
    acquiring.then((result) => result.ok || reset(), reset);
    return acquiring;
  }

  /** Retries if an earlier holder wrote in between: that is no takeover by a later one. */
  private async takeOver(): Promise<CommitResult> {
    for (;;) {
      const found = await this.store.readCheckpoint(FENCING_CHECKPOINT);
      if (found !== undefined && found > this.ownPosition) return { ...FENCED, found };
      if (!this.hasLease) return FENCED;
      const result = await this.store.commit(
        [],
        [{ projection: FENCING_CHECKPOINT, expected: found, position: this.ownPosition }],
      );
      if (result.ok || (result.found ?? '') > this.ownPosition) return result;
    }
  }

  /** For operations that are not part of a commit. */
  private async assertAcquired(): Promise<void> {
    const result = await this.commit([], []);
    if (!result.ok) throw new HindsightError('unavailable', 'Another process has taken over these read models');
  }
}

const FENCED = { ok: false, fenced: true, found: undefined } as const;
