import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of unanswered requests per connection. Common clients never pipeline. */
const MAX_PIPELINED = 32;

/**
 * Limits the unanswered requests of each HTTP/1.1 connection. Node accepts any number of pipelined requests and keeps them
 * all: a few connections that write but never read would fill the memory.
 */
export class PipeliningLimiter {
  private readonly waiting = new WeakMap<Socket, Set<() => void>>();

  constructor(private readonly maxWaiting = MAX_PIPELINED) {}

  /**
   * Registers a request, or closes its connection and returns false if too many are waiting.
   * @param done called once, when the response has been sent or the connection is closed. Node emits no `close` for a response
   *   that still waits for earlier ones of a closed connection
   */
  admit({ socket }: IncomingMessage, response: ServerResponse, done: () => void): boolean {
    const waiting = this.pendingOf(socket);
    if (waiting.size >= this.maxWaiting || socket.destroyed) {
      socket.destroy();
      stopParsing(socket);
      return false;
    }
    waiting.add(done);
    response.once('close', () => {
      if (waiting.delete(done)) done();
    });
    return true;
  }

  private pendingOf(socket: Socket): Set<() => void> {
    let waiting = this.waiting.get(socket);
    if (waiting !== undefined) return waiting;
    this.waiting.set(socket, (waiting = new Set()));
    const all = waiting;
    socket.once('close', () => {
      for (const done of all) done();
      all.clear();
    });
    return waiting;
  }
}

/** What `onIncoming` of Node's parser returns for a request after which the connection carries another protocol. */
const UPGRADED = 2;

/**
 * Leaves the rest of the chunk that is being parsed unread, as after an upgrade. Node would build a request of everything
 * in it, up to 64 KiB, although the socket is destroyed: 2,000 requests, each aborted with an exception, take 25 ms.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as { readonly parser?: { onIncoming?: () => number } | null };
  if (parser) parser.onIncoming = () => UPGRADED;
}
