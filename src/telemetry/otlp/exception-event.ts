import { EXCEPTION_EVENT, EXCEPTION_MESSAGE, EXCEPTION_TYPE, MAX_EXCEPTION_CHARACTERS } from '../exceptions.js';
import type { Interner } from '../interner.js';
import { endOfCharacters } from '../text-cut.js';
import { microsOf } from '../time.js';
import { plainText, valueAt } from './any-value.js';
import { KEY_VALUE, SPAN_EVENT } from './fields.js';
import type { WireReader } from './wire-reader.js';

const EVENT_NAME = Buffer.from(EXCEPTION_EVENT);
const TYPE_KEY = Buffer.from(EXCEPTION_TYPE);
const MESSAGE_KEY = Buffer.from(EXCEPTION_MESSAGE);

/** Where the AnyValue message of an attribute stands; `from` −1: the attribute is not there. */
interface Place {
  from: number;
  to: number;
}

/**
 * Reads span events that record an exception (telemetry/exceptions.ts). Apart from AttributeReader: attributes of
 * events are neither searched nor listed, and of these only two are looked at. Fields hold what the last `read` found.
 */
export class ExceptionEvent {
  /** Whole µs since 1970, 0: not said. */
  timeUs = 0;
  private readonly typeAt: Place = { from: -1, to: -1 };
  private readonly messageAt: Place = { from: -1, to: -1 };

  /** Does the span event up to `end` tell of an exception? The cursor is left anywhere. */
  read(reader: WireReader, end: number): boolean {
    const from = reader.pos;
    if (!this.isException(reader, end)) return false;
    this.typeAt.from = this.messageAt.from = -1;
    reader.pos = from;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === SPAN_EVENT.attribute) this.attribute(reader, reader.end(end));
      else reader.skip(tag, end);
    }
    return this.typeAt.from >= 0 || this.messageAt.from >= 0;
  }

  type(reader: WireReader, strings: Interner): number {
    return cutText(reader, this.typeAt, strings);
  }

  message(reader: WireReader, strings: Interner): number {
    return cutText(reader, this.messageAt, strings);
  }

  /** Name and time; the name may stand behind the attributes. */
  private isException(reader: WireReader, end: number): boolean {
    let named = false;
    this.timeUs = 0;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag === SPAN_EVENT.name) {
        const to = reader.end(end);
        named = isSame(reader.bytes, reader.pos, to, EVENT_NAME);
        reader.pos = to;
      } else if (tag === SPAN_EVENT.time) {
        reader.fixed64(end);
        this.timeUs = microsOf(reader.hi, reader.lo);
      } else reader.skip(tag, end);
    }
    return named;
  }

  private attribute(reader: WireReader, end: number): void {
    let place: Place | undefined;
    let from = end;
    let to = end;
    while (reader.pos < end) {
      const tag = reader.tag(end);
      if (tag !== KEY_VALUE.key && tag !== KEY_VALUE.value) {
        reader.skip(tag, end);
        continue;
      }
      const fieldEnd = reader.end(end);
      if (tag === KEY_VALUE.key) place = this.placeOf(reader.bytes, reader.pos, fieldEnd);
      else [from, to] = [reader.pos, fieldEnd];
      reader.pos = fieldEnd;
    }
    if (place === undefined || place.from >= 0) return;
    place.from = from;
    place.to = to;
  }

  private placeOf(bytes: Uint8Array, from: number, to: number): Place | undefined {
    if (isSame(bytes, from, to, TYPE_KEY)) return this.typeAt;
    return isSame(bytes, from, to, MESSAGE_KEY) ? this.messageAt : undefined;
  }
}

function isSame(bytes: Uint8Array, from: number, to: number, expected: Uint8Array): boolean {
  if (to - from !== expected.length) return false;
  for (let i = 0; i < expected.length; i++) if (bytes[from + i] !== expected[i]) return false;
  return true;
}

/** Id of the string form of the value, cut; of the empty string where there is none. */
function cutText(reader: WireReader, { from, to }: Place, strings: Interner): number {
  if (from < 0) return strings.idOf('');
  reader.pos = from;
  if (plainText(reader, to)) return strings.id(reader.bytes, reader.pos, endOfCharacters(reader.bytes, reader.pos, to, MAX_EXCEPTION_CHARACTERS));
  const text = Buffer.from(String(valueAt(reader, from, to)));
  return strings.id(text, 0, endOfCharacters(text, 0, text.length, MAX_EXCEPTION_CHARACTERS));
}
