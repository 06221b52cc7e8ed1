import { deflateSync, gzipSync } from 'node:zlib';
import { createXXHash32 } from 'hash-wasm';
import type { TransferEncoding } from '../../../../../src/telemetry/compression/content-encoding.js';

export function encode(body: Uint8Array, encoding: TransferEncoding): Uint8Array {
  switch (encoding) {
    case 'identity':
      return body;
    case 'gzip':
      return gzipSync(body);
    case 'deflate':
      return deflateSync(body);
    case 'zstd':
      return storedZstd(body);
    case 'snappy':
      return literalSnappy(body);
    case 'lz4':
      return storedLz4(body);
  }
}

const MAX_BLOCK = 128 * 1024;

/** A zstd frame of raw blocks (RFC 8878): Node 20 cannot compress, and a reader need not care. */
function storedZstd(body: Uint8Array): Uint8Array {
  const header = Buffer.alloc(9);
  header.writeUInt32LE(0xfd2fb528, 0);
  header.writeUInt8(0xa0, 4); // single segment, content size in four bytes
  header.writeUInt32LE(body.byteLength, 5);
  const blocks: Uint8Array[] = [header];
  for (let at = 0; at === 0 || at < body.byteLength; at += MAX_BLOCK) {
    const block = body.subarray(at, at + MAX_BLOCK);
    const last = at + MAX_BLOCK >= body.byteLength ? 1 : 0;
    const blockHeader = Buffer.alloc(3);
    blockHeader.writeUIntLE((block.byteLength << 3) | last, 0, 3);
    blocks.push(blockHeader, block);
  }
  return Buffer.concat(blocks);
}

/** A snappy block of literals of 60 bytes at most. */
function literalSnappy(body: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [varint(body.byteLength)];
  for (let at = 0; at < body.byteLength; at += 60) {
    const literal = body.subarray(at, at + 60);
    parts.push(Uint8Array.of((literal.byteLength - 1) << 2), literal);
  }
  return Buffer.concat(parts);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

const xxHash32 = await createXXHash32(0);
const MAX_LZ4_BLOCK = 64 * 1024;

/** An LZ4 frame of independent blocks that are not compressed. */
function storedLz4(body: Uint8Array): Uint8Array {
  const descriptor = Uint8Array.of(0x60, 0x40);
  const check = xxHash32.init().update(descriptor).digest('binary')[2];
  const parts: Uint8Array[] = [Uint8Array.of(0x04, 0x22, 0x4d, 0x18), descriptor, Uint8Array.of(check)];
  for (let at = 0; at < body.byteLength; at += MAX_LZ4_BLOCK) {
    const block = body.subarray(at, at + MAX_LZ4_BLOCK);
    parts.push(littleEndian(block.byteLength + 0x8000_0000), block);
  }
  return Buffer.concat([...parts, littleEndian(0)]);
}

function littleEndian(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
