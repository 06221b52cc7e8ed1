import { randomBytes } from 'node:crypto';

/** Random, so that a sender cannot easily choose strings that share a slot. Ids do not depend on it. */
const SEED = randomBytes(4).readInt32LE();

/**
 * Strings by small ids, looked up by their UTF-8 bytes without making a string each time.
 * Open addressing over typed arrays; the bytes are compared, so there is no false hit.
 */
export class Interner {
  private readonly list: string[] = [];
  private readonly bytes: Uint8Array[] = [];
  private slots: Int32Array;
  private hashes: Uint32Array;

  constructor(initialSlots = 1 << 10) {
    this.slots = new Int32Array(initialSlots).fill(-1);
    this.hashes = new Uint32Array(initialSlots);
  }

  get size(): number {
    return this.list.length;
  }

  /** The string behind an id that this interner gave. */
  text(id: number): string {
    return this.list[id];
  }

  /** Id of the string whose UTF-8 form is `bytes[from, to)`. Invalid UTF-8 decodes with replacement characters. */
  id(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashBytes(bytes, from, to);
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    while (this.slots[slot] >= 0) {
      const known = this.slots[slot];
      if (this.hashes[slot] === hash && sameBytes(this.bytes[known], bytes, from, to)) return known;
      slot = (slot + 1) & mask;
    }
    return this.add(bytes.slice(from, to), hash, slot);
  }

  /** Like `id`, but −1 for a string that is not there yet. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashBytes(bytes, from, to);
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; this.slots[slot] >= 0; slot = (slot + 1) & mask) {
      const known = this.slots[slot];
      if (this.hashes[slot] === hash && sameBytes(this.bytes[known], bytes, from, to)) return known;
    }
    return -1;
  }

  /** Id of a string that is at hand. */
  idOf(text: string): number {
    const bytes = Buffer.from(text);
    return this.id(bytes, 0, bytes.length);
  }

  private add(bytes: Uint8Array, hash: number, slot: number): number {
    const id = this.list.length;
    this.list.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    this.bytes.push(bytes);
    this.slots[slot] = id;
    this.hashes[slot] = hash;
    if (this.list.length * 2 > this.slots.length) this.grow();
    return id;
  }

  private grow(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(-1);
    const hashes = new Uint32Array(slots.length);
    const mask = slots.length - 1;
    for (let old = 0; old < this.slots.length; old++) {
      if (this.slots[old] < 0) continue;
      let slot = this.hashes[old] & mask;
      while (slots[slot] >= 0) slot = (slot + 1) & mask;
      slots[slot] = this.slots[old];
      hashes[slot] = this.hashes[old];
    }
    this.slots = slots;
    this.hashes = hashes;
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

function sameBytes(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false;
  for (let i = 0; i < known.length; i++) if (known[i] !== bytes[from + i]) return false;
  return true;
}
