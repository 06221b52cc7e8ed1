import { deflateSync } from 'node:zlib';

/**
 * What the canvas's own encoder takes most of a picture's time for. Charts are flat: unfiltered rows at this level are a
 * quarter of the time and a tenth smaller.
 */
const LEVEL = 3;

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const COLOUR_8_BIT = [8, 2, 0, 0, 0];

/**
 * A PNG of opaque pixels: rows from the top, four bytes a pixel, red first, of which the fourth is left out.
 * Its buffer holds nothing else, so that it can be transferred.
 */
export function encodePng(pixels: Uint8Array, width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, ...COLOUR_8_BIT]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const parts: Part[] = [
    ['IHDR', header],
    ['IDAT', deflateSync(unfiltered(pixels, width, height), { level: LEVEL, memLevel: 9 })],
    ['IEND', new Uint8Array(0)],
  ];
  return assembled(parts);
}

type Part = readonly [type: string, data: Uint8Array];

/** Length, type and checksum of a part. */
const FRAME = 12;

function assembled(parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const png = new Uint8Array(SIGNATURE.length + parts.reduce((sum, [, data]) => sum + data.length + FRAME, 0));
  const view = new DataView(png.buffer);
  png.set(SIGNATURE);
  let at = SIGNATURE.length;
  for (const [type, data] of parts) {
    view.setUint32(at, data.length);
    png.set(Buffer.from(type, 'latin1'), at + 4);
    png.set(data, at + 8);
    view.setUint32(at + 8 + data.length, crc32(png.subarray(at + 4, at + 8 + data.length)));
    at += data.length + FRAME;
  }
  return png;
}

/** Each row behind a byte that says that it is not filtered. */
function unfiltered(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const rows = new Uint8Array(height * (1 + width * 3));
  let from = 0;
  let to = 0;
  for (let y = 0; y < height; y++) {
    to++;
    for (let x = 0; x < width; x++, from += 4) {
      rows[to++] = pixels[from];
      rows[to++] = pixels[from + 1];
      rows[to++] = pixels[from + 2];
    }
  }
  return rows;
}

/** The remainders of all bytes by the polynomial of ISO 3309, bits reversed. Node.js has it as a function from 20.15 on only. */
const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
  return remainder;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = REMAINDERS[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
