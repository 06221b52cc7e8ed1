import { InflateFault } from '../inflate-fault.js';
import { corrupt } from './corrupt.js';
import { BLOCK, zstdFrames, type ZstdFrame } from './frames.js';
import { Literals } from './literals.js';
import { Output } from './output.js';
import { Sequences } from './sequences.js';

/** What a body without sizes is likely to grow by. */
const USUAL_RATIO = 8;

/**
 * Decompresses zstd frames (RFC 8878, without dictionaries) to at most `maxBytes`. Ours because Node 20 has none and
 * hostile bodies must cost no more than what they make: time is bounded by input and output, memory by `maxBytes`,
 * whatever window a frame claims. Content checksums are not verified.
 */
export function unzstd(body: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const frames = zstdFrames(body);
  const promised = frames.reduce((sum, frame) => sum + (frame.contentSize ?? 0), 0);
  if (promised > maxBytes) throw InflateFault.tooLarge(maxBytes);
  const output = new Output(promised > 0 ? promised : body.length * USUAL_RATIO, maxBytes);
  const literals = new Literals();
  const sequences = new Sequences();
  for (const frame of frames) {
    literals.reset();
    sequences.reset();
    decodeFrame(body, frame, literals, sequences, output);
  }
  return output.finish();
}

function decodeFrame(body: Uint8Array, frame: ZstdFrame, literals: Literals, sequences: Sequences, output: Output): void {
  output.beginFrame();
  for (let at = frame.firstBlock, last = false; !last; ) {
    const header = body[at] | (body[at + 1] << 8) | (body[at + 2] << 16);
    const type = (header >> 1) & 3;
    const size = header >>> 3;
    const start = at + 3;
    output.beginBlock();
    if (type === BLOCK.rle) output.fill(body[start], size);
    else if (type === BLOCK.raw) output.append(body, start, start + size);
    else sequences.execute(body, literals.read(body, start, start + size), start + size, literals, output);
    output.endBlock();
    at = start + (type === BLOCK.rle ? 1 : size);
    last = (header & 1) !== 0;
  }
  if (frame.contentSize !== undefined && output.frameSize !== frame.contentSize) throw corrupt();
}
