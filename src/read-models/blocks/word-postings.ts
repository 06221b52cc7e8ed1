import { decodePostingList, decodePostingUnion, intersectRows } from './posting-lists.js';
import type { Section } from './section.js';
import { SortedWordDictionary } from './sorted-words.js';

/*
 * Blocks that versions before 4 of the projection wrote: rows by word, without the order of words. They are read until
 * the projection has been rebuilt.
 */
export const WORDS_BLOB = 'words';
export const WORD_ROWS_BLOB = 'word-rows';

const COUNTS = 0;
const GAPS = 1;

/** Rows whose body contains all of the words. */
export function findRowsWithWords(words: Section, wordRows: Section, sought: readonly Uint8Array[]): Uint16Array {
  const dictionary = new SortedWordDictionary(words);
  let rows: Uint16Array | undefined;
  for (const word of sought) {
    const [from, to] = dictionary.range(word, false);
    if (from === to) return new Uint16Array(0);
    const having = decodePostingList(wordRows.uint32(COUNTS), wordRows.bytes(GAPS), from);
    rows = rows === undefined ? having : intersectRows(rows, having);
  }
  return rows ?? new Uint16Array(0);
}

/** Rows whose body contains a word that starts with `prefix`. */
export function findRowsWithPrefix(
  words: Section,
  wordRows: Section,
  prefix: Uint8Array,
  blockRows: number,
): Uint16Array {
  const [from, to] = new SortedWordDictionary(words).range(prefix, true);
  return from === to
    ? new Uint16Array(0)
    : decodePostingUnion(wordRows.uint32(COUNTS), wordRows.bytes(GAPS), from, to, blockRows);
}
