import { KEY_VALUE, RESOURCE } from './fields.js';
import { WireReader } from './wire-reader.js';

/**
 * Minutes of services that one request may touch. Each is a rollup of its own, which the commit that takes the request
 * in has to make or rewrite: about 0.1 ms of the projector, for which all Grids wait. More than the spans of a
 * Collector's default batch (8,192), so that no batch of that size is ever refused, however old what it brings.
 */
export const MAX_PLACES = 10_000;

const MINUTE_US = 60_000_000;
/** Above every minute that a 64-bit time in ns can lie in: a service and a minute make one exact number. */
const MINUTES = 2 ** 29;
const NAME = Buffer.from('service.name');

/** The request touches more minutes of services than one request may. */
export class TooScattered extends Error {
  override readonly name = 'TooScattered';

  constructor() {
    super(`its records fall into more than ${MAX_PLACES} different minutes of services`);
  }
}

/** Counts the minutes of services that a request touches. A resource may stand behind its records: it is told of at their end. */
export class Spread {
  private readonly services = new Map<string, number>();
  private readonly places = new Set<number>();
  private readonly minutes = new Set<number>();
  private lastMinute = -1;
  private service = '';

  clear(): void {
    this.services.clear();
    this.places.clear();
    this.begin();
  }

  /** Records of another resource follow. */
  begin(): void {
    this.minutes.clear();
    this.lastMinute = -1;
    this.service = '';
  }

  /** A record of the resource at hand counts at this time. */
  note(timeUs: number): void {
    const minute = Math.floor(timeUs / MINUTE_US);
    if (minute === this.lastMinute) return;
    this.lastMinute = minute;
    this.minutes.add(minute);
    if (this.minutes.size > MAX_PLACES) throw new TooScattered();
  }

  /** The resource at hand is this message, or goes on with it. */
  named(bytes: Uint8Array, from: number, to: number): void {
    this.service += serviceIn(bytes, from, to);
  }

  /** All records of the resource at hand are there. */
  end(): void {
    const index = this.services.get(this.service) ?? this.services.size;
    this.services.set(this.service, index);
    for (const minute of this.minutes) this.places.add(index * MINUTES + minute);
    if (this.places.size > MAX_PLACES) throw new TooScattered();
  }
}

/** Whatever a resource says of its service's name, as bytes: two of different names never say the same. */
function serviceIn(bytes: Uint8Array, from: number, to: number): string {
  const reader = new WireReader(bytes);
  reader.pos = from;
  let said = '';
  while (reader.pos < to) {
    const tag = reader.tag(to);
    if (tag !== RESOURCE.attribute) {
      reader.skip(tag, to);
      continue;
    }
    const end = reader.end(to);
    const begin = reader.pos;
    if (isOfName(reader, end)) said += Buffer.from(bytes.buffer, bytes.byteOffset + begin, end - begin).toString('latin1');
    reader.pos = end;
  }
  return said;
}

/** Whether an attribute has the key, be it only one of several that it gives. */
function isOfName(reader: WireReader, limit: number): boolean {
  while (reader.pos < limit) {
    const tag = reader.tag(limit);
    if (tag !== KEY_VALUE.key) {
      reader.skip(tag, limit);
      continue;
    }
    const end = reader.end(limit);
    if (NAME.equals(reader.bytes.subarray(reader.pos, end))) return true;
    reader.pos = end;
  }
  return false;
}
