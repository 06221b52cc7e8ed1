import type { Interner } from './interner.js';
import { MAX_WORD_LENGTH } from './words.js';

/** By byte: the lower-case form of an ASCII letter, digit or underscore, 0 for every other byte. */
const LOWER = lowerCaseTable();

/**
 * Words of ASCII text by their bytes, without a string for a word that is known. Agrees with wordsOf on ASCII.
 * Fields hold the state of one text: `start`, then `next` until it answers −1.
 */
export class WordScanner {
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
  next(words: Interner): number {
    const { bytes, end, word } = this;
    let { at } = this;
    while (at < end && LOWER[bytes[at]] === 0) at++;
    let length = 0;
    for (let lower = 0; at < end && (lower = LOWER[bytes[at]]) !== 0; at++) {
      if (length < MAX_WORD_LENGTH) word[length++] = lower;
    }
    this.at = at;
    return length === 0 ? -1 : words.id(word, 0, length);
  }
}

function lowerCaseTable(): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of '0123456789_abcdefghijklmnopqrstuvwxyz') {
    table[character.charCodeAt(0)] = character.charCodeAt(0);
    table[character.toUpperCase().charCodeAt(0)] = character.charCodeAt(0);
  }
  return table;
}
