import { randomBytes } from 'node:crypto';
import { doubleCapacity } from './column-capacity.js';

/** Random, so that a sender cannot construct strings that collide. Ids do not depend on it. */
const SEED = randomBytes(4).readInt32LE();

const MIN_SLOTS = 16;

/**
 * An interner that outlives its batch is discarded beyond either limit, so that hostile names cannot exhaust memory.
 */
const MAX_REUSABLE_STRINGS = 1 << 16;
const MAX_REUSABLE_BYTES = 1 << 26;
const BYTES_PER_SLOT = 8;

/**
 * Assigns small ids to strings and looks them up by their UTF-8 bytes without allocating. Open addressing over typed
 * arrays; bytes are compared, so there are no false hits. The bytes of all strings lie in one array and a JavaScript
 * string is created only on demand: millions of strings cost little more than their bytes.
 */
export class StringInterner {
  private count = 0;
  private readonly texts: (string | undefined)[] = [];
  private arena: Uint8Array;
  /** String `id` is arena[ends[id], ends[id + 1]). */
  private ends: Uint32Array;
  private hashes: Uint32Array;
  private slots: Int32Array;

  /** `initialSlots` must be a power of two. */
  constructor(initialSlots = 1 << 10) {
    const slots = Math.max(MIN_SLOTS, initialSlots);
    this.slots = new Int32Array(slots).fill(-1);
    this.hashes = new Uint32Array(slots);
    this.ends = new Uint32Array(slots);
    this.arena = new Uint8Array(slots * BYTES_PER_SLOT);
  }

  get size(): number {
    return this.count;
  }

  /** True above 65,536 strings or 64 MiB: too large to be reused for the next batch. */
  get isLarge(): boolean {
    return this.count > MAX_REUSABLE_STRINGS || this.ends[this.count] > MAX_REUSABLE_BYTES;
  }

  /** Bytes of the arrays, without the strings that `text` has created. */
  get byteLength(): number {
    return this.arena.byteLength + this.ends.byteLength + this.hashes.byteLength + this.slots.byteLength;
  }

  /** The string with this id. */
  text(id: number): string {
    return (this.texts[id] ??= Buffer.from(
      this.arena.buffer,
      this.ends[id],
      this.ends[id + 1] - this.ends[id],
    ).toString('utf8'));
  }

  /**
   * Id of the string with the UTF-8 form `bytes[from, to)`, added if it is new. Invalid UTF-8 decodes with replacement
   * characters.
   */
  intern(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashBytes(bytes, from, to);
    const slot = this.findSlot(hash, bytes, from, to);
    const known = this.slots[slot];
    return known >= 0 ? known : this.add(hash, slot, bytes, from, to);
  }

  /** Like `intern`, but returns −1 for an unknown string instead of adding it. */
  find(bytes: Uint8Array, from: number, to: number): number {
    return this.slots[this.findSlot(hashBytes(bytes, from, to), bytes, from, to)];
  }

  /** Like `intern`, for a JavaScript string. */
  internText(text: string): number {
    const bytes = Buffer.from(text);
    return this.intern(bytes, 0, bytes.length);
  }

  /** The slot that holds the string, or the empty slot where it belongs. */
  private findSlot(hash: number, bytes: Uint8Array, from: number, to: number): number {
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let known = this.slots[slot]; known >= 0; known = this.slots[slot]) {
      if (this.hashes[known] === hash && this.isSame(known, bytes, from, to)) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private isSame(id: number, bytes: Uint8Array, from: number, to: number): boolean {
    const { arena } = this;
    const start = this.ends[id];
    const length = to - from;
    if (this.ends[id + 1] - start !== length) return false;
    for (let i = 0; i < length; i++) if (arena[start + i] !== bytes[from + i]) return false;
    return true;
  }

  private add(hash: number, slot: number, bytes: Uint8Array, from: number, to: number): number {
    const id = this.count++;
    const start = this.ends[id];
    const end = start + to - from;
    while (end > this.arena.length) this.arena = doubleCapacity(this.arena);
    for (let i = from; i < to; i++) this.arena[start + i - from] = bytes[i];
    this.ends[id + 1] = end;
    this.texts.push(undefined);
    this.hashes[id] = hash;
    this.slots[slot] = id;
    if (this.count * 2 > this.slots.length) this.grow();
    return id;
  }

  private grow(): void {
    this.hashes = doubleCapacity(this.hashes);
    this.ends = doubleCapacity(this.ends);
    this.slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = this.slots.length - 1;
    for (let id = 0; id < this.count; id++) {
      let slot = this.hashes[id] & mask;
      while (this.slots[slot] >= 0) slot = (slot + 1) & mask;
      this.slots[slot] = id;
    }
  }
}

/** Four bytes per step; every step is a bijection of the hash, so no input bit is lost before the end. */
function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = Math.imul(to - from, 0x9e3779b1) ^ SEED;
  let at = from;
  for (const last = to - 4; at <= last; at += 4) {
    const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
    hash = Math.imul(hash ^ word, 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  let rest = 0;
  while (at < to) rest = (rest << 8) | bytes[at++];
  hash = Math.imul(hash ^ rest, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
