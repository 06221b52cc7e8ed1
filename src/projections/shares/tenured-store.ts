import type { Health } from '../../component.js';
import { HindsightError } from '../../errors.js';
import type { Filter, Query } from '../../read-models/filter.js';
import type { AnyCollection, BlobPage, Change, Checkpoint, Collection, CommitResult, Document, ReadModelStore } from '../../read-models/store.js';
import type { Position } from '../../streams/event-store.js';
import type { FencingToken } from '../leases/leases.js';

/** Name of the checkpoint that holds the token of whoever writes. */
export const TENURE = 'tenure';

/** As many as the largest token has. */
const DIGITS = 16;

/** How an attempt to become the writer ended. */
export type Taken =
  | 'taken'
  /** A later holder has written: this one never can again. */
  | 'superseded'
  /** Not held at the moment. */
  | 'no lease';

/** A token as the position of a checkpoint: positions compare as strings. */
export function tenurePosition(token: FencingToken): Position {
  return String(token).padStart(DIGITS, '0') as Position;
}

/**
 * A store in which one holder of a lease writes at a time. Every commit expects the holder's token in the checkpoint `tenure`, and the
 * first takes it over from an earlier holder: so whatever a holder commits after another took over is refused by the store, in
 * one step with the commit, however late it arrives. The lease is asked before, and only spares the attempt.
 * The store stays its owner's: closing this view leaves it open.
 */
export class TenuredStore implements ReadModelStore {
  private readonly mine: Position;
  private taking: Promise<CommitResult> | undefined;

  /** `tokenOf`: the token of the lease now, undefined while there is none. */
  constructor(
    private readonly store: ReadModelStore,
    private readonly token: FencingToken,
    private readonly tokenOf: () => FencingToken | undefined,
  ) {
    this.mine = tenurePosition(token);
  }

  /** Becomes the writer, where no later holder is, or makes sure that it still is. */
  async take(): Promise<Taken> {
    const isFirst = this.taking === undefined && this.hasLease;
    const result = isFirst ? await this.taken() : await this.commit([], []);
    if (result.ok) return 'taken';
    return (result.found ?? '') > this.mine ? 'superseded' : 'no lease';
  }

  async commit(changes: readonly Change[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    const taken = this.hasLease ? await this.taken() : FENCED;
    if (!taken.ok) return taken;
    if (!this.hasLease) return FENCED;
    return this.store.commit(changes, [{ projection: TENURE, expected: this.mine, position: this.mine }, ...checkpoints]);
  }

  async drop(collection: AnyCollection): Promise<void> {
    await this.prove();
    return this.store.drop(collection);
  }

  async dropCheckpoint(projection: string): Promise<void> {
    await this.prove();
    return this.store.dropCheckpoint(projection);
  }

  async vacuum(): Promise<number> {
    await this.prove();
    return this.store.vacuum();
  }

  checkpoint(projection: string): Promise<Position | undefined> {
    return this.store.checkpoint(projection);
  }

  get<D extends Document>(collection: Collection<D>, id: string): Promise<D | undefined> {
    return this.store.get(collection, id);
  }

  find<D extends Document>(collection: Collection<D>, query: Query): Promise<{ readonly id: string; readonly document: D }[]> {
    return this.store.find(collection, query);
  }

  count(collection: AnyCollection, filter?: Filter): Promise<number> {
    return this.store.count(collection, filter);
  }

  blob(collection: AnyCollection, id: string, name: string): Promise<Uint8Array | undefined> {
    return this.store.blob(collection, id, name);
  }

  blobs(collection: AnyCollection, name: string, page: BlobPage): Promise<{ readonly id: string; readonly blob: Uint8Array }[]> {
    return this.store.blobs(collection, name, page);
  }

  check(): Promise<Health> {
    return this.store.check();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private get hasLease(): boolean {
    return this.tokenOf() === this.token;
  }

  /** Once, for all who commit at the same time; again where it failed or was refused. */
  private taken(): Promise<CommitResult> {
    if (this.taking !== undefined) return this.taking;
    const taking = this.takeOver();
    this.taking = taking;
    const again = (): void => void (this.taking = undefined);
    taking.then((result) => result.ok || again(), again);
    return taking;
  }

  /** A refusal by an earlier holder that was quicker is no refusal. */
  private async takeOver(): Promise<CommitResult> {
    for (;;) {
      const found = await this.store.checkpoint(TENURE);
      if (found !== undefined && found > this.mine) return { ...FENCED, found };
      if (!this.hasLease) return FENCED;
      const result = await this.store.commit([], [{ projection: TENURE, expected: found, position: this.mine }]);
      if (result.ok || (result.found ?? '') > this.mine) return result;
    }
  }

  /** For what the store does in no commit. */
  private async prove(): Promise<void> {
    const result = await this.commit([], []);
    if (!result.ok) throw new HindsightError('unavailable', 'another process keeps these read models now');
  }
}

const FENCED = { ok: false, fenced: true, found: undefined } as const;
