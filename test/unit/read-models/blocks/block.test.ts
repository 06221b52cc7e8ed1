import assert from 'node:assert/strict';
import fc from 'fast-check';
import { unpackColumnBlobs, packBlobs, unpackBlobs } from '../../../../src/read-models/blocks/block.js';

describe('packing the blobs of a small block', () => {
  it('gives every blob back under its name, wherever the bytes come to lie', () =>
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('start', 'tags.0', 'ünder', 'x'), fc.uint8Array()),
        fc.nat(7),
        (blobs, shift) => {
          const packed = packBlobs(blobs);
          const moved = Buffer.concat([Buffer.alloc(shift), packed]).subarray(shift);
          assert.deepEqual(contentOf(unpackBlobs(moved)), contentOf(blobs));
        },
      ),
    ));

  it('is undone only where a block says so', () => {
    const blobs = { start: Uint8Array.of(1, 2) };
    assert.deepEqual(contentOf(unpackColumnBlobs(true, { packed: packBlobs(blobs) })), contentOf(blobs));
    assert.equal(unpackColumnBlobs(false, blobs), blobs);
  });
});

function contentOf(blobs: Readonly<Record<string, Uint8Array>>): [string, string][] {
  return Object.entries(blobs).map(([name, blob]) => [name, Buffer.from(blob).toString('hex')]);
}
