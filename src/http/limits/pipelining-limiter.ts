import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for their answers; no client of ours sends a second before it has read the first answer. */
const MAX_PIPELINED = 32;

/**
 * The requests of each HTTP/1.1 connection that have no answer yet. Node takes as many as arrive, however few answers are read, and
 * keeps them all: a few connections that only write would fill the memory.
 */
export class PipeliningLimiter {
  private readonly waiting = new WeakMap<Socket, Set<() => void>>();

  constructor(private readonly maxWaiting = MAX_PIPELINED) {}

  /**
   * Takes a request in, or ends its connection and answers false where too many wait already.
   * @param done called once, when its answer has left or its connection is gone: of a response that waits for those before it, Node
   *   tells nothing then
   */
  admit({ socket }: IncomingMessage, response: ServerResponse, done: () => void): boolean {
    const waiting = this.pendingOf(socket);
    if (waiting.size >= this.maxWaiting || socket.destroyed) {
      socket.destroy();
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
