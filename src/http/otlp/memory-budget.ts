import type { ContentEncoding } from '../../telemetry/compression/content-encoding.js';
import type { WireFormat } from '../../telemetry/otlp/export-responses.js';

/** Limits for requests that wait for memory. */
export interface MemoryWaitLimits {
  readonly maxWaiting: number;
  /** Of one request, all its waits together. */
  readonly maxWaitMs: number;
}

interface Waiter {
  readonly bytes: number;
  readonly settle: (granted: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * The memory that all requests together may use, in bytes. Requests wait in a first-in, first-out queue, so that small ones
 * cannot starve a large one.
 */
export class MemoryBudget {
  private free: number;
  private queue: Waiter[] = [];

  constructor(
    readonly totalBytes: number,
    private readonly waitLimits: MemoryWaitLimits,
  ) {
    this.free = totalBytes;
  }

  get freeBytes(): number {
    return this.free;
  }

  /** Reserves memory; undefined if it did not become free in time. */
  async reserve(bytes: number): Promise<MemoryReservation | undefined> {
    const reservation = new MemoryReservation(this);
    return reservation.tryGrow(bytes) || (await reservation.grow(bytes)) ? reservation : undefined;
  }

  /** @internal Used by MemoryReservation. */
  tryTake(bytes: number): boolean {
    if (this.queue.length > 0 || bytes > this.free) return false;
    this.free -= bytes;
    return true;
  }

  /** @internal Used by MemoryReservation. */
  waitFor(bytes: number, waitedMs: number): Promise<boolean> {
    if (bytes > this.totalBytes || this.queue.length >= this.waitLimits.maxWaiting) return Promise.resolve(false);
    return new Promise((settle) => {
      const timer = setTimeout(() => this.giveUp(waiter), this.waitLimits.maxWaitMs - waitedMs);
      const waiter: Waiter = { bytes, settle, timer };
      this.queue.push(waiter);
    });
  }

  /** @internal Used by MemoryReservation. */
  giveBack(bytes: number): void {
    this.free += bytes;
    this.serveWaiters();
  }

  private giveUp(waiter: Waiter): void {
    this.queue = this.queue.filter((other) => other !== waiter);
    waiter.settle(false);
    this.serveWaiters();
  }

  private serveWaiters(): void {
    for (let next = this.queue[0]; next !== undefined && next.bytes <= this.free; next = this.queue[0]) {
      this.queue.shift();
      clearTimeout(next.timer);
      this.free -= next.bytes;
      next.settle(true);
    }
  }
}

/** The memory reserved by one request. The owner MUST release it; releasing twice is permitted. */
export class MemoryReservation {
  private reserved = 0;
  private waited = 0;

  constructor(private readonly budget: MemoryBudget) {}

  get bytes(): number {
    return this.reserved;
  }

  /** Time (ms) for which this reservation has waited for memory. */
  get waitedMs(): number {
    return this.waited;
  }

  /** Bytes by which this reservation could grow if there were no others. */
  get headroom(): number {
    return this.budget.totalBytes - this.reserved;
  }

  /** Reserves more memory at once, or returns false; always false while others wait. */
  tryGrow(bytes: number): boolean {
    if (!this.budget.tryTake(bytes)) return false;
    this.reserved += bytes;
    return true;
  }

  /** Waits for more memory; resolves to false if it did not become free in time. */
  async grow(bytes: number): Promise<boolean> {
    if (this.tryGrow(bytes)) return true;
    const startedAt = performance.now();
    const isGranted = await this.budget.waitFor(bytes, this.waited);
    this.waited += performance.now() - startedAt;
    if (!isGranted) return false;
    this.reserved += bytes;
    return true;
  }

  shrinkTo(bytes: number): void {
    const surplus = this.reserved - bytes;
    if (surplus <= 0) return;
    this.reserved = bytes;
    this.budget.giveBack(surplus);
  }

  release(): void {
    this.shrinkTo(0);
  }
}

/** Assumed compression ratio (upper end of typically 8 to 12) for encodings that do not declare the inflated length. */
const ASSUMED_RATIO = 12;

/** Memory of a parsed JSON document and its protobuf form, as a multiple of its text. */
const JSON_MULTIPLE = 4;

/** A header of 10 bytes, an empty deflate block of 2, and a trailer of 8. */
const MIN_GZIP_BYTES = 20;

const GZIP_MAGIC = 0x1f8b;

/** Maximum compression ratio of deflate. */
const MAX_DEFLATE_RATIO = 1_032;

/**
 * The inflated length that a gzip body declares in its last four bytes, modulo 2^32 (RFC 1952, ISIZE). Undefined if it is
 * implausible: the body is not gzip or is truncated. A valid body never inflates to less.
 */
export function readClaimedGzipLength(body: Uint8Array): number | undefined {
  if (body.byteLength < MIN_GZIP_BYTES) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const claimed = view.getUint32(body.byteLength - 4, true);
  const plausible = view.getUint16(0) === GZIP_MAGIC && claimed <= body.byteLength * MAX_DEFLATE_RATIO;
  return plausible ? claimed : undefined;
}

/** Estimated memory for validating a body, in addition to the body itself. The limit is enforced while inflating. */
export function estimateValidationBytes(
  format: WireFormat,
  encoding: ContentEncoding,
  body: Uint8Array,
  maxInflatedBytes: number,
): number {
  const inflated = Math.min(maxInflatedBytes, estimateInflatedBytes(encoding, body));
  return format === 'json' ? inflated * JSON_MULTIPLE : inflated;
}

function estimateInflatedBytes(encoding: ContentEncoding, body: Uint8Array): number {
  if (encoding === 'identity') return body.byteLength;
  const claimed = encoding === 'gzip' ? readClaimedGzipLength(body) : undefined;
  return Math.max(body.byteLength, claimed ?? body.byteLength * ASSUMED_RATIO);
}
