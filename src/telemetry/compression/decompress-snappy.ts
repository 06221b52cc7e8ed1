import { createCRC32 } from 'hash-wasm';
import { DecompressionError } from './content-encoding.js';
import { copyMatch } from './match-copying.js';

/** CRC-32C (RFC 3720, Castagnoli), reflected. */
const crc32c = await createCRC32(0x82f63b78);

/** A copy of 64 bytes takes three: a larger declared size is false. */
const MAX_RATIO = 22;
/** First chunk of the framing format (framing_format.txt §4.1). */
const STREAM_IDENTIFIER = Uint8Array.of(0xff, 6, 0, 0, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59);
const CHUNK_HEADER_BYTES = 4;
const CHECKSUM_BYTES = 4;
const MAX_CHUNK_OUTPUT = 65_536;
const COMPRESSED_CHUNK = 0x00;
const UNCOMPRESSED_CHUNK = 0x01;
/** Chunk types up to here must be understood; later ones are padding or may be skipped. */
const LAST_RESERVED_CHUNK = 0x7f;

/**
 * Decompresses snappy in either of the formats that senders call by this name: one block (format_description.txt) or, if it
 * begins with the stream identifier, the framing format (framing_format.txt), whose checksums are verified. Produces at most
 * `maxBytes`, and allocates no more than about 22 times the body, whatever it declares. Throws DecompressionError.
 */
export function decompressSnappy(body: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  return STREAM_IDENTIFIER.every((byte, index) => body[index] === byte)
    ? decompressFramed(body, maxBytes)
    : decompressBlock(body, maxBytes);
}

function decompressBlock(block: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const { length, next } = readLength(block);
  if (length > maxBytes) throw DecompressionError.forOversizedBody(maxBytes);
  const output = new Uint8Array(length);
  decodeBlock(block, next, output);
  return output;
}

/** The length of the decompressed block, a varint of 32 bits, and where its elements begin. */
function readLength(block: Uint8Array): { readonly length: number; readonly next: number } {
  let length = 0;
  for (let at = 0; at < 5 && at < block.length; at++) {
    length += (block[at] & 0x7f) * 2 ** (7 * at);
    if (block[at] >= 0x80) continue;
    if (length > block.length * MAX_RATIO) throw createMalformedError('it declares more than it can contain');
    return { length, next: at + 1 };
  }
  throw createMalformedError('its length is cut off');
}

/** Decodes the elements of a block, which must fill the output exactly. */
function decodeBlock(block: Uint8Array, from: number, output: Uint8Array): void {
  let [at, to] = [from, 0];
  while (at < block.length) {
    const tag = block[at++];
    const isLiteral = (tag & 3) === 0;
    // Bytes behind the tag: the length of a long literal, or the offset of a copy.
    const extraBytes = isLiteral ? Math.max(0, (tag >> 2) - 59) : COPY_OFFSET_BYTES[tag & 3];
    if (at + extraBytes > block.length) throw createMalformedError('it is cut off');
    const extra = readLittleEndian(block, at, extraBytes);
    at += extraBytes;
    const length = isLiteral ? (extraBytes === 0 ? tag >> 2 : extra) + 1 : copyLength(tag);
    if (length > output.length - to) throw createMalformedError('it is longer than it declares');
    if (isLiteral) {
      if (length > block.length - at) throw createMalformedError('it is cut off');
      output.set(block.subarray(at, at + length), to);
      at += length;
    } else {
      const offset = (tag & 3) === 1 ? ((tag >> 5) << 8) | extra : extra;
      if (offset === 0 || offset > to) throw createMalformedError('it refers to bytes before its start');
      copyMatch(output, to, offset, length);
    }
    to += length;
  }
  if (to !== output.length) throw createMalformedError('it is shorter than it declares');
}

/** By the type of the copy. */
const COPY_OFFSET_BYTES = [0, 1, 2, 4];

function copyLength(tag: number): number {
  return (tag & 3) === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
}

function decompressFramed(body: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const chunks = [...listChunks(body)];
  const total = chunks.reduce((sum, { length }) => sum + length, 0);
  if (total > maxBytes) throw DecompressionError.forOversizedBody(maxBytes);
  const output = new Uint8Array(total);
  let to = 0;
  for (const { content, length, start, checksum } of chunks) {
    const part = output.subarray(to, to + length);
    if (start === undefined) part.set(content);
    else decodeBlock(content, start, part);
    if (computeChecksum(part) !== checksum) throw createMalformedError('a checksum does not match');
    to += length;
  }
  return output;
}

/** A chunk of data: `length` bytes after decompression; `start` of its elements if it is compressed. */
interface DataChunk {
  readonly content: Uint8Array;
  readonly length: number;
  readonly start: number | undefined;
  readonly checksum: number;
}

/** The chunks of data, their headers checked. */
function* listChunks(body: Uint8Array): Generator<DataChunk> {
  for (let at = 0; at < body.length;) {
    const size = at + CHUNK_HEADER_BYTES > body.length ? Infinity : readLittleEndian(body, at + 1, 3);
    const end = at + CHUNK_HEADER_BYTES + size;
    if (end > body.length) throw createMalformedError('it is cut off');
    const type = body[at];
    if (type <= UNCOMPRESSED_CHUNK) yield readDataChunk(type, body.subarray(at + CHUNK_HEADER_BYTES, end));
    else if (type <= LAST_RESERVED_CHUNK) throw createMalformedError(`it contains a chunk of the unknown type ${type}`);
    at = end;
  }
}

function readDataChunk(type: number, chunk: Uint8Array): DataChunk {
  if (chunk.length < CHECKSUM_BYTES) throw createMalformedError('it is cut off');
  const checksum = readLittleEndian(chunk, 0, CHECKSUM_BYTES);
  const content = chunk.subarray(CHECKSUM_BYTES);
  const { length, next } =
    type === COMPRESSED_CHUNK ? readLength(content) : { length: content.length, next: undefined };
  if (length > MAX_CHUNK_OUTPUT) throw createMalformedError('a chunk is too long');
  return { content, length, start: next, checksum };
}

/** The masked CRC-32C of the framing format (framing_format.txt §3). */
function computeChecksum(bytes: Uint8Array): number {
  const crc = crc32c.init().update(bytes).digest('binary');
  const value = ((crc[0] << 24) | (crc[1] << 16) | (crc[2] << 8) | crc[3]) >>> 0;
  return (((value >>> 15) | (value << 17)) + 0xa282ead8) >>> 0;
}

/** An unsigned number of up to four bytes; 0 of none. */
function readLittleEndian(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = count - 1; index >= 0; index--) value = value * 256 + bytes[at + index];
  return value;
}

function createMalformedError(reason: string): DecompressionError {
  return DecompressionError.forInvalidBody('snappy', reason);
}
