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

/** Default `MaxAppendSize` of the server. */
const SERVER_APPEND_BYTES = 1024 * 1024;
/** Reserve for type names and metadata, which the server counts as well. */
const SPARE_BYTES = 16 * 1024;
const STORE_TIMEOUT_MS = 2_000;
/** Part of the store timeout that a health check may take. */
const CHECK_PART = 0.75;
/** Timeout (ms) of a read, which may scan much of the log: at least this, and this multiple of the store timeout. */
const MIN_READ_TIMEOUT_MS = 30_000;
const READ_MULTIPLE = 5;
/** Never written to: the server is healthy if it can report that. */
const HEALTH_CHECK_STREAM = 'hindsight-check';

export interface EventStoreDbOptions {
  /** `esdb://…` or `kurrentdb://…`, see `parseServerAddress`. */
  readonly url: string;
  /** Must be smaller than the server's `MaxAppendSize`, which counts more than data and bodies. */
  readonly maxAppendBytes?: number;
  /** Timeout (ms) of an append over all attempts; other timeouts follow it. Default: 2 s. */
  readonly storeTimeoutMs?: number;
  readonly readTimeoutMs?: number;
  /** Receives a hint for every append of this process; subscriptions need no hints. */
  readonly feed?: LiveFeed;
  readonly upcast?: Upcast;
}

/**
 * Event log in EventStoreDB 22.6 or newer, or KurrentDB. Differences from the embedded store: `recordedAt` uses the
 * leader's clock, so it can go back when the leader changes; truncated events leave their streams at once, but
 * `readAll` and `subscribe` return them until an operator scavenges the server.
 */
export class EventStoreDbEventStore implements EventStore {
  readonly maxAppendBytes: number;
  readonly #options: EventStoreDbOptions;
  readonly #storeTimeoutMs: number;
  readonly #address: ServerAddress;
  readonly #reader: EventLogReader;
  readonly #appender: EventAppender;
  readonly #truncation: LogTruncation;
  readonly #pendingCalls = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  #client: StreamsRpcClient | undefined;
  #closed: Promise<void> | undefined;

  /** Throws for an invalid URL. */
  constructor(options: EventStoreDbOptions) {
    this.#options = options;
    this.#address = parseServerAddress(options.url);
    this.maxAppendBytes = options.maxAppendBytes ?? SERVER_APPEND_BYTES - SPARE_BYTES;
    const client = (): StreamsRpcClient => this.#connectedClient();
    this.#storeTimeoutMs = options.storeTimeoutMs ?? STORE_TIMEOUT_MS;
    const readTimeoutMs = Math.max(MIN_READ_TIMEOUT_MS, READ_MULTIPLE * this.#storeTimeoutMs);
    this.#reader = new EventLogReader(client, this.#upcast, options.readTimeoutMs ?? readTimeoutMs);
    const metadata = new StreamMetadata(client, this.#reader, this.#storeTimeoutMs);
    this.#appender = new EventAppender(client, this.#reader, metadata, this.#storeTimeoutMs);
    this.#truncation = new LogTruncation(this.#reader, metadata);
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    this.#assertOpen();
    const encoded = encodeAppend(events, this.maxAppendBytes);
    if (encoded.length === 0) {
      return { ok: true, position: await this.head(), revision: await this.#appender.lastRevision(stream) };
    }
    const result = await this.#trackPending(this.#appender.append(stream, expected, encoded));
    if (result.ok) this.#options.feed?.announce({ topic: 'appended', position: result.position });
    return result;
  }

  async readStream(stream: string, from: Revision = 0, limit = NO_LIMIT): Promise<RecordedEvent[]> {
    return this.#reader.readStream(stream, from, limit);
  }

  async readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
    return this.#reader.readAll(after, options);
  }

  async readEvent(stream: string, revision: Revision): Promise<RecordedEvent | undefined> {
    const [event] = await this.#reader.readStream(stream, revision, 1);
    // A stream truncated beyond the revision starts with a later one.
    return event?.revision === revision ? event : undefined;
  }

  async head(): Promise<Position> {
    return this.#reader.head();
  }

  subscribe(after: Position, options: ReadAllOptions, signal: AbortSignal): AsyncIterable<RecordedEvent[]> {
    const untilClosed = AbortSignal.any([signal, this.#closing.signal]);
    return new LogSubscription(() => this.#connectedClient(), after, options, this.#upcast, untilClosed).batches();
  }

  async truncate(prefix: string, beforeTime: number): Promise<{ events: number; bytes: undefined }> {
    this.#assertOpen();
    return { events: await this.#trackPending(this.#truncation.truncate(prefix, beforeTime)), bytes: undefined };
  }

  async check(): Promise<Health> {
    try {
      await withTimeout(CHECK_PART * this.#storeTimeoutMs, this.#reader.readLast(HEALTH_CHECK_STREAM));
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  /** Waits for pending appends and truncations; ends subscriptions. */
  async close(): Promise<void> {
    this.#closed ??= this.#close();
    await this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#pendingCalls);
    await this.#client?.close();
    this.#client = undefined;
  }

  get #upcast(): Upcast {
    return this.#options.upcast ?? upcastToNewest;
  }

  /** Opens the connection at first use. Pending calls may still use it while the store closes. */
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
    this.#pendingCalls.add(work);
    try {
      return await work;
    } finally {
      this.#pendingCalls.delete(work);
    }
  }
}
