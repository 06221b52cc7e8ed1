import assert from 'node:assert/strict';
import { createCanvas, loadImage } from 'canvas';
import fc from 'fast-check';
import { encodePng } from '../../../src/charts/png-encoder.js';

/** Opaque random pixels. */
const image = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }))
  .chain(([width, height]) =>
    fc
      .uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 })
      .map((bytes) => ({ width, height, pixels: bytes.map((byte, at) => (at % 4 === 3 ? 255 : byte)) })),
  );

describe('encodePng', () => {
  it('is read back to the very pixels by another decoder', async () => {
    const law = fc.asyncProperty(image, async ({ width, height, pixels }) => {
      const read = await loadImage(Buffer.from(encodePng(pixels, width, height)));
      assert.deepEqual([read.width, read.height], [width, height]);
      const canvas = createCanvas(width, height);
      canvas.getContext('2d').drawImage(read, 0, 0);
      assert.deepEqual(Uint8Array.from(canvas.data()), pixels);
    });
    await fc.assert(law, { numRuns: 50 });
  });

  it('is the same whatever was encoded before it, be it larger or smaller', async () => {
    const pixels = (width: number, height: number, shift: number): Uint8Array =>
      Uint8Array.from({ length: width * height * 4 }, (_, at) => (at % 4 === 3 ? 255 : (at * 7 + shift) & 255));
    const sizes = [
      [3, 5],
      [1_200, 1_200],
      [64, 2],
      [2, 64],
      [1, 1],
    ] as const;
    const first = sizes.map(([width, height], shift) => encodePng(pixels(width, height, shift), width, height));
    sizes.forEach(([width, height], shift) =>
      assert.deepEqual(encodePng(pixels(width, height, shift), width, height), first[shift]),
    );
    for (const [index, [width, height]] of sizes.entries()) {
      const read = await loadImage(Buffer.from(first[index]));
      const canvas = createCanvas(width, height);
      canvas.getContext('2d').drawImage(read, 0, 0);
      assert.deepEqual(Uint8Array.from(canvas.data()), pixels(width, height, index));
    }
  });

  it('takes pixels that begin anywhere in their memory', () => {
    const pixels = new Uint8Array(17).fill(9);
    assert.deepEqual(encodePng(pixels.subarray(1), 2, 2), encodePng(pixels.slice(1), 2, 2));
  });

  it('is alone in its buffer, which may be transferred', () => {
    const png = encodePng(new Uint8Array(16), 2, 2);
    assert.equal(png.byteLength, png.buffer.byteLength);
  });

  it('is much smaller than its pixels where most are the same', () => {
    assert.ok(encodePng(new Uint8Array(400_000), 1000, 100).length < 2_000);
  });
});
