import { computeAttributeToken } from '../../telemetry/attribute-tokens.js';
import { type BlockColumn, type BlockSummary, defineColumn } from './block.js';
import { BloomFilter } from './bloom-filter.js';
import { addResourceRows, RESOURCES_BLOB } from './resource-column.js';
import { TAG_BLOOM_BLOB } from './tag-column-codec.js';
import { findRowsWithTag, tagBlobName, tagHash } from './tag-postings.js';
import { findRowsWithSequence, findUnorderedRows, needsValues, type SoughtWords } from './body-search.js';
import { BODY_ROWS_BLOB, BODY_SHAPES_BLOB, BODY_VALUES_BLOB } from './body-words.js';
import { findRowsWithPrefix, findRowsWithWords, WORD_ROWS_BLOB, WORDS_BLOB } from './word-postings.js';
import type { LogBlockSummary } from '../documents/block-documents.js';
import type { Section } from './section.js';
import { wordHash } from './sorted-words.js';

/** Bloom filter over the tags of rows and resources, and the words of log bodies. */
export const TAG_BLOOM: BlockColumn<BlockSummary, BloomFilter> = defineColumn(
  'tag-bloom',
  TAG_BLOOM_BLOB,
  (section) => BloomFilter.fromBytes(section.bytes(0)),
  (bloom) => bloom.bytes.length,
);

/** A condition `key = text` as blocks evaluate it. */
export interface TagCondition {
  /** A block can only have matches if its tag Bloom filter has each of these. */
  readonly hashes: readonly number[];
  /** Rows whose record or resource has the attribute. */
  readonly column: BlockColumn<BlockSummary, Uint16Array>;
}

export function tagCondition(key: string, text: string): TagCondition {
  const { token, check } = computeAttributeToken(key, text);
  const unsigned = token >>> 0;
  return {
    hashes: [tagHash(unsigned, check)],
    column: {
      name: `tag ${unsigned}.${check}`,
      blobs: ({ packed }) => [tagBlobName(unsigned, packed), RESOURCES_BLOB],
      decode: ([tags, resources], { packed }) =>
        addResourceRows(resources, unsigned, check, findRowsWithTag(tags, unsigned, check, packed)),
      bytes: (rows) => rows.byteLength,
    },
  };
}

/** A condition on log bodies as blocks evaluate it. */
export interface WordCondition {
  /** As of tags; empty for prefixes, which a Bloom filter cannot test. */
  readonly hashes: readonly number[];
  /**
   * Rows whose body contains the word, a word with the prefix, or the phrase. For a phrase, rows in UNORDERED_BODIES
   * contain at least all of its words.
   */
  readonly column: BlockColumn<LogBlockSummary, Uint16Array>;
}

export function wordCondition(word: string): WordCondition {
  return bodyCondition(`word ${word}`, { words: [Buffer.from(word)], isPrefix: false });
}

export function prefixCondition(prefix: string): WordCondition {
  return bodyCondition(`prefix ${prefix}`, { words: [Buffer.from(prefix)], isPrefix: true });
}

/** `words`: two or more, one after the other. */
export function phraseCondition(words: readonly string[]): WordCondition {
  return bodyCondition(`phrase ${words.join(' ')}`, { words: words.map((word) => Buffer.from(word)), isPrefix: false });
}

const FORMER_BLOBS = [WORDS_BLOB, WORD_ROWS_BLOB];
const SHAPE_BLOBS = [BODY_SHAPES_BLOB];
const ALL_BLOBS = [BODY_SHAPES_BLOB, BODY_VALUES_BLOB, BODY_ROWS_BLOB];

function bodyCondition(name: string, sought: SoughtWords): WordCondition {
  const blobs = needsValues(sought) ? ALL_BLOBS : SHAPE_BLOBS;
  return {
    hashes: sought.isPrefix ? [] : sought.words.map(wordHash),
    column: {
      name,
      blobs: (document) => (hasFormerWords(document) ? FORMER_BLOBS : blobs),
      decode: (sections, document) =>
        hasFormerWords(document) ? findInFormerWords(sections, sought, document.rows) : findInBodies(sections, sought),
      bytes: (rows) => rows.byteLength,
    },
  };
}

/** True for blocks that versions before 4 of the projection wrote. */
function hasFormerWords(document: LogBlockSummary): boolean {
  return document.unorderedBodies === undefined;
}

function findInFormerWords([words, wordRows]: readonly Section[], sought: SoughtWords, rows: number): Uint16Array {
  return sought.isPrefix
    ? findRowsWithPrefix(words, wordRows, sought.words[0], rows)
    : findRowsWithWords(words, wordRows, sought.words);
}

function findInBodies([shapes, values, bodyRows]: readonly Section[], sought: SoughtWords): Uint16Array {
  return findRowsWithSequence(shapes, values && { values, bodyRows }, sought);
}

/** Rows of a block that knows which words their bodies have, but not in which order. */
export const UNORDERED_BODIES: BlockColumn<LogBlockSummary, Uint16Array> = {
  name: 'unordered bodies',
  blobs: (document) => (hasFormerWords(document) || document.unorderedBodies === 0 ? [] : SHAPE_BLOBS),
  decode([shapes], document) {
    if (hasFormerWords(document)) return Uint16Array.from({ length: document.rows }, (_, row) => row);
    return document.unorderedBodies === 0 ? new Uint16Array(0) : findUnorderedRows(shapes);
  },
  bytes: (rows) => rows.byteLength,
};
