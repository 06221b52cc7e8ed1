import { Interner } from '../interner.js';
import type { Signal } from '../signals.js';
import { MAX_DEPTH } from './any-value.js';
import { parseDouble, parseInteger, type IntegerKind } from './json-numbers.js';
import { JsonReader, MalformedJson } from './json-reader.js';
import { ANY_VALUE_MESSAGE, REQUESTS, type Field, type Message, type ScalarKind } from './json-schema.js';
import { WireWriter } from './wire-writer.js';

export { MalformedJson };

/**
 * Translates an OTLP/JSON export request into protobuf, from bytes to bytes. Ids are hex in any case, enums integers,
 * unknown fields are passed by, `null` is absence. Throws MalformedJson with the path of the field at fault.
 * What makes a single record bad (an id that is no hex, nesting past MAX_DEPTH) is written so that validation
 * rejects that record. Throws OversizedMessage past `maxBytes` of protobuf: `0,` is two bytes, as fixed64 it is eight.
 */
export function jsonToProtobuf(signal: Signal, json: Uint8Array, maxBytes?: number): Uint8Array {
  return new Translator(json, maxBytes).translate(REQUESTS[signal]);
}

/** Names of all fields of the schema, found by their bytes. */
const NAMES = new Interner();
for (const request of Object.values(REQUESTS)) collectNames(request, new Set());

function collectNames(message: Message, seen: Set<Message>): void {
  if (seen.has(message)) return;
  seen.add(message);
  for (const [name, { type }] of message.fields) {
    NAMES.idOf(name);
    if (typeof type !== 'string') collectNames(type, seen);
  }
}

const HEX = /^(?:[0-9a-f]{2})*$/i;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const EMPTY = Buffer.alloc(0);
/** No id has one byte: a record with this one is rejected. */
const INVALID_ID = Buffer.alloc(1);
const MASK_32 = 0xffff_ffffn;

class Translator {
  private readonly reader: JsonReader;
  private readonly writer: WireWriter;
  private readonly path: (string | number)[] = [];
  /** How many AnyValue messages enclose the cursor. */
  private depth = 0;

  constructor(json: Uint8Array, maxBytes?: number) {
    this.reader = new JsonReader(json);
    this.writer = new WireWriter(maxBytes);
  }

  translate(request: Message): Uint8Array {
    this.message(request);
    this.reader.finish();
    return this.writer.finish();
  }

  private message(message: Message): void {
    const { reader } = this;
    if (!reader.atObject) throw this.fault('expected an object');
    if (message === ANY_VALUE_MESSAGE && ++this.depth > MAX_DEPTH) reader.skip();
    else {
      reader.beginObject();
      for (let first = true; reader.nextMember(first); first = false) this.member(message);
    }
    if (message === ANY_VALUE_MESSAGE) this.depth--;
  }

  private member(message: Message): void {
    const { reader } = this;
    const name = this.memberName();
    const field = name === undefined ? undefined : message.fields.get(name);
    if (name === undefined || field === undefined) return reader.skip();
    if (reader.isNull()) return;
    this.path.push(name);
    if (field.repeated) this.repeated(field);
    else this.value(field);
    this.path.pop();
  }

  /** The name of the member when the schema knows it at all. */
  private memberName(): string | undefined {
    const { reader } = this;
    if (reader.escaped) return reader.text();
    const id = NAMES.find(reader.bytes, reader.from, reader.to);
    return id < 0 ? undefined : NAMES.text(id);
  }

  private repeated(field: Field): void {
    const { reader, writer } = this;
    if (!reader.atArray) throw this.fault('expected an array');
    const packed = typeof field.type === 'string' ? writer.begin(field.tag) : undefined;
    reader.beginArray();
    for (let index = 0; reader.nextItem(index === 0); index++) {
      this.path.push(index);
      if (typeof field.type === 'string') this.packedScalar(field.type);
      else this.value(field);
      this.path.pop();
    }
    if (packed !== undefined) writer.end(packed);
  }

  private value({ tag, type }: Field): void {
    if (typeof type === 'string') return this.scalar(tag, type);
    const mark = this.writer.begin(tag);
    this.message(type);
    this.writer.end(mark);
  }

  private scalar(tag: number, kind: ScalarKind): void {
    const { reader, writer } = this;
    switch (kind) {
      case 'string': {
        this.string();
        const mark = writer.begin(tag);
        reader.copyTo(writer);
        return writer.end(mark);
      }
      case 'bytes':
        return writer.blob(tag, this.base64());
      case 'id':
        return writer.blob(tag, this.hex() ?? EMPTY);
      case 'parentId':
        return writer.blob(tag, this.hex() ?? INVALID_ID);
      case 'bool':
        writer.varint(tag);
        return writer.varint(this.boolean() ? 1 : 0);
      default:
        writer.varint(tag);
        this.packedScalar(kind);
    }
  }

  /** A number without its tag. */
  private packedScalar(kind: ScalarKind): void {
    const { writer } = this;
    switch (kind) {
      case 'double':
        return writer.double(this.double());
      case 'fixed64':
      case 'sfixed64': {
        const value = this.integer(kind);
        return writer.fixed64(Number((value >> 32n) & MASK_32), Number(value & MASK_32));
      }
      case 'fixed32':
        return writer.fixed32(Number(this.integer(kind)));
      case 'sint32': {
        const value = Number(this.integer(kind));
        return writer.varint(((value << 1) ^ (value >> 31)) >>> 0);
      }
      case 'enum':
      case 'uint32':
      case 'int64':
      case 'uint64': {
        const value = this.integer(kind);
        return writer.varint64(Number((value >> 32n) & MASK_32), Number(value & MASK_32));
      }
      default:
        throw this.fault('expected a number');
    }
  }

  private string(): void {
    if (!this.reader.atString) throw this.fault('expected a string');
    this.reader.string();
  }

  private hex(): Buffer | undefined {
    this.string();
    const text = this.reader.text();
    return HEX.test(text) ? Buffer.from(text, 'hex') : undefined;
  }

  private base64(): Buffer {
    this.string();
    const text = this.reader.text();
    if (!BASE64.test(text)) throw this.fault('expected base64');
    return Buffer.from(text, 'base64');
  }

  private boolean(): boolean {
    const { reader } = this;
    const byte = reader.peek();
    if (byte !== 0x74 && byte !== 0x66) throw this.fault('expected true or false');
    return reader.word() === 'true';
  }

  private double(): number {
    const value = parseDouble(this.numeral('a number'));
    if (value === undefined) throw this.fault('expected a number');
    return value;
  }

  /** OTLP/JSON has no names of enum values, so that an enum in a string is never right. */
  private integer(kind: IntegerKind): bigint {
    if (kind === 'enum' && this.reader.atString) throw this.fault('expected an integer');
    const value = parseInteger(this.numeral('an integer'), kind);
    if (value === undefined) throw this.fault(`expected an integer (${kind})`);
    return value;
  }

  /** Text of a number that stands there as a number or in a string. */
  private numeral(what: string): string {
    const { reader } = this;
    if (reader.atString) {
      reader.string();
      return reader.text();
    }
    const byte = reader.peek();
    if (byte !== 0x2d && (byte < 0x30 || byte > 0x39)) throw this.fault(`expected ${what}`);
    return reader.number();
  }

  /** Where the cursor stands, as `resourceSpans[0].scopeSpans[1].spans[7].kind`. */
  private fault(what: string): MalformedJson {
    const where = this.path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('');
    return new MalformedJson(where === '' ? what : `${where}: ${what}`);
  }
}
