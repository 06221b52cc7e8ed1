import { Decompress } from 'fzstd';
import { InflateFault } from './inflate-fault.js';
import { zstdFrames, type ZstdFrame } from './zstd-frames.js';

/** RFC 8878 asks decoders for 8 MiB; every level but the "ultra" ones of the reference encoder stays within it. */
const MAX_WINDOW = 8 << 20;

/** fzstd moves its whole window once a block: this much moving takes about a second. */
const MAX_MOVED = 2 ** 33;

/** Decompresses zstd frames to at most `maxBytes`. Header promises are checked before anything is allocated. */
export function unzstd(body: Uint8Array, maxBytes: number): Uint8Array {
  const frames = zstdFrames(body);
  const promised = frames.reduce((sum, frame) => sum + (frame.contentSize ?? 0), 0);
  if (promised > maxBytes) throw InflateFault.tooLarge(maxBytes);
  const output = new Output(maxBytes);
  for (const frame of frames) decompressFrame(body, frame, output, maxBytes);
  return output.join();
}

function decompressFrame(body: Uint8Array, frame: ZstdFrame, output: Output, maxBytes: number): void {
  if (frame.window > Math.max(MAX_WINDOW, maxBytes) || frame.blocks * frame.window > MAX_MOVED) {
    throw new InflateFault('malformed', 'The zstd body needs too large a window.');
  }
  const before = output.size;
  try {
    new Decompress((chunk) => output.add(chunk)).push(body.subarray(frame.from, frame.to), true);
  } catch (error) {
    if (error instanceof InflateFault) throw error;
    throw new InflateFault('malformed', 'The body is not valid zstd.', error);
  }
  if (frame.contentSize !== undefined && output.size - before !== frame.contentSize) {
    throw new InflateFault('malformed', 'The zstd body has another size than it says.');
  }
}

/** Collects chunks up to a limit. */
class Output {
  size = 0;
  private readonly chunks: Uint8Array[] = [];

  constructor(private readonly maxBytes: number) {}

  add(chunk: Uint8Array): void {
    this.size += chunk.length;
    if (this.size > this.maxBytes) throw InflateFault.tooLarge(this.maxBytes);
    this.chunks.push(chunk);
  }

  join(): Uint8Array {
    const whole = new Uint8Array(this.size);
    let at = 0;
    for (const chunk of this.chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }
}
