import { KEY_VALUE, RESOURCE } from '../wire/otlp-field-tags.js';
import { WireReader } from '../wire/wire-reader.js';

/**
 * Minutes of services that one request may touch. Each is a rollup of its own, which the commit that takes the request
 * in has to make or rewrite: about 0.1 ms of the projector, for which all Grids wait. More than the spans of a
 * Collector's default batch (8,192), so that no batch of that size is ever refused, however old what it brings.
 */
export const MAX_SERVICE_MINUTES = 10_000;

const MINUTE_US = 60_000_000;
/** Above every minute that a 64-bit time in ns can lie in: a service and a minute make one exact number. */
const MINUTE_RANGE = 2 ** 29;
const SERVICE_NAME_KEY = Buffer.from('service.name');

/** The request touches more minutes of services than one request may. */
export class TooManyServiceMinutes extends Error {
  override readonly name = 'TooScattered';

  constructor() {
    super(`its records fall into more than ${MAX_SERVICE_MINUTES} different minutes of services`);
  }
}

/** Counts the minutes of services that a request touches. A resource may stand behind its records: it is told of at their end. */
export class ServiceMinuteCounter {
  private readonly services = new Map<string, number>();
  private readonly places = new Set<number>();
  private readonly minutes = new Set<number>();
  private lastMinute = -1;
  private service = '';

  clear(): void {
    this.services.clear();
    this.places.clear();
    this.beginResource();
  }

  /** Records of another resource follow. */
  beginResource(): void {
    this.minutes.clear();
    this.lastMinute = -1;
    this.service = '';
  }

  /** A record of the resource at hand counts at this time. */
  addRecord(timeUs: number): void {
    const minute = Math.floor(timeUs / MINUTE_US);
    if (minute === this.lastMinute) return;
    this.lastMinute = minute;
    this.minutes.add(minute);
    if (this.minutes.size > MAX_SERVICE_MINUTES) throw new TooManyServiceMinutes();
  }

  /** The resource at hand is this message, or goes on with it. */
  addResource(bytes: Uint8Array, from: number, to: number): void {
    this.service += readServiceName(bytes, from, to);
  }

  /** All records of the resource at hand are there. */
  endResource(): void {
    const index = this.services.get(this.service) ?? this.services.size;
    this.services.set(this.service, index);
    for (const minute of this.minutes) this.places.add(index * MINUTE_RANGE + minute);
    if (this.places.size > MAX_SERVICE_MINUTES) throw new TooManyServiceMinutes();
  }
}

/** Whatever a resource says of its service's name, as bytes: two of different names never say the same. */
function readServiceName(bytes: Uint8Array, from: number, to: number): string {
  const reader = new WireReader(bytes);
  reader.pos = from;
  let said = '';
  while (reader.pos < to) {
    const tag = reader.readTag(to);
    if (tag !== RESOURCE.attribute) {
      reader.skip(tag, to);
      continue;
    }
    const end = reader.readPayloadEnd(to);
    const begin = reader.pos;
    if (hasServiceNameKey(reader, end))
      said += Buffer.from(bytes.buffer, bytes.byteOffset + begin, end - begin).toString('latin1');
    reader.pos = end;
  }
  return said;
}

/** Whether an attribute has the key, be it only one of several that it gives. */
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
