import { HindsightError } from '../../errors.js';
import { FairQueue, type WorkShare } from '../../scheduling/fair-queue.js';

export interface RenderQueueLimits {
  /** Pictures rendered at once, and their pixels. A picture with more pixels is rendered alone. */
  readonly running: number;
  readonly runningPixels: number;
  /** The same for those of one owner. What remains is free for pictures of others. */
  readonly runningOfOwner: number;
  readonly runningPixelsOfOwner: number;
  /** Waiting pictures, and their pixels. An owner may use as much as others leave free: one alone has half. */
  readonly waiting: number;
  readonly waitingPixels: number;
}

interface QueuedRender {
  readonly pixels: number;
  begin(): void;
  reject(error: Error): void;
}

interface RenderOfOwner {
  readonly share: WorkShare;
  readonly item: Pick<QueuedRender, 'pixels'>;
}

/** A number of pictures and their pixels. */
class RenderCount {
  pictures = 0;
  pixels = 0;

  add(pictures: 1 | -1, pixels: number): void {
    this.pictures += pictures;
    this.pixels += pictures * pixels;
  }
}

/** Counts by owner, without those that have none. */
class RenderCounts {
  readonly total = new RenderCount();
  private readonly byOwner = new Map<string, RenderCount>();

  of(ownerId: string): Readonly<RenderCount> {
    return this.byOwner.get(ownerId) ?? new RenderCount();
  }

  add(ownerId: string, by: 1 | -1, pixels: number): void {
    const count = this.byOwner.get(ownerId) ?? new RenderCount();
    count.add(by, pixels);
    this.total.add(by, pixels);
    if (count.pictures > 0) this.byOwner.set(ownerId, count);
    else this.byOwner.delete(ownerId);
  }
}

/**
 * Runs renders in turns of owners and Grids, charged by the time that they took. The picture whose turn it is waits until
 * there is capacity for it, so that a large one cannot be overtaken for ever; only an owner at its limit is passed over.
 */
export class RenderQueue {
  private readonly queue = new FairQueue<QueuedRender>();
  private readonly waiting = new RenderCounts();
  private readonly running = new RenderCounts();

  constructor(private readonly limits: RenderQueueLimits) {}

  /**
   * Runs `work` when its turn comes and capacity allows, and resolves to its result. Rejects with code `overloaded` when
   * the queue is full.
   */
  enqueue<T>(share: WorkShare, pixels: number, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.isFull(share, pixels))
        return reject(new HindsightError('overloaded', 'Too many charts are queued for rendering.'));
      const begin = () => void this.run(share, pixels, work).then(resolve, reject);
      this.queue.push(share, { pixels, begin, reject });
      this.waiting.add(share.ownerId, 1, pixels);
      this.startNext();
    });
  }

  /** Rejects all waiting renders with this error. Running ones go on. */
  rejectWaiting(error: Error): void {
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) {
      this.waiting.add(next.share.ownerId, -1, next.item.pixels);
      next.item.reject(error);
    }
  }

  private async run<T>(share: WorkShare, pixels: number, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.queue.charge(share, performance.now() - startedAt);
      this.running.add(share.ownerId, -1, pixels);
      this.startNext();
    }
  }

  private startNext(): void {
    for (let next = this.queue.peek(this.fitsOwner); next !== undefined; next = this.queue.peek(this.fitsOwner)) {
      const { ownerId } = next.share;
      const { pixels } = next.item;
      if (!this.fitsTotal(pixels)) return;
      this.queue.shift(this.fitsOwner);
      this.waiting.add(ownerId, -1, pixels);
      this.running.add(ownerId, 1, pixels);
      next.item.begin();
    }
  }

  private readonly fitsOwner = ({ share, item: { pixels } }: RenderOfOwner): boolean => {
    const { runningOfOwner, runningPixelsOfOwner } = this.limits;
    const own = this.running.of(share.ownerId);
    return own.pictures === 0 || (own.pictures < runningOfOwner && own.pixels + pixels <= runningPixelsOfOwner);
  };

  private fitsTotal(pixels: number): boolean {
    const { total } = this.running;
    const { running, runningPixels } = this.limits;
    return total.pictures === 0 || (total.pictures < running && total.pixels + pixels <= runningPixels);
  }

  private isFull(share: WorkShare, pixels: number): boolean {
    const { total } = this.waiting;
    const own = this.waiting.of(share.ownerId);
    const { waiting, waitingPixels } = this.limits;
    const isFree = this.fitsTotal(pixels) && this.fitsOwner({ share, item: { pixels } });
    return (
      !(isFree && this.queue.size === 0) &&
      (own.pictures >= waiting - total.pictures || own.pixels + pixels > waitingPixels - total.pixels)
    );
  }
}
