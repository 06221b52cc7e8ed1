import { createHash } from 'node:crypto';
import type { ExceptionOccurrence } from './exception-occurrence.js';

type Identified = Pick<ExceptionOccurrence, 'traceId' | 'spanId' | 'type' | 'message'>;

/** Bytes of a hash: equal ones of different exceptions are out of reach. */
const HASH_BYTES = 12;
/** What an entry takes in memory, about. */
export const IDENTITY_BYTES = 80;

/**
 * Exceptions of span events, to find log records that report the same ones: those of the same span with the same type
 * and message.
 */
export class ExceptionIdentities {
  private readonly hashes = new Set<string>();

  /** Returns false if the span has reported it already. */
  add(exception: Identified): boolean {
    const before = this.hashes.size;
    this.hashes.add(hash(exception));
    return this.hashes.size > before;
  }

  /** False for an exception that names no span. */
  has(exception: Identified): boolean {
    return exception.spanId !== '' && this.hashes.has(hash(exception));
  }
}

function hash({ traceId, spanId, type, message }: Identified): string {
  const text = `${traceId}/${spanId}/${type.length}/${type}${message}`;
  return createHash('sha256').update(text).digest().toString('latin1', 0, HASH_BYTES);
}
