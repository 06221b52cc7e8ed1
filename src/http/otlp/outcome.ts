/** A request that was turned away whole. Only `overloaded`, `throttled` and `unavailable` tell the sender to come back. */
export type Refusal =
  | { readonly kind: FinalRefusal; readonly message: string }
  | { readonly kind: RetryableRefusal; readonly message: string; readonly retryAfterMs: number };

export type RetryableRefusal = 'overloaded' | 'throttled' | 'unavailable';

export type FinalRefusal =
  | 'unauthenticated'
  | 'forbidden'
  | 'malformed'
  | 'too-large'
  | 'not-found'
  | 'method-not-allowed'
  | 'unsupported-media-type'
  | 'unsupported-encoding';

/** The sender went away or stopped sending: nobody is left to answer, the connection is closed. */
export type Abandoned = { readonly kind: 'abandoned' };

/** What became of an export request: a closed union that both wires translate (http-answer.ts, grpc-answer.ts). */
export type Outcome =
  /** Durable. `rejected` records can never be taken, and `message` says why. */
  | { readonly kind: 'accepted'; readonly rejected: number; readonly message: string }
  | Refusal
  | Abandoned;

export const ABANDONED: Abandoned = { kind: 'abandoned' };

export function refuse(kind: FinalRefusal, message: string): Refusal {
  return { kind, message };
}

export function overloaded(message: string, retryAfterMs: number): Refusal {
  return { kind: 'overloaded', message, retryAfterMs };
}

/** For one sender, of whom there was too much that is wrong. */
export function throttled(message: string, retryAfterMs: number): Refusal {
  return { kind: 'throttled', message, retryAfterMs };
}

/** For everything that a later attempt may cure, whatever it was. */
export function unavailable(message: string, retryAfterMs = 1_000): Refusal {
  return { kind: 'unavailable', message, retryAfterMs };
}

/** Memory is free again as soon as the requests in flight are done. */
export function outOfMemory(): Refusal {
  return overloaded('too much telemetry is being received at once', 1_000);
}
