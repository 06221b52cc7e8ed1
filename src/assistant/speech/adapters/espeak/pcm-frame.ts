import type { PcmAudio } from '../../speech-engines.js';
import { decodePcm } from '../../wav.js';

/**
 * Two 32-bit little-endian numbers: sample rate, and number of PCM bytes that follow. A rate of 0 reports a failure.
 */
const HEADER_BYTES = 8;

export function encodePcmFrame(sampleRate: number, parts: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(sampleRate, 0);
  header.writeUInt32LE(
    parts.reduce((sum, part) => sum + part.length, 0),
    4,
  );
  return Buffer.concat([header, ...parts]);
}

/** Reassembles one frame from the chunks of a pipe. */
export class PcmFrameReader {
  private readonly parts: Buffer[] = [];
  private receivedBytes = 0;

  constructor(private readonly mostBytes: number) {}

  /** True once the frame is complete. Throws if it is larger than allowed. */
  add(part: Buffer): boolean {
    this.parts.push(part);
    this.receivedBytes += part.length;
    const expected = this.expected();
    if (Math.max(expected ?? 0, this.receivedBytes) > this.mostBytes) throw new RangeError('a frame that is too large');
    return expected !== undefined && this.receivedBytes >= expected;
  }

  /** Audio of the complete frame; undefined if the other process reported a failure. */
  sound(): PcmAudio | undefined {
    const frame = Buffer.concat(this.parts);
    const sampleRate = frame.readUInt32LE(0);
    return sampleRate === 0 ? undefined : { samples: decodePcm(frame.subarray(HEADER_BYTES)), sampleRate };
  }

  private expected(): number | undefined {
    if (this.receivedBytes < HEADER_BYTES) return undefined;
    // Chunks are joined only until the header is complete.
    if (this.parts[0].length < HEADER_BYTES) this.parts.splice(0, this.parts.length, Buffer.concat(this.parts));
    return HEADER_BYTES + this.parts[0].readUInt32LE(4);
  }
}
