import type { Observable } from 'rxjs';
import type { Component } from '../../component.js';

/** Larger with each change of owner of a share, so that a store can refuse whoever comes late with an older one. */
export type FencingToken = number;

/** Shares by their numbers (see streams/shares.ts), with the tokens under which they are held. */
export type LeasedShards = ReadonlyMap<number, FencingToken>;

/** One that has shares, or waits for some. */
export interface LeaseMember {
  readonly id: string;
  /** For people: where it runs. */
  readonly name: string;
  readonly shares: number;
}

/**
 * Who works on which shares of the Grids. All who joined have equally many, to within one.
 *
 * At any moment a share has at most one owner for whom `tokenOf` answers, as long as the clocks of the machines run equally
 * fast to within a tenth; what they show does not matter. What no lease can see is a process that halts between asking and
 * committing: the store MUST refuse a commit whose checkpoint is not the one that it was made from, or whose token is older.
 */
export interface ShardLeases extends Component {
  /** Takes a seat, once. Shares come when they are free and go when others join. */
  join(): void;
  /**
   * What this member may work on, now and after each change. Who sees a share gone MUST start no more work on it; another has it
   * a second later at the earliest, unless the lease lapsed.
   */
  readonly held: Observable<LeasedShards>;
  /** The token of a share while its lease is valid; to be asked just before each commit. */
  fencingToken(share: number): FencingToken | undefined;
  /** Everyone who has a seat, this member included, as of the last look. */
  readonly members: Observable<readonly LeaseMember[]>;
  /** Gives everything back, so that the others have it within a second or two. Work MUST have ended before. */
  close(): Promise<void>;
}
