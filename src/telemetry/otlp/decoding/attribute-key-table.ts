import { randomBytes } from 'node:crypto';
import { doubleCapacity } from '../../columns/column-capacity.js';
import { AttributeTokenHasher } from '../../attribute-tokens.js';

/**
 * Beyond this many keys or bytes the next request starts a new table, so that hostile keys cannot occupy memory
 * permanently.
 */
const MAX_REUSABLE_KEYS = 1 << 14;
const MAX_REUSABLE_BYTES = 1 << 24;
const INITIAL_SLOTS = 1 << 10;

/** Random, so that a sender cannot construct keys that collide. Ids do not depend on it. */
const SLOT_SEED_A = randomBytes(4).readInt32LE() | 1;
const SLOT_SEED_B = randomBytes(4).readInt32LE() | 1;

/**
 * Assigns small ids to attribute keys, found by the 64 bits of their two hash lanes and their length without
 * allocating. The string of a key is created once, on first sight.
 */
export class AttributeKeyTable {
  private count = 0;
  private bytes = 0;
  private texts: string[] = [];
  private slots = new Int32Array(0);
  private lanesA = new Int32Array(0);
  private lanesB = new Int32Array(0);
  private lengths = new Uint32Array(0);

  /** The `known` keys always have the ids 0, 1, 2 … */
  constructor(private readonly known: readonly string[]) {
    this.reset();
  }

  /** Text of a key; undefined for a key that arrived when the table was full, which still has an id. */
  text(id: number): string | undefined {
    return this.texts[id];
  }

  /**
   * Clears a large table; returns true if all ids except those of known keys became invalid. Call between requests
   * only.
   */
  resetIfLarge(): boolean {
    if (this.count <= MAX_REUSABLE_KEYS && this.bytes <= MAX_REUSABLE_BYTES) return false;
    this.reset();
    return true;
  }

  /** Id of the key with the bytes `view[from, to)` and the lanes in `hash`. */
  intern(hash: AttributeTokenHasher, view: DataView, from: number, to: number): number {
    const mask = this.slots.length - 1;
    let slot = hashToSlot(hash.a, hash.b) & mask;
    for (let id = this.slots[slot]; id >= 0; id = this.slots[slot]) {
      if (this.lanesA[id] === hash.a && this.lanesB[id] === hash.b && this.lengths[id] === to - from) return id;
      slot = (slot + 1) & mask;
    }
    return this.add(hash, slot, view, from, to);
  }

  private add(hash: AttributeTokenHasher, slot: number, view: DataView, from: number, to: number): number {
    const id = this.count++;
    this.bytes += to - from;
    if (id < MAX_KEYS_WITH_TEXT)
      this.texts.push(Buffer.from(view.buffer, view.byteOffset + from, to - from).toString('utf8'));
    this.lanesA[id] = hash.a;
    this.lanesB[id] = hash.b;
    this.lengths[id] = to - from;
    this.slots[slot] = id;
    if (this.count * 2 > this.slots.length) this.grow();
    return id;
  }

  private grow(): void {
    this.lanesA = doubleCapacity(this.lanesA);
    this.lanesB = doubleCapacity(this.lanesB);
    this.lengths = doubleCapacity(this.lengths);
    this.slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = this.slots.length - 1;
    for (let id = 0; id < this.count; id++) {
      let slot = hashToSlot(this.lanesA[id], this.lanesB[id]) & mask;
      while (this.slots[slot] >= 0) slot = (slot + 1) & mask;
      this.slots[slot] = id;
    }
  }

  private reset(): void {
    this.count = 0;
    this.bytes = 0;
    this.texts = [];
    this.slots = new Int32Array(INITIAL_SLOTS).fill(-1);
    this.lanesA = new Int32Array(INITIAL_SLOTS);
    this.lanesB = new Int32Array(INITIAL_SLOTS);
    this.lengths = new Uint32Array(INITIAL_SLOTS);
    const hash = new AttributeTokenHasher();
    for (const key of this.known) {
      const bytes = Buffer.from(key);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      hash.reset();
      hash.add(view, 0, bytes.length);
      this.intern(hash, view, 0, bytes.length);
    }
  }
}

/**
 * Keys of one table that get a text, several times the number listed in a Grid's filter options (contract: 10,000).
 * Tokens of further keys work as usual; the keys are only not listed.
 */
const MAX_KEYS_WITH_TEXT = 1 << 17;

function hashToSlot(a: number, b: number): number {
  const mixed = Math.imul(a, SLOT_SEED_A) + Math.imul(b, SLOT_SEED_B);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
