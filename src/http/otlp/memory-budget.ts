import { FairQueue, type QueuedWork, type WorkShare } from '../../scheduling/fair-queue.js';
import { SlowUploads, type Upload } from './slow-uploads.js';
import { computeLargestGrant, computeUndisputedBytes, HeldBytes, mayHold } from './memory-shares.js';

/** Limits for requests that wait for memory. */
export interface MemoryWaitLimits {
  /**
   * When all places are taken, a request of an owner with fewer waiting ones replaces the newest of the owner with
   * most.
   */
  readonly maxWaiting: number;
  /** Of one request, all its waits together. */
  readonly maxWaitMs: number;
}

/** Interval (ms) in which uploads are checked that have become slow while others wait for memory. */
const SLOW_CHECK_MS = 250;

interface Waiter {
  readonly reservation: MemoryReservation;
  readonly bytes: number;
  readonly settle: (granted: boolean) => void;
}

interface PendingGrant {
  readonly granted: Promise<boolean>;
  /** Gives up waiting; does nothing if the memory was granted or refused already. */
  readonly withdraw: () => void;
}

const REFUSED: PendingGrant = { granted: Promise.resolve(false), withdraw: () => undefined };

/**
 * The memory that all requests together may use, in bytes, granted by share (memory-shares.ts): whatever one owner
 * holds or asks for, some is free for others. Requests wait in turns of owners and Grids, charged by the bytes that
 * they got; of one Grid in the order of arrival. A request that must wait for its Grid or its owner holds up no other
 * Grid and no other owner. Only while an owner waits who holds at most an eighth of the memory, those who hold more get
 * none, so that small requests of others cannot starve a large one.
 */
export class MemoryBudget {
  private free: number;
  private readonly held = new HeldBytes();
  private readonly queue = new FairQueue<Waiter>();
  private readonly uploads = new SlowUploads();
  private slowCheck: NodeJS.Timeout | undefined;

  constructor(
    readonly totalBytes: number,
    private readonly waitLimits: MemoryWaitLimits,
  ) {
    this.free = totalBytes;
  }

  get freeBytes(): number {
    return this.free;
  }

  /** Bytes that one request can hold at most. */
  get largestGrant(): number {
    return computeLargestGrant(this.totalBytes);
  }

  /** A reservation of nothing, for a request of this share. */
  open(share: WorkShare): MemoryReservation {
    return new MemoryReservation(this, share);
  }

  /** @internal Used by MemoryReservation. */
  tryTake(reservation: MemoryReservation, bytes: number): boolean {
    const { ownerId } = reservation.share;
    if (this.queue.waitingOf(ownerId) > 0 || !this.mayTake(reservation, bytes, this.findClaimant())) return false;
    this.take(reservation, bytes);
    return true;
  }

  /** @internal Used by MemoryReservation. Waits for memory; `granted` resolves to whether it was taken. */
  waitFor(reservation: MemoryReservation, bytes: number): PendingGrant {
    if (reservation.bytes + bytes > this.largestGrant || !this.hasPlaceFor(reservation.share)) return REFUSED;
    let withdraw = (): void => undefined;
    const granted = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => withdraw(), this.waitLimits.maxWaitMs - reservation.waitedMs);
      const settle = (isGranted: boolean): void => {
        clearTimeout(timer);
        resolve(isGranted);
      };
      const waiter: Waiter = { reservation, bytes, settle };
      withdraw = () => this.giveUp(waiter);
      this.queue.push(reservation.share, waiter);
      this.serveWaiters();
    });
    this.endSlowUploads();
    return { granted, withdraw };
  }

  /** @internal Used by MemoryReservation. */
  giveBack(share: WorkShare, bytes: number): void {
    this.free += bytes;
    this.held.add(share, -bytes);
    this.serveWaiters();
  }

  /** @internal Used by MemoryReservation. */
  addUpload(upload: Upload): () => void {
    return this.uploads.add(upload);
  }

  /**
   * While a request waits, ends slow uploads of its owner, and of owners that hold more memory than it: a large request
   * cannot end the uploads of owners that hold little.
   */
  private endSlowUploads(): void {
    const first = this.findClaimant() ?? this.queue.peek();
    if (first === undefined) return;
    const { ownerId } = first.share;
    const held = this.held.ofOwner(ownerId);
    this.uploads.endFor(first.item.bytes, (other) => other === ownerId || this.held.ofOwner(other) > held);
    this.slowCheck ??= setTimeout(() => {
      this.slowCheck = undefined;
      this.endSlowUploads();
    }, SLOW_CHECK_MS);
  }

  private take(reservation: MemoryReservation, bytes: number): void {
    this.free -= bytes;
    this.held.add(reservation.share, bytes);
    reservation.add(bytes);
  }

  /**
   * The first request that waits for what others hold: its owner holds at most the undisputed part besides it, and the
   * request could be granted if nobody else held any. An owner that holds more waits for its own memory.
   */
  private findClaimant(): QueuedWork<Waiter> | undefined {
    const { totalBytes: total } = this;
    return this.queue.peek(({ share, item }) => {
      const owner = this.held.ofOwner(share.ownerId);
      const own = item.reservation.bytes;
      const alone = { total, free: total - owner, own, owner, grid: this.held.ofGrid(share) };
      return owner - own <= computeUndisputedBytes(total) && mayHold(alone, item.bytes);
    });
  }

  /** @param claimant see `findClaimant`; other owners get no more than the undisputed part before it */
  private mayTake(
    { share, bytes: own }: MemoryReservation,
    more: number,
    claimant: QueuedWork<Waiter> | undefined,
  ): boolean {
    const owner = this.held.ofOwner(share.ownerId);
    const isDisputed = claimant !== undefined && claimant.share.ownerId !== share.ownerId;
    if (isDisputed && owner + more > computeUndisputedBytes(this.totalBytes)) return false;
    const { totalBytes: total, free } = this;
    return mayHold({ total, free, own, owner, grid: this.held.ofGrid(share) }, more);
  }

  private hasPlaceFor(share: WorkShare): boolean {
    if (this.queue.size < this.waitLimits.maxWaiting) return true;
    const excess = this.queue.findExcess(share);
    if (excess === undefined || !this.queue.remove(excess.share, excess.item)) return false;
    excess.item.settle(false);
    return true;
  }

  private giveUp(waiter: Waiter): void {
    if (!this.queue.remove(waiter.reservation.share, waiter)) return;
    waiter.settle(false);
    this.serveWaiters();
  }

  private serveWaiters(): void {
    for (;;) {
      const claimant = this.findClaimant();
      const mayTake = ({ item }: QueuedWork<Waiter>): boolean => this.mayTake(item.reservation, item.bytes, claimant);
      const next = this.queue.shift(undefined, mayTake);
      if (next === undefined) return;
      const { reservation, bytes, settle } = next.item;
      this.take(reservation, bytes);
      this.queue.charge(next.share, bytes);
      settle(true);
    }
  }
}

/** The memory reserved by one request. The caller that opened it MUST release it; releasing twice is permitted. */
export class MemoryReservation {
  private reserved = 0;
  private waited = 0;
  private pending: PendingGrant | undefined;

  constructor(
    private readonly budget: MemoryBudget,
    readonly share: WorkShare,
  ) {}

  get bytes(): number {
    return this.reserved;
  }

  /** Bytes that it can hold at most, when others hold nothing. */
  get largestGrant(): number {
    return this.budget.largestGrant;
  }

  /** Time (ms) for which this reservation has waited for memory. */
  get waitedMs(): number {
    return this.waited;
  }

  /** Reserves more memory at once, or returns false; always false while requests of the same owner wait. */
  tryGrow(bytes: number): boolean {
    return this.budget.tryTake(this, bytes);
  }

  /** Waits for more memory; resolves to false if there was none in time, or the reservation was released meanwhile. */
  async grow(bytes: number): Promise<boolean> {
    if (this.tryGrow(bytes)) return true;
    const startedAt = performance.now();
    this.pending = this.budget.waitFor(this, bytes);
    const isGranted = await this.pending.granted;
    this.pending = undefined;
    this.waited += performance.now() - startedAt;
    return isGranted;
  }

  /**
   * From now on the memory is that of an upload, which is ended if it is slow while others wait; until the returned
   * call.
   */
  lendTo(upload: Upload): () => void {
    return this.budget.addUpload(upload);
  }

  shrinkTo(bytes: number): void {
    const surplus = this.reserved - bytes;
    if (surplus <= 0) return;
    this.reserved = bytes;
    this.budget.giveBack(this.share, surplus);
  }

  /** Gives everything back, and stops waiting for more. */
  release(): void {
    this.pending?.withdraw();
    this.shrinkTo(0);
  }

  /** @internal Used by MemoryBudget. */
  add(bytes: number): void {
    this.reserved += bytes;
  }
}
