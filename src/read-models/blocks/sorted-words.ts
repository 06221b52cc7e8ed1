import type { Section, SectionWriter } from './section.js';
import { mix32 } from './uint32-words.js';

/** Leaves 21 bits for the number of a word, more than a block can have, in the 53 bits of a double. */
const SORT_WORD_BITS = 21;
const LENGTHS = 0;
const TEXT = 1;

/** FNV-1a over the bytes, with a final mix. */
export function wordHash(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return mix32(hash);
}

/** Writes two parts, from which SortedWordDictionary reads the words. `sorted`: UTF-8, sorted by bytes. */
export function writeSortedWords(writer: SectionWriter, sorted: readonly Uint8Array[]): SectionWriter {
  return writer.numbers(Uint32Array.from(sorted, (word) => word.length)).bytes(Buffer.concat(sorted));
}

/** Words sorted by their UTF-8 bytes, so that words with the same prefix are adjacent. */
export class SortedWordDictionary {
  private readonly ends: Uint32Array;
  private readonly text: Uint8Array;

  /** Reads the first two parts of the section. */
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

  /** Indexes [from, to) of the words that equal `word`, or start with it; from = to if there is none. */
  range(word: Uint8Array, isPrefix: boolean): readonly [from: number, to: number] {
    const from = this.lowerBound(word);
    let to = from;
    while (to < this.size && (isPrefix ? this.startsWith(to, word) : to === from && this.equals(to, word))) to++;
    return [from, to];
  }

  private startsWith(index: number, prefix: Uint8Array): boolean {
    return Buffer.compare(this.word(index).subarray(0, prefix.length), prefix) === 0;
  }

  private equals(index: number, word: Uint8Array): boolean {
    return Buffer.compare(this.word(index), word) === 0;
  }
}

/** Indexes of the texts in the order of their bytes. Sorts natively by the first four bytes, then words with equal ones. */
export function orderByBytes(texts: readonly Buffer[]): Uint32Array {
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
