import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientReadableStream } from '@grpc/grpc-js';
import { setTimeout as pause } from 'node:timers/promises';
import type { Position, ReadAllOptions, RecordedEvent } from '../../event-store.js';
import type { Upcast } from '../../events/registry.js';
import { Arrivals } from './arrivals.js';
import { failureOf, isFinal } from './failures.js';
import type { LogClient } from './log-client.js';
import { Batch } from './log-reading.js';
import { positionOf } from './positions.js';
import { eventIn, positionIn } from './recorded-events.js';
import { allSubscription } from './requests.js';

/** A batch is given when so long nothing more has come: behind what is there already, and while the server still sends what was there. */
const LINGER_MS = { live: 5, catchingUp: 250 } as const;
/** Between connections; the last one repeats. */
const PAUSES_MS = [20, 50, 100, 250, 500, 1_000];

/** A follower of `$all` that goes on, over as many connections as it takes, behind the last event or checkpoint that it got. */
export class LogSubscription {
  #position: Position;
  #failures = 0;
  #pace: keyof typeof LINGER_MS = 'catchingUp';

  constructor(
    private readonly client: () => LogClient, after: Position, private readonly options: ReadAllOptions,
    private readonly upcast: Upcast, private readonly signal: AbortSignal,
  ) {
    this.#position = after;
  }

  /** Batches until the signal aborts. Rejects with what no other connection would mend. */
  async *batches(): AsyncGenerator<RecordedEvent[], void, void> {
    while (!this.signal.aborted) {
      try {
        yield* this.#overOneConnection();
      } catch (error) {
        if (this.signal.aborted) return;
        if (isFinal(error)) throw failureOf(error, 'following the log');
      }
      await this.#beforeTheNext();
    }
  }

  async *#overOneConnection(): AsyncGenerator<RecordedEvent[], void, void> {
    const call = await this.client().read(allSubscription(this.#position, this.options.prefixes));
    const cancel = (): void => call.cancel();
    this.signal.addEventListener('abort', cancel);
    try {
      if (!this.signal.aborted) yield* this.#batchesOf(call);
    } finally {
      this.signal.removeEventListener('abort', cancel);
      cancel();
    }
  }

  async *#batchesOf(call: ClientReadableStream<ReadResp>): AsyncGenerator<RecordedEvent[], void, void> {
    const arrivals = new Arrivals<ReadResp>(call);
    this.#pace = 'catchingUp';
    for (;;) {
      const batch = new Batch(this.options, this.upcast);
      const more = await this.#fill(batch, arrivals);
      if (this.signal.aborted) return;
      if (batch.events.length > 0) yield batch.events;
      if (!more) return;
    }
  }

  /** Waits for one event, then takes what comes at once. False where the connection ended. */
  async #fill(batch: Batch, arrivals: Arrivals<ReadResp>): Promise<boolean> {
    for (;;) {
      // What breaks behind a batch breaks again when the next one is asked for.
      const answer = await arrivals.peek(batch.events.length === 0 ? undefined : LINGER_MS[this.#pace]).catch((error: unknown) => {
        if (batch.events.length === 0) throw error;
        return undefined;
      });
      if (answer === undefined) return true;
      if (answer === 'end') return false;
      const room = this.#take(batch, answer);
      // A damaged event behind others stays where it is: the next batch meets it first.
      if (room === 'left') return true;
      arrivals.drop();
      if (room === 'full' || (answer.hasCaughtUp() && batch.events.length > 0)) return true;
    }
  }

  #take(batch: Batch, answer: ReadResp): 'more' | 'full' | 'left' {
    this.#failures = 0;
    if (answer.hasCaughtUp()) this.#pace = 'live';
    if (answer.hasFellBehind()) this.#pace = 'catchingUp';
    const event = eventIn(answer);
    if (event !== undefined && positionIn(event) > this.#position) {
      const before = batch.events.length;
      const room = batch.take(event);
      if (batch.events.length === before) return 'left';
      this.#position = positionIn(event);
      if (!room) return 'full';
    }
    const checkpoint = answer.getCheckpoint();
    if (checkpoint !== undefined) this.#pass(positionOf({ commit: checkpoint.getCommitPosition(), prepare: checkpoint.getPreparePosition() }));
    return 'more';
  }

  /** Nothing that matches stands before a checkpoint but what came already. */
  #pass(checkpoint: Position): void {
    if (checkpoint > this.#position) this.#position = checkpoint;
  }

  async #beforeTheNext(): Promise<void> {
    const ms = PAUSES_MS[Math.min(this.#failures++, PAUSES_MS.length - 1)];
    if (this.signal.aborted) return;
    await pause(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }
}
