/** Seeded xorshift: the same seed gives the same telemetry everywhere. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0 || 1;
  }

  /** 0 ≤ x < 1. */
  unit(): number {
    let state = this.state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.state = state >>> 0;
    return this.state / 2 ** 32;
  }

  /** A whole number, 0 ≤ x < bound. */
  below(bound: number): number {
    return Math.floor(this.unit() * bound);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  bytes(size: number): Buffer {
    const bytes = Buffer.allocUnsafe(size);
    for (let i = 0; i < size; i++) bytes[i] = this.below(256);
    return bytes;
  }
}
