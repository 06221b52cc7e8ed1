import type { WorkShare } from '../../scheduling/fair-queue.js';

/** Memory in use when a request asks for some. All numbers are bytes. */
export interface MemoryView {
  readonly total: number;
  readonly free: number;
  /** Held by the request itself. */
  readonly own: number;
  /** Held by all requests of its owner, and by those of its Grid; both include `own`. */
  readonly owner: number;
  readonly grid: number;
}

/** An owner may hold this many times the free memory, and a Grid this many times the memory that is free for its owner. */
const THRESHOLD_FACTOR = 2;

/** Part of the total that no single request can take, so that others always find some. */
const RESERVED_PART = 1 / 8;

/** An owner whose other requests hold at most this part of the total may send one of the largest size. */
const NEGLIGIBLE_PART = 1 / 64;

/** The memory that one request can hold at most. */
export function computeLargestGrant(total: number): number {
  return Math.floor(total * (1 - RESERVED_PART));
}

/** Memory (bytes) that an owner may hold although others wait for theirs. */
export function computeUndisputedBytes(total: number): number {
  return Math.floor(total * RESERVED_PART);
}

/**
 * Whether a request may hold `more` bytes. The threshold of each owner moves with what is free ("dynamic queue length
 * thresholds", Choudhury and Hahne 1998): each grant lowers the thresholds of all owners, so that some memory is free
 * for the next owner without a fixed division. One owner alone holds at most 2/3 of the total, one Grid alone 4/7; a
 * single request may hold 7/8, so that the largest one is possible.
 */
export function mayHold({ total, free, own, owner, grid }: MemoryView, more: number): boolean {
  const left = free - more;
  if (left < 0) return false;
  const isLarge = owner - own <= total * NEGLIGIBLE_PART && left >= total * RESERVED_PART;
  const leftForOwner = THRESHOLD_FACTOR * left - (owner + more);
  return isLarge || (leftForOwner >= 0 && grid + more <= THRESHOLD_FACTOR * leftForOwner);
}

interface OwnerBytes {
  total: number;
  readonly byGrid: Map<string, number>;
}

/** Bytes held by owner and Grid. Contains only those that hold some: its size is limited by the number of requests. */
export class HeldBytes {
  private readonly byOwner = new Map<string, OwnerBytes>();

  /** Adds bytes, or removes them if negative; only bytes that were added before may be removed. */
  add({ ownerId, gridId }: WorkShare, bytes: number): void {
    const owner = this.byOwner.get(ownerId) ?? { total: 0, byGrid: new Map<string, number>() };
    owner.total += bytes;
    const ofGrid = (owner.byGrid.get(gridId) ?? 0) + bytes;
    if (ofGrid > 0) owner.byGrid.set(gridId, ofGrid);
    else owner.byGrid.delete(gridId);
    if (owner.total > 0) this.byOwner.set(ownerId, owner);
    else this.byOwner.delete(ownerId);
  }

  ofOwner(ownerId: string): number {
    return this.byOwner.get(ownerId)?.total ?? 0;
  }

  ofGrid({ ownerId, gridId }: WorkShare): number {
    return this.byOwner.get(ownerId)?.byGrid.get(gridId) ?? 0;
  }

  get owners(): number {
    return this.byOwner.size;
  }
}
