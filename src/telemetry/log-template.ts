import { findLastCompleteCharacterEnd } from './utf8.js';

/** Templates are truncated to this many bytes, at a character boundary. */
export const MAX_TEMPLATE_BYTES = 200;

const STAR = 0x2a;
const BLANK = 0x20;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const NOT_FOUND = -1;

/** A run of at least this many hex letters counts as an id even without a digit: no word is that long. */
const HEX_ID_LETTERS = 8;

/**
 * Byte classes. Classes of bytes that form words are bit flags. Every other byte, in particular non-ASCII, is LETTER.
 */
const LETTER = 1;
const HEX_LETTER = 2;
/** Makes its whole word variable: digits, and the @ of addresses and object identities. */
const VARYING = 4;
/** This class and the following ones end a word. */
const SPACE = 8;
/** Copied literally. */
const SEPARATOR = 9;
/** Copied literally, but dropped between two masks, where it separates list items or the parts of a time. */
const LIST_SEPARATOR = 10;
const QUOTE = 11;
const MASK = 12;
const CLASSES = buildByteClasses();

/**
 * Extracts the constant part of a log body: every word with a digit (numbers, times, UUIDs, addresses, numbered names),
 * hex ids and quoted strings become `*`, whitespace becomes one blank, and lists of such items one `*`. Quoted JSON
 * keys are preserved.
 *
 * These are the masks that Drain (He et al., ICWS 2017) applies before parsing, and nothing more: Drain then groups
 * similar messages in a tree, so its result depends on earlier input. This is a pure function of the body, identical in
 * any order and on any machine; words that vary without a digit give separate templates.
 */
export class LogTemplateExtractor {
  /** The template is `bytes[0, length)`, valid until the next `extract`. */
  readonly bytes = new Uint8Array(MAX_TEMPLATE_BYTES);
  length = 0;

  private source: Uint8Array = this.bytes;
  private to = 0;
  /** End of the last mask while only list separators follow it, else −1. */
  private maskEnd = -1;
  private hasPendingBlank = false;
  private hasQuotes = false;
  /**
   * By the low bits of a quote character, which are distinct for all three: position of the next closing quote,
   * NOT_FOUND, or 0 if not yet searched.
   */
  private readonly closingQuotes = new Int32Array(8);

  /**
   * Extracts the template of the UTF-8 text `source[from, to)` in one pass; stops reading once the template is full.
   */
  extract(source: Uint8Array, from: number, to: number): void {
    this.source = source;
    this.to = to;
    this.length = 0;
    this.maskEnd = -1;
    this.hasPendingBlank = false;
    if (this.hasQuotes) this.closingQuotes.fill(0);
    this.hasQuotes = false;
    for (let at = from; at < this.to && this.length < MAX_TEMPLATE_BYTES;) at = this.consume(at, at === from);
    if (this.length > 0 && this.bytes[this.length - 1] === BLANK) this.length--;
  }

  /** Consumes the token at `at` and returns the position of the next one. */
  private consume(at: number, isFirst: boolean): number {
    const byteClass = CLASSES[this.source[at]];
    switch (byteClass) {
      case SPACE:
        this.hasPendingBlank = this.length > 0;
        return at + 1;
      case SEPARATOR:
      case LIST_SEPARATOR:
        if (byteClass === SEPARATOR) this.maskEnd = -1;
        return this.copyByte(at);
      case MASK:
        this.appendMask();
        return at + 1;
      case QUOTE:
        return this.consumeQuoted(at, isFirst || CLASSES[this.source[at - 1]] >= SPACE);
      default:
        return this.consumeWord(at);
    }
  }

  /** Copies the word while classifying it; a mask then overwrites the copied bytes. */
  private consumeWord(from: number): number {
    const { bytes, source, to } = this;
    this.flushPendingBlank();
    const start = this.length;
    let { length } = this;
    let at = from;
    let classes = 0;
    for (; at < to; at++) {
      const byte = source[at];
      const byteClass = CLASSES[byte];
      if (byteClass >= SPACE) break;
      classes |= byteClass;
      if (length < MAX_TEMPLATE_BYTES) bytes[length++] = byte;
    }
    if ((classes & VARYING) !== 0 || (classes === HEX_LETTER && at - from >= HEX_ID_LETTERS)) this.placeMaskAt(start);
    else this.endWord(start, length, length - start < at - from);
    return at;
  }

  private endWord(start: number, length: number, isCut: boolean): void {
    this.maskEnd = -1;
    this.length = isCut ? findLastCompleteCharacterEnd(this.bytes, start, length) : length;
    // The template is full once a character was cut off, even if a byte or two are left.
    if (isCut) this.to = 0;
  }

  /**
   * A quote opens only where a word could begin: in `can't` it is an ordinary letter. JSON keys are copied like plain
   * text.
   */
  private consumeQuoted(at: number, canOpen: boolean): number {
    const close = canOpen ? this.findCachedClosingQuote(at) : NOT_FOUND;
    if (close === NOT_FOUND || (close + 1 < this.to && this.source[close + 1] === COLON)) {
      this.maskEnd = -1;
      return this.copyByte(at);
    }
    this.appendMask();
    return close + 1;
  }

  /** Position of the quote that closes the one at `open`: the same character, unescaped, not followed by a word. */
  private findCachedClosingQuote(open: number): number {
    const { closingQuotes, source } = this;
    this.hasQuotes = true;
    const quote = source[open];
    const known = closingQuotes[quote & 7];
    if (known === NOT_FOUND || known > open) return known;
    return (closingQuotes[quote & 7] = this.findClosingQuote(quote, open + 1));
  }

  private findClosingQuote(quote: number, from: number): number {
    const { source, to } = this;
    for (let at = from; at < to; at++) {
      if (source[at] === BACKSLASH) at++;
      else if (source[at] === quote && (at + 1 >= to || CLASSES[source[at + 1]] >= SPACE)) return at;
    }
    return NOT_FOUND;
  }

  private appendMask(): void {
    this.flushPendingBlank();
    this.placeMaskAt(this.length);
  }

  /** Writes a mask at `start`, unless the previous mask extends up to there. */
  private placeMaskAt(start: number): void {
    if (this.maskEnd < 0) {
      if (start < MAX_TEMPLATE_BYTES) this.bytes[start] = STAR;
      this.maskEnd = Math.min(start + 1, MAX_TEMPLATE_BYTES);
    }
    this.length = this.maskEnd;
  }

  private copyByte(at: number): number {
    this.flushPendingBlank();
    if (this.length < MAX_TEMPLATE_BYTES) this.bytes[this.length++] = this.source[at];
    return at + 1;
  }

  private flushPendingBlank(): void {
    if (this.hasPendingBlank && this.length < MAX_TEMPLATE_BYTES) this.bytes[this.length++] = BLANK;
    this.hasPendingBlank = false;
  }
}

function buildByteClasses(): Uint8Array {
  const classes = new Uint8Array(256).fill(LETTER);
  const fill = (bytes: string, byteClass: number): void => {
    for (const byte of Buffer.from(bytes)) classes[byte] = byteClass;
  };
  fill('abcdefABCDEF', HEX_LETTER);
  fill('0123456789@', VARYING);
  fill(' \t\n\v\f\r', SPACE);
  fill('/;=()[]{}<>|?&!', SEPARATOR);
  fill(',:', LIST_SEPARATOR);
  fill('"\'`', QUOTE);
  fill('*', MASK);
  return classes;
}
