import { inflateBody, reassembleBody } from './telemetry-body.js';
import type { EventReader, RecordedEvent, Revision } from './event-store.js';
import { TELEMETRY_RECEIVED_TYPES } from './events/telemetry-events.js';
import type { TelemetryReceived } from './events/telemetry-events.js';
import { telemetryStream } from './stream-names.js';

const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
const RECEIVED_TYPE_NAMES: ReadonlySet<string> = new Set(Object.values(TELEMETRY_RECEIVED_TYPES));

/**
 * Inflated bodies of export requests, by Grid and revision; the `BodyReader` of the read models.
 * The most recently used ones are kept, up to `cacheBytes`. Callers share the bytes and MUST NOT change them.
 */
export class TelemetryBodyCache {
  /** Insertion order is order of use, oldest first. */
  readonly #kept = new Map<string, Uint8Array>();
  readonly #reading = new Map<string, Promise<Uint8Array | undefined>>();
  #keptBytes = 0;

  constructor(
    private readonly reader: Pick<EventReader, 'readEvent'>,
    private readonly cacheBytes = DEFAULT_CACHE_BYTES,
  ) {}

  /** Undefined when the event has expired, or is no export request. */
  async body(gridId: string, revision: Revision): Promise<Uint8Array | undefined> {
    const key = `${gridId}/${revision}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept;
    }
    return this.#reading.get(key) ?? this.#readOnce(key, gridId, revision);
  }

  /** A page asks for many records of one request at once: they share one reading. */
  async #readOnce(key: string, gridId: string, revision: Revision): Promise<Uint8Array | undefined> {
    const reading = this.#read(gridId, revision);
    this.#reading.set(key, reading);
    try {
      const body = await reading;
      if (body !== undefined) this.#store(key, body);
      return body;
    } finally {
      this.#reading.delete(key);
    }
  }

  async #read(gridId: string, revision: Revision): Promise<Uint8Array | undefined> {
    const event = await this.reader.readEvent(telemetryStream(gridId), revision);
    if (event === undefined || !RECEIVED_TYPE_NAMES.has(event.type)) return undefined;
    const received = event as RecordedEvent<TelemetryReceived>;
    const body = await reassembleBody(this.reader, received);
    return body && inflateBody(body, received.data.encoding, received.data.inflatedBytes);
  }

  #store(key: string, body: Uint8Array): void {
    if (body.byteLength > this.cacheBytes) return;
    this.#kept.set(key, body);
    this.#keptBytes += body.byteLength;
    for (const [oldest, bytes] of this.#kept) {
      if (this.#keptBytes <= this.cacheBytes) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= bytes.byteLength;
    }
  }
}
