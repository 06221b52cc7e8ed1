/**
 * Load factor above which the table doubles. Above one half, so that a table for a power of two of entries also takes the
 * batch that exceeds it: otherwise most of them would double for that.
 */
const MAX_LOAD = 0.625;

/**
 * Open-addressed hash table over one array of 32-bit words, for millions of entries without an object per entry. An
 * entry is `width` words: two of key, the rest for the caller. Several entries may have the same key. Entries are never
 * removed: drop the table instead. An entry is identified by the index of its first word.
 */
export class OpenAddressedTable {
  words: Uint32Array;
  count = 0;
  private slots: number;

  constructor(
    private readonly width: number,
    slots = 1 << 10,
  ) {
    this.slots = slots;
    this.words = new Uint32Array(slots * width);
  }

  /** Slots of a table that holds this many entries without growing. */
  static sizeFor(entries: number): number {
    return Math.max(1 << 10, 2 ** Math.ceil(Math.log2(entries / MAX_LOAD + 1)));
  }

  /** Number of slots, a power of two: the initial size for a table that will grow as large. */
  get size(): number {
    return this.slots;
  }

  /** Index of the first entry with this key, or -1. `a` and `b` are well-mixed unsigned words. */
  find(a: number, b: number): number {
    const second = replaceZeroKey(a, b);
    return this.seek((second & (this.slots - 1)) * this.width, a, second);
  }

  /** Index of the next entry with the key of the entry at `at`, or -1. */
  findNext(at: number): number {
    return this.seek(this.nextIndex(at), this.words[at], this.words[at + 1]);
  }

  /**
   * Adds an entry and returns its index; the words for the caller are zero. Earlier indexes may be invalid afterwards.
   */
  add(a: number, b: number): number {
    if (this.count + 1 > this.slots * MAX_LOAD) this.grow();
    this.count++;
    return this.place(this.words, this.slots, a, replaceZeroKey(a, b));
  }

  /** Visits the index of each entry. */
  forEach(visit: (at: number) => void): void {
    const { words, width } = this;
    for (let at = 0; at < words.length; at += width) if (words[at] !== 0 || words[at + 1] !== 0) visit(at);
  }

  private seek(from: number, a: number, b: number): number {
    const { words } = this;
    for (let at = from; words[at] !== 0 || words[at + 1] !== 0; at = this.nextIndex(at)) {
      if (words[at] === a && words[at + 1] === b) return at;
    }
    return -1;
  }

  private nextIndex(at: number): number {
    const next = at + this.width;
    return next === this.words.length ? 0 : next;
  }

  private place(words: Uint32Array, slots: number, a: number, b: number): number {
    let at = (b & (slots - 1)) * this.width;
    while (words[at] !== 0 || words[at + 1] !== 0) {
      at += this.width;
      if (at === words.length) at = 0;
    }
    words[at] = a;
    words[at + 1] = b;
    return at;
  }

  private grow(): void {
    const { words: old, width } = this;
    const slots = this.slots * 2;
    const words = new Uint32Array(slots * width);
    this.forEach((from) => {
      const at = this.place(words, slots, old[from], old[from + 1]);
      for (let i = 2; i < width; i++) words[at + i] = old[from + i];
    });
    this.words = words;
    this.slots = slots;
  }
}

/** Two zero words mark a free slot, so an all-zero key is replaced. */
function replaceZeroKey(a: number, b: number): number {
  return a === 0 && b === 0 ? 1 : b;
}
