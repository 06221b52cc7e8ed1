import { deflateSync, gzipSync } from 'node:zlib';
import type { ContentEncoding } from '../../../../../src/telemetry/compression/content-encoding.js';

export function encode(body: Uint8Array, encoding: ContentEncoding): Uint8Array {
  switch (encoding) {
    case 'identity':
      return body;
    case 'gzip':
      return gzipSync(body);
    case 'deflate':
      return deflateSync(body);
    case 'zstd':
      return storedZstd(body);
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
