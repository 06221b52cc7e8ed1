import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { setTimeout as pause } from 'node:timers/promises';
import { START } from '../../event-store.js';
import type { Position, ReadAllOptions, RecordedEvent, Revision } from '../../event-store.js';
import type { Upcast } from '../../events/event-registry.js';
import { toHindsightError, isPermanentError, withTimeout } from './eventstoredb-errors.js';
import type { StreamsRpcClient } from './streams-rpc-client.js';
import { extractEvent, eventPosition, decodeEvent } from './event-wire-format.js';
import type { WireEvent } from './event-wire-format.js';
import { buildAllRead, buildStreamRead } from './eventstoredb-requests.js';

const MAX_ATTEMPTS = 3;
const RETRY_DELAY_MS = 50;

/** Finite reads of the log. */
export class EventLogReader {
  /** `client` opens the connection at first use. A read fails after `timeoutMs` over all attempts. */
  constructor(
    private readonly client: () => StreamsRpcClient,
    private readonly upcast: Upcast,
    private readonly timeoutMs: number,
  ) {}

  async readStream(stream: string, from: Revision, limit: number): Promise<RecordedEvent[]> {
    if (limit < 1) return [];
    const events: RecordedEvent[] = [];
    for await (const event of this.streamEvents(buildStreamRead(stream, from, limit)))
      events.push(decodeEvent(event, this.upcast));
    return events;
  }

  /** The newest event of a stream in wire format, even if it is damaged. */
  async readLast(stream: string): Promise<WireEvent | undefined> {
    for await (const event of this.streamEvents(buildStreamRead(stream, 'end', 1, 'backwards'))) return event;
    return undefined;
  }

  async readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
    const batch = new EventBatch(options, this.upcast);
    if (options.limit < 1) return [];
    // One more than requested: the event at `after` is returned again.
    for await (const event of this.streamEvents(buildAllRead(after, options.prefixes, options.limit + 1))) {
      if (eventPosition(event) > after && !batch.tryAdd(event)) break;
    }
    return batch.events;
  }

  async head(): Promise<Position> {
    for await (const event of this.streamEvents(buildAllRead('end', undefined, 1, 'backwards')))
      return eventPosition(event);
    return START;
  }

  /**
   * Yields events in the order of the request; nothing for an unknown stream. Failures before the first event are
   * retried.
   */
  async *streamEvents(request: ReadReq): AsyncGenerator<WireEvent, void, void> {
    const deadline = performance.now() + this.timeoutMs;
    for (let attempt = 1, isFirst = true; ; attempt++) {
      try {
        for await (const event of this.#eventsOnce(request, deadline - performance.now())) {
          isFirst = false;
          yield event;
        }
        return;
      } catch (error) {
        const isLate = performance.now() + RETRY_DELAY_MS >= deadline;
        if (!isFirst || isLate || attempt === MAX_ATTEMPTS || isPermanentError(error))
          throw toHindsightError(error, 'reading');
      }
      await pause(RETRY_DELAY_MS);
    }
  }

  async *#eventsOnce(request: ReadReq, timeoutMs: number): AsyncGenerator<WireEvent, void, void> {
    const call = await withTimeout(timeoutMs, this.client().read(request, timeoutMs));
    try {
      for await (const response of call) {
        const event = extractEvent(response as ReadResp);
        if (event !== undefined) yield event;
      }
    } finally {
      call.cancel();
    }
  }
}

/** Collects events up to the limits of a read. */
export class EventBatch {
  readonly events: RecordedEvent[] = [];
  #bytes = 0;

  constructor(
    private readonly options: ReadAllOptions,
    private readonly upcast: Upcast,
  ) {}

  /**
   * Adds the event. Returns false when the batch is full, and when a damaged event follows others: then it is not
   * added, and the next read finds it first. Throws the `DamagedEvent` if the batch is empty.
   */
  tryAdd(event: WireEvent): boolean {
    try {
      const recorded = decodeEvent(event, this.upcast, this.options.bodies ?? true);
      this.events.push(recorded);
      this.#bytes += recorded.body?.byteLength ?? 0;
    } catch (error) {
      if (this.events.length === 0) throw error;
      return false;
    }
    return this.events.length < this.options.limit && this.#bytes < (this.options.maxBytes ?? Infinity);
  }
}
