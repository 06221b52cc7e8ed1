import { randomBytes } from 'node:crypto';
import { TokenHash } from '../tokens.js';

/** Past this many keys the table starts anew, so that hostile keys cannot fill the memory for good. */
const MAX_KEPT = 1 << 14;
const FIRST_SLOTS = 1 << 10;

/** Random, so that nobody can choose keys that share a slot. Ids do not depend on it. */
const SLOT_SEED_A = randomBytes(4).readInt32LE() | 1;
const SLOT_SEED_B = randomBytes(4).readInt32LE() | 1;

/**
 * Small ids for attribute keys, found by the 64 bits of their two hash lanes and their length without making a string.
 * A key's string is made once, when it is first met.
 */
export class KeyTable {
  private slots = new Int32Array(FIRST_SLOTS).fill(-1);
  private lanesA: number[] = [];
  private lanesB: number[] = [];
  private lengths: number[] = [];
  private texts: string[] = [];

  /** `known` get the ids 0, 1, 2 …, always. */
  constructor(private readonly known: readonly string[]) {
    this.restart();
  }

  text(id: number): string {
    return this.texts[id];
  }

  /** True where ids given so far became void. Call between requests only. */
  trim(): boolean {
    if (this.texts.length <= MAX_KEPT) return false;
    this.restart();
    return true;
  }

  /** Id of the key whose bytes are `view[from, to)` and whose lanes are in `hash`. */
  id(hash: TokenHash, view: DataView, from: number, to: number): number {
    const mask = this.slots.length - 1;
    let slot = slotOf(hash.a, hash.b) & mask;
    for (let id = this.slots[slot]; id >= 0; id = this.slots[slot]) {
      if (this.lanesA[id] === hash.a && this.lanesB[id] === hash.b && this.lengths[id] === to - from) return id;
      slot = (slot + 1) & mask;
    }
    return this.add(hash, slot, Buffer.from(view.buffer, view.byteOffset + from, to - from).toString('utf8'), to - from);
  }

  private add(hash: TokenHash, slot: number, text: string, length: number): number {
    const id = this.texts.push(text) - 1;
    this.lanesA.push(hash.a);
    this.lanesB.push(hash.b);
    this.lengths.push(length);
    this.slots[slot] = id;
    if (this.texts.length * 2 > this.slots.length) this.rehash(this.slots.length * 2);
    return id;
  }

  private rehash(size: number): void {
    this.slots = new Int32Array(size).fill(-1);
    for (let id = 0; id < this.texts.length; id++) {
      let slot = slotOf(this.lanesA[id], this.lanesB[id]) & (size - 1);
      while (this.slots[slot] >= 0) slot = (slot + 1) & (size - 1);
      this.slots[slot] = id;
    }
  }

  private restart(): void {
    this.slots = new Int32Array(FIRST_SLOTS).fill(-1);
    this.lanesA = [];
    this.lanesB = [];
    this.lengths = [];
    this.texts = [];
    const hash = new TokenHash();
    for (const key of this.known) {
      const bytes = Buffer.from(key);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      hash.start();
      hash.add(view, 0, bytes.length);
      this.id(hash, view, 0, bytes.length);
    }
  }
}

function slotOf(a: number, b: number): number {
  const mixed = Math.imul(a, SLOT_SEED_A) + Math.imul(b, SLOT_SEED_B);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
