import type { Readable } from 'node:stream';
import type { MemoryReservation } from './memory-budget.js';
import {
  type Abandoned,
  ABANDONED,
  createOutOfMemoryRefusal,
  createRefusal,
  createUnavailableRefusal,
  type Refusal,
} from './export-outcome.js';
import { type Upload, UploadPace } from './slow-uploads.js';

export interface BodyLimits {
  readonly maxBytes: number;
  /** A body without new data for this long is abandoned. */
  readonly idleMs: number;
}

export interface BodyReadOptions extends BodyLimits {
  /** Declared length (Content-Length), if any. */
  readonly announcedBytes: number | undefined;
  /** Reads the total length from the first bytes of the body; undefined while there are too few. */
  readonly lengthIn?: (firstBytes: Uint8Array) => number | undefined;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

export type BodyReadFault = 'too-large' | 'no-memory' | 'too-slow' | 'abandoned';

export type BodyReadResult =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly fault: BodyReadFault };

/**
 * Reads a body to its end. Stops at the first byte beyond the limit, and pauses until `reservation` could grow, so that
 * an exhausted memory budget becomes back-pressure on the socket. Reads nothing if the declared length is too large.
 * Never rejects.
 * @param take opens the body; not called if the declared length is too large
 */
export function readBody(
  take: () => Readable,
  reservation: MemoryReservation,
  options: BodyReadOptions,
): Promise<BodyReadResult> {
  if (options.announcedBytes !== undefined && options.announcedBytes > options.maxBytes)
    return Promise.resolve({ ok: false, fault: 'too-large' });
  return new Promise((resolve) => new ExportBodyReader(take(), reservation, options, resolve).start());
}

/** The outcome of a request whose body was not read completely. */
export function toBodyOutcome(fault: BodyReadFault, limits: BodyLimits): Refusal | Abandoned {
  switch (fault) {
    case 'too-large':
      return createRefusal('too-large', `the body is larger than ${limits.maxBytes} bytes`);
    case 'no-memory':
      return createOutOfMemoryRefusal();
    case 'too-slow':
      return createUnavailableRefusal('the body arrived too slowly while others waited for its memory; retry later');
    case 'abandoned':
      return ABANDONED;
  }
}

class ExportBodyReader implements Upload {
  private readonly sink: GrowableBuffer;
  private readonly timer: NodeJS.Timeout;
  private awaitsLength: boolean;
  /** A chunk is waiting for memory. */
  private awaitsMemory = false;
  private ended = false;
  private done = false;
  private readonly pace: UploadPace;
  private readonly endLending: () => void;
  private readonly clock: () => number;

  constructor(
    private readonly source: Readable,
    private readonly reservation: MemoryReservation,
    private readonly options: BodyReadOptions,
    private readonly resolve: (result: BodyReadResult) => void,
  ) {
    this.sink = new GrowableBuffer(options.announcedBytes, options.maxBytes);
    this.awaitsLength = options.lengthIn !== undefined;
    this.timer = setTimeout(this.onGone, options.idleMs);
    this.clock = options.clock ?? (() => performance.now());
    this.pace = new UploadPace(this.clock());
    this.endLending = reservation.lendTo(this);
  }

  /** Time in which the body waits for memory does not count against the sender. */
  get isSlow(): boolean {
    return !this.awaitsMemory && this.pace.isSlow(this.clock());
  }

  get ownerId(): string {
    return this.reservation.share.ownerId;
  }

  get heldBytes(): number {
    return this.reservation.bytes;
  }

  end(): void {
    this.fail('too-slow');
  }

  start(): void {
    // An HTTP/2 stream with an empty body has ended already.
    if (this.source.readableEnded) return this.onEnd();
    if (this.source.destroyed) return this.fail('abandoned');
    this.source.on('data', this.onData).on('end', this.onEnd).on('close', this.onGone).on('error', this.onGone);
  }

  private readonly onData = (chunk: Uint8Array): void => {
    this.timer.refresh();
    this.pace.recordBytes(chunk.byteLength, this.clock());
    if (this.sink.length === 0) this.readLength(chunk);
    if (this.isTooLong(this.sink.length + chunk.byteLength)) this.fail('too-large');
    if (this.done) return;
    const more = this.sink.capacityFor(chunk.byteLength) - this.reservation.bytes;
    if (more <= 0 || this.reservation.tryGrow(more)) this.append(chunk);
    else void this.appendWhenReserved(chunk, more);
  };

  private async appendWhenReserved(chunk: Uint8Array, more: number): Promise<void> {
    this.source.pause();
    this.awaitsMemory = true;
    const waitsFrom = this.clock();
    const granted = await this.reservation.grow(more);
    this.pace.excuse(this.clock() - waitsFrom);
    if (this.done) return;
    if (!granted) return this.fail('no-memory');
    this.awaitsMemory = false;
    this.append(chunk);
    if (this.ended) this.onEnd();
    else this.source.resume();
  }

  private append(chunk: Uint8Array): void {
    this.sink.append(chunk);
    this.readLength(this.sink.bytes());
  }

  private readLength(firstBytes: Uint8Array): void {
    if (!this.awaitsLength) return;
    const length = this.options.lengthIn?.(firstBytes);
    if (length === undefined) return;
    this.awaitsLength = false;
    if (this.isTooLong(length)) this.fail('too-large');
    else this.sink.expectLength(length);
  }

  private isTooLong(bytes: number): boolean {
    return bytes > this.options.maxBytes;
  }

  /** A paused stream also emits `end` after its last chunk: the body is complete only when that chunk has its memory. */
  private readonly onEnd = (): void => {
    this.ended = true;
    if (!this.awaitsMemory) this.finish({ ok: true, bytes: this.sink.bytes() });
  };

  /** A stream may close after its end while the last chunk waits for memory; the body is complete then. */
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
    this.endLending();
    this.source.off('data', this.onData).off('end', this.onEnd).off('close', this.onGone).off('error', this.onGone);
    this.resolve(result);
  }
}

const MIN_CAPACITY = 1024;

/**
 * Growth factor of the buffer with a declared length. Bounded, so that a false declaration cannot allocate much memory.
 */
const DECLARED_GROWTH_FACTOR = 4;

const GROWTH_FACTOR = 2;

/**
 * Collects a body in one buffer of its own, which can be transferred to another thread. Chunks are copied at once,
 * because a chunk of one byte can keep a socket buffer of 64 KiB alive. Memory grows with the received data, not with
 * the declared length.
 */
export class GrowableBuffer {
  private buffer = new Uint8Array(0);
  private used = 0;

  constructor(
    private announcedBytes: number | undefined,
    private readonly maxBytes: number,
  ) {}

  get length(): number {
    return this.used;
  }

  /** Sets the total length when it is known from the first bytes. */
  expectLength(bytes: number): void {
    this.announcedBytes = bytes;
  }

  /** Bytes that the buffer will occupy after appending `more` bytes. */
  capacityFor(more: number): number {
    const needed = this.used + more;
    if (needed <= this.buffer.byteLength) return this.buffer.byteLength;
    const isDeclared = this.announcedBytes !== undefined && this.announcedBytes >= needed;
    const grown = Math.max(MIN_CAPACITY, needed * (isDeclared ? DECLARED_GROWTH_FACTOR : GROWTH_FACTOR));
    const limit = isDeclared ? this.announcedBytes! : this.maxBytes;
    return Math.max(needed, Math.min(grown, limit));
  }

  append(chunk: Uint8Array): void {
    const capacity = this.capacityFor(chunk.byteLength);
    if (capacity > this.buffer.byteLength) this.growTo(capacity);
    this.buffer.set(chunk, this.used);
    this.used += chunk.byteLength;
  }

  /** The received bytes, as a view of the buffer. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.buffer.subarray(0, this.used);
  }

  private growTo(capacity: number): void {
    const larger = new Uint8Array(capacity);
    larger.set(this.bytes());
    this.buffer = larger;
  }
}
