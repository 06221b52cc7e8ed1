const CACHE_SLOTS = 1 << 12;
/** A pair is one number below 2^53: the second half has 29 bits, enough for minutes up to the year 2990. */
const SECOND_SPAN = 2 ** 29;

/** Numbers pairs of whole numbers (below 2^24 and 2^29) 0, 1, 2 … in the order in which they first come. */
export class PairNumbers {
  readonly firsts: number[] = [];
  readonly seconds: number[] = [];
  private readonly numbers = new Map<number, number>();
  /** Pairs recur from row to row: most are found here. */
  private readonly cache = new Int32Array(CACHE_SLOTS).fill(-1);

  get count(): number {
    return this.firsts.length;
  }

  of(first: number, second: number): number {
    const slot = (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 20;
    const cached = this.cache[slot];
    if (cached >= 0 && this.firsts[cached] === first && this.seconds[cached] === second) return cached;
    return (this.cache[slot] = this.lookUp(first, second));
  }

  private lookUp(first: number, second: number): number {
    const key = first * SECOND_SPAN + second;
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.firsts.push(first) - 1;
      this.seconds.push(second);
      this.numbers.set(key, number);
    }
    return number;
  }
}
