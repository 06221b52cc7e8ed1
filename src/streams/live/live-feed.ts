import type { Observable } from 'rxjs';
import type { Component } from '../../component.js';
import type { Position } from '../event-store.js';

/**
 * Hint that something changed. Hints MAY be lost, repeated or out of order: they shorten waiting, and the log remains
 * the source of truth. Every consumer also polls at least once a second.
 */
export type ChangeHint =
  /** The log has events up to this position. */
  | { readonly topic: 'appended'; readonly position: Position }
  /** A projection has committed up to this position. */
  | { readonly topic: 'projected'; readonly projection: string; readonly position: Position }
  /** The result of a live diagnostic of a Grid has changed. */
  | { readonly topic: 'diagnosed'; readonly gridId: string; readonly diagnostic: string; readonly version: number };

/** PORT: broadcast of change hints between threads and processes. */
export interface LiveFeed extends Component {
  /** Broadcasts a hint. MUST NOT throw and MUST NOT block. */
  announce(hint: ChangeHint): void;
  /** Hints from now on; never completes with an error. */
  readonly hints: Observable<ChangeHint>;
}
