/** Faults that the double can simulate. */
export type Fault =
  /** Connections are closed before the operation. */
  | { readonly kind: 'drop' }
  /** The append is committed, then connections are closed without a response. */
  | { readonly kind: 'apply-then-drop' }
  /** The append is committed without a response. */
  | { readonly kind: 'apply-then-hang' }
  /** No operation and no response. */
  | { readonly kind: 'hang' }
  /** The operation is delayed by this time (ms). */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Performed after this time (ms), even if the client has given up, like a request in the server's queue. */
  | { readonly kind: 'drop-then-apply'; readonly ms: number }
  /** The node is not the leader. */
  | { readonly kind: 'not-leader'; readonly host: string; readonly port: number }
  /** A timeout of the server: status ABORTED, as for its prepare and commit timeouts. */
  | { readonly kind: 'timeout' }
  /** Committed, but reported as timed out, as with slow replicas. */
  | { readonly kind: 'apply-then-timeout' }
  /** As by a starting node. */
  | { readonly kind: 'not-ready' }
  | { readonly kind: 'access-denied' }
  /** As by servers from 24.10 for a position beyond the end of the log. */
  | { readonly kind: 'invalid-position' };

export type FaultyCall = 'append' | 'read' | 'subscribe';

/** Pending faults by call, in order. */
export class Faults {
  readonly #waiting: Record<FaultyCall, Fault[]> = { append: [], read: [], subscribe: [] };
  readonly #always: Partial<Record<FaultyCall, Fault>> = {};

  next(call: FaultyCall, ...faults: Fault[]): void {
    this.#waiting[call].push(...faults);
  }

  /** Applies to every further call; undefined: none. */
  always(call: FaultyCall, fault: Fault | undefined): void {
    this.#always[call] = fault;
  }

  take(call: FaultyCall): Fault | undefined {
    return this.#waiting[call].shift() ?? this.#always[call];
  }
}
