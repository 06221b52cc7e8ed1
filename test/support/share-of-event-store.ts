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
 * The streams of a store whose names start with `owner`, as if they were a store of their own: so a test has an empty log on a
 * server that others use too.
 */
export class ShareOfEventStore implements EventStore {
  readonly maxAppendBytes: number;

  constructor(
    private readonly store: EventStore,
    private readonly owner: string,
  ) {
    this.maxAppendBytes = store.maxAppendBytes;
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const result = await this.store.append(this.owner + stream, expected, events);
    return result.ok && events.length === 0 ? { ...result, position: await this.head() } : result;
  }

  async readStream(stream: string, from?: Revision, limit?: number): Promise<RecordedEvent[]> {
    return (await this.store.readStream(this.owner + stream, from, limit)).map((event) => this.#ours(event));
  }

  async readEvent(stream: string, revision: Revision): Promise<RecordedEvent | undefined> {
    const event = await this.store.readEvent(this.owner + stream, revision);
    return event && this.#ours(event);
  }

  async readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
    return (await this.store.readAll(after, this.#within(options))).map((event) => this.#ours(event));
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
      yield batch.map((event) => this.#ours(event));
  }

  async truncate(prefix: string, beforeTime: number): Promise<{ events: number; bytes: number }> {
    return this.store.truncate(this.owner + prefix, beforeTime);
  }

  async check(): Promise<Health> {
    return this.store.check();
  }

  async close(): Promise<void> {
    await this.store.close();
  }

  #within(options: ReadAllOptions): ReadAllOptions {
    const prefixes = options.prefixes === undefined || options.prefixes.length === 0 ? [''] : options.prefixes;
    return { ...options, prefixes: prefixes.map((prefix) => this.owner + prefix) };
  }

  #ours(event: RecordedEvent): RecordedEvent {
    return { ...event, stream: event.stream.slice(this.owner.length) };
  }
}
