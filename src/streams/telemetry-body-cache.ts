import { inflateBody, reassembleBody } from './telemetry-body.js';
import { DamagedEvent, isDamagedEvent } from './damaged-event.js';
import type { EventReader, RecordedEvent, Revision } from './event-store.js';
import { TELEMETRY_RECEIVED_TYPES } from './events/telemetry-events.js';
import type { TelemetryReceived } from './events/telemetry-events.js';
import { telemetryStream } from './stream-names.js';
import type { ReleasableCache } from '../thread-memory.js';

const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
const RECEIVED_TYPE_NAMES: ReadonlySet<string> = new Set(Object.values(TELEMETRY_RECEIVED_TYPES));

interface CachedBody {
  readonly body: Uint8Array;
  /** Number of reads when it was last used. */
  readonly usedAt: number;
}

/**
 * LRU cache of decompressed export requests by Grid and revision, up to `cacheBytes`; implements `TelemetryBodyReader`
 * of the read models. Callers share the buffers and MUST NOT modify them. `onDamaged` is called with each damaged event
 * that a read meets.
 */
export class TelemetryBodyCache implements ReleasableCache {
  /** Insertion order is the order of use, oldest first. */
  readonly #cached = new Map<string, CachedBody>();
  readonly #pending = new Map<string, Promise<Uint8Array | 'damaged' | undefined>>();
  #cachedBytes = 0;
  /** Number of reads so far, and at the last release. */
  #uses = 0;
  #releasedAt = 0;

  constructor(
    private readonly reader: Pick<EventReader, 'readEvent'>,
    private readonly cacheBytes = DEFAULT_CACHE_BYTES,
    private readonly onDamaged: (event: DamagedEvent) => void = () => undefined,
  ) {}

  get size(): number {
    return this.#cachedBytes;
  }

  releaseUnused(): void {
    for (const [key, entry] of this.#cached) {
      if (entry.usedAt > this.#releasedAt) break;
      this.#drop(key, entry);
    }
    this.#releasedAt = this.#uses;
  }

  shrinkTo(bytes: number): void {
    for (const [oldest, entry] of this.#cached) {
      if (this.#cachedBytes <= bytes) return;
      this.#drop(oldest, entry);
    }
  }

  /**
   * The decompressed body; undefined if the event has expired or is not an export request, `damaged` if it differs from
   * what was appended. Rejects if the log cannot be read.
   */
  async body(gridId: string, revision: Revision): Promise<Uint8Array | 'damaged' | undefined> {
    const key = `${gridId}/${revision}`;
    const cached = this.#cached.get(key);
    if (cached !== undefined) {
      this.#cached.delete(key);
      this.#cached.set(key, { ...cached, usedAt: ++this.#uses });
      return cached.body;
    }
    return this.#pending.get(key) ?? this.#readOnce(key, gridId, revision);
  }

  /** Concurrent calls for the same body share one read, because a page requests many records of one export request. */
  async #readOnce(key: string, gridId: string, revision: Revision): Promise<Uint8Array | 'damaged' | undefined> {
    const read = this.#read(gridId, revision).catch((error: unknown) => this.#reportDamage(error));
    this.#pending.set(key, read);
    try {
      const body = await read;
      if (body instanceof Uint8Array) this.#store(key, body);
      return body;
    } finally {
      this.#pending.delete(key);
    }
  }

  async #read(gridId: string, revision: Revision): Promise<Uint8Array | undefined> {
    const event = await this.reader.readEvent(telemetryStream(gridId), revision);
    if (event === undefined || !RECEIVED_TYPE_NAMES.has(event.type)) return undefined;
    const received = event as RecordedEvent<TelemetryReceived>;
    const body = await reassembleBody(this.reader, received);
    return body && inflateEvent(received, body);
  }

  /** Only damage becomes a result: a caller can retry when the log cannot be read. */
  #reportDamage(error: unknown): 'damaged' {
    if (!isDamagedEvent(error)) throw error;
    this.onDamaged(error);
    return 'damaged';
  }

  #store(key: string, body: Uint8Array): void {
    if (body.byteLength > this.cacheBytes) return;
    this.#cached.set(key, { body, usedAt: ++this.#uses });
    this.#cachedBytes += body.byteLength;
    this.shrinkTo(this.cacheBytes);
  }

  #drop(key: string, { body }: CachedBody): void {
    this.#cached.delete(key);
    this.#cachedBytes -= body.byteLength;
  }
}

function inflateEvent({ position, revision, data }: RecordedEvent<TelemetryReceived>, body: Uint8Array): Uint8Array {
  try {
    return inflateBody(body, data.encoding, data.inflatedBytes);
  } catch (error) {
    throw new DamagedEvent(position, (error as Error).message, { cause: error, revision });
  }
}
