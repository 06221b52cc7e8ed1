import { findLastCompleteCharacterEnd } from './utf8.js';

/** Templates are cut here, at a character boundary. */
export const MAX_TEMPLATE_BYTES = 200;

const STAR = 0x2a;
const BLANK = 0x20;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const NOT_FOUND = -1;

/** Runs of at least so many hex letters are ids though they hold no digit: no word is that long. */
const HEX_ID_LETTERS = 8;

/** Classes of bytes; those of a word are bits. What is none of the others, non-ASCII bytes above all, is LETTER. */
const LETTER = 1;
const HEX_LETTER = 2;
/** Makes its whole word vary: digits, and the @ of addresses and object identities. */
const VARYING = 4;
/** From here on bytes end a word. */
const SPACE = 8;
/** Stands for itself. */
const SEPARATOR = 9;
/** The same, but between two masks it is dropped: there it parts the items of a list or the parts of a time. */
const LIST_SEPARATOR = 10;
const QUOTE = 11;
const MASK = 12;
const CLASSES = buildByteClasses();

/**
 * The constant part of a log body: every word with a digit (numbers, times, UUIDs, addresses, numbered names), hex ids
 * and quoted strings become `*`, white space one blank, lists of such items one `*`. Quoted keys of JSON stay.
 *
 * These are the masks that Drain (He et al., ICWS 2017) applies before it parses, and no more than that: Drain goes on to
 * group similar messages in a tree, so that what it answers depends on what it saw before. This is a function of the body
 * alone, hence the same in any order and on any machine; words that vary without a digit stay apart.
 */
export class LogTemplateExtractor {
  /** The template is `bytes[0, length)`. */
  readonly bytes = new Uint8Array(MAX_TEMPLATE_BYTES);
  length = 0;

  private source: Uint8Array = this.bytes;
  private to = 0;
  /** Where the last mask ends, as long as nothing but separators of lists follows it; else −1. */
  private maskEnd = -1;
  private isBlankDue = false;
  private hasQuotes = false;
  /** By the low bits of a quote, which tell the three apart: where it closes next, NOWHERE, or 0 while that is not known. */
  private readonly closes = new Int32Array(8);

  /** Makes the template of the UTF-8 text `source[from, to)`, in one pass; reads no further than the template reaches. */
  extract(source: Uint8Array, from: number, to: number): void {
    this.source = source;
    this.to = to;
    this.length = 0;
    this.maskEnd = -1;
    this.isBlankDue = false;
    if (this.hasQuotes) this.closes.fill(0);
    this.hasQuotes = false;
    for (let at = from; at < this.to && this.length < MAX_TEMPLATE_BYTES;) at = this.consume(at, at === from);
    if (this.length > 0 && this.bytes[this.length - 1] === BLANK) this.length--;
  }

  /** Takes what stands at `at`; answers where the next thing begins. */
  private consume(at: number, isFirst: boolean): number {
    const byteClass = CLASSES[this.source[at]];
    switch (byteClass) {
      case SPACE:
        this.isBlankDue = this.length > 0;
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

  /** Copies the word while it looks at it; a mask goes over what was copied. */
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
    // What a character was cut off from is full, though a byte or two may be left.
    if (isCut) this.to = 0;
  }

  /** A quote opens where a word could begin: the one in `can't` is a letter like any other. Keys are read like plain text. */
  private consumeQuoted(at: number, canOpen: boolean): number {
    const close = canOpen ? this.closingQuoteAt(at) : NOT_FOUND;
    if (close === NOT_FOUND || (close + 1 < this.to && this.source[close + 1] === COLON)) {
      this.maskEnd = -1;
      return this.copyByte(at);
    }
    this.appendMask();
    return close + 1;
  }

  /** Where the quote at `open` closes: at its like, not escaped, with no word right behind it. */
  private closingQuoteAt(open: number): number {
    const { closes, source } = this;
    this.hasQuotes = true;
    const quote = source[open];
    const known = closes[quote & 7];
    if (known === NOT_FOUND || known > open) return known;
    return (closes[quote & 7] = this.findClosingQuote(quote, open + 1));
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

  /** A mask at `start`, or none where the one before reaches up to there. */
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
    if (this.isBlankDue && this.length < MAX_TEMPLATE_BYTES) this.bytes[this.length++] = BLANK;
    this.isBlankDue = false;
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
