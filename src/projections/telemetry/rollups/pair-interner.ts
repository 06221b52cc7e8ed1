const MIN_SLOTS = 1 << 8;

/** Load factor above which the table doubles. */
const MAX_LOAD = 0.5;

/**
 * A slot: both numbers of a pair and the number of the pair plus 1; 0 for a free slot. A fourth word keeps slots within
 * cache lines.
 */
const SLOT_BITS = 2;
const SLOT_WORDS = 1 << SLOT_BITS;

/** Numbers pairs of integers (below 2^31) 0, 1, 2 … in the order of their first occurrence. */
export class PairInterner {
  readonly firsts: number[] = [];
  readonly seconds: number[] = [];
  /** Open-addressed hash table. */
  private words = new Int32Array(MIN_SLOTS * SLOT_WORDS);

  get count(): number {
    return this.firsts.length;
  }

  intern(first: number, second: number): number {
    const { words } = this;
    const mask = words.length - 1;
    let at = (hashSlot(first, second) << SLOT_BITS) & mask;
    for (let number = words[at + 2]; number !== 0; number = words[at + 2]) {
      if (words[at] === first && words[at + 1] === second) return number - 1;
      at = (at + SLOT_WORDS) & mask;
    }
    return this.add(first, second);
  }

  private add(first: number, second: number): number {
    const number = this.firsts.push(first);
    this.seconds.push(second);
    if (number * SLOT_WORDS > this.words.length * MAX_LOAD) this.grow();
    else place(this.words, first, second, number);
    return number - 1;
  }

  private grow(): void {
    this.words = new Int32Array(this.words.length * 2);
    for (let i = 0; i < this.count; i++) place(this.words, this.firsts[i], this.seconds[i], i + 1);
  }
}

function place(words: Int32Array, first: number, second: number, number: number): void {
  const mask = words.length - 1;
  let at = (hashSlot(first, second) << SLOT_BITS) & mask;
  while (words[at + 2] !== 0) at = (at + SLOT_WORDS) & mask;
  words[at] = first;
  words[at + 1] = second;
  words[at + 2] = number;
}

function hashSlot(first: number, second: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ second;
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
