import { computeAttributeToken } from '../../telemetry/attribute-tokens.js';
import { type BlockColumn, type BlockSummary, defineColumn } from './block.js';
import { BloomFilter } from './bloom-filter.js';
import { addResourceRows, RESOURCES_BLOB } from './resource-column.js';
import { TAG_BLOOM_BLOB } from './tag-column-codec.js';
import { findRowsWithTag, tagBlobName, tagHash } from './tag-postings.js';
import { findRowsWithPrefix, findRowsWithWord, WORD_ROWS_BLOB, wordHash, WORDS_BLOB } from './word-postings.js';

/** Bloom filter over the tags of rows and resources, and the words of log bodies. */
export const TAG_BLOOM: BlockColumn<BlockSummary, BloomFilter> = defineColumn(
  'tag-bloom',
  TAG_BLOOM_BLOB,
  (section) => BloomFilter.fromBytes(section.bytes(0)),
  (bloom) => bloom.bytes.length,
);

/** A condition `key = text` as blocks evaluate it. */
export interface TagCondition {
  readonly hash: number;
  /** Rows whose record or resource has the attribute. */
  readonly column: BlockColumn<BlockSummary, Uint16Array>;
}

export function tagCondition(key: string, text: string): TagCondition {
  const { token, check } = computeAttributeToken(key, text);
  const unsigned = token >>> 0;
  return {
    hash: tagHash(unsigned, check),
    column: {
      name: `tag ${unsigned}.${check}`,
      blobs: ({ packed }) => [tagBlobName(unsigned, packed), RESOURCES_BLOB],
      decode: ([tags, resources], { packed }) =>
        addResourceRows(resources, unsigned, check, findRowsWithTag(tags, unsigned, check, packed)),
      bytes: (rows) => rows.byteLength,
    },
  };
}

/** A word or prefix condition as blocks evaluate it. */
export interface WordCondition {
  /** Hash of the word in the tag Bloom filter of a block; undefined for prefixes, which a Bloom filter cannot test. */
  readonly hash: number | undefined;
  /** Rows whose body contains the word, or a word with the prefix. */
  readonly column: BlockColumn<BlockSummary, Uint16Array>;
}

const WORD_BLOBS = [WORDS_BLOB, WORD_ROWS_BLOB];

export function wordCondition(word: string): WordCondition {
  const bytes = Buffer.from(word);
  return {
    hash: wordHash(bytes),
    column: {
      name: `word ${word}`,
      blobs: () => WORD_BLOBS,
      decode: ([words, wordRows]) => findRowsWithWord(words, wordRows, bytes),
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
      blobs: () => WORD_BLOBS,
      decode: ([words, wordRows], { rows }) => findRowsWithPrefix(words, wordRows, bytes, rows),
      bytes: (rows) => rows.byteLength,
    },
  };
}
