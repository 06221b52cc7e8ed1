import { randomBytes } from 'node:crypto';
import { doubleCapacity } from './column-capacity.js';

/** Random, so that a sender cannot easily choose strings that share a slot. Ids do not depend on it. */
const SEED = randomBytes(4).readInt32LE();

const MIN_SLOTS = 16;

/** Past one of these an interner that outlives its batch is given up, so that hostile names cannot fill the memory. */
const MAX_KEPT = 1 << 16;
const MAX_KEPT_BYTES = 1 << 26;
const BYTES_PER_SLOT = 8;

/**
 * Strings by small ids, looked up by their UTF-8 bytes without making a string each time.
 * Open addressing over typed arrays; the bytes are compared, so there is no false hit. The bytes of all strings lie
 * in one array, and a JavaScript string is made when somebody asks for it: millions of strings cost little more than
 * their bytes.
 */
export class StringInterner {
  private count = 0;
  private readonly texts: (string | undefined)[] = [];
  private arena: Uint8Array;
  /** String `id` is arena[ends[id], ends[id + 1]). */
  private ends: Uint32Array;
  private hashes: Uint32Array;
  private slots: Int32Array;

  /** `initialSlots` is a power of two. */
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

  /** Does it hold more than one should keep beyond a batch: 65,536 strings or 64 MiB of them? */
  get isLarge(): boolean {
    return this.count > MAX_KEPT || this.ends[this.count] > MAX_KEPT_BYTES;
  }

  /** The string behind an id that this interner gave. */
  text(id: number): string {
    return (this.texts[id] ??= Buffer.from(
      this.arena.buffer,
      this.ends[id],
      this.ends[id + 1] - this.ends[id],
    ).toString('utf8'));
  }

  /** Id of the string whose UTF-8 form is `bytes[from, to)`. Invalid UTF-8 decodes with replacement characters. */
  intern(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashBytes(bytes, from, to);
    const slot = this.findSlot(hash, bytes, from, to);
    const known = this.slots[slot];
    return known >= 0 ? known : this.add(hash, slot, bytes, from, to);
  }

  /** Like `id`, but −1 for a string that is not there yet. */
  find(bytes: Uint8Array, from: number, to: number): number {
    return this.slots[this.findSlot(hashBytes(bytes, from, to), bytes, from, to)];
  }

  /** Id of a string that is at hand. */
  internText(text: string): number {
    const bytes = Buffer.from(text);
    return this.intern(bytes, 0, bytes.length);
  }

  /** The slot that holds the string, or the empty one where it belongs. */
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

/** Four bytes a step; every step is a bijection of the hash, so that no input bit is lost before the end. */
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
