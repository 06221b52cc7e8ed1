import type { TransferListItem, Worker } from 'node:worker_threads';
import { HindsightError } from '../../../errors.js';
import type { Call, Reply } from './messages.js';
import { errorOf } from './messages.js';

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

type RequestOf<Calls, Kind extends keyof Calls> = Calls[Kind] extends { readonly request: infer Request } ? Request : never;
type AnswerOf<Calls, Kind extends keyof Calls> = Calls[Kind] extends { readonly answer: infer Answer } ? Answer : never;

/**
 * Calls to a worker thread and their answers. The calls of one turn of the event loop travel in one message.
 * When the worker ends, what waits is rejected with `unavailable`.
 */
export class WorkerCalls<Calls> {
  readonly #waiting = new Map<number, Waiting>();
  #calls: Call<Calls>[] = [];
  #transfer: TransferListItem[] = [];
  #lastId = 0;
  #ended: Error | undefined;
  #stopping = false;

  /** @param onLost told once when the worker ends without having been asked to */
  constructor(private readonly worker: Worker, private readonly name: string, private readonly onLost: (error: Error) => void = () => undefined) {
    worker.on('message', (replies: Reply[]) => this.#settle(replies));
    worker.on('error', (error) => this.#end(error.message));
    worker.on('exit', () => this.#end('it has ended'));
  }

  /** Buffers in `transfer` leave this thread. */
  call<Kind extends keyof Calls & string>(
    kind: Kind,
    request: RequestOf<Calls, Kind>,
    transfer: readonly TransferListItem[] = [],
  ): Promise<AnswerOf<Calls, Kind>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    if (this.#calls.length === 0) setImmediate(() => this.#send());
    this.#calls.push({ id, kind, request });
    this.#transfer.push(...transfer);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: (answer) => resolve(answer as AnswerOf<Calls, Kind>), reject });
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
      if ('fault' in reply) waiting?.reject(errorOf(reply.fault));
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
