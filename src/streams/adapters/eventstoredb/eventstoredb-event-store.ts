import type { Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import { encodeAppend } from '../../event-encoding.js';
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
import type { LiveFeed } from '../../live/live-feed.js';
import { withTimeout } from './eventstoredb-errors.js';
import { EventAppender } from './event-appender.js';
import { StreamsRpcClient } from './streams-rpc-client.js';
import { EventLogReader } from './event-log-reader.js';
import { LogSubscription } from './log-subscription.js';
import { LogTruncation } from './log-truncation.js';
import { NO_LIMIT } from './eventstoredb-requests.js';
import { parseServerAddress } from './eventstoredb-address.js';
import type { ServerAddress } from './eventstoredb-address.js';
import { StreamMetadata } from './stream-metadata.js';

/** What a server takes at once unless its `MaxAppendSize` says otherwise. */
const SERVER_APPEND_BYTES = 1024 * 1024;
/** The server also counts names of types and our metadata. */
const SPARE_BYTES = 16 * 1024;
const APPEND_TIMEOUT_MS = 2_000;
const READ_TIMEOUT_MS = 30_000;
const CHECK_TIMEOUT_MS = 1_500;
/** Nobody writes to it: a server that says so is well. */
const CHECKED_STREAM = 'hindsight-check';

export interface EventStoreDbOptions {
  /** `esdb://…` or `kurrentdb://…`, see `parseServerAddress`. */
  readonly url: string;
  /** Below the `MaxAppendSize` of the server, which counts more than data and bodies. */
  readonly maxAppendBytes?: number;
  /** Until an append rejects, all attempts together. */
  readonly appendTimeoutMs?: number;
  readonly readTimeoutMs?: number;
  /** Told of every append of this process; subscriptions need no hints. */
  readonly feed?: LiveFeed;
  readonly upcast?: Upcast;
}

/**
 * The log of record in EventStoreDB 22.6 or newer, or KurrentDB. Where this differs from the embedded one: `recordedAt` is the
 * clock of the node that led, so it goes back where such clocks do; and what was truncated leaves its streams at once, but
 * `readAll` and `subscribe` only when the operator of the server scavenges.
 */
export class EventStoreDbEventStore implements EventStore {
  readonly maxAppendBytes: number;
  readonly #options: EventStoreDbOptions;
  readonly #address: ServerAddress;
  readonly #reading: EventLogReader;
  readonly #appending: EventAppender;
  readonly #truncation: LogTruncation;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  #client: StreamsRpcClient | undefined;
  #closed: Promise<void> | undefined;

  /** Throws for a URL that cannot be understood. */
  constructor(options: EventStoreDbOptions) {
    this.#options = options;
    this.#address = parseServerAddress(options.url);
    this.maxAppendBytes = options.maxAppendBytes ?? SERVER_APPEND_BYTES - SPARE_BYTES;
    const client = (): StreamsRpcClient => this.#connectedClient();
    const appendTimeoutMs = options.appendTimeoutMs ?? APPEND_TIMEOUT_MS;
    this.#reading = new EventLogReader(client, this.#upcast, options.readTimeoutMs ?? READ_TIMEOUT_MS);
    const metadata = new StreamMetadata(client, this.#reading, appendTimeoutMs);
    this.#appending = new EventAppender(client, this.#reading, metadata, appendTimeoutMs);
    this.#truncation = new LogTruncation(this.#reading, metadata, () => this.#closing.signal.aborted);
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    this.#assertOpen();
    const encoded = encodeAppend(events, this.maxAppendBytes);
    if (encoded.length === 0) {
      return { ok: true, position: await this.head(), revision: await this.#appending.lastRevision(stream) };
    }
    const result = await this.#trackPending(this.#appending.append(stream, expected, encoded));
    if (result.ok) this.#options.feed?.announce({ topic: 'appended', position: result.position });
    return result;
  }

  async readStream(stream: string, from: Revision = 0, limit = NO_LIMIT): Promise<RecordedEvent[]> {
    return this.#reading.readStream(stream, from, limit);
  }

  async readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
    return this.#reading.readAll(after, options);
  }

  async readEvent(stream: string, revision: Revision): Promise<RecordedEvent | undefined> {
    const [event] = await this.#reading.readStream(stream, revision, 1);
    // A stream that was truncated past the revision begins with another.
    return event?.revision === revision ? event : undefined;
  }

  async head(): Promise<Position> {
    return this.#reading.head();
  }

  subscribe(after: Position, options: ReadAllOptions, signal: AbortSignal): AsyncIterable<RecordedEvent[]> {
    const untilClosed = AbortSignal.any([signal, this.#closing.signal]);
    return new LogSubscription(() => this.#connectedClient(), after, options, this.#upcast, untilClosed).batches();
  }

  async truncate(prefix: string, beforeTime: number): Promise<{ events: number; bytes: number }> {
    this.#assertOpen();
    return this.#trackPending(this.#truncation.truncate(prefix, beforeTime));
  }

  async check(): Promise<Health> {
    try {
      await withTimeout(CHECK_TIMEOUT_MS, this.#reading.readLast(CHECKED_STREAM));
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  /** Appends that were accepted come to their end, a truncation to the end of its slice; subscriptions end. */
  async close(): Promise<void> {
    this.#closed ??= this.#close();
    await this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#underWay);
    await this.#client?.close();
    this.#client = undefined;
  }

  get #upcast(): Upcast {
    return this.#options.upcast ?? upcastToNewest;
  }

  /** Opens the connection when it is first needed. What is under way when the store is closed still has it. */
  #connectedClient(): StreamsRpcClient {
    if (this.#client === undefined) {
      this.#assertOpen();
      this.#client = new StreamsRpcClient(this.#address);
    }
    return this.#client;
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw new HindsightError('unavailable', 'The event store is closed');
  }

  async #trackPending<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }
}
