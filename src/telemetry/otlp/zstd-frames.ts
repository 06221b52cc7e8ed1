import { InflateFault } from './inflate-fault.js';

/** One frame of a zstd body (RFC 8878), as its headers tell without decompressing. */
export interface ZstdFrame {
  readonly from: number;
  readonly to: number;
  /** Bytes that a decoder has to look back on. */
  readonly window: number;
  /** As promised by the header; undefined where it does not. */
  readonly contentSize: number | undefined;
  readonly blocks: number;
}

const MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const BLOCK_RLE = 1;
const BLOCK_RESERVED = 3;

/** Finds the frames of a body by their headers; skippable frames are passed by. Fails unless they fill the body. */
export function zstdFrames(body: Uint8Array): ZstdFrame[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const frames: ZstdFrame[] = [];
  try {
    for (let at = 0; at < body.length; ) {
      const magic = view.getUint32(at, true);
      if (magic === MAGIC) {
        const frame = readFrame(view, at);
        frames.push(frame);
        at = frame.to;
      } else if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) at += 8 + view.getUint32(at + 4, true);
      else throw new InflateFault('malformed', 'The body is not valid zstd.');
      if (at > body.length) throw new RangeError('past the end');
    }
  } catch (error) {
    if (error instanceof RangeError) throw new InflateFault('malformed', 'The zstd body is cut off.', error);
    throw error;
  }
  return frames;
}

function readFrame(view: DataView, from: number): ZstdFrame {
  const descriptor = view.getUint8(from + 4);
  const singleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3];
  let at = from + 5;
  let window = 0;
  if (!singleSegment) window = windowSize(view.getUint8(at++));
  if (dictionaryBytes > 0) throw new InflateFault('malformed', 'The zstd body needs a dictionary.');
  const { size, bytes } = contentSize(view, at, descriptor >>> 6, singleSegment);
  const { to, blocks } = walkBlocks(view, at + bytes);
  const checksum = (descriptor & 4) !== 0 ? 4 : 0;
  if (to + checksum > view.byteLength) throw new RangeError('past the end');
  return { from, to: to + checksum, window: singleSegment ? (size ?? 0) : window, contentSize: size, blocks };
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >>> 3));
  return base + (base / 8) * (descriptor & 7);
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

function walkBlocks(view: DataView, from: number): { to: number; blocks: number } {
  let at = from;
  for (let blocks = 1; ; blocks++) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const type = (header >>> 1) & 3;
    if (type === BLOCK_RESERVED) throw new InflateFault('malformed', 'The body is not valid zstd.');
    at += 3 + (type === BLOCK_RLE ? 1 : header >>> 3);
    if ((header & 1) !== 0) return { to: at, blocks };
  }
}
