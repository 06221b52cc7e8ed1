import { createHash } from 'node:crypto';
import type { ExceptionOccurrence } from './exception-occurrence.js';

type Identified = Pick<ExceptionOccurrence, 'traceId' | 'spanId' | 'type' | 'message' | 'knownUs'>;

/** Bytes of a hash: equal ones of different exceptions are out of reach. */
const HASH_BYTES = 12;
/** What an entry takes in memory, about. */
export const IDENTITY_BYTES = 80;

/**
 * Exceptions of span events, to find log records that report the same ones: those of the same span with the same type
 * and message.
 */
export class ExceptionIdentities {
  /** When each could be known, by hash. */
  private readonly known = new Map<string, number>();

  /** Returns false if the span has reported it already. */
  add(exception: Identified): boolean {
    const key = hash(exception);
    if (this.known.has(key)) return false;
    this.known.set(key, exception.knownUs);
    return true;
  }

  /** False for an exception that names no span. */
  has(exception: Identified): boolean {
    return this.findKnownUs(exception) !== undefined;
  }

  /** When the span that the exception names could be known to have reported it; undefined if it has not. */
  findKnownUs(exception: Identified): number | undefined {
    return exception.spanId === '' ? undefined : this.known.get(hash(exception));
  }
}

function hash({ traceId, spanId, type, message }: Identified): string {
  const text = `${traceId}/${spanId}/${type.length}/${type}${message}`;
  return createHash('sha256').update(text).digest().toString('latin1', 0, HASH_BYTES);
}
