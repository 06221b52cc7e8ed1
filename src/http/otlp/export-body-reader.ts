import type { Readable } from 'node:stream';
import type { MemoryReservation } from './memory-budget.js';
import { type Abandoned, ABANDONED, createOutOfMemoryRefusal, createRefusal, type Refusal } from './export-outcome.js';

export interface BodyLimits {
  readonly maxBytes: number;
  /** A body that brings nothing for so long is given up. */
  readonly idleMs: number;
}

export interface BodyReadOptions extends BodyLimits {
  /** How long the body says it is, where it does. */
  readonly announced: number | undefined;
  /** Reads the length off the first bytes of the body; undefined as long as they are too few. */
  readonly lengthIn?: (firstBytes: Uint8Array) => number | undefined;
}

export type BodyReadFault = 'too-large' | 'no-memory' | 'abandoned';

export type BodyReadResult =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly fault: BodyReadFault };

/**
 * Reads a body to its end. Stops at the first byte past the limit, and reads on only while `lease` pays for it,
 * so that a full budget becomes back-pressure on the socket. Takes nothing where the announced length is too much.
 * Never rejects.
 */
export function readBody(
  take: () => Readable,
  lease: MemoryReservation,
  options: BodyReadOptions,
): Promise<BodyReadResult> {
  if (options.announced !== undefined && options.announced > options.maxBytes)
    return Promise.resolve({ ok: false, fault: 'too-large' });
  return new Promise((resolve) => new ExportBodyReader(take(), lease, options, resolve).start());
}

/** What a body that was not read to its end means for its request. */
export function toBodyOutcome(fault: BodyReadFault, limits: BodyLimits): Refusal | Abandoned {
  switch (fault) {
    case 'too-large':
      return createRefusal('too-large', `the body is larger than ${limits.maxBytes} bytes`);
    case 'no-memory':
      return createOutOfMemoryRefusal();
    case 'abandoned':
      return ABANDONED;
  }
}

class ExportBodyReader {
  private readonly sink: GrowableBuffer;
  private readonly timer: NodeJS.Timeout;
  private lengthUnread: boolean;
  /** A chunk waits for memory. */
  private unpaid = false;
  private ended = false;
  private done = false;

  constructor(
    private readonly source: Readable,
    private readonly lease: MemoryReservation,
    private readonly options: BodyReadOptions,
    private readonly resolve: (result: BodyReadResult) => void,
  ) {
    this.sink = new GrowableBuffer(options.announced, options.maxBytes);
    this.lengthUnread = options.lengthIn !== undefined;
    this.timer = setTimeout(this.onGone, options.idleMs);
  }

  start(): void {
    // An HTTP/2 stream without a byte of body has ended before anyone asked for one.
    if (this.source.readableEnded) return this.onEnd();
    if (this.source.destroyed) return this.fail('abandoned');
    this.source.on('data', this.onData).on('end', this.onEnd).on('close', this.onGone).on('error', this.onGone);
  }

  private readonly onData = (chunk: Uint8Array): void => {
    this.timer.refresh();
    if (this.sink.length === 0) this.learnLength(chunk);
    if (this.isTooLong(this.sink.length + chunk.byteLength)) this.fail('too-large');
    if (this.done) return;
    const more = this.sink.capacityFor(chunk.byteLength) - this.lease.bytes;
    if (more <= 0 || this.lease.tryGrow(more)) this.keep(chunk);
    else void this.keepWhenReserved(chunk, more);
  };

  private async keepWhenReserved(chunk: Uint8Array, more: number): Promise<void> {
    this.source.pause();
    this.unpaid = true;
    const paid = await this.lease.grow(more);
    if (this.done) return;
    if (!paid) return this.fail('no-memory');
    this.unpaid = false;
    this.keep(chunk);
    if (this.ended) this.onEnd();
    else this.source.resume();
  }

  private keep(chunk: Uint8Array): void {
    this.sink.append(chunk);
    this.learnLength(this.sink.bytes());
  }

  private learnLength(firstBytes: Uint8Array): void {
    if (!this.lengthUnread) return;
    const length = this.options.lengthIn?.(firstBytes);
    if (length === undefined) return;
    this.lengthUnread = false;
    if (this.isTooLong(length)) this.fail('too-large');
    else this.sink.expectLength(length);
  }

  private isTooLong(bytes: number): boolean {
    return bytes > this.options.maxBytes;
  }

  /** A paused stream still ends once its last chunk was handed out: the body is whole only when that chunk is paid for. */
  private readonly onEnd = (): void => {
    this.ended = true;
    if (!this.unpaid) this.finish({ ok: true, bytes: this.sink.bytes() });
  };

  /** A stream that ended may close while its last chunk waits: nothing is missing. */
  private readonly onGone = (): void => {
    if (!this.ended) this.fail('abandoned');
  };

  private fail(fault: BodyReadFault): void {
    this.finish({ ok: false, fault });
  }

  private finish(result: BodyReadResult): void {
    if (this.done) return;
    this.done = true;
    clearTimeout(this.timer);
    this.source.off('data', this.onData).off('end', this.onEnd).off('close', this.onGone).off('error', this.onGone);
    this.resolve(result);
  }
}

const MIN_CAPACITY = 1024;

/** An announced length is believed up to this multiple of what has really come; doubling serves where none was. */
const GROWTH_ANNOUNCED = 4;

const GROWTH = 2;

/**
 * Gathers a body into one buffer of its own, so that it can be transferred to another thread. Chunks are copied at
 * once: a socket's chunk can be one byte long and keep a whole slab of 64 KiB alive. A sender who only announces
 * costs nothing.
 */
export class GrowableBuffer {
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
  expectLength(bytes: number): void {
    this.announced = bytes;
  }

  /** Bytes that the sink will have set aside once it has taken `more` bytes: what the body costs. */
  capacityFor(more: number): number {
    const needed = this.used + more;
    if (needed <= this.buffer.byteLength) return this.buffer.byteLength;
    const told = this.announced !== undefined && this.announced >= needed;
    const roomy = Math.max(MIN_CAPACITY, needed * (told ? GROWTH_ANNOUNCED : GROWTH));
    const most = told ? this.announced! : this.maxBytes;
    return Math.max(needed, Math.min(roomy, most));
  }

  append(chunk: Uint8Array): void {
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
