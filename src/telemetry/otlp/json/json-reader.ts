import type { WireWriter } from '../wire/wire-writer.js';

/** The body is not OTLP/JSON; the message contains the position. */
export class MalformedJson extends Error {
  override readonly name = 'MalformedJson';
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const LITERALS = ['true', 'false', 'null'] as const;

/**
 * A cursor over JSON text as bytes (RFC 8259). It builds no tree: 64 MiB of `[[[…` cost one byte per level, and
 * integers keep all of their digits. Strings are not checked for valid UTF-8; the consumer of the copied bytes must do
 * so.
 */
export class JsonReader {
  pos = 0;
  /** Range of the last string, without its quotes, and whether it contains escapes. */
  from = 0;
  to = 0;
  escaped = false;

  constructor(readonly bytes: Uint8Array) {
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.pos = 3;
  }

  /** Skips whitespace and returns the next byte without consuming it, −1 at the end. */
  peek(): number {
    const { bytes } = this;
    while (this.pos < bytes.length) {
      const byte = bytes[this.pos];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
      this.pos++;
    }
    return -1;
  }

  get atString(): boolean {
    return this.peek() === QUOTE;
  }

  get atObject(): boolean {
    return this.peek() === OPEN_OBJECT;
  }

  get atArray(): boolean {
    return this.peek() === OPEN_ARRAY;
  }

  beginObject(): void {
    this.expect(OPEN_OBJECT);
  }

  /**
   * Moves to the value of the object's next member, whose name is then the last string; false at the end of the object.
   */
  nextMember(first: boolean): boolean {
    if (!this.advanceToNext(first, CLOSE_OBJECT)) return false;
    this.readString();
    this.expect(COLON);
    return true;
  }

  beginArray(): void {
    this.expect(OPEN_ARRAY);
  }

  nextItem(first: boolean): boolean {
    return this.advanceToNext(first, CLOSE_ARRAY);
  }

  /** Consumes `null` if it is next. */
  skipNull(): boolean {
    if (this.peek() !== 0x6e) return false;
    this.readLiteral();
    return true;
  }

  /** Reads true, false or null. */
  readLiteral(): (typeof LITERALS)[number] {
    this.peek();
    const word = LITERALS.find((each) => this.startsWith(each));
    if (word === undefined) throw this.createUnexpectedError();
    this.pos += word.length;
    return word;
  }

  readString(): void {
    this.expect(QUOTE);
    const { bytes } = this;
    this.from = this.pos;
    this.escaped = false;
    for (let at = this.pos; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.to = at;
        this.pos = at + 1;
        return;
      }
      if (byte < 0x20) throw new MalformedJson(`a control character in a string at byte ${at}`);
      if (byte === BACKSLASH) {
        this.escaped = true;
        at++;
      }
    }
    throw new MalformedJson('unterminated string');
  }

  /** Decoded text of the last string. */
  stringText(): string {
    const raw = this.decodeRaw(this.from, this.to);
    return this.escaped ? this.unescape(raw) : raw;
  }

  /** Writes the last string as UTF-8; a lone surrogate becomes U+FFFD. */
  copyTo(writer: WireWriter): void {
    if (!this.escaped) return writer.writeRaw(this.bytes, this.from, this.to);
    const { bytes } = this;
    let from = this.from;
    for (let at = from; at < this.to;) {
      if (bytes[at] !== BACKSLASH) {
        at++;
        continue;
      }
      writer.writeRaw(bytes, from, at);
      const end = this.findEscapesEnd(at);
      const unescaped = Buffer.from(this.unescape(this.decodeRaw(at, end)));
      writer.writeRaw(unescaped, 0, unescaped.length);
      at = from = end;
    }
    writer.writeRaw(bytes, from, this.to);
  }

  /** Reads the text of a number. */
  readNumber(): string {
    this.peek();
    const { bytes, pos } = this;
    let end = pos;
    while (end < bytes.length && isNumberByte(bytes[end])) end++;
    const text = this.decodeRaw(pos, end);
    if (!NUMBER.test(text)) throw this.createUnexpectedError();
    this.pos = end;
    return text;
  }

  /** Skips one value of any depth, without recursion. */
  skip(): void {
    const open = new NestingStack();
    do {
      this.skipToLeaf(open);
      while (open.depth > 0 && !this.advanceToNext(false, open.top())) open.pop();
      if (open.depth > 0 && open.top() === CLOSE_OBJECT) this.readMemberName();
    } while (open.depth > 0);
  }

  /** Throws unless only whitespace follows. */
  expectEnd(): void {
    if (this.peek() !== -1) throw this.createUnexpectedError();
  }

  createUnexpectedError(): MalformedJson {
    const byte = this.peek();
    return new MalformedJson(
      byte === -1
        ? 'unexpected end of input'
        : `unexpected ${JSON.stringify(String.fromCharCode(byte))} at byte ${this.pos}`,
    );
  }

  /** Consumes a scalar or an empty object or array; enters non-empty ones until it finds one. */
  private skipToLeaf(open: NestingStack): void {
    for (;;) {
      const byte = this.peek();
      if (byte !== OPEN_OBJECT && byte !== OPEN_ARRAY) return this.skipScalar(byte);
      this.pos++;
      const close = byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
      if (!this.advanceToNext(true, close)) return;
      open.push(close);
      if (close === CLOSE_OBJECT) this.readMemberName();
    }
  }

  private skipScalar(byte: number): void {
    if (byte === QUOTE) this.readString();
    else if (isNumberByte(byte) && byte !== 0x65) this.readNumber();
    else this.readLiteral();
  }

  private readMemberName(): void {
    this.readString();
    this.expect(COLON);
  }

  /** Returns true if there is another item, after consuming the comma before it; else consumes the closing bracket. */
  private advanceToNext(first: boolean, close: number): boolean {
    const byte = this.peek();
    if (byte === close) {
      this.pos++;
      return false;
    }
    if (!first) this.expect(COMMA);
    return true;
  }

  private expect(byte: number): void {
    if (this.peek() !== byte) throw this.createUnexpectedError();
    this.pos++;
  }

  private startsWith(word: string): boolean {
    for (let i = 0; i < word.length; i++) if (this.bytes[this.pos + i] !== word.charCodeAt(i)) return false;
    return true;
  }

  private decodeRaw(from: number, to: number): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + from, to - from).toString('utf8');
  }

  /** End of the run of escapes that begins at `from`: both halves of a surrogate pair must be unescaped together. */
  private findEscapesEnd(from: number): number {
    let at = from;
    while (at < this.to && this.bytes[at] === BACKSLASH) at += this.bytes[at + 1] === 0x75 ? 6 : 2;
    return Math.min(at, this.to);
  }

  private unescape(raw: string): string {
    return raw.replace(/\\(?:u([0-9a-fA-F]{4})|(.?))/gs, (_, hex: string | undefined, letter: string | undefined) => {
      if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
      const character = ESCAPES[letter ?? ''];
      if (character === undefined) throw new MalformedJson(`an unknown escape in the string at byte ${this.from}`);
      return character;
    });
  }
}

/** True for digits, signs, decimal point and exponent. */
function isNumberByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2b || byte === 0x2e || byte === 0x65 || byte === 0x45
  );
}

/** Stack of the open brackets, by their closing byte. */
class NestingStack {
  depth = 0;
  private closers = new Uint8Array(64);

  push(closer: number): void {
    if (this.depth === this.closers.length) {
      const larger = new Uint8Array(this.depth * 2);
      larger.set(this.closers);
      this.closers = larger;
    }
    this.closers[this.depth++] = closer;
  }

  pop(): void {
    this.depth--;
  }

  top(): number {
    return this.closers[this.depth - 1];
  }
}
