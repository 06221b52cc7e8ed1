import { corrupt } from './corrupt.js';
import { decodeHuffman, readHuffman, type HuffmanTable } from './huffman.js';
import { MAX_BLOCK } from './output.js';

const RAW = 0;
const RLE = 1;
const TREELESS = 3;
/** Sizes of the first three of four streams stand before them. */
const JUMP_TABLE = 6;

/** Literals of a compressed block, in `bytes[0, size)`. Keeps the code for blocks that use the one before theirs. */
export class Literals {
  readonly bytes = new Uint8Array(MAX_BLOCK);
  size = 0;
  private table: HuffmanTable | undefined;

  /** Reads the literals section that begins at `from`; answers the byte behind it. */
  read(block: Uint8Array, from: number, to: number): number {
    if (from >= to) throw corrupt();
    const type = block[from] & 3;
    const format = (block[from] >> 2) & 3;
    return type === RAW || type === RLE ? this.readPlain(block, from, to, type, format) : this.readCoded(block, from, to, type, format);
  }

  /** Forgets the code: a frame does not see the one before it. */
  reset(): void {
    this.table = undefined;
  }

  private readPlain(block: Uint8Array, from: number, to: number, type: number, format: number): number {
    const headerBytes = format === 1 ? 2 : format === 3 ? 3 : 1;
    const header = littleEndian(block, from, to, headerBytes);
    this.setSize(Math.floor(header / (headerBytes === 1 ? 8 : 16)));
    const start = from + headerBytes;
    const end = start + (type === RLE ? 1 : this.size);
    if (end > to) throw corrupt();
    if (type === RLE) this.bytes.fill(block[start], 0, this.size);
    else this.bytes.set(block.subarray(start, end));
    return end;
  }

  private readCoded(block: Uint8Array, from: number, to: number, type: number, format: number): number {
    const headerBytes = format < 2 ? 3 : format + 2;
    const sizeBits = [10, 10, 14, 18][format];
    const sizes = Math.floor(littleEndian(block, from, to, headerBytes) / 16);
    this.setSize(sizes % 2 ** sizeBits);
    let start = from + headerBytes;
    const end = start + Math.floor(sizes / 2 ** sizeBits);
    if (end > to) throw corrupt();
    if (type !== TREELESS) {
      const { table, next } = readHuffman(block, start, end);
      this.table = table;
      start = next;
    }
    if (this.table === undefined) throw corrupt();
    if (format === 0) decodeHuffman(this.table, block, start, end, this.bytes, 0, this.size);
    else this.readFourStreams(this.table, block, start, end);
    return end;
  }

  private readFourStreams(table: HuffmanTable, block: Uint8Array, from: number, end: number): void {
    const part = (this.size + 3) >> 2;
    if (from + JUMP_TABLE > end || part * 3 > this.size) throw corrupt();
    let start = from + JUMP_TABLE;
    for (let stream = 0; stream < 4; stream++) {
      const size = block[from + stream * 2] | (block[from + stream * 2 + 1] << 8);
      const next = stream === 3 ? end : start + size;
      if (next > end) throw corrupt();
      decodeHuffman(table, block, start, next, this.bytes, part * stream, stream === 3 ? this.size : part * (stream + 1));
      start = next;
    }
  }

  private setSize(size: number): void {
    if (size > MAX_BLOCK) throw corrupt();
    this.size = size;
  }
}

/** Up to five bytes as a number. */
function littleEndian(bytes: Uint8Array, from: number, to: number, count: number): number {
  if (from + count > to) throw corrupt();
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + bytes[from + i];
  return value;
}
