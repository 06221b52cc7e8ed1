/** 128 bits of a SHA-256: four words. A chance collision among a million is one in 10^26. */
const WORDS = 4;
const FIRST_SLOTS = 64;

/** A set of SHA-256 identities (hex) that only grows: open addressing over one typed array, 32 to 64 bytes an entry. */
export class IdentitySet {
  private slots = new Uint32Array(FIRST_SLOTS * WORDS);
  private count = 0;

  get size(): number {
    return this.count;
  }

  has(identity: Identity): boolean {
    return this.isTaken(this.slotOf(identity));
  }

  add(identity: Identity): void {
    const slot = this.slotOf(identity);
    if (this.isTaken(slot)) return;
    this.slots.set(identity, slot);
    this.count++;
    if (this.count * 2 * WORDS > this.slots.length) this.grow();
  }

  /** Where the identity stands, or the free place where it would. */
  private slotOf(identity: Identity): number {
    const mask = this.slots.length - 1;
    let slot = (identity[0] * WORDS) & mask;
    while (this.isTaken(slot) && !this.holds(slot, identity)) slot = (slot + WORDS) & mask;
    return slot;
  }

  private holds(slot: number, identity: Identity): boolean {
    for (let word = 0; word < WORDS; word++) if (this.slots[slot + word] !== identity[word]) return false;
    return true;
  }

  private isTaken(slot: number): boolean {
    for (let word = 0; word < WORDS; word++) if (this.slots[slot + word] !== 0) return true;
    return false;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Uint32Array(old.length * 2);
    for (let slot = 0; slot < old.length; slot += WORDS) {
      const identity: Identity = [old[slot], old[slot + 1], old[slot + 2], old[slot + 3]];
      if (identity.some((word) => word !== 0)) this.slots.set(identity, this.slotOf(identity));
    }
  }
}

/** The first four words of an identity. */
export type Identity = readonly [number, number, number, number];

export function identityOf(sha256Hex: string): Identity {
  return [word(sha256Hex, 0), word(sha256Hex, 1), word(sha256Hex, 2), word(sha256Hex, 3)];
}

function word(hex: string, index: number): number {
  return Number.parseInt(hex.slice(index * 8, index * 8 + 8), 16);
}
