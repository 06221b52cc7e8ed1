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
 * Sends calls to a worker thread and matches its replies. Calls of one event loop turn are sent in one message. When
 * the worker ends, pending calls are rejected with `unavailable`.
 */
export class WorkerClient<Calls> {
  readonly #pending = new Map<number, PendingCall>();
  #calls: Call<Calls>[] = [];
  #transfer: TransferListItem[] = [];
  #lastId = 0;
  #endError: Error | undefined;
  #stopping = false;

  /** @param onLost called once when the worker ends without a call of `stop` */
  constructor(
    private readonly worker: Worker,
    private readonly name: string,
    private readonly onLost: (error: Error) => void = () => undefined,
  ) {
    worker.on('message', (replies: Reply[]) => this.#settle(replies));
    worker.on('error', (error) => this.#end(error.message));
    worker.on('exit', () => this.#end('it exited'));
  }

  /** Buffers in `transfer` are moved to the worker. */
  call<Kind extends keyof Calls & string>(
    kind: Kind,
    request: CallRequest<Calls, Kind>,
    transfer: readonly TransferListItem[] = [],
  ): Promise<CallAnswer<Calls, Kind>> {
    if (this.#endError !== undefined) return Promise.reject(this.#endError);
    const id = ++this.#lastId;
    if (this.#calls.length === 0) setImmediate(() => this.#send());
    this.#calls.push({ id, kind, request });
    this.#transfer.push(...transfer);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: (answer) => resolve(answer as CallAnswer<Calls, Kind>), reject });
    });
  }

  /** Ends the worker after all earlier calls; every worker handles the call `close`. */
  async stop(): Promise<void> {
    this.#stopping = true;
    try {
      if (this.#endError === undefined) await this.call('close' as keyof Calls & string, undefined as never);
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
      const message = `${this.name} did not accept the call: ${(error as Error).message}`;
      this.#settle(calls.map(({ id }) => ({ id, fault: { message } })));
    }
  }

  #settle(replies: readonly Reply[]): void {
    for (const reply of replies) {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if ('fault' in reply) pending?.reject(fromFault(reply.fault));
      else pending?.resolve(reply.answer);
    }
  }

  #end(reason: string): void {
    if (this.#endError !== undefined) return;
    this.#endError = new HindsightError('unavailable', `${this.name} is not running: ${reason}`);
    if (!this.#stopping) this.onLost(this.#endError);
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(this.#endError);
  }
}

/**
 * Prepares events for a transfer without copying, and lists the buffers to transfer. A body that shares its buffer (a
 * slice or a pooled Node Buffer) is copied first, because a transfer moves the whole buffer.
 */
export function toTransferableEvents(events: readonly EncodedEvent[]): {
  events: EncodedEvent[];
  buffers: ArrayBuffer[];
} {
  const buffers: ArrayBuffer[] = [];
  const transferable = events.map((event) => {
    if (event.body === undefined) return event;
    const body = ownsBuffer(event.body) ? event.body : new Uint8Array(event.body);
    buffers.push(body.buffer as ArrayBuffer);
    return { ...event, body };
  });
  return { events: transferable, buffers };
}

/**
 * An empty body is copied as well: its buffer may have been transferred before. The copy then throws here, in the
 * caller that reused it; inside the message it would fail all calls of the turn.
 */
function ownsBuffer({ buffer, byteLength }: Uint8Array): boolean {
  return byteLength > 0 && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
}
