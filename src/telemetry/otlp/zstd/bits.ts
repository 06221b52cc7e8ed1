import { corrupt } from './corrupt.js';

/** Position of the highest set bit, 0 for 1. */
export function highestBit(value: number): number {
  return 31 - Math.clz32(value);
}

/** Reads bits from the first byte on, low bits first. */
export class ForwardBits {
  private bit: number;

  constructor(
    private readonly bytes: Uint8Array,
    from: number,
    private readonly to: number,
  ) {
    this.bit = from * 8;
  }

  /** At most 16 bits. */
  read(count: number): number {
    const at = this.bit >>> 3;
    if (this.bit + count > this.to * 8) throw corrupt();
    const { bytes } = this;
    const value = (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16)) >>> (this.bit & 7);
    this.bit += count;
    return value & ((1 << count) - 1);
  }

  unread(count: number): void {
    this.bit -= count;
  }

  /** The first byte that has not been touched. */
  get nextByte(): number {
    return (this.bit + 7) >>> 3;
  }
}

/**
 * Reads the bits of `bytes[from, to)` from the end on, as entropy-coded streams are written: the highest set bit of the
 * last byte marks where they begin. `left` counts the bits that are left and is negative once more were read than
 * there are; what lies before the first byte reads as zeros.
 */
export class BackwardBits {
  left: number;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly from: number,
    to: number,
  ) {
    const last = to > from ? bytes[to - 1] : 0;
    if (last === 0) throw corrupt();
    this.left = (to - from - 1) * 8 + highestBit(last);
  }

  /** The next bits, at most 25, without moving on. */
  peek(count: number): number {
    const { bytes, from, left } = this;
    const start = left - count;
    if (start < 0) return left <= 0 ? 0 : ((word(bytes, from) & ((1 << left) - 1)) << -start) >>> 0;
    const at = from + (start >>> 3);
    if (at + 4 > bytes.length) return (word(bytes, at) >>> (start & 7)) & ((1 << count) - 1);
    return ((bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> (start & 7)) & ((1 << count) - 1);
  }

  /** At most 25 bits. */
  read(count: number): number {
    const value = this.peek(count);
    this.left -= count;
    return value;
  }
}

/** Four bytes, zeros where the body has ended. */
function word(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let i = Math.min(3, bytes.length - 1 - at); i >= 0; i--) value = (value << 8) | bytes[at + i];
  return value;
}
