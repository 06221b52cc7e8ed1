import { InflateFault } from '../inflate-fault.js';
import { corrupt } from './corrupt.js';

/** One frame of a zstd body (RFC 8878 §3.1.1), as its headers tell without decompressing. */
export interface ZstdFrame {
  readonly firstBlock: number;
  /** As promised by the header; undefined where it does not. */
  readonly contentSize: number | undefined;
}

export const BLOCK = { raw: 0, rle: 1, compressed: 2, reserved: 3 } as const;

const MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const SKIPPABLE_MASK = 0xfffffff0;
const CHECKSUM_BYTES = 4;

/** Finds the frames of a body by their headers; skippable frames are passed by. Fails unless they fill the body. */
export function zstdFrames(body: Uint8Array): ZstdFrame[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const frames: ZstdFrame[] = [];
  try {
    for (let at = 0; at < body.length; ) {
      const magic = view.getUint32(at, true);
      if (magic === MAGIC) at = readFrame(view, at + 4, frames);
      else if ((magic & SKIPPABLE_MASK) >>> 0 === SKIPPABLE_MAGIC) at += 8 + view.getUint32(at + 4, true);
      else throw corrupt();
      if (at > body.length) throw new RangeError('a frame runs past the body');
    }
  } catch (error) {
    if (error instanceof RangeError) throw new InflateFault('malformed', 'The zstd body is cut off.', error);
    throw error;
  }
  return frames;
}

/** Reads the frame whose descriptor stands at `at`; answers the byte behind it. Reads past the body are RangeErrors. */
function readFrame(view: DataView, at: number, frames: ZstdFrame[]): number {
  const descriptor = view.getUint8(at);
  const singleSegment = (descriptor & 0x20) !== 0;
  if ((descriptor & 8) !== 0) throw corrupt();
  if ((descriptor & 3) !== 0) throw new InflateFault('malformed', 'The zstd body needs a dictionary.');
  const sizeAt = at + (singleSegment ? 1 : 2);
  const { size, bytes } = contentSize(view, sizeAt, descriptor >>> 6, singleSegment);
  frames.push({ firstBlock: sizeAt + bytes, contentSize: size });
  return passBlocks(view, sizeAt + bytes) + ((descriptor & 4) !== 0 ? CHECKSUM_BYTES : 0);
}

function contentSize(view: DataView, at: number, flag: number, singleSegment: boolean): { size: number | undefined; bytes: number } {
  switch (flag) {
    case 0:
      return singleSegment ? { size: view.getUint8(at), bytes: 1 } : { size: undefined, bytes: 0 };
    case 1:
      return { size: view.getUint16(at, true) + 256, bytes: 2 };
    case 2:
      return { size: view.getUint32(at, true), bytes: 4 };
    default:
      return { size: Number(view.getBigUint64(at, true)), bytes: 8 };
  }
}

function passBlocks(view: DataView, from: number): number {
  let at = from;
  for (;;) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const type = (header >>> 1) & 3;
    if (type === BLOCK.reserved) throw corrupt();
    at += 3 + (type === BLOCK.rle ? 1 : header >>> 3);
    if (at > view.byteLength) throw new RangeError('a block runs past the body');
    if ((header & 1) !== 0) return at;
  }
}
