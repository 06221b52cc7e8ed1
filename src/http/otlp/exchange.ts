import type { Readable } from 'node:stream';
import type { Peer } from '../clients.js';
import type { HttpAnswer } from './http-answer.js';
import type { RequestHead } from './http-negotiation.js';

/** One OTLP/HTTP request and its answer, over HTTP/1.1 or HTTP/2. */
export interface Exchange extends RequestHead {
  /** Where the connection comes from. */
  readonly peer: Peer;
  /** The body, which the sender is asked for if it waits to be (`Expect: 100-continue`). */
  takeBody(): Readable;
  /** Sends the whole answer. Legal while the body is still arriving: the rest of it is not kept. */
  answer(answer: HttpAnswer): void;
  /** Ends the request without an answer. */
  abandon(): void;
}
