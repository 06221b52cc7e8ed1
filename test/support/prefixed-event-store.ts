import type { Health } from '../../src/component.js';
import { START } from '../../src/streams/event-store.js';
import type {
  AppendResult,
  EventStore,
  ExpectedRevision,
  NewEvent,
  Position,
  ReadAllOptions,
  RecordedEvent,
  Revision,
} from '../../src/streams/event-store.js';

/**
 * The streams of a store whose names start with `prefix`, presented as a separate store, so that a test has an empty log on
 * a shared server.
 */
export class PrefixedEventStore implements EventStore {
  readonly maxAppendBytes: number;

  constructor(
    private readonly store: EventStore,
    private readonly prefix: string,
  ) {
    this.maxAppendBytes = store.maxAppendBytes;
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const result = await this.store.append(this.prefix + stream, expected, events);
    return result.ok && events.length === 0 ? { ...result, position: await this.head() } : result;
  }

  async readStream(stream: string, from?: Revision, limit?: number): Promise<RecordedEvent[]> {
    return (await this.store.readStream(this.prefix + stream, from, limit)).map((event) => this.#withoutPrefix(event));
  }

  async readEvent(stream: string, revision: Revision): Promise<RecordedEvent | undefined> {
    const event = await this.store.readEvent(this.prefix + stream, revision);
    return event && this.#withoutPrefix(event);
  }

  async readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
    return (await this.store.readAll(after, this.#within(options))).map((event) => this.#withoutPrefix(event));
  }

  async head(): Promise<Position> {
    return (await this.readAll(START, { limit: Number.MAX_SAFE_INTEGER, bodies: false })).at(-1)?.position ?? START;
  }

  async *subscribe(
    after: Position,
    options: ReadAllOptions,
    signal: AbortSignal,
  ): AsyncGenerator<RecordedEvent[], void, void> {
    for await (const batch of this.store.subscribe(after, this.#within(options), signal))
      yield batch.map((event) => this.#withoutPrefix(event));
  }

  async truncate(prefix: string, beforeTime: number): Promise<{ events: number; bytes: number | undefined }> {
    return this.store.truncate(this.prefix + prefix, beforeTime);
  }

  async check(): Promise<Health> {
    return this.store.check();
  }

  async close(): Promise<void> {
    await this.store.close();
  }

  #within(options: ReadAllOptions): ReadAllOptions {
    const prefixes = options.prefixes === undefined || options.prefixes.length === 0 ? [''] : options.prefixes;
    return { ...options, prefixes: prefixes.map((prefix) => this.prefix + prefix) };
  }

  #withoutPrefix(event: RecordedEvent): RecordedEvent {
    return { ...event, stream: event.stream.slice(this.prefix.length) };
  }
}
