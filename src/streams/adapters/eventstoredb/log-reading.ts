import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { setTimeout as pause } from 'node:timers/promises';
import { START } from '../../event-store.js';
import type { Position, ReadAllOptions, RecordedEvent, Revision } from '../../event-store.js';
import type { Upcast } from '../../events/registry.js';
import { failureOf, isFinal, within } from './failures.js';
import type { LogClient } from './log-client.js';
import { eventIn, positionIn, recordedEvent } from './recorded-events.js';
import type { WireEvent } from './recorded-events.js';
import { allRead, streamRead } from './requests.js';

const ATTEMPTS = 3;
const PAUSE_MS = 50;

/** Reads of the log that end. */
export class LogReading {
  /** `client` opens the connection when it is first asked for. A read that lasts longer than `timeoutMs`, all attempts together, fails. */
  constructor(private readonly client: () => LogClient, private readonly upcast: Upcast, private readonly timeoutMs: number) {}

  async readStream(stream: string, from: Revision, limit: number): Promise<RecordedEvent[]> {
    if (limit < 1) return [];
    const events: RecordedEvent[] = [];
    for await (const event of this.events(streamRead(stream, from, limit))) events.push(recordedEvent(event, this.upcast));
    return events;
  }

  /** The newest event of a stream as it is on the wire: also one that is damaged. */
  async lastOf(stream: string): Promise<WireEvent | undefined> {
    for await (const event of this.events(streamRead(stream, 'end', 1, 'backwards'))) return event;
    return undefined;
  }

  async readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
    const batch = new Batch(options, this.upcast);
    if (options.limit < 1) return [];
    // One more than asked for: the event at `after` comes again.
    for await (const event of this.events(allRead(after, options.prefixes, options.limit + 1))) {
      if (positionIn(event) > after && !batch.take(event)) break;
    }
    return batch.events;
  }

  async head(): Promise<Position> {
    for await (const event of this.events(allRead('end', undefined, 1, 'backwards'))) return positionIn(event);
    return START;
  }

  /** Events in the order of the request. An unknown stream has none. What breaks before the first event is tried again. */
  async *events(request: ReadReq): AsyncGenerator<WireEvent, void, void> {
    const giveUpAt = performance.now() + this.timeoutMs;
    for (let attempt = 1, first = true; ; attempt++) {
      try {
        for await (const event of this.#eventsOnce(request, giveUpAt - performance.now())) {
          first = false;
          yield event;
        }
        return;
      } catch (error) {
        const late = performance.now() + PAUSE_MS >= giveUpAt;
        if (!first || late || attempt === ATTEMPTS || isFinal(error)) throw failureOf(error, 'reading');
      }
      await pause(PAUSE_MS);
    }
  }

  async *#eventsOnce(request: ReadReq, timeoutMs: number): AsyncGenerator<WireEvent, void, void> {
    const call = await within(timeoutMs, this.client().read(request, timeoutMs));
    try {
      for await (const answer of call) {
        const event = eventIn(answer as ReadResp);
        if (event !== undefined) yield event;
      }
    } finally {
      call.cancel();
    }
  }
}

/** Events up to the limits of a read. */
export class Batch {
  readonly events: RecordedEvent[] = [];
  #bytes = 0;

  constructor(private readonly options: ReadAllOptions, private readonly upcast: Upcast) {}

  /**
   * Takes the event; false when the batch is full with it, and also when the event is damaged and others stand before it: it is
   * not taken then, and the next read finds it first. Throws the `DamagedEvent` where none does.
   */
  take(event: WireEvent): boolean {
    try {
      const recorded = recordedEvent(event, this.upcast, this.options.bodies ?? true);
      this.events.push(recorded);
      this.#bytes += recorded.body?.byteLength ?? 0;
    } catch (error) {
      if (this.events.length === 0) throw error;
      return false;
    }
    return this.events.length < this.options.limit && this.#bytes < (this.options.maxBytes ?? Infinity);
  }
}
