import { StringInterner } from '../../columns/string-interner.js';
import type { Signal } from '../../signals.js';
import { MAX_VALUE_DEPTH } from '../wire/any-value.js';
import { parseDouble, parseInteger, type IntegerKind } from './json-numbers.js';
import { JsonReader, MalformedJson } from './json-reader.js';
import {
  ANY_VALUE_MESSAGE,
  EXPORT_REQUEST_SCHEMAS,
  type FieldSchema,
  type MessageSchema,
  type ScalarType,
} from './otlp-message-schemas.js';
import { WireWriter } from '../wire/wire-writer.js';

export { MalformedJson };

/**
 * Translates an OTLP/JSON export request into protobuf, from bytes to bytes. Ids are hex in any case, enums integers,
 * unknown fields are skipped, `null` means absent. Throws MalformedJson with the path of the invalid field. Faults of a
 * single record (an id that is not hex, nesting beyond MAX_VALUE_DEPTH) are encoded so that validation rejects that
 * record. Throws OversizedMessage past `maxBytes` of protobuf: the output can be larger, `0,` takes two bytes, as
 * fixed64 eight.
 */
export function translateJsonToProtobuf(signal: Signal, json: Uint8Array, maxBytes?: number): Uint8Array {
  return new JsonToProtobufTranslator(json, maxBytes).translate(EXPORT_REQUEST_SCHEMAS[signal]);
}

/** Names of all fields of the schema, looked up by their bytes. */
const FIELD_NAMES = new StringInterner();
for (const request of Object.values(EXPORT_REQUEST_SCHEMAS)) collectFieldNames(request, new Set());

function collectFieldNames(message: MessageSchema, seen: Set<MessageSchema>): void {
  if (seen.has(message)) return;
  seen.add(message);
  for (const [name, { type }] of message.fields) {
    FIELD_NAMES.internText(name);
    if (typeof type !== 'string') collectFieldNames(type, seen);
  }
}

const HEX = /^(?:[0-9a-f]{2})*$/i;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const EMPTY = Buffer.alloc(0);
/** No id has one byte, so validation rejects a record with this one. */
const INVALID_ID = Buffer.alloc(1);
const MASK_32 = 0xffff_ffffn;

class JsonToProtobufTranslator {
  private readonly reader: JsonReader;
  private readonly writer: WireWriter;
  private readonly path: (string | number)[] = [];
  /** Number of AnyValue messages that enclose the cursor. */
  private depth = 0;

  constructor(json: Uint8Array, maxBytes?: number) {
    this.reader = new JsonReader(json);
    this.writer = new WireWriter(maxBytes);
  }

  translate(request: MessageSchema): Uint8Array {
    this.translateMessage(request);
    this.reader.expectEnd();
    return this.writer.finish();
  }

  private translateMessage(message: MessageSchema): void {
    const { reader } = this;
    if (!reader.atObject) throw this.createFieldError('expected an object');
    if (message === ANY_VALUE_MESSAGE && ++this.depth > MAX_VALUE_DEPTH) reader.skip();
    else {
      reader.beginObject();
      for (let first = true; reader.nextMember(first); first = false) this.translateMember(message);
    }
    if (message === ANY_VALUE_MESSAGE) this.depth--;
  }

  private translateMember(message: MessageSchema): void {
    const { reader } = this;
    const name = this.readKnownMemberName();
    const field = name === undefined ? undefined : message.fields.get(name);
    if (name === undefined || field === undefined) return reader.skip();
    if (reader.skipNull()) return;
    this.path.push(name);
    if (field.repeated) this.translateRepeated(field);
    else this.translateValue(field);
    this.path.pop();
  }

  /** The name of the current member, undefined if no message of the schema has it. */
  private readKnownMemberName(): string | undefined {
    const { reader } = this;
    if (reader.escaped) return reader.stringText();
    const id = FIELD_NAMES.find(reader.bytes, reader.from, reader.to);
    return id < 0 ? undefined : FIELD_NAMES.text(id);
  }

  private translateRepeated(field: FieldSchema): void {
    const { reader, writer } = this;
    if (!reader.atArray) throw this.createFieldError('expected an array');
    const packed = typeof field.type === 'string' ? writer.beginField(field.tag) : undefined;
    reader.beginArray();
    for (let index = 0; reader.nextItem(index === 0); index++) {
      this.path.push(index);
      if (typeof field.type === 'string') this.translateUntaggedScalar(field.type);
      else this.translateValue(field);
      this.path.pop();
    }
    if (packed !== undefined) writer.endField(packed);
  }

  private translateValue({ tag, type }: FieldSchema): void {
    if (typeof type === 'string') return this.translateScalar(tag, type);
    const mark = this.writer.beginField(tag);
    this.translateMessage(type);
    this.writer.endField(mark);
  }

  private translateScalar(tag: number, kind: ScalarType): void {
    const { reader, writer } = this;
    switch (kind) {
      case 'string': {
        this.readString();
        const mark = writer.beginField(tag);
        reader.copyTo(writer);
        return writer.endField(mark);
      }
      case 'bytes':
        return writer.writeBytesField(tag, this.readBase64());
      case 'id':
        return writer.writeBytesField(tag, this.readHex() ?? EMPTY);
      case 'parentId':
        return writer.writeBytesField(tag, this.readHex() ?? INVALID_ID);
      case 'bool':
        writer.writeVarint(tag);
        return writer.writeVarint(this.readBoolean() ? 1 : 0);
      default:
        writer.writeVarint(tag);
        this.translateUntaggedScalar(kind);
    }
  }

  /** Writes a number without its tag. */
  private translateUntaggedScalar(kind: ScalarType): void {
    const { writer } = this;
    switch (kind) {
      case 'double':
        return writer.writeDouble(this.readDouble());
      case 'fixed64':
      case 'sfixed64': {
        const value = this.readInteger(kind);
        return writer.writeFixed64(Number((value >> 32n) & MASK_32), Number(value & MASK_32));
      }
      case 'fixed32':
        return writer.writeFixed32(Number(this.readInteger(kind)));
      case 'sint32': {
        const value = Number(this.readInteger(kind));
        return writer.writeVarint(((value << 1) ^ (value >> 31)) >>> 0);
      }
      case 'enum':
      case 'uint32':
      case 'int64':
      case 'uint64': {
        const value = this.readInteger(kind);
        return writer.writeVarint64(Number((value >> 32n) & MASK_32), Number(value & MASK_32));
      }
      default:
        throw this.createFieldError('expected a number');
    }
  }

  private readString(): void {
    if (!this.reader.atString) throw this.createFieldError('expected a string');
    this.reader.readString();
  }

  private readHex(): Buffer | undefined {
    this.readString();
    const text = this.reader.stringText();
    return HEX.test(text) ? Buffer.from(text, 'hex') : undefined;
  }

  private readBase64(): Buffer {
    this.readString();
    const text = this.reader.stringText();
    if (!BASE64.test(text)) throw this.createFieldError('expected base64');
    return Buffer.from(text, 'base64');
  }

  private readBoolean(): boolean {
    const { reader } = this;
    const byte = reader.peek();
    if (byte !== 0x74 && byte !== 0x66) throw this.createFieldError('expected true or false');
    return reader.readLiteral() === 'true';
  }

  private readDouble(): number {
    const value = parseDouble(this.readNumeral('a number'));
    if (value === undefined) throw this.createFieldError('expected a number');
    return value;
  }

  /** OTLP/JSON does not allow names of enum values, so an enum given as a string is invalid. */
  private readInteger(kind: IntegerKind): bigint {
    if (kind === 'enum' && this.reader.atString) throw this.createFieldError('expected an integer');
    const value = parseInteger(this.readNumeral('an integer'), kind);
    if (value === undefined) throw this.createFieldError(`expected an integer (${kind})`);
    return value;
  }

  /** Text of a number that is written as a number or a string. */
  private readNumeral(expected: string): string {
    const { reader } = this;
    if (reader.atString) {
      reader.readString();
      return reader.stringText();
    }
    const byte = reader.peek();
    if (byte !== 0x2d && (byte < 0x30 || byte > 0x39)) throw this.createFieldError(`expected ${expected}`);
    return reader.readNumber();
  }

  /** Prefixes the message with the cursor's path, such as `resourceSpans[0].scopeSpans[1].spans[7].kind`. */
  private createFieldError(message: string): MalformedJson {
    const path = this.path
      .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
      .join('');
    return new MalformedJson(path === '' ? message : `${path}: ${message}`);
  }
}
