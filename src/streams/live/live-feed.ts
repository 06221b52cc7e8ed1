import type { Observable } from 'rxjs';
import type { Component } from '../../component.js';
import type { Position } from '../event-store.js';

/**
 * Hints that something happened. A hint MAY be lost, repeated or out of order: it saves waiting,
 * and the log stays the truth. Everyone who listens also looks by himself at least once a second.
 */
export type ChangeHint =
  /** The log has grown up to this position. */
  | { readonly topic: 'appended'; readonly position: Position }
  /** A projection has committed up to this position. */
  | { readonly topic: 'projected'; readonly projection: string; readonly position: Position }
  /** A live diagnostic of a Grid has another answer than before. */
  | { readonly topic: 'diagnosed'; readonly gridId: string; readonly diagnostic: string; readonly version: number };

export interface LiveFeed extends Component {
  /** MUST NOT throw and MUST NOT wait. */
  announce(hint: ChangeHint): void;
  /** Hints from now on; never completes with an error. */
  readonly hints: Observable<ChangeHint>;
}
