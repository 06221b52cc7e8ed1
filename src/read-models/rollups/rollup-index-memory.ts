import type { ReleasableCache } from '../../thread-memory.js';

/** A part of an index that is loaded and evicted as a whole. */
export interface IndexPart {
  /** Drops the part from its index. */
  evict(): void;
}

interface PartUsage {
  bytes: number;
  usedAt: number;
}

/** Limit outside a service: see MemoryPlan. */
export const DEFAULT_ROLLUP_INDEX_BYTES = 64 * 1024 * 1024;

/**
 * The memory of all rollup indexes of a thread: parts of all of them, least recently used first, up to one limit in
 * bytes. The part that was used last stays, whatever its size.
 */
export class RollupIndexMemory implements ReleasableCache {
  private readonly parts = new Map<IndexPart, PartUsage>();
  private bytes = 0;
  private uses = 0;
  /** Number of uses at the last release. */
  private releasedAt = 0;

  constructor(private readonly maxBytes = DEFAULT_ROLLUP_INDEX_BYTES) {}

  /** Approximate bytes in use. */
  get size(): number {
    return this.bytes;
  }

  /** Adds a part, or makes it the one that was used last. */
  use(part: IndexPart): void {
    const usage = this.parts.get(part) ?? { bytes: 0, usedAt: 0 };
    usage.usedAt = ++this.uses;
    this.parts.delete(part);
    this.parts.set(part, usage);
  }

  /** Records that a part has become larger, or smaller (negative bytes). No effect once the part was evicted. */
  resize(part: IndexPart, bytes: number): void {
    const usage = this.parts.get(part);
    if (usage === undefined) return;
    usage.bytes += bytes;
    this.bytes += bytes;
    if (this.bytes > this.maxBytes) this.shrinkTo(this.maxBytes);
  }

  /** Evicts the part; false: it was evicted before. */
  evict(part: IndexPart): boolean {
    const usage = this.parts.get(part);
    if (usage === undefined) return false;
    this.parts.delete(part);
    this.bytes -= usage.bytes;
    part.evict();
    return true;
  }

  releaseUnused(): void {
    for (const [part, { usedAt }] of this.parts) {
      if (usedAt > this.releasedAt) break;
      this.evict(part);
    }
    this.releasedAt = this.uses;
  }

  shrinkTo(bytes: number): void {
    for (const part of this.parts.keys()) {
      if (this.bytes <= bytes || this.parts.size === 1) return;
      this.evict(part);
    }
  }
}
