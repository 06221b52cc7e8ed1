import {
  type EncodedBlock,
  packBlobs,
  PACKED_BLOB,
  unpackColumnBlobs,
} from '../../../../../src/read-models/blocks/block.js';
import { allRows } from '../../../../../src/read-models/blocks/column-operations.js';
import { decodeLogBlock } from '../../../../../src/read-models/blocks/log-block-codec.js';
import type { LogBlockSummary } from '../../../../../src/read-models/documents/block-documents.js';
import { WORD_ROWS_BLOB, WORDS_BLOB } from '../../../../../src/read-models/blocks/word-postings.js';
import {
  BODY_ROWS_BLOB,
  BODY_SHAPES_BLOB,
  BODY_VALUES_BLOB,
  type RowWords,
} from '../../../../../src/read-models/blocks/body-words.js';
import { PostingListBuilder } from '../../../../../src/read-models/blocks/posting-lists.js';
import { SectionWriter } from '../../../../../src/read-models/blocks/section.js';
import { orderByBytes, writeSortedWords } from '../../../../../src/read-models/blocks/sorted-words.js';
import { countEntries } from '../../../../../src/read-models/blocks/tag-postings.js';

/** The words of bodies as versions before 4 of the logs projection stored them: posting lists without order. */
export function encodeFormerWords(source: Omit<RowWords, 'unordered'>, rows: Uint32Array): Record<string, Uint8Array> {
  const { lists, originals } = gatherWords(source, rows);
  const texts = originals.map((id) => Buffer.from(source.words.text(id)));
  const order = orderByBytes(texts);
  const encoded = lists.encode(order);
  const sorted = Array.from(order, (i) => texts[i]);
  return {
    [WORDS_BLOB]: writeSortedWords(new SectionWriter('text'), sorted).finish(),
    [WORD_ROWS_BLOB]: new SectionWriter().numbers(encoded.counts).bytes(encoded.gaps).finish(),
  };
}

/** The block as versions before 4 of the logs projection stored it. */
export function toFormerLogBlock({ document, blobs }: EncodedBlock<LogBlockSummary>): EncodedBlock<LogBlockSummary> {
  const { unorderedBodies: _, ...summary } = document;
  const columns = { ...unpackColumnBlobs(document.packed, blobs) };
  for (const name of [BODY_SHAPES_BLOB, BODY_VALUES_BLOB, BODY_ROWS_BLOB]) delete columns[name];
  Object.assign(columns, encodeFormerWords(decodeLogBlock(document, blobs), allRows(document.rows)));
  return { document: summary, blobs: document.packed ? { [PACKED_BLOB]: packBlobs(columns) } : columns };
}

function gatherWords(
  { wordEnd, wordIds, words }: Omit<RowWords, 'unordered'>,
  rows: Uint32Array,
): { lists: PostingListBuilder; originals: number[] } {
  const lists = new PostingListBuilder(countEntries(wordEnd, rows));
  const local = new Int32Array(words.size).fill(-1);
  const originals: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    for (let w = row === 0 ? 0 : wordEnd[row - 1]; w < wordEnd[row]; w++) {
      const id = wordIds[w];
      if (local[id] < 0) local[id] = originals.push(id) - 1;
      lists.add(local[id], i);
    }
  }
  return { lists, originals };
}
