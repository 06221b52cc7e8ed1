import type { ContentEncoding } from '../../telemetry/compression/content-encoding.js';
import type { WireFormat } from '../../telemetry/otlp/export-responses.js';

/** How long, and how many at once, may wait for memory before they are turned away. */
export interface MemoryWaitLimits {
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

interface Waiter {
  readonly bytes: number;
  readonly settle: (granted: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Bytes that all requests together may hold. Who finds none free waits in a first-come first-served line:
 * a large request is not starved by small ones.
 */
export class MemoryBudget {
  private free: number;
  private line: Waiter[] = [];

  constructor(
    readonly totalBytes: number,
    private readonly room: MemoryWaitLimits,
  ) {
    this.free = totalBytes;
  }

  get freeBytes(): number {
    return this.free;
  }

  /** A lease of so many bytes; undefined when they did not become free in time. */
  async reserve(bytes: number): Promise<MemoryReservation | undefined> {
    const lease = new MemoryReservation(this);
    return lease.tryGrow(bytes) || (await lease.grow(bytes)) ? lease : undefined;
  }

  /** @internal Called by leases. */
  tryTake(bytes: number): boolean {
    if (this.line.length > 0 || bytes > this.free) return false;
    this.free -= bytes;
    return true;
  }

  /** @internal Called by leases. */
  waitFor(bytes: number): Promise<boolean> {
    if (bytes > this.totalBytes || this.line.length >= this.room.maxWaiting) return Promise.resolve(false);
    return new Promise((settle) => {
      const timer = setTimeout(() => this.giveUp(waiter), this.room.maxWaitMs);
      const waiter: Waiter = { bytes, settle, timer };
      this.line.push(waiter);
    });
  }

  /** @internal Called by leases. */
  giveBack(bytes: number): void {
    this.free += bytes;
    this.serveWaiters();
  }

  private giveUp(waiter: Waiter): void {
    this.line = this.line.filter((other) => other !== waiter);
    waiter.settle(false);
    this.serveWaiters();
  }

  private serveWaiters(): void {
    for (let next = this.line[0]; next !== undefined && next.bytes <= this.free; next = this.line[0]) {
      this.line.shift();
      clearTimeout(next.timer);
      this.free -= next.bytes;
      next.settle(true);
    }
  }
}

/** The share of the budget that one request holds. Whoever got it MUST release it; releasing twice is legal. */
export class MemoryReservation {
  private held = 0;

  constructor(private readonly budget: MemoryBudget) {}

  get bytes(): number {
    return this.held;
  }

  /** Bytes by which this lease could grow if it were alone. */
  get headroom(): number {
    return this.budget.totalBytes - this.held;
  }

  /** Takes more at once or not at all: false while others wait. */
  tryGrow(bytes: number): boolean {
    if (!this.budget.tryTake(bytes)) return false;
    this.held += bytes;
    return true;
  }

  /** Takes more as soon as it is free; false when it did not become free in time. */
  async grow(bytes: number): Promise<boolean> {
    if (this.tryGrow(bytes)) return true;
    if (!(await this.budget.waitFor(bytes))) return false;
    this.held += bytes;
    return true;
  }

  shrinkTo(bytes: number): void {
    const surplus = this.held - bytes;
    if (surplus <= 0) return;
    this.held = bytes;
    this.budget.giveBack(surplus);
  }

  release(): void {
    this.shrinkTo(0);
  }
}

/** Telemetry shrinks about 8 to 12 times; an encoding that does not tell its length is counted at the upper end. */
const ASSUMED_RATIO = 12;

/** A parsed JSON document and the protobuf made of it, as a multiple of its text. */
const JSON_MULTIPLE = 4;

/** Header of 10 bytes, an empty deflate block of 2, trailer of 8. */
const MIN_GZIP_BYTES = 20;

const GZIP_MAGIC = 0x1f8b;

/** Deflate cannot shrink by more. */
const MAX_DEFLATE_RATIO = 1_032;

/**
 * Length that a gzip body claims for its (last) member, modulo 2^32, in its last four bytes (RFC 1952, ISIZE).
 * Undefined where it cannot be true: the body is no gzip, or was cut off. An honest body never inflates to less.
 */
export function readClaimedGzipLength(body: Uint8Array): number | undefined {
  if (body.byteLength < MIN_GZIP_BYTES) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const claimed = view.getUint32(body.byteLength - 4, true);
  const plausible = view.getUint16(0) === GZIP_MAGIC && claimed <= body.byteLength * MAX_DEFLATE_RATIO;
  return plausible ? claimed : undefined;
}

/** Memory that examining a body takes besides the body itself. An estimate: the limit is enforced while inflating. */
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
