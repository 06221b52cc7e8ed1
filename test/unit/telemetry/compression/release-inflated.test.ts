import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { decompress, releaseInflated } from '../../../../src/telemetry/compression/decompress.js';

function inflate(body: Uint8Array, encoding: 'gzip' | 'deflate' | 'identity'): Uint8Array {
  const result = decompress(body, encoding, 1 << 20);
  assert.ok(result.ok);
  return result.bytes;
}

describe('releasing decompressed bodies', () => {
  const content = randomBytes(100_000);

  it('returns their memory without a garbage collection', () => {
    const [gzip, deflate] = [gzipSync(content), deflateSync(content)];
    const before = process.memoryUsage().arrayBuffers;
    for (let n = 0; n < 1_000; n++) {
      releaseInflated(inflate(gzip, 'gzip'), 'gzip');
      releaseInflated(inflate(deflate, 'deflate'), 'deflate');
    }
    assert.ok(process.memoryUsage().arrayBuffers - before < 20_000_000);
  });

  it('leaves alone what may be in use elsewhere: bodies that were not compressed, and small ones', () => {
    releaseInflated(inflate(content, 'identity'), 'identity');
    assert.equal(content.byteLength, 100_000);
    const small = Buffer.from('shares its buffer with others');
    releaseInflated(small, 'gzip');
    assert.equal(small.toString(), 'shares its buffer with others');
  });
});
