import type { StringInterner } from './columns/string-interner.js';

/**
 * Conditions on a log body, all lower-case: it contains every word, a word for each prefix, and each phrase as
 * consecutive words.
 */
export interface TextQuery {
  readonly words: string[];
  readonly prefixes: string[];
  /** Two or more words each; these are not repeated in `words`. */
  readonly phrases: string[][];
}

/** Bodies of more words are indexed without the order of their words, so that a block's memory is bounded. */
export const MAX_ORDERED_WORDS = 1024;

/** Words are truncated to this many UTF-16 units; the rest is neither indexed nor compared. */
export const MAX_WORD_LENGTH = 64;

const WORD = /[\p{L}\p{N}_]+/gu;

/** A phrase (an unclosed one extends to the end), or a word with an optional trailing star. */
const TERM = /"([^"]*)"?|([\p{L}\p{N}_]+)(\*?)/gu;

/**
 * Parses the search text of a user: `word`, `prefix*`, `"a phrase"`, all of which must match. Any other character
 * separates words. A text without words yields an empty query, which matches every body.
 */
export function parseTextQuery(text: string): TextQuery {
  const words = new Set<string>();
  const prefixes = new Set<string>();
  const phrases: string[][] = [];
  for (const [, phrase, word, star] of foldCase(text).matchAll(TERM)) {
    if (phrase === undefined) (star === '*' ? prefixes : words).add(truncateWord(word));
    else {
      const sequence = extractWords(phrase);
      if (sequence.length > 1) phrases.push(sequence);
      else if (sequence.length === 1) words.add(sequence[0]);
    }
  }
  return { words: [...words], prefixes: [...prefixes], phrases };
}

/** Reference semantics of a text query: an index may only speed this up, never change the result. */
export function matchesTextQuery(query: TextQuery, bodyText: string): boolean {
  const sequence = extractWords(bodyText);
  const words = new Set(sequence);
  return (
    query.words.every((word) => words.has(word)) &&
    query.prefixes.every((prefix) => sequence.some((word) => word.startsWith(prefix))) &&
    query.phrases.every((phrase) => containsPhrase(sequence, phrase))
  );
}

function containsPhrase(sequence: readonly string[], phrase: readonly string[]): boolean {
  for (let from = 0; from + phrase.length <= sequence.length; from++) {
    if (phrase.every((word, at) => sequence[from + at] === word)) return true;
  }
  return false;
}

/** Words of a text in their order, with repetitions: runs of letters, digits and underscores, lower-case, truncated. */
export function extractWords(text: string): string[] {
  return Array.from(foldCase(text).matchAll(WORD), ([word]) => truncateWord(word));
}

/** Lower case, with a final sigma mapped to a normal one, so that a word also matches its upper-case form. */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** At most MAX_WORD_LENGTH units; never splits a surrogate pair. */
function truncateWord(word: string): string {
  if (word.length <= MAX_WORD_LENGTH) return word;
  const last = word.charCodeAt(MAX_WORD_LENGTH - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return word.slice(0, splitsPair ? MAX_WORD_LENGTH - 1 : MAX_WORD_LENGTH);
}

/** By byte: the lower-case form of an ASCII letter, digit or underscore; 0 for every other byte. */
const LOWER_CASE = buildLowerCaseTable();

/**
 * Extracts words from ASCII text by byte, without allocating a string for a word already interned. Agrees with
 * `extractWords` on ASCII. Stateful: call `start`, then `next` until it returns −1.
 */
export class AsciiWordScanner {
  private readonly word = new Uint8Array(MAX_WORD_LENGTH);
  private bytes: Uint8Array = this.word;
  private at = 0;
  private end = 0;

  /** Returns false if `bytes[from, to)` is not ASCII: use `extractWords` instead. */
  start(bytes: Uint8Array, from: number, to: number): boolean {
    let all = 0;
    for (let i = from; i < to; i++) all |= bytes[i];
    this.bytes = bytes;
    this.at = from;
    this.end = to;
    return all < 128;
  }

  /**
   * Interns the next word in `words` and returns its id, −1 at the end of the text. Repeated words are returned each
   * time.
   */
  next(words: StringInterner): number {
    const { bytes, end, word } = this;
    let { at } = this;
    while (at < end && LOWER_CASE[bytes[at]] === 0) at++;
    let length = 0;
    for (let lower = 0; at < end && (lower = LOWER_CASE[bytes[at]]) !== 0; at++) {
      if (length < MAX_WORD_LENGTH) word[length++] = lower;
    }
    this.at = at;
    return length === 0 ? -1 : words.intern(word, 0, length);
  }
}

function buildLowerCaseTable(): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of '0123456789_abcdefghijklmnopqrstuvwxyz') {
    table[character.charCodeAt(0)] = character.charCodeAt(0);
    table[character.toUpperCase().charCodeAt(0)] = character.charCodeAt(0);
  }
  return table;
}
