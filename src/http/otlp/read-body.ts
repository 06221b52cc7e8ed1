import type { Readable } from 'node:stream';
import { ByteSink } from './byte-sink.js';
import type { Lease } from './memory-budget.js';
import { ABANDONED, outOfMemory, refuse, type Abandoned, type Refusal } from './outcome.js';

export interface BodyLimits {
  readonly maxBytes: number;
  /** A body that brings nothing for so long is given up. */
  readonly idleMs: number;
}

export interface BodyOptions extends BodyLimits {
  /** How long the body says it is, where it does. */
  readonly announced: number | undefined;
  /** Reads the length off the first bytes of the body; undefined as long as they are too few. */
  readonly lengthIn?: (firstBytes: Uint8Array) => number | undefined;
}

export type BodyFault = 'too-large' | 'no-memory' | 'abandoned';

export type BodyResult =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly fault: BodyFault };

/**
 * Reads a body to its end. Stops at the first byte past the limit, and reads on only while `lease` pays for it,
 * so that a full budget becomes back-pressure on the socket. Takes nothing where the announced length is too much.
 * Never rejects.
 */
export function readBody(take: () => Readable, lease: Lease, options: BodyOptions): Promise<BodyResult> {
  if (options.announced !== undefined && options.announced > options.maxBytes) return Promise.resolve({ ok: false, fault: 'too-large' });
  return new Promise((resolve) => new BodyReading(take(), lease, options, resolve).start());
}

/** What a body that was not read to its end means for its request. */
export function bodyOutcome(fault: BodyFault, limits: BodyLimits): Refusal | Abandoned {
  switch (fault) {
    case 'too-large':
      return refuse('too-large', `the body is larger than ${limits.maxBytes} bytes`);
    case 'no-memory':
      return outOfMemory();
    case 'abandoned':
      return ABANDONED;
  }
}

class BodyReading {
  private readonly sink: ByteSink;
  private readonly timer: NodeJS.Timeout;
  private lengthUnread: boolean;
  /** A chunk waits for memory. */
  private unpaid = false;
  private ended = false;
  private done = false;

  constructor(
    private readonly source: Readable,
    private readonly lease: Lease,
    private readonly options: BodyOptions,
    private readonly resolve: (result: BodyResult) => void,
  ) {
    this.sink = new ByteSink(options.announced, options.maxBytes);
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
    else void this.keepWhenPaid(chunk, more);
  };

  private async keepWhenPaid(chunk: Uint8Array, more: number): Promise<void> {
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
    this.sink.push(chunk);
    this.learnLength(this.sink.bytes());
  }

  private learnLength(firstBytes: Uint8Array): void {
    if (!this.lengthUnread) return;
    const length = this.options.lengthIn?.(firstBytes);
    if (length === undefined) return;
    this.lengthUnread = false;
    if (this.isTooLong(length)) this.fail('too-large');
    else this.sink.announce(length);
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

  private fail(fault: BodyFault): void {
    this.finish({ ok: false, fault });
  }

  private finish(result: BodyResult): void {
    if (this.done) return;
    this.done = true;
    clearTimeout(this.timer);
    this.source.off('data', this.onData).off('end', this.onEnd).off('close', this.onGone).off('error', this.onGone);
    this.resolve(result);
  }
}
