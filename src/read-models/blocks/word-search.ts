import type { BlockSummary } from './block.js';
import type { BlockColumn } from './block-column.js';
import { rowsWithPrefix, rowsWithWord, WORD_ROWS_BLOB, wordHash, WORDS_BLOB } from './word-postings.js';

/** One word or prefix as blocks are asked for it. */
export interface WordCondition {
  /** Where the tag bloom of a block knows of the word; undefined for prefixes, which no bloom can tell. */
  readonly hash: number | undefined;
  /** Rows whose body holds the word, or one that starts so. */
  readonly column: BlockColumn<BlockSummary, Uint16Array>;
}

const BLOBS = [WORDS_BLOB, WORD_ROWS_BLOB];

export function wordCondition(word: string): WordCondition {
  const bytes = Buffer.from(word);
  return {
    hash: wordHash(bytes),
    column: {
      name: `word ${word}`,
      blobs: () => BLOBS,
      decode: ([words, wordRows]) => rowsWithWord(words, wordRows, bytes),
      bytes: (rows) => rows.byteLength,
    },
  };
}

export function prefixCondition(prefix: string): WordCondition {
  const bytes = Buffer.from(prefix);
  return {
    hash: undefined,
    column: {
      name: `prefix ${prefix}`,
      blobs: () => BLOBS,
      decode: ([words, wordRows], { rows }) => rowsWithPrefix(words, wordRows, bytes, rows),
      bytes: (rows) => rows.byteLength,
    },
  };
}
