import { InflateFault } from '../inflate-fault.js';
import { corrupt } from './corrupt.js';

/** No block makes more (RFC 8878 §3.1.1.2.4). */
export const MAX_BLOCK = 1 << 17;

/** From here on a call into the runtime copies sooner than a loop. */
const LONG_COPY = 48;

/** Growing output with a limit; also the history that matches refer to. */
export class Output {
  size = 0;
  /** Matches reach back to here: a frame does not see the one before it. */
  private frameStart = 0;
  private blockEnd = 0;
  private bytes: Uint8Array<ArrayBuffer>;

  constructor(
    expected: number,
    private readonly maxBytes: number,
  ) {
    this.bytes = new Uint8Array(Math.min(expected, maxBytes) + MAX_BLOCK);
  }

  beginFrame(): void {
    this.frameStart = this.size;
  }

  get frameSize(): number {
    return this.size - this.frameStart;
  }

  /** Makes room for one block, so that its many small copies need not grow anything. */
  beginBlock(): void {
    this.blockEnd = this.size + MAX_BLOCK;
    if (this.blockEnd <= this.bytes.length) return;
    const larger = new Uint8Array(Math.min(this.maxBytes + MAX_BLOCK, Math.max(this.bytes.length * 2, this.blockEnd)));
    larger.set(this.bytes);
    this.bytes = larger;
  }

  endBlock(): void {
    if (this.size > this.maxBytes) throw InflateFault.tooLarge(this.maxBytes);
  }

  append(source: Uint8Array, from: number, to: number): void {
    const { bytes, size } = this;
    const end = size + to - from;
    if (end > this.blockEnd) throw corrupt();
    if (to - from >= LONG_COPY) bytes.set(source.subarray(from, to), size);
    else for (let at = size, i = from; i < to; i++) bytes[at++] = source[i];
    this.size = end;
  }

  fill(byte: number, count: number): void {
    const end = this.size + count;
    if (end > this.blockEnd) throw corrupt();
    this.bytes.fill(byte, this.size, end);
    this.size = end;
  }

  /** Copies `count` bytes from `offset` bytes back; they may reach into themselves. */
  repeat(offset: number, count: number): void {
    const { bytes, size } = this;
    const end = size + count;
    if (offset < 1 || offset > size - this.frameStart || end > this.blockEnd) throw corrupt();
    if (offset >= count && count >= LONG_COPY) bytes.copyWithin(size, size - offset, end - offset);
    else for (let i = size; i < end; i++) bytes[i] = bytes[i - offset];
    this.size = end;
  }

  /** All of it, alone in its buffer. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.size);
  }
}
