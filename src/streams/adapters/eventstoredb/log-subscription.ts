import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientReadableStream } from '@grpc/grpc-js';
import { setTimeout as pause } from 'node:timers/promises';
import type { Position, ReadAllOptions, RecordedEvent } from '../../event-store.js';
import type { Upcast } from '../../events/event-registry.js';
import { endsSubscription, toHindsightError } from './eventstoredb-errors.js';
import type { StreamsRpcClient } from './streams-rpc-client.js';
import { EventBatch } from './event-log-reader.js';
import { eventPosition, extractEvent, toPosition } from './event-wire-format.js';
import { buildAllSubscription } from './eventstoredb-requests.js';

/**
 * A batch is returned when no further event arrives for this time (ms): short at the head of the log, longer while the
 * server still sends existing events.
 */
const LINGER_MS = { live: 5, catchingUp: 250 } as const;

/** Delays between connections; the last one repeats. */
const RECONNECT_DELAYS_MS = [20, 50, 100, 250, 500, 1_000];

/** A subscription to `$all` that reconnects as often as necessary and continues after the last event or checkpoint. */
export class LogSubscription {
  #position: Position;
  #failures = 0;
  #phase: keyof typeof LINGER_MS = 'catchingUp';

  constructor(
    private readonly client: () => StreamsRpcClient,
    after: Position,
    private readonly options: ReadAllOptions,
    private readonly upcast: Upcast,
    private readonly signal: AbortSignal,
  ) {
    this.#position = after;
  }

  /** Batches until the signal aborts. Rejects with errors that a new connection cannot fix. */
  async *batches(): AsyncGenerator<RecordedEvent[], void, void> {
    while (!this.signal.aborted) {
      try {
        yield* this.#batchesFromOneConnection();
      } catch (error) {
        if (this.signal.aborted) return;
        if (endsSubscription(error)) throw toHindsightError(error, 'following the log');
      }
      await this.#backOff();
    }
  }

  async *#batchesFromOneConnection(): AsyncGenerator<RecordedEvent[], void, void> {
    const call = await this.client().read(buildAllSubscription(this.#position, this.options.prefixes));
    const cancel = (): void => call.cancel();
    this.signal.addEventListener('abort', cancel);
    try {
      if (!this.signal.aborted) yield* this.#batchesFromCall(call);
    } finally {
      this.signal.removeEventListener('abort', cancel);
      cancel();
    }
  }

  async *#batchesFromCall(call: ClientReadableStream<ReadResp>): AsyncGenerator<RecordedEvent[], void, void> {
    const responses = new PeekableStream<ReadResp>(call);
    this.#phase = 'catchingUp';
    for (;;) {
      const batch = new EventBatch(this.options, this.upcast);
      const isConnected = await this.#fill(batch, responses);
      if (this.signal.aborted) return;
      if (batch.events.length > 0) yield batch.events;
      if (!isConnected) return;
    }
  }

  /** Waits for one event, then adds what arrives within the linger time. False if the connection ended. */
  async #fill(batch: EventBatch, responses: PeekableStream<ReadResp>): Promise<boolean> {
    for (;;) {
      // An error after some events occurs again when the next batch is read.
      const response = await responses
        .peek(batch.events.length === 0 ? undefined : LINGER_MS[this.#phase])
        .catch((error: unknown) => {
          if (batch.events.length === 0) throw error;
          return undefined;
        });
      if (response === undefined) return true;
      if (response === 'end') return false;
      const outcome = this.#take(batch, response);
      // A damaged event after others is not consumed: the next batch meets it first.
      if (outcome === 'damaged') return true;
      responses.consume();
      if (outcome === 'full' || (response.hasCaughtUp() && batch.events.length > 0)) return true;
    }
  }

  #take(batch: EventBatch, response: ReadResp): 'more' | 'full' | 'damaged' {
    this.#failures = 0;
    if (response.hasCaughtUp()) this.#phase = 'live';
    if (response.hasFellBehind()) this.#phase = 'catchingUp';
    const event = extractEvent(response);
    if (event !== undefined && eventPosition(event) > this.#position) {
      const before = batch.events.length;
      const hasCapacity = batch.tryAdd(event);
      if (batch.events.length === before) return 'damaged';
      this.#position = eventPosition(event);
      if (!hasCapacity) return 'full';
    }
    const checkpoint = response.getCheckpoint();
    if (checkpoint !== undefined)
      this.#advance(toPosition({ commit: checkpoint.getCommitPosition(), prepare: checkpoint.getPreparePosition() }));
    return 'more';
  }

  /** All matching events before a checkpoint have been received. */
  #advance(checkpoint: Position): void {
    if (checkpoint > this.#position) this.#position = checkpoint;
  }

  async #backOff(): Promise<void> {
    const ms = RECONNECT_DELAYS_MS[Math.min(this.#failures++, RECONNECT_DELAYS_MS.length - 1)];
    if (this.signal.aborted) return;
    await pause(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }
}

/** Allows looking at the next item of a stream without consuming it. */
export class PeekableStream<T extends object> {
  readonly #source: AsyncIterator<unknown, unknown>;
  #next: Promise<T | 'end'> | undefined;

  constructor(source: AsyncIterable<unknown>) {
    this.#source = source[Symbol.asyncIterator]() as AsyncIterator<unknown, unknown>;
  }

  /**
   * The next item, `end` after the last; undefined if nothing arrives within `timeoutMs`. Rejects with the source's
   * error.
   */
  async peek(timeoutMs?: number): Promise<T | 'end' | undefined> {
    const next = (this.#next ??= this.#pull());
    if (timeoutMs === undefined) return next;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), timeoutMs);
    });
    return Promise.race([next, timeout]).finally(() => clearTimeout(timer));
  }

  /** Consumes the item that `peek` returned. */
  consume(): void {
    this.#next = undefined;
  }

  #pull(): Promise<T | 'end'> {
    const next = this.#source.next().then(({ done, value }) => (done === true ? 'end' : (value as T)));
    // The next `peek` reports the error; without one it is ignored.
    next.catch(() => undefined);
    return next;
  }
}
