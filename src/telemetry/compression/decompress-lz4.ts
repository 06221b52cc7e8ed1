import { createXXHash32 } from 'hash-wasm';
import { DecompressionError } from './content-encoding.js';
import { copyMatch } from './match-copying.js';

const xxHash32 = await createXXHash32(0);

const FRAME_MAGIC = 0x184d2204;
/** Frames of user data, to be skipped: the last hexadecimal digit is free. */
const SKIPPABLE_MAGIC = 0x184d2a50;
const WORD_BYTES = 4;
/** A byte of a block yields 255 bytes at most. */
const MAX_RATIO = 255;
const MIN_CAPACITY = 64 << 10;
const CAPACITY_GROWTH = 4;
const MIN_MATCH = 4;

/** Bits of the frame descriptor (lz4_Frame_format.md, FLG byte). */
const VERSION_BITS = 0xc0;
const VERSION_1 = 0x40;
const BLOCKS_ARE_INDEPENDENT = 0x20;
const HAS_BLOCK_CHECKSUMS = 0x10;
const HAS_CONTENT_SIZE = 0x08;
const HAS_CONTENT_CHECKSUM = 0x04;
const HAS_DICTIONARY = 0x01;
const UNCOMPRESSED_BLOCK = 0x8000_0000;

/** Options of a frame. */
interface FrameHeader {
  readonly blocksAreIndependent: boolean;
  readonly hasBlockChecksums: boolean;
  readonly hasContentChecksum: boolean;
  /** Undefined if the frame does not declare it. */
  readonly contentBytes: number | undefined;
  readonly maxBlockBytes: number;
}

/**
 * Decompresses LZ4 frames (lz4_Frame_format.md, without dictionaries), whose checksums are verified. Produces at most
 * `maxBytes`; time and memory are bounded by the length of the body and by `maxBytes`, whatever the frames declare.
 * Throws DecompressionError.
 */
export function decompressLz4(body: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const decoder = new FrameDecoder(body, maxBytes);
  while (!decoder.isAtEnd) decoder.decodeFrame();
  return decoder.takeOutput();
}

/** Reads frames one after the other into one buffer, which grows up to the limit. */
class FrameDecoder {
  private readonly view: DataView;
  private at = 0;
  private output: Uint8Array<ArrayBuffer>;
  private written = 0;

  constructor(
    private readonly body: Uint8Array,
    private readonly maxBytes: number,
  ) {
    this.view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    this.output = new Uint8Array(Math.min(maxBytes, Math.max(MIN_CAPACITY, body.length * CAPACITY_GROWTH)));
  }

  get isAtEnd(): boolean {
    return this.at === this.body.length;
  }

  takeOutput(): Uint8Array<ArrayBuffer> {
    return this.written === this.output.length ? this.output : this.output.slice(0, this.written);
  }

  decodeFrame(): void {
    const magic = this.readWord();
    if ((magic & 0xffff_fff0) >>> 0 === SKIPPABLE_MAGIC) this.take(this.readWord());
    else if (magic === FRAME_MAGIC) this.decodeBlocks(this.readHeader());
    else throw createMalformedError('it does not start with a frame');
  }

  private readHeader(): FrameHeader {
    const start = this.at;
    const [flags, blockSize] = this.take(2);
    if ((flags & VERSION_BITS) !== VERSION_1) throw createMalformedError('its version is unknown');
    if ((flags & HAS_DICTIONARY) !== 0) throw createMalformedError('it needs a dictionary');
    const contentBytes = (flags & HAS_CONTENT_SIZE) === 0 ? undefined : this.readLong();
    if (contentBytes !== undefined && contentBytes > (this.body.length - this.at) * MAX_RATIO)
      throw createMalformedError('it declares more than it can contain');
    if (contentBytes !== undefined && contentBytes > this.maxBytes - this.written) throw this.tooLarge();
    const descriptor = this.body.subarray(start, this.at);
    if (this.take(1)[0] !== ((computeHash(descriptor) >>> 8) & 0xff))
      throw createMalformedError('the checksum of its header does not match');
    const sizeCode = (blockSize >> 4) & 7;
    if (sizeCode < 4) throw createMalformedError('its block size is unknown');
    return {
      blocksAreIndependent: (flags & BLOCKS_ARE_INDEPENDENT) !== 0,
      hasBlockChecksums: (flags & HAS_BLOCK_CHECKSUMS) !== 0,
      hasContentChecksum: (flags & HAS_CONTENT_CHECKSUM) !== 0,
      contentBytes,
      maxBlockBytes: 1 << (8 + 2 * sizeCode),
    };
  }

  private decodeBlocks(header: FrameHeader): void {
    const start = this.written;
    for (let size = this.readWord(); size !== 0; size = this.readWord()) {
      const block = this.take(size & ~UNCOMPRESSED_BLOCK);
      if (header.hasBlockChecksums && this.readWord() !== computeHash(block))
        throw createMalformedError('the checksum of a block does not match');
      const before = this.written;
      if (size >= UNCOMPRESSED_BLOCK) this.append(block);
      else this.decodeBlock(block, header.blocksAreIndependent ? before : start);
      if (this.written - before > header.maxBlockBytes) throw createMalformedError('a block is too long');
    }
    const content = this.output.subarray(start, this.written);
    if (header.hasContentChecksum && this.readWord() !== computeHash(content))
      throw createMalformedError('the checksum of its content does not match');
    if (header.contentBytes !== undefined && header.contentBytes !== content.length)
      throw createMalformedError('it does not have the length that it declares');
  }

  /** Decodes the sequences of a block (lz4_Block_format.md). Matches begin at `oldest` or later. */
  private decodeBlock(block: Uint8Array, oldest: number): void {
    const reader = { block, at: 0 };
    while (reader.at < block.length) {
      const token = block[reader.at++];
      const literals = readExtendedLength(reader, token >> 4);
      if (literals > block.length - reader.at) throw createMalformedError('a block is cut off');
      this.append(block.subarray(reader.at, reader.at + literals));
      reader.at += literals;
      if (reader.at === block.length) return; // the last sequence has no match
      if (reader.at + 2 > block.length) throw createMalformedError('a block is cut off');
      const offset = block[reader.at] | (block[reader.at + 1] << 8);
      reader.at += 2;
      const length = readExtendedLength(reader, token & 15) + MIN_MATCH;
      if (offset === 0 || offset > this.written - oldest)
        throw createMalformedError('it refers to bytes before its start');
      this.reserve(length);
      copyMatch(this.output, this.written, offset, length);
      this.written += length;
    }
  }

  private append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.output.set(bytes, this.written);
    this.written += bytes.length;
  }

  /** Makes room for this many more bytes. */
  private reserve(bytes: number): void {
    const needed = this.written + bytes;
    if (needed <= this.output.length) return;
    if (needed > this.maxBytes) throw this.tooLarge();
    const grown = new Uint8Array(Math.min(this.maxBytes, Math.max(needed, this.output.length * CAPACITY_GROWTH)));
    grown.set(this.output.subarray(0, this.written));
    this.output = grown;
  }

  private take(bytes: number): Uint8Array {
    if (bytes > this.body.length - this.at) throw createMalformedError('it is cut off');
    this.at += bytes;
    return this.body.subarray(this.at - bytes, this.at);
  }

  private readWord(): number {
    this.take(WORD_BYTES);
    return this.view.getUint32(this.at - WORD_BYTES, true);
  }

  private readLong(): number {
    this.take(2 * WORD_BYTES);
    return Number(this.view.getBigUint64(this.at - 2 * WORD_BYTES, true));
  }

  private tooLarge(): DecompressionError {
    return DecompressionError.forOversizedBody(this.maxBytes);
  }
}

/** A length of which the token holds up to 15; more follows in bytes, the last of which is not 255. */
function readExtendedLength(reader: { readonly block: Uint8Array; at: number }, initial: number): number {
  let length = initial;
  if (initial < 15) return length;
  for (;;) {
    if (reader.at >= reader.block.length) throw createMalformedError('a block is cut off');
    const byte = reader.block[reader.at++];
    length += byte;
    if (byte < 255) return length;
  }
}

function computeHash(bytes: Uint8Array): number {
  const hash = xxHash32.init().update(bytes).digest('binary');
  return ((hash[0] << 24) | (hash[1] << 16) | (hash[2] << 8) | hash[3]) >>> 0;
}

function createMalformedError(reason: string): DecompressionError {
  return DecompressionError.forInvalidBody('lz4', reason);
}
