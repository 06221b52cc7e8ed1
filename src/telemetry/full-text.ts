import type { StringInterner } from './columns/string-interner.js';

/** What a body must contain: all words, a word for each prefix, and each phrase as consecutive words. All lower-case. */
export interface TextQuery {
  readonly words: string[];
  readonly prefixes: string[];
  /** Two or more words each; they do not stand in `words` too. */
  readonly phrases: string[][];
}

/** Words are cut here: the rest of a longer one is neither indexed nor compared. UTF-16 units. */
export const MAX_WORD_LENGTH = 64;

const WORD = /[\p{L}\p{N}_]+/gu;

/** A phrase (an unclosed one reaches to the end), or a word with what may be its star. */
const TERM = /"([^"]*)"?|([\p{L}\p{N}_]+)(\*?)/gu;

/** Distinct words of a text: runs of letters, digits and underscores, lower-case, cut, in the order of appearance. */
export function extractDistinctWords(text: string): string[] {
  return [...new Set(extractWords(text))];
}

/**
 * Reads what a user typed: all words, `prefix*`, `"a phrase"`. Everything else separates. A text without words asks
 * for nothing and matches every body.
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

/** The exact meaning of a text query; an index may only be quicker. */
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

function extractWords(text: string): string[] {
  return Array.from(foldCase(text).matchAll(WORD), ([word]) => truncateWord(word));
}

/** Lower case in which a final sigma is like any other: the same word in capitals must be found. */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** At most MAX_WORD_LENGTH units; a pair of surrogates is never parted. */
function truncateWord(word: string): string {
  if (word.length <= MAX_WORD_LENGTH) return word;
  const last = word.charCodeAt(MAX_WORD_LENGTH - 1);
  const parted = last >= 0xd800 && last <= 0xdbff;
  return word.slice(0, parted ? MAX_WORD_LENGTH - 1 : MAX_WORD_LENGTH);
}

/** By byte: the lower-case form of an ASCII letter, digit or underscore, 0 for every other byte. */
const LOWER = buildLowerCaseTable();

/**
 * Words of ASCII text by their bytes, without a string for a word that is known. Agrees with wordsOf on ASCII.
 * Fields hold the state of one text: `start`, then `next` until it answers −1.
 */
export class AsciiWordScanner {
  private readonly word = new Uint8Array(MAX_WORD_LENGTH);
  private bytes: Uint8Array = this.word;
  private at = 0;
  private end = 0;

  /** False where `bytes[from, to)` is not ASCII: then wordsOf has to do it. */
  start(bytes: Uint8Array, from: number, to: number): boolean {
    let all = 0;
    for (let i = from; i < to; i++) all |= bytes[i];
    this.bytes = bytes;
    this.at = from;
    this.end = to;
    return all < 128;
  }

  /** Id of the next word in `words`, −1 at the end. A word that stands there twice is answered twice. */
  next(words: StringInterner): number {
    const { bytes, end, word } = this;
    let { at } = this;
    while (at < end && LOWER[bytes[at]] === 0) at++;
    let length = 0;
    for (let lower = 0; at < end && (lower = LOWER[bytes[at]]) !== 0; at++) {
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
