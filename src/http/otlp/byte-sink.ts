const LEAST_CAPACITY = 1024;

/** An announced length is believed up to this multiple of what has really come; doubling serves where none was. */
const GROWTH_ANNOUNCED = 4;
const GROWTH = 2;

/**
 * Gathers a body into one buffer of its own, so that it can be transferred to another thread. Chunks are copied at
 * once: a socket's chunk can be one byte long and keep a whole slab of 64 KiB alive. A sender who only announces
 * costs nothing.
 */
export class ByteSink {
  private buffer = new Uint8Array(0);
  private used = 0;

  constructor(
    private announced: number | undefined,
    private readonly maxBytes: number,
  ) {}

  get length(): number {
    return this.used;
  }

  /** The body has told its whole length in its first bytes. */
  announce(bytes: number): void {
    this.announced = bytes;
  }

  /** Bytes that the sink will have set aside once it has taken `more` bytes: what the body costs. */
  capacityFor(more: number): number {
    const needed = this.used + more;
    if (needed <= this.buffer.byteLength) return this.buffer.byteLength;
    const told = this.announced !== undefined && this.announced >= needed;
    const roomy = Math.max(LEAST_CAPACITY, needed * (told ? GROWTH_ANNOUNCED : GROWTH));
    const most = told ? this.announced! : this.maxBytes;
    return Math.max(needed, Math.min(roomy, most));
  }

  push(chunk: Uint8Array): void {
    const capacity = this.capacityFor(chunk.byteLength);
    if (capacity > this.buffer.byteLength) this.growTo(capacity);
    this.buffer.set(chunk, this.used);
    this.used += chunk.byteLength;
  }

  /** What has been gathered, as a view of the buffer. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.buffer.subarray(0, this.used);
  }

  private growTo(capacity: number): void {
    const larger = new Uint8Array(capacity);
    larger.set(this.bytes());
    this.buffer = larger;
  }
}
