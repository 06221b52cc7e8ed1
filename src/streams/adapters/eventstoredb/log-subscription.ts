import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientReadableStream } from '@grpc/grpc-js';
import { setTimeout as pause } from 'node:timers/promises';
import type { Position, ReadAllOptions, RecordedEvent } from '../../event-store.js';
import type { Upcast } from '../../events/event-registry.js';
import { isPermanentError, toHindsightError } from './eventstoredb-errors.js';
import type { StreamsRpcClient } from './streams-rpc-client.js';
import { EventBatch } from './event-log-reader.js';
import { eventPosition, extractEvent, toPosition } from './event-wire-format.js';
import { buildAllSubscription } from './eventstoredb-requests.js';

/** A batch is given when so long nothing more has come: behind what is there already, and while the server still sends what was there. */
const LINGER_MS = { live: 5, catchingUp: 250 } as const;

/** Between connections; the last one repeats. */
const RECONNECT_DELAYS_MS = [20, 50, 100, 250, 500, 1_000];

/** A follower of `$all` that goes on, over as many connections as it takes, behind the last event or checkpoint that it got. */
export class LogSubscription {
  #position: Position;
  #failures = 0;
  #pace: keyof typeof LINGER_MS = 'catchingUp';

  constructor(
    private readonly client: () => StreamsRpcClient,
    after: Position,
    private readonly options: ReadAllOptions,
    private readonly upcast: Upcast,
    private readonly signal: AbortSignal,
  ) {
    this.#position = after;
  }

  /** Batches until the signal aborts. Rejects with what no other connection would mend. */
  async *batches(): AsyncGenerator<RecordedEvent[], void, void> {
    while (!this.signal.aborted) {
      try {
        yield* this.#batchesFromOneConnection();
      } catch (error) {
        if (this.signal.aborted) return;
        if (isPermanentError(error)) throw toHindsightError(error, 'following the log');
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
    const arrivals = new PeekableStream<ReadResp>(call);
    this.#pace = 'catchingUp';
    for (;;) {
      const batch = new EventBatch(this.options, this.upcast);
      const more = await this.#fill(batch, arrivals);
      if (this.signal.aborted) return;
      if (batch.events.length > 0) yield batch.events;
      if (!more) return;
    }
  }

  /** Waits for one event, then takes what comes at once. False where the connection ended. */
  async #fill(batch: EventBatch, arrivals: PeekableStream<ReadResp>): Promise<boolean> {
    for (;;) {
      // What breaks behind a batch breaks again when the next one is asked for.
      const answer = await arrivals
        .peek(batch.events.length === 0 ? undefined : LINGER_MS[this.#pace])
        .catch((error: unknown) => {
          if (batch.events.length === 0) throw error;
          return undefined;
        });
      if (answer === undefined) return true;
      if (answer === 'end') return false;
      const room = this.#take(batch, answer);
      // A damaged event behind others stays where it is: the next batch meets it first.
      if (room === 'left') return true;
      arrivals.consume();
      if (room === 'full' || (answer.hasCaughtUp() && batch.events.length > 0)) return true;
    }
  }

  #take(batch: EventBatch, answer: ReadResp): 'more' | 'full' | 'left' {
    this.#failures = 0;
    if (answer.hasCaughtUp()) this.#pace = 'live';
    if (answer.hasFellBehind()) this.#pace = 'catchingUp';
    const event = extractEvent(answer);
    if (event !== undefined && eventPosition(event) > this.#position) {
      const before = batch.events.length;
      const room = batch.tryAdd(event);
      if (batch.events.length === before) return 'left';
      this.#position = eventPosition(event);
      if (!room) return 'full';
    }
    const checkpoint = answer.getCheckpoint();
    if (checkpoint !== undefined)
      this.#advance(toPosition({ commit: checkpoint.getCommitPosition(), prepare: checkpoint.getPreparePosition() }));
    return 'more';
  }

  /** Nothing that matches stands before a checkpoint but what came already. */
  #advance(checkpoint: Position): void {
    if (checkpoint > this.#position) this.#position = checkpoint;
  }

  async #backOff(): Promise<void> {
    const ms = RECONNECT_DELAYS_MS[Math.min(this.#failures++, RECONNECT_DELAYS_MS.length - 1)];
    if (this.signal.aborted) return;
    await pause(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }
}

/** Looks at what comes next without taking it. */
export class PeekableStream<T extends object> {
  readonly #source: AsyncIterator<unknown, unknown>;
  #next: Promise<T | 'end'> | undefined;

  constructor(source: AsyncIterable<unknown>) {
    this.#source = source[Symbol.asyncIterator]() as AsyncIterator<unknown, unknown>;
  }

  /** What comes next, `end` behind the last; undefined when nothing comes within `patienceMs`. Rejects as the source does. */
  async peek(patienceMs?: number): Promise<T | 'end' | undefined> {
    const next = (this.#next ??= this.#pull());
    if (patienceMs === undefined) return next;
    let timer: NodeJS.Timeout | undefined;
    const nothing = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), patienceMs);
    });
    return Promise.race([next, nothing]).finally(() => clearTimeout(timer));
  }

  /** Takes what the last look found. */
  consume(): void {
    this.#next = undefined;
  }

  #pull(): Promise<T | 'end'> {
    const next = this.#source.next().then(({ done, value }) => (done === true ? 'end' : (value as T)));
    // Whoever looks next hears of the failure; when nobody does any more, nobody needs to.
    next.catch(() => undefined);
    return next;
  }
}
