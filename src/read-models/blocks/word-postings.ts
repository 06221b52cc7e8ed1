import type { StringInterner } from '../../telemetry/columns/string-interner.js';
import { countEntries } from './tag-postings.js';
import { PostingListBuilder, decodePostingList, decodePostingUnion, forEachPosting } from './posting-lists.js';
import { SectionWriter, type Section } from './section.js';
import { mix32 } from './uint32-words.js';

export const WORDS_BLOB = 'words';
export const WORD_ROWS_BLOB = 'word-rows';

/** Words in the bodies of rows: those of row i are `wordIds[wordEnd[i−1], wordEnd[i])`. */
export interface RowWords {
  readonly wordEnd: Uint32Array;
  readonly wordIds: Uint32Array;
  readonly words: StringInterner;
}

export interface EncodedWords {
  readonly words: Uint8Array;
  readonly wordRows: Uint8Array;
  /** Hash of each distinct word, for a Bloom filter. */
  readonly hashes: Uint32Array;
}

/** Leaves 21 bits for the number of a word, more than a block can have, in the 53 bits of a double. */
const SORT_WORD_BITS = 21;
const LENGTHS = 0;
const TEXT = 1;
const COUNTS = 0;
const GAPS = 1;

/**
 * Encodes the distinct words sorted by their UTF-8 bytes, so that words with the same prefix are adjacent, and their
 * rows.
 */
export function encodeWords(source: RowWords, rows: Uint32Array): EncodedWords {
  const { lists, originals } = gatherWords(source, rows);
  const texts = originals.map((id) => Buffer.from(source.words.text(id)));
  const order = orderByBytes(texts);
  const sorted = Array.from(order, (i) => texts[i]);
  const encoded = lists.encode(order);
  return {
    words: new SectionWriter('text')
      .numbers(Uint32Array.from(sorted, (text) => text.length))
      .bytes(Buffer.concat(sorted))
      .finish(),
    wordRows: new SectionWriter().numbers(encoded.counts).bytes(encoded.gaps).finish(),
    hashes: Uint32Array.from(texts, wordHash),
  };
}

/** FNV-1a over the bytes, with a final mix. */
export function wordHash(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return mix32(hash);
}

/** Rows whose body contains the word. */
export function findRowsWithWord(words: Section, wordRows: Section, word: Uint8Array): Uint16Array {
  const dictionary = new SortedWordDictionary(words);
  const at = dictionary.lowerBound(word);
  if (at === dictionary.size || Buffer.compare(dictionary.word(at), word) !== 0) return new Uint16Array(0);
  return decodePostingList(wordRows.uint32(COUNTS), wordRows.bytes(GAPS), at);
}

/** Rows whose body contains a word that starts with `prefix`. */
export function findRowsWithPrefix(
  words: Section,
  wordRows: Section,
  prefix: Uint8Array,
  blockRows: number,
): Uint16Array {
  const dictionary = new SortedWordDictionary(words);
  const from = dictionary.lowerBound(prefix);
  let to = from;
  while (to < dictionary.size && Buffer.compare(dictionary.word(to).subarray(0, prefix.length), prefix) === 0) to++;
  return from === to
    ? new Uint16Array(0)
    : decodePostingUnion(wordRows.uint32(COUNTS), wordRows.bytes(GAPS), from, to, blockRows);
}

/** Decodes all words of all rows. */
export function decodeWords(
  words: Section,
  wordRows: Section,
  rows: number,
  into: StringInterner,
): { wordEnd: Uint32Array; wordIds: Uint32Array } {
  const dictionary = new SortedWordDictionary(words);
  const ids = Array.from({ length: dictionary.size }, (_, i) =>
    into.internText(Buffer.from(dictionary.word(i)).toString()),
  );
  const counts = wordRows.uint32(COUNTS);
  const wordEnd = new Uint32Array(rows);
  forEachPosting(counts, wordRows.bytes(GAPS), (_list, row) => wordEnd[row]++);
  for (let row = 1; row < rows; row++) wordEnd[row] += wordEnd[row - 1];
  const cursors = wordEnd.slice();
  const wordIds = new Uint32Array(wordEnd.at(-1) ?? 0);
  forEachPosting(counts, wordRows.bytes(GAPS), (list, row) => (wordIds[--cursors[row]] = ids[list]));
  return { wordEnd, wordIds };
}

/** The sorted words of a block. */
class SortedWordDictionary {
  private readonly ends: Uint32Array;
  private readonly text: Uint8Array;

  constructor(section: Section) {
    this.ends = section.uint32(LENGTHS);
    for (let i = 1; i < this.ends.length; i++) this.ends[i] += this.ends[i - 1];
    this.text = section.bytes(TEXT);
  }

  get size(): number {
    return this.ends.length;
  }

  word(index: number): Uint8Array {
    return this.text.subarray(index === 0 ? 0 : this.ends[index - 1], this.ends[index]);
  }

  /** Index of the first word that does not sort before `word`; `size` if all do. */
  lowerBound(word: Uint8Array): number {
    let from = 0;
    let to = this.size;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (Buffer.compare(this.word(middle), word) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function gatherWords(
  { wordEnd, wordIds, words }: RowWords,
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

/** Sorts natively by the first four bytes, then sorts words with equal first bytes. */
function orderByBytes(texts: readonly Buffer[]): Uint32Array {
  const keys = Float64Array.from(texts, (text, i) => leadingBytes(text) * 2 ** SORT_WORD_BITS + i).sort();
  const order = Uint32Array.from(keys, (key) => key % 2 ** SORT_WORD_BITS);
  const compare = (a: number, b: number): number => Buffer.compare(texts[a], texts[b]);
  for (let from = 0; from < order.length;) {
    const lead = Math.floor(keys[from] / 2 ** SORT_WORD_BITS);
    let to = from + 1;
    while (to < order.length && Math.floor(keys[to] / 2 ** SORT_WORD_BITS) === lead) to++;
    if (to - from > 1) order.subarray(from, to).sort(compare);
    from = to;
  }
  return order;
}

function leadingBytes(text: Buffer): number {
  let key = 0;
  for (let i = 0; i < 4; i++) key = key * 256 + (i < text.length ? text[i] : 0);
  return key;
}
