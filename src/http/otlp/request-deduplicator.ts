const WINDOW_MS = 15 * 60_000;
const SLICE_MS = 60_000;

/**
 * Remembers recently acknowledged requests, so that a repeated one is acknowledged without being appended again. This only
 * saves storage: the projector deduplicates authoritatively. Therefore entries may be forgotten early (at the size limit, or
 * up to a minute before the 15 minutes are over) but must never be kept longer.
 */
export class RequestDeduplicator {
  /** By the minute of arrival. */
  private readonly slices = new Map<number, IdentitySet>();
  private entries = 0;
  private readonly inFlight = new Map<string, Promise<void>>();

  constructor(private readonly maxEntries = 1_000_000) {}

  get size(): number {
    return this.entries;
  }

  /**
   * Runs `append` unless the request is known. A repetition that arrives while `append` runs shares its outcome. Resolves to
   * whether this call appended. A failed append is not remembered.
   * @param identity SHA-256 in hex
   * @param at monotonic time of the arrival, ms: a change of the clock must not end the 15 minutes, nor extend them
   */
  async runOnce(identity: string, at: number, append: () => Promise<void>): Promise<boolean> {
    const running = this.inFlight.get(identity);
    if (running !== undefined) return running.then(() => false);
    const key = parseIdentity(identity);
    if (this.isKnown(key, at)) return false;
    const attempt = append();
    this.inFlight.set(identity, attempt);
    try {
      await attempt;
      this.remember(key, at);
      return true;
    } finally {
      this.inFlight.delete(identity);
    }
  }

  private isKnown(identity: RequestIdentity, at: number): boolean {
    this.forgetBefore(at - WINDOW_MS);
    for (const identities of this.slices.values()) if (identities.has(identity)) return true;
    return false;
  }

  private remember(identity: RequestIdentity, at: number): void {
    const identities = this.getOrCreateSlice(Math.floor(at / SLICE_MS));
    const before = identities.size;
    identities.add(identity);
    this.entries += identities.size - before;
    while (this.entries > this.maxEntries) this.forget(Math.min(...this.slices.keys()));
  }

  private getOrCreateSlice(minute: number): IdentitySet {
    let identities = this.slices.get(minute);
    if (identities === undefined) {
      identities = new IdentitySet();
      this.slices.set(minute, identities);
    }
    return identities;
  }

  /** Drops a slice as a whole as soon as its oldest entry may be too old. */
  private forgetBefore(time: number): void {
    for (const minute of this.slices.keys()) if (minute * SLICE_MS < time) this.forget(minute);
  }

  private forget(minute: number): void {
    this.entries -= this.slices.get(minute)?.size ?? 0;
    this.slices.delete(minute);
  }
}

/** 128 bits of a SHA-256. The probability of a collision among a million entries is 1 in 10^26. */
const WORDS_PER_IDENTITY = 4;

const INITIAL_SLOTS = 64;

/** A grow-only set of SHA-256 digests: open addressing in one typed array, 32 to 64 bytes per entry. */
export class IdentitySet {
  private slots = new Uint32Array(INITIAL_SLOTS * WORDS_PER_IDENTITY);
  private count = 0;

  get size(): number {
    return this.count;
  }

  has(identity: RequestIdentity): boolean {
    return this.isTaken(this.findSlot(identity));
  }

  add(identity: RequestIdentity): void {
    const slot = this.findSlot(identity);
    if (this.isTaken(slot)) return;
    this.slots.set(identity, slot);
    this.count++;
    if (this.count * 2 * WORDS_PER_IDENTITY > this.slots.length) this.grow();
  }

  /** The slot of the identity, or the free slot for it. */
  private findSlot(identity: RequestIdentity): number {
    const mask = this.slots.length - 1;
    let slot = (identity[0] * WORDS_PER_IDENTITY) & mask;
    while (this.isTaken(slot) && !this.holds(slot, identity)) slot = (slot + WORDS_PER_IDENTITY) & mask;
    return slot;
  }

  private holds(slot: number, identity: RequestIdentity): boolean {
    for (let word = 0; word < WORDS_PER_IDENTITY; word++) if (this.slots[slot + word] !== identity[word]) return false;
    return true;
  }

  private isTaken(slot: number): boolean {
    for (let word = 0; word < WORDS_PER_IDENTITY; word++) if (this.slots[slot + word] !== 0) return true;
    return false;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Uint32Array(old.length * 2);
    for (let slot = 0; slot < old.length; slot += WORDS_PER_IDENTITY) {
      const identity: RequestIdentity = [old[slot], old[slot + 1], old[slot + 2], old[slot + 3]];
      if (identity.some((word) => word !== 0)) this.slots.set(identity, this.findSlot(identity));
    }
  }
}

/** The first four 32-bit words of a digest. */
type RequestIdentity = readonly [number, number, number, number];

export function parseIdentity(sha256Hex: string): RequestIdentity {
  return [parseWord(sha256Hex, 0), parseWord(sha256Hex, 1), parseWord(sha256Hex, 2), parseWord(sha256Hex, 3)];
}

function parseWord(hex: string, index: number): number {
  return Number.parseInt(hex.slice(index * 8, index * 8 + 8), 16);
}
