/** 48-bit hash of an attribute: 32 bits for postings, 16 more to tell collisions apart. */
export interface AttributeToken {
  readonly token: number;
  readonly check: number;
}

/** Token of the attribute `key` whose value has this string form (see attributes.ts). */
export function computeAttributeToken(key: string, text: string): AttributeToken {
  const hash = new AttributeTokenHasher();
  hash.addText(key);
  hash.addText(text);
  return { token: hash.token(), check: hash.check() };
}

const START_A = 0x9e3779b1 | 0;
const START_B = 0x85ebca6b | 0;

/**
 * The hash behind tokens: two independent 32-bit lanes over UTF-8 bytes, four bytes a step. Every step is a bijection
 * of the lane, so that no input bit is lost before the end. Each part ends with its length: `a` + `bc` and `ab` + `c`
 * differ. Tokens are stored in blocks: a change of this function needs a rebuild of the read models.
 */
export class AttributeTokenHasher {
  a = START_A;
  b = START_B;

  /** Starts anew, or from the lanes that an earlier part left. */
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

  addText(text: string): void {
    const bytes = Buffer.from(text);
    this.add(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
  }

  /** Unsigned 32 bits that depend on every bit of both lanes. */
  token(): number {
    let mixed = Math.imul(this.a ^ (this.b >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** Unsigned 16 bits of the second lane. */
  check(): number {
    const mixed = Math.imul(this.b ^ (this.b >>> 15), 0x735a2d97);
    return mixed >>> 16;
  }
}
