import type { PcmAudio } from '../../speech-engines.js';
import { decodePcm } from '../../wav.js';

/** Two numbers of 32 bits, little-endian: samples a second, and bytes of PCM that follow. A rate of 0 says that it failed. */
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

/** Puts one frame together from the pieces in which a pipe delivers it. */
export class PcmFrameReader {
  private readonly parts: Buffer[] = [];
  private received = 0;

  constructor(private readonly mostBytes: number) {}

  /** True once the frame is complete. Throws for one that is larger than allowed. */
  add(part: Buffer): boolean {
    this.parts.push(part);
    this.received += part.length;
    const expected = this.expected();
    if (Math.max(expected ?? 0, this.received) > this.mostBytes) throw new RangeError('a frame that is too large');
    return expected !== undefined && this.received >= expected;
  }

  /** The sound of the complete frame; undefined where the other side failed. */
  sound(): PcmAudio | undefined {
    const frame = Buffer.concat(this.parts);
    const sampleRate = frame.readUInt32LE(0);
    return sampleRate === 0 ? undefined : { samples: decodePcm(frame.subarray(HEADER_BYTES)), sampleRate };
  }

  private expected(): number | undefined {
    if (this.received < HEADER_BYTES) return undefined;
    // Parts are joined only until the header is there.
    if (this.parts[0].length < HEADER_BYTES) this.parts.splice(0, this.parts.length, Buffer.concat(this.parts));
    return HEADER_BYTES + this.parts[0].readUInt32LE(4);
  }
}
