import { randomInt } from 'node:crypto';
import { mix32 } from './uint32-words.js';

/** Random seed, because senders choose ids: without it they could provoke hash collisions and slow a table down. */
const SEED = randomInt(2 ** 32);

const FREE = -1;
const SMALLEST_SLOTS = 16;

/** Numbers distinct keys in order of insertion. Open addressing, at most half full; keys are compared in full. */
abstract class IdHashTable {
  size = 0;
  /** Words of all keys in the order of their numbers. */
  words: Uint32Array;
  protected slots: Int32Array;
  protected mask: number;

  constructor(wordsPerKey: number, expected: number) {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(SMALLEST_SLOTS, expected * 2)));
    this.slots = new Int32Array(slots).fill(FREE);
    this.mask = slots - 1;
    this.words = new Uint32Array((slots >>> 1) * wordsPerKey);
  }

  /** Size in memory. */
  get bytes(): number {
    return this.words.byteLength + this.slots.byteLength;
  }

  protected abstract hashKey(number: number): number;

  /** Assigns the next number; the words of its key are already stored. */
  protected take(slot: number): number {
    const number = this.size++;
    this.slots[slot] = number;
    if (this.size * 2 >= this.slots.length) this.grow();
    return number;
  }

  private grow(): void {
    const words = new Uint32Array(this.words.length * 2);
    words.set(this.words);
    this.words = words;
    this.slots = new Int32Array(this.slots.length * 2).fill(FREE);
    this.mask = this.slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = this.hashKey(number) & this.mask;
      while (this.slots[slot] !== FREE) slot = (slot + 1) & this.mask;
      this.slots[slot] = number;
    }
  }
}

/** Keys of 64 bits: span ids, tokens with their checks. */
export class Id64HashTable extends IdHashTable {
  constructor(expected = 0) {
    super(2, expected);
  }

  /** Number of the key, which is `size − 1` when it is new. */
  add(a: number, b: number): number {
    const slot = this.findSlot(a, b);
    const known = this.slots[slot];
    if (known !== FREE) return known;
    this.words[this.size * 2] = a;
    this.words[this.size * 2 + 1] = b;
    return this.take(slot);
  }

  /** Number of the key, −1 when it is unknown. */
  find(a: number, b: number): number {
    return this.slots[this.findSlot(a, b)];
  }

  protected hashKey(number: number): number {
    return slotHash(SEED, this.words[number * 2], this.words[number * 2 + 1]);
  }

  private findSlot(a: number, b: number): number {
    let slot = slotHash(SEED, a, b) & this.mask;
    for (let number = this.slots[slot]; number !== FREE; number = this.slots[slot]) {
      if (this.words[number * 2] === a && this.words[number * 2 + 1] === b) break;
      slot = (slot + 1) & this.mask;
    }
    return slot;
  }
}

/** Keys of 128 bits: trace ids. `words[at, at + 4)` is the key. */
export class Id128HashTable extends IdHashTable {
  constructor(expected = 0) {
    super(4, expected);
  }

  /** Number of the key, which is `size − 1` when it is new. */
  add(words: Uint32Array, at: number): number {
    const slot = this.findSlot(words, at);
    const known = this.slots[slot];
    if (known !== FREE) return known;
    const own = this.words;
    const to = this.size * 4;
    own[to] = words[at];
    own[to + 1] = words[at + 1];
    own[to + 2] = words[at + 2];
    own[to + 3] = words[at + 3];
    return this.take(slot);
  }

  /** Number of the key, −1 when it is unknown. */
  find(words: Uint32Array, at: number): number {
    return this.slots[this.findSlot(words, at)];
  }

  protected hashKey(number: number): number {
    const at = number * 4;
    return traceSlotHash(this.words, at);
  }

  private findSlot(words: Uint32Array, at: number): number {
    const own = this.words;
    let slot = traceSlotHash(words, at) & this.mask;
    for (let number = this.slots[slot]; number !== FREE; number = this.slots[slot]) {
      const to = number * 4;
      if (
        own[to] === words[at] &&
        own[to + 1] === words[at + 1] &&
        own[to + 2] === words[at + 2] &&
        own[to + 3] === words[at + 3]
      )
        break;
      slot = (slot + 1) & this.mask;
    }
    return slot;
  }
}

/** Each word is mixed with all previous ones, the seed first: which keys collide depends on the seed. */
function slotHash(seed: number, a: number, b: number): number {
  return mix32(mix32(seed ^ a) ^ b);
}

function traceSlotHash(words: Uint32Array, at: number): number {
  return slotHash(slotHash(SEED, words[at], words[at + 1]), words[at + 2], words[at + 3]);
}
