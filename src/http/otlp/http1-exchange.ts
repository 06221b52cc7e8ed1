import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Peer } from '../clients.js';
import type { Exchange } from './exchange.js';
import type { HttpAnswer } from './http-answer.js';

/** A rest of this size is read and dropped, so that the connection lives on. */
const SMALL_REST_BYTES = 64 * 1024;

export class Http1Exchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly peer: Peer;

  /**
   * @param lingerMs how long a sender may go on with a body that nobody reads any more
   * @param isClosing whether connections are to end after their answer
   */
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly lingerMs: number,
    private readonly isClosing: () => boolean,
  ) {
    this.method = request.method ?? '';
    this.path = request.url ?? '';
    this.headers = request.headers;
    this.peer = request.socket;
  }

  takeBody(): Readable {
    if (this.headers.expect !== undefined) this.response.writeContinue();
    return this.request;
  }

  answer(answer: HttpAnswer): void {
    const cutOff = !this.request.complete && !this.restIsSmall();
    this.writeHead(answer, cutOff || this.isClosing());
    if (cutOff) this.endLingering(answer.body);
    else this.end(answer.body);
  }

  abandon(): void {
    this.request.socket.destroy();
  }

  private writeHead({ status, headers, body }: HttpAnswer, close: boolean): void {
    this.response.writeHead(status, {
      ...headers,
      ...(status !== 204 && { 'content-length': body.byteLength }),
      ...(close && { connection: 'close' }),
    });
  }

  private end(body: Uint8Array): void {
    this.request.resume();
    this.response.end(body);
  }

  /**
   * A sender that is still writing sees a reset, not its answer, if the connection is closed at once. So the answer
   * goes out complete, what still comes is dropped for a moment, and only then the connection ends.
   */
  private endLingering(body: Uint8Array): void {
    const timer = setTimeout(() => this.request.socket.destroy(), this.lingerMs);
    this.request.once('close', () => clearTimeout(timer));
    this.request.once('end', () => this.response.end());
    this.response.write(body);
    this.request.resume();
  }

  private restIsSmall(): boolean {
    if (this.headers.expect !== undefined) return false;
    return Number(this.headers['content-length'] ?? Infinity) <= SMALL_REST_BYTES;
  }
}
