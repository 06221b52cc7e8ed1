import type { ServerResponse } from 'node:http';
import type { LiveTopic } from '../../read-models/live-diagnostics.js';

/** Bytes that a client may leave unread before more is to be written. */
const MAX_UNREAD_BYTES = 256 * 1024;

const HEAD = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
/** How long an EventSource waits before it connects again: all of them come when the service starts anew, but not in the same moment. */
const RETRY_FROM_MS = 1_000;
const RETRY_SPREAD_MS = 4_000;

/** One open response. Holds no timer and no copy of anything: a thousand idle ones cost little more than their sockets. */
export class LiveClient {
  constructor(
    private readonly response: ServerResponse,
    readonly topics: readonly LiveTopic[],
  ) {}

  /** Writes the head, and `state` in the same go: however much it is, its reader is not slow yet. */
  greet(state: string): void {
    this.response.writeHead(200, HEAD);
    // HEAD asks what GET would answer, and is not kept waiting for its end.
    if (this.response.req.method === 'HEAD') this.response.end();
    else this.response.write(`retry: ${RETRY_FROM_MS + Math.floor(RETRY_SPREAD_MS * Math.random())}\n\n${state}`);
  }

  /** A reader that is too slow is cut off. It will come again, and be given what counts by then. Nothing happens after the end. */
  send(bytes: Uint8Array): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    if (this.response.writableLength > MAX_UNREAD_BYTES) this.response.destroy();
    else this.response.write(bytes);
  }

  /** Whoever has not read to the end when it is called again is cut off: otherwise they would keep their place for ever. */
  end(): void {
    if (this.response.writableEnded) this.response.destroy();
    else this.response.end();
  }
}
