import { KEY_VALUE, RESOURCE } from '../wire/otlp-field-tags.js';
import { WireReader } from '../wire/wire-reader.js';

/**
 * Maximum number of service-minutes, distinct pairs of service and minute, that one request may touch. Each is a
 * separate rollup that the projection of the request creates or rewrites, at about 0.1 ms of a projector that all Grids
 * share. Higher than the default batch of a Collector (8,192 spans), so that no such batch is ever refused, however old
 * its spans.
 */
export const MAX_SERVICE_MINUTES = 10_000;

const MINUTE_US = 60_000_000;
/**
 * Exceeds every minute that a 64-bit time in ns can represent, so that service index and minute combine into one exact
 * number.
 */
const MINUTE_RANGE = 2 ** 29;
const SERVICE_NAME_KEY = Buffer.from('service.name');

/** The request touches more than MAX_SERVICE_MINUTES service-minutes. */
export class TooManyServiceMinutes extends Error {
  override readonly name = 'TooManyServiceMinutes';

  constructor() {
    super(`its records touch more than ${MAX_SERVICE_MINUTES} distinct service-minutes; send them in smaller batches`);
  }
}

/**
 * Counts the service-minutes that a request touches. A resource may follow its records, so its name is known only at
 * their end.
 */
export class ServiceMinuteCounter {
  private readonly services = new Map<string, number>();
  private readonly serviceMinutes = new Set<number>();
  private readonly minutes = new Set<number>();
  private lastMinute = -1;
  private service = '';

  clear(): void {
    this.services.clear();
    this.serviceMinutes.clear();
    this.beginResource();
  }

  /** Starts a new resource. */
  beginResource(): void {
    this.minutes.clear();
    this.lastMinute = -1;
    this.service = '';
  }

  /** Adds a record of the current resource at this time. */
  addRecord(timeUs: number): void {
    const minute = Math.floor(timeUs / MINUTE_US);
    if (minute === this.lastMinute) return;
    this.lastMinute = minute;
    this.minutes.add(minute);
    if (this.minutes.size > MAX_SERVICE_MINUTES) throw new TooManyServiceMinutes();
  }

  /** Adds a message, or another part, of the current resource. */
  addResource(bytes: Uint8Array, from: number, to: number): void {
    this.service += readServiceName(bytes, from, to);
  }

  /** Ends the current resource after all of its records. Throws TooManyServiceMinutes. */
  endResource(): void {
    const index = this.services.get(this.service) ?? this.services.size;
    this.services.set(this.service, index);
    for (const minute of this.minutes) this.serviceMinutes.add(index * MINUTE_RANGE + minute);
    if (this.serviceMinutes.size > MAX_SERVICE_MINUTES) throw new TooManyServiceMinutes();
  }
}

/** All service names that a resource contains, as raw bytes: different names never give equal results. */
function readServiceName(bytes: Uint8Array, from: number, to: number): string {
  const reader = new WireReader(bytes);
  reader.pos = from;
  let name = '';
  while (reader.pos < to) {
    const tag = reader.readTag(to);
    if (tag !== RESOURCE.attribute) {
      reader.skip(tag, to);
      continue;
    }
    const end = reader.readPayloadEnd(to);
    const begin = reader.pos;
    if (hasServiceNameKey(reader, end))
      name += Buffer.from(bytes.buffer, bytes.byteOffset + begin, end - begin).toString('latin1');
    reader.pos = end;
  }
  return name;
}

/** True if any of the attribute's keys, which may be repeated, is `service.name`. */
function hasServiceNameKey(reader: WireReader, limit: number): boolean {
  while (reader.pos < limit) {
    const tag = reader.readTag(limit);
    if (tag !== KEY_VALUE.key) {
      reader.skip(tag, limit);
      continue;
    }
    const end = reader.readPayloadEnd(limit);
    if (SERVICE_NAME_KEY.equals(reader.bytes.subarray(reader.pos, end))) return true;
    reader.pos = end;
  }
  return false;
}
