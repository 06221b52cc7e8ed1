/** 48-bit hash of an attribute: 32 bits for the posting lists, 16 more to detect collisions. */
export interface AttributeToken {
  readonly token: number;
  readonly check: number;
}

/** Token of the attribute `key` with the value `text`, in its string form (see attributes.ts). */
export function computeAttributeToken(key: string, text: string): AttributeToken {
  const hash = new AttributeTokenHasher();
  hash.addText(key);
  hash.addText(text);
  return { token: hash.token(), check: hash.check() };
}

/** Key of the token for the field `eventName` of log records; no attribute is called like that. */
export const EVENT_NAME_KEY = '\0eventName';

const START_A = 0x9e3779b1 | 0;
const START_B = 0x85ebca6b | 0;

/**
 * The hash behind attribute tokens: two independent 32-bit lanes over UTF-8 bytes, four bytes per step. Every step is a
 * bijection of the lane, so no input bit is lost before the end. Each part is terminated by its length: `a` + `bc` and
 * `ab` + `c` differ. Tokens are stored in blocks: a change of this function requires a rebuild of the read models.
 */
export class AttributeTokenHasher {
  a = START_A;
  b = START_B;

  /** Restarts the hash, optionally from the lanes of an earlier part. */
  reset(a = START_A, b = START_B): void {
    this.a = a;
    this.b = b;
  }

  /** Adds `view[from, to)` as one part. */
  add(view: DataView, from: number, to: number): void {
    let { a, b } = this;
    let at = from;
    for (const last = to - 4; at <= last; at += 4) {
      const word = view.getInt32(at, true);
      a = Math.imul(a ^ word, 0x9e3779b1);
      a ^= a >>> 15;
      b = Math.imul(b ^ word, 0x2c1b3c6d);
      b ^= b >>> 13;
    }
    let rest = 0;
    while (at < to) rest = (rest << 8) | view.getUint8(at++);
    a = Math.imul(a ^ rest ^ Math.imul(to - from, 0xc2b2ae35), 0x9e3779b1);
    b = Math.imul(b ^ rest ^ Math.imul(to - from, 0x297a2d39), 0x2c1b3c6d);
    this.a = a ^ (a >>> 15);
    this.b = b ^ (b >>> 13);
  }

  /** Adds the UTF-8 form of `text` as one part. */
  addText(text: string): void {
    const bytes = Buffer.from(text);
    this.add(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
  }

  /** 32-bit unsigned token; depends on every bit of both lanes. */
  token(): number {
    let mixed = Math.imul(this.a ^ (this.b >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** 16-bit unsigned check value, derived from the second lane. */
  check(): number {
    const mixed = Math.imul(this.b ^ (this.b >>> 15), 0x735a2d97);
    return mixed >>> 16;
  }
}
