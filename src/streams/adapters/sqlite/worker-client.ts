import type { TransferListItem, Worker } from 'node:worker_threads';
import { HindsightError } from '../../../errors.js';
import { type Call, fromFault, type Reply } from './worker-protocol.js';
import type { EncodedEvent } from '../../event-encoding.js';

interface PendingCall {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

type CallRequest<Calls, Kind extends keyof Calls> = Calls[Kind] extends { readonly request: infer Request }
  ? Request
  : never;
type CallAnswer<Calls, Kind extends keyof Calls> = Calls[Kind] extends { readonly answer: infer Answer }
  ? Answer
  : never;

/**
 * Calls to a worker thread and their answers. The calls of one turn of the event loop travel in one message.
 * When the worker ends, what waits is rejected with `unavailable`.
 */
export class WorkerClient<Calls> {
  readonly #waiting = new Map<number, PendingCall>();
  #calls: Call<Calls>[] = [];
  #transfer: TransferListItem[] = [];
  #lastId = 0;
  #ended: Error | undefined;
  #stopping = false;

  /** @param onLost told once when the worker ends without having been asked to */
  constructor(
    private readonly worker: Worker,
    private readonly name: string,
    private readonly onLost: (error: Error) => void = () => undefined,
  ) {
    worker.on('message', (replies: Reply[]) => this.#settle(replies));
    worker.on('error', (error) => this.#end(error.message));
    worker.on('exit', () => this.#end('it has ended'));
  }

  /** Buffers in `transfer` leave this thread. */
  call<Kind extends keyof Calls & string>(
    kind: Kind,
    request: CallRequest<Calls, Kind>,
    transfer: readonly TransferListItem[] = [],
  ): Promise<CallAnswer<Calls, Kind>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    if (this.#calls.length === 0) setImmediate(() => this.#send());
    this.#calls.push({ id, kind, request });
    this.#transfer.push(...transfer);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: (answer) => resolve(answer as CallAnswer<Calls, Kind>), reject });
    });
  }

  /** Ends the worker after what it was asked before; every worker knows the call `close`. */
  async stop(): Promise<void> {
    this.#stopping = true;
    try {
      if (this.#ended === undefined) await this.call('close' as keyof Calls & string, undefined as never);
    } finally {
      await this.worker.terminate();
    }
  }

  #send(): void {
    const calls = this.#calls;
    const transfer = this.#transfer;
    this.#calls = [];
    this.#transfer = [];
    try {
      this.worker.postMessage(calls, transfer);
    } catch (error) {
      const message = `${this.name} cannot take the call: ${(error as Error).message}`;
      this.#settle(calls.map(({ id }) => ({ id, fault: { message } })));
    }
  }

  #settle(replies: readonly Reply[]): void {
    for (const reply of replies) {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ('fault' in reply) waiting?.reject(fromFault(reply.fault));
      else waiting?.resolve(reply.answer);
    }
  }

  #end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = new HindsightError('unavailable', `${this.name} does not run: ${reason}`);
    if (!this.#stopping) this.onLost(this.#ended);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(this.#ended);
  }
}

/**
 * Events that can leave the thread without a copy, and the buffers to transfer. A body that shares its buffer
 * (a slice, a Buffer of Node's pool) is copied first: a transfer takes the whole buffer along.
 */
export function toTransferableEvents(events: readonly EncodedEvent[]): {
  events: EncodedEvent[];
  buffers: ArrayBuffer[];
} {
  const buffers: ArrayBuffer[] = [];
  const moved = events.map((event) => {
    if (event.body === undefined) return event;
    const body = ownsBuffer(event.body) ? event.body : new Uint8Array(event.body);
    buffers.push(body.buffer as ArrayBuffer);
    return { ...event, body };
  });
  return { events: moved, buffers };
}

/**
 * An empty body is copied, too: it may be one that was transferred before. Copying that throws here, for the one who
 * used it twice; in a message it would make the worker lose all the calls of the turn.
 */
function ownsBuffer({ buffer, byteLength }: Uint8Array): boolean {
  return byteLength > 0 && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
}
