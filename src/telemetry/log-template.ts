import { boundaryAt } from './text-cut.js';

/** Templates are cut here, at a character boundary. */
export const MAX_TEMPLATE_BYTES = 200;

const STAR = 0x2a;
const BLANK = 0x20;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const NOWHERE = -1;

/** Runs of at least so many hex letters are ids though they hold no digit: no word is that long. */
const HEX_ID_LETTERS = 8;

/** Classes of bytes. What is none of these, non-ASCII bytes above all, belongs to a word. */
const WORD = 0;
const HEX_LETTER = 1;
/** Makes its whole word vary: digits, and the @ of addresses and object identities. */
const VARYING = 2;
const SPACE = 3;
/** Ends a word and stands for itself; between two masks it is dropped where it only parts the items of a list or of a time. */
const SEPARATOR = 4;
const LIST_SEPARATOR = 5;
const QUOTE = 6;
const MASK = 7;
const CLASSES = byteClasses();

/**
 * The constant part of a log body: every word with a digit (numbers, times, UUIDs, addresses, numbered names), hex ids
 * and quoted strings become `*`, white space one blank, lists of such items one `*`. Quoted keys of JSON stay.
 *
 * These are the masks that Drain (He et al., ICWS 2017) applies before it parses, and no more than that: Drain goes on to
 * group similar messages in a tree, so that what it answers depends on what it saw before. This is a function of the body
 * alone, hence the same in any order and on any machine; words that vary without a digit stay apart.
 */
export class LogTemplate {
  /** The template is `bytes[0, length)`. */
  readonly bytes = new Uint8Array(MAX_TEMPLATE_BYTES);
  length = 0;

  private source: Uint8Array = this.bytes;
  private to = 0;
  /** Where the last mask ends, as long as nothing but separators of lists follows it; else −1. */
  private maskEnd = -1;
  private isBlankDue = false;
  /** By the low bits of a quote, which tell the three apart: where it closes next, NOWHERE, or 0 while that is not known. */
  private readonly closes = new Int32Array(8);

  /** Makes the template of the UTF-8 text `source[from, to)`, in one pass; reads no further than the template reaches. */
  mask(source: Uint8Array, from: number, to: number): void {
    this.source = source;
    this.to = to;
    this.length = 0;
    this.maskEnd = -1;
    this.isBlankDue = false;
    this.closes.fill(0);
    for (let at = from; at < this.to && this.length < MAX_TEMPLATE_BYTES; ) at = this.step(at, at === from);
    if (this.length > 0 && this.bytes[this.length - 1] === BLANK) this.length--;
  }

  /** Takes what stands at `at`; answers where the next thing begins. */
  private step(at: number, isFirst: boolean): number {
    const byteClass = CLASSES[this.source[at]];
    switch (byteClass) {
      case SPACE:
        this.isBlankDue = this.length > 0;
        return at + 1;
      case SEPARATOR:
      case LIST_SEPARATOR:
        this.copy(at, at + 1, byteClass === LIST_SEPARATOR);
        return at + 1;
      case MASK:
        this.star();
        return at + 1;
      case QUOTE:
        return this.quoted(at, isFirst || CLASSES[this.source[at - 1]] >= SPACE);
      default:
        return this.word(at);
    }
  }

  private word(from: number): number {
    const { source, to } = this;
    let at = from;
    let isVarying = false;
    let isHex = true;
    for (; at < to; at++) {
      const byteClass = CLASSES[source[at]];
      if (byteClass > VARYING) break;
      if (byteClass === VARYING) isVarying = true;
      else if (byteClass === WORD) isHex = false;
    }
    if (isVarying || (isHex && at - from >= HEX_ID_LETTERS)) this.star();
    else this.copy(from, at, false);
    return at;
  }

  /** A quote opens where a word could begin: the one in `can't` is a letter like any other. Keys are read like plain text. */
  private quoted(at: number, canOpen: boolean): number {
    const close = canOpen ? this.closeOf(at) : NOWHERE;
    if (close === NOWHERE || (close + 1 < this.to && this.source[close + 1] === COLON)) {
      this.copy(at, at + 1, false);
      return at + 1;
    }
    this.star();
    return close + 1;
  }

  /** Where the quote at `open` closes: at its like, not escaped, with no word right behind it. */
  private closeOf(open: number): number {
    const { closes, source } = this;
    const quote = source[open];
    const known = closes[quote & 7];
    if (known === NOWHERE || known > open) return known;
    return (closes[quote & 7] = this.findClose(quote, open + 1));
  }

  private findClose(quote: number, from: number): number {
    const { source, to } = this;
    for (let at = from; at < to; at++) {
      if (source[at] === BACKSLASH) at++;
      else if (source[at] === quote && (at + 1 >= to || CLASSES[source[at + 1]] >= SPACE)) return at;
    }
    return NOWHERE;
  }

  private star(): void {
    if (this.maskEnd >= 0) {
      this.length = this.maskEnd;
      this.isBlankDue = false;
      return;
    }
    this.blank();
    if (this.length < MAX_TEMPLATE_BYTES) this.bytes[this.length++] = STAR;
    this.maskEnd = this.length;
  }

  private copy(from: number, to: number, keepsMask: boolean): void {
    this.blank();
    const end = to - from > MAX_TEMPLATE_BYTES - this.length ? boundaryAt(this.source, from, from + MAX_TEMPLATE_BYTES - this.length) : to;
    for (let at = from; at < end; at++) this.bytes[this.length++] = this.source[at];
    // What is cut inside a character fills the template all the same: nothing may come behind it.
    if (end < to) this.to = 0;
    if (!keepsMask) this.maskEnd = -1;
  }

  private blank(): void {
    if (this.isBlankDue && this.length < MAX_TEMPLATE_BYTES) this.bytes[this.length++] = BLANK;
    this.isBlankDue = false;
  }
}

function byteClasses(): Uint8Array {
  const classes = new Uint8Array(256);
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
