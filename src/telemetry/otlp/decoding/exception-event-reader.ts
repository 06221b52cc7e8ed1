import { EXCEPTION_EVENT, EXCEPTION_MESSAGE, EXCEPTION_TYPE, MAX_EXCEPTION_CHARACTERS } from '../../attributes.js';
import type { StringInterner } from '../../columns/string-interner.js';
import { findTruncationEnd } from '../../utf8.js';
import { toUnixMicros } from '../../unix-time.js';
import { isSingleText, readAnyValue } from '../wire/any-value.js';
import { KEY_VALUE, SPAN_EVENT } from '../wire/otlp-field-tags.js';
import type { WireReader } from '../wire/wire-reader.js';

const EVENT_NAME = Buffer.from(EXCEPTION_EVENT);
const TYPE_KEY = Buffer.from(EXCEPTION_TYPE);
const MESSAGE_KEY = Buffer.from(EXCEPTION_MESSAGE);

/** Range of the AnyValue message of an attribute; `from` −1 if the attribute is absent. */
interface ValueLocation {
  from: number;
  to: number;
}

/**
 * Reads span events that record an exception (see telemetry/attributes.ts). Separate from AttributeReader because
 * attributes of events are neither indexed nor listed, and only two of them are read. Fields hold the result of the
 * last `read`.
 */
export class ExceptionEventReader {
  /** Whole µs since 1970, 0 if absent. */
  timeUs = 0;
  private readonly typeAt: ValueLocation = { from: -1, to: -1 };
  private readonly messageAt: ValueLocation = { from: -1, to: -1 };

  /** Returns true if the span event up to `end` records an exception. Leaves the cursor at an undefined position. */
  read(reader: WireReader, end: number): boolean {
    const from = reader.pos;
    if (!this.readNameAndTime(reader, end)) return false;
    this.typeAt.from = this.messageAt.from = -1;
    reader.pos = from;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === SPAN_EVENT.attribute) this.readAttribute(reader, reader.readPayloadEnd(end));
      else reader.skip(tag, end);
    }
    return this.typeAt.from >= 0 || this.messageAt.from >= 0;
  }

  internType(reader: WireReader, strings: StringInterner): number {
    return internTruncated(reader, this.typeAt, strings);
  }

  internMessage(reader: WireReader, strings: StringInterner): number {
    return internTruncated(reader, this.messageAt, strings);
  }

  /**
   * Returns true if the event is named as an exception. Runs before the attributes are read because the name may follow
   * them.
   */
  private readNameAndTime(reader: WireReader, end: number): boolean {
    let isException = false;
    this.timeUs = 0;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === SPAN_EVENT.name) {
        const to = reader.readPayloadEnd(end);
        isException = equalsBytes(reader.bytes, reader.pos, to, EVENT_NAME);
        reader.pos = to;
      } else if (tag === SPAN_EVENT.time) {
        reader.readFixed64(end);
        this.timeUs = toUnixMicros(reader.hi, reader.lo);
      } else reader.skip(tag, end);
    }
    return isException;
  }

  private readAttribute(reader: WireReader, end: number): void {
    let location: ValueLocation | undefined;
    let from = end;
    let to = end;
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag !== KEY_VALUE.key && tag !== KEY_VALUE.value) {
        reader.skip(tag, end);
        continue;
      }
      const fieldEnd = reader.readPayloadEnd(end);
      if (tag === KEY_VALUE.key) location = this.findLocation(reader.bytes, reader.pos, fieldEnd);
      else [from, to] = [reader.pos, fieldEnd];
      reader.pos = fieldEnd;
    }
    if (location === undefined || location.from >= 0) return;
    location.from = from;
    location.to = to;
  }

  private findLocation(bytes: Uint8Array, from: number, to: number): ValueLocation | undefined {
    if (equalsBytes(bytes, from, to, TYPE_KEY)) return this.typeAt;
    return equalsBytes(bytes, from, to, MESSAGE_KEY) ? this.messageAt : undefined;
  }
}

function equalsBytes(bytes: Uint8Array, from: number, to: number, expected: Uint8Array): boolean {
  if (to - from !== expected.length) return false;
  for (let i = 0; i < expected.length; i++) if (bytes[from + i] !== expected[i]) return false;
  return true;
}

/** Interns the truncated string form of the value; the empty string if there is none. */
function internTruncated(reader: WireReader, { from, to }: ValueLocation, strings: StringInterner): number {
  if (from < 0) return strings.internText('');
  reader.pos = from;
  if (isSingleText(reader, to))
    return strings.intern(
      reader.bytes,
      reader.pos,
      findTruncationEnd(reader.bytes, reader.pos, to, MAX_EXCEPTION_CHARACTERS),
    );
  const text = Buffer.from(String(readAnyValue(reader, from, to)));
  return strings.intern(text, 0, findTruncationEnd(text, 0, text.length, MAX_EXCEPTION_CHARACTERS));
}
