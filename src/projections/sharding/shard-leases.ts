import type { Observable } from 'rxjs';
import type { Component } from '../../component.js';

/** Increases with every change of owner of a shard, so that a store can reject writes with an older token. */
export type FencingToken = number;

/** Shard numbers (see streams/shard-map.ts) with the tokens under which they are held. */
export type LeasedShards = ReadonlyMap<number, FencingToken>;

/** A member that owns shards or waits for some. */
export interface LeaseMember {
  readonly id: string;
  /** Where it runs, for display. */
  readonly name: string;
  readonly shardCount: number;
}

/**
 * Decides which member works on which shards. All members own the same number of shards, give or take one.
 * At any moment a shard has at most one owner for which `fencingToken` returns a token, as long as the clocks of the
 * machines run equally fast to within a tenth; the time they show does not matter. A lease cannot detect a process that
 * halts between the check and the commit: the store MUST reject a commit whose checkpoint is not the expected one, or
 * whose token is older.
 */
export interface ShardLeases extends Component {
  /** Joins the cluster, once. Shards are assigned when they are free, and taken away when others join. */
  join(): void;
  /**
   * Shards that this member may work on, now and after each change. When a shard disappears, the member MUST start no
   * more work on it; another member gets it a second later at the earliest, unless the lease expired.
   */
  readonly held: Observable<LeasedShards>;
  /** The token of a shard while its lease is valid; to be checked immediately before each commit. */
  fencingToken(shard: number): FencingToken | undefined;
  /** All members including this one, as of the last read. */
  readonly members: Observable<readonly LeaseMember[]>;
  /** Releases all shards, so that others have them within a second or two. Work on them MUST have ended. */
  close(): Promise<void>;
}
