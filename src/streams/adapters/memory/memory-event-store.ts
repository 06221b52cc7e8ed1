import { Subject } from 'rxjs';
import type { Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import { encodeAppend, type EncodedEvent, upcastStoredEvent } from '../../event-encoding.js';
import { START } from '../../event-store.js';
import type {
  AppendResult,
  EventStore,
  ExpectedRevision,
  NewEvent,
  Position,
  ReadAllOptions,
  RecordedEvent,
  Revision,
} from '../../event-store.js';
import { upcastToNewest } from '../../events/event-registry.js';
import type { Upcast } from '../../events/event-registry.js';
import { subscribeByPolling } from '../../polling-subscription.js';
import type { LiveFeed } from '../../live/live-feed.js';
import { hasPrefix } from '../../stream-names.js';

export interface MemoryEventStoreOptions {
  readonly maxAppendBytes?: number;
  /** Receives a hint for every append, in addition to the store's own subscribers. */
  readonly feed?: LiveFeed;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  readonly upcast?: Upcast;
}

/** In-memory event log for tests. */
export class MemoryEventStore implements EventStore {
  readonly maxAppendBytes: number;
  readonly #options: MemoryEventStoreOptions;
  readonly #appended = new Subject<Position>();
  readonly #next = new Map<string, Revision>();
  /** Data is stored as JSON text, so that callers share no objects with the log. */
  #log: RecordedEvent<string>[] = [];
  /** The same events by stream; revisions of a stream are dense. */
  readonly #streams = new Map<string, RecordedEvent<string>[]>();
  #head: Position = START;
  #count = 0;
  #recordedAt = 0;
  #closed = false;

  constructor(options: MemoryEventStoreOptions = {}) {
    this.#options = options;
    this.maxAppendBytes = options.maxAppendBytes ?? 16 * 1024 * 1024;
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    if (this.#closed) throw new HindsightError('unavailable', 'The event store is closed');
    const encoded = encodeAppend(events, this.maxAppendBytes);
    const last = (this.#next.get(stream) ?? 0) - 1;
    if (events.length > 0) {
      if (!matchesExpectedRevision(last, expected))
        return { ok: false, conflict: true, revision: last < 0 ? 'none' : last };
      for (const event of encoded) this.#record(stream, event);
      this.#appended.next(this.#head);
      this.#options.feed?.announce({ topic: 'appended', position: this.#head });
    }
    return { ok: true, position: this.#head, revision: last + events.length };
  }

  async readStream(stream: string, from: Revision = 0, limit = Infinity): Promise<RecordedEvent[]> {
    const events = this.#streams.get(stream) ?? [];
    const start = Math.max(0, from - (events.at(0)?.revision ?? 0));
    return events.slice(start, start + limit).map((event) => this.#toRecordedEvent(event, true));
  }

  async readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
    const batch: RecordedEvent[] = [];
    let bytes = 0;
    for (let i = this.#firstAfter(after); i < this.#log.length && batch.length < options.limit; i++) {
      if (!hasPrefix(this.#log[i].stream, options.prefixes)) continue;
      const event = this.#readNext(this.#log[i], options.bodies ?? true, batch.length > 0);
      if (event === undefined) break;
      batch.push(event);
      bytes += event.body?.byteLength ?? 0;
      if (bytes >= (options.maxBytes ?? Infinity)) break;
    }
    return batch;
  }

  async readEvent(stream: string, revision: Revision): Promise<RecordedEvent | undefined> {
    const event = this.#log.find((each) => each.stream === stream && each.revision === revision);
    return event && this.#toRecordedEvent(event, true);
  }

  async head(): Promise<Position> {
    return this.#head;
  }

  subscribe(after: Position, options: ReadAllOptions, signal: AbortSignal): AsyncIterable<RecordedEvent[]> {
    return subscribeByPolling(this, this.#appended, after, options, signal);
  }

  async truncate(prefix: string, beforeTime: number): Promise<{ events: number; bytes: number }> {
    const isExpired = (event: RecordedEvent<string>): boolean =>
      event.stream.startsWith(prefix) && event.recordedAt < beforeTime && event.position !== this.#head;
    const expired = this.#log.filter(isExpired);
    this.#log = this.#log.filter((event) => !isExpired(event));
    for (const [stream, events] of this.#streams)
      if (stream.startsWith(prefix))
        this.#streams.set(
          stream,
          events.filter((event) => !isExpired(event)),
        );
    return { events: expired.length, bytes: expired.reduce((sum, event) => sum + (event.body?.byteLength ?? 0), 0) };
  }

  async check(): Promise<Health> {
    return this.#closed ? { ok: false, reason: 'the event store is closed' } : { ok: true };
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #record(stream: string, event: EncodedEvent): void {
    const revision = this.#next.get(stream) ?? 0;
    this.#next.set(stream, revision + 1);
    this.#head = (++this.#count).toString(16).padStart(16, '0') as Position;
    this.#recordedAt = Math.max(this.#recordedAt, (this.#options.clock ?? Date.now)());
    const recorded = { ...event, stream, revision, position: this.#head, recordedAt: this.#recordedAt };
    this.#log.push(recorded);
    const ofStream = this.#streams.get(stream);
    if (ofStream === undefined) this.#streams.set(stream, [recorded]);
    else ofStream.push(recorded);
  }

  /**
   * With `hasEarlierEvents`, returns undefined instead of throwing, so that the events before it are returned first.
   */
  #readNext(event: RecordedEvent<string>, bodies: boolean, hasEarlierEvents: boolean): RecordedEvent | undefined {
    try {
      return this.#toRecordedEvent(event, bodies);
    } catch (error) {
      if (hasEarlierEvents) return undefined;
      throw error;
    }
  }

  #toRecordedEvent(event: RecordedEvent<string>, bodies: boolean): RecordedEvent {
    const { type, data } = upcastStoredEvent(event, event.data, this.#options.upcast ?? upcastToNewest);
    const { body, ...header } = event;
    return bodies && body !== undefined
      ? { ...header, type, data, body: new Uint8Array(body) }
      : { ...header, type, data };
  }

  #firstAfter(position: Position): number {
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#log[middle].position > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function matchesExpectedRevision(last: Revision, expected: ExpectedRevision): boolean {
  return expected === 'any' || (expected === 'none' ? last < 0 : last === expected);
}
