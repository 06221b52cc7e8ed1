/** What the double can do instead of what it is asked for. */
export type Fault =
  /** The connections break before anything is done. */
  | { readonly kind: 'drop' }
  /** The append is made, then the connections break: nobody hears of it. */
  | { readonly kind: 'apply-then-drop' }
  /** The append is made; the answer never comes. */
  | { readonly kind: 'apply-then-hang' }
  /** The answer never comes, and nothing is done. */
  | { readonly kind: 'hang' }
  /** Works after so long. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Done after so long, whether the client still waits or not: a request that was in the server's queue. */
  | { readonly kind: 'drop-then-apply'; readonly ms: number }
  /** Another node leads. */
  | { readonly kind: 'not-leader'; readonly host: string; readonly port: number }
  /** The server's own time was over: status ABORTED, as for its prepare and commit timeouts. */
  | { readonly kind: 'timeout' }
  /** Made, and then reported as timed out: the replicas were slow. */
  | { readonly kind: 'apply-then-timeout' }
  /** As a node that starts. */
  | { readonly kind: 'not-ready' }
  | { readonly kind: 'access-denied' };

export type FaultyCall = 'append' | 'read' | 'subscribe';

/** Faults that wait for their call, in order. */
export class Faults {
  readonly #waiting: Record<FaultyCall, Fault[]> = { append: [], read: [], subscribe: [] };
  readonly #always: Partial<Record<FaultyCall, Fault>> = {};

  next(call: FaultyCall, ...faults: Fault[]): void {
    this.#waiting[call].push(...faults);
  }

  /** For every call from now on; undefined: none. */
  always(call: FaultyCall, fault: Fault | undefined): void {
    this.#always[call] = fault;
  }

  take(call: FaultyCall): Fault | undefined {
    return this.#waiting[call].shift() ?? this.#always[call];
  }
}
