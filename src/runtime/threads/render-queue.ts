import { HindsightError } from '../../errors.js';

export interface RenderQueueLimits {
  /** Pictures rendered at once, and their pixels. A picture with more pixels is rendered alone. */
  readonly running: number;
  readonly runningPixels: number;
  /** The same for waiting pictures. */
  readonly waiting: number;
  readonly waitingPixels: number;
}

interface QueuedRender {
  readonly pixels: number;
  begin(): void;
  reject(error: Error): void;
}

/**
 * Runs renders in order of arrival: a large picture waits until there is capacity for it, but cannot be overtaken for
 * ever.
 */
export class RenderQueue {
  private readonly waiting: QueuedRender[] = [];
  private waitingPixels = 0;
  private running = 0;
  private runningPixels = 0;

  constructor(private readonly limits: RenderQueueLimits) {}

  /**
   * Runs `work` when capacity allows, and resolves to its result. Rejects with code `overloaded` when the queue is
   * full.
   */
  enqueue<T>(pixels: number, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const begin = () => void this.run(pixels, work).then(resolve, reject);
      if (this.waiting.length === 0 && this.hasCapacity(pixels)) return begin();
      if (this.isFull(pixels))
        return reject(new HindsightError('overloaded', 'Too many pictures are waiting to be rendered.'));
      this.waiting.push({ pixels, begin, reject });
      this.waitingPixels += pixels;
    });
  }

  /** Rejects all waiting renders with this error. Running ones go on. */
  rejectWaiting(error: Error): void {
    this.waitingPixels = 0;
    for (const render of this.waiting.splice(0)) render.reject(error);
  }

  private async run<T>(pixels: number, work: () => Promise<T>): Promise<T> {
    this.running++;
    this.runningPixels += pixels;
    try {
      return await work();
    } finally {
      this.running--;
      this.runningPixels -= pixels;
      this.startNext();
    }
  }

  private startNext(): void {
    while (this.waiting.length > 0 && this.hasCapacity(this.waiting[0].pixels)) {
      const next = this.waiting.shift()!;
      this.waitingPixels -= next.pixels;
      next.begin();
    }
  }

  private hasCapacity(pixels: number): boolean {
    return (
      this.running === 0 ||
      (this.running < this.limits.running && this.runningPixels + pixels <= this.limits.runningPixels)
    );
  }

  private isFull(pixels: number): boolean {
    return this.waiting.length >= this.limits.waiting || this.waitingPixels + pixels > this.limits.waitingPixels;
  }
}
