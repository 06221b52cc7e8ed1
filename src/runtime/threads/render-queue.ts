import { HindsightError } from '../../errors.js';

export interface RenderQueueLimits {
  /** Pictures drawn at once, and their pixels. A picture of more pixels is drawn alone. */
  readonly atWork: number;
  readonly pixelsAtWork: number;
  /** The same of pictures that wait. */
  readonly waiting: number;
  readonly pixelsWaiting: number;
}

interface QueuedRender {
  readonly pixels: number;
  begin(): void;
  rejectAll(error: Error): void;
}

/** Lets pictures be drawn in the order in which they came: so a large one waits for room, but never for ever. */
export class RenderQueue {
  private readonly waiting: QueuedRender[] = [];
  private pixelsWaiting = 0;
  private atWork = 0;
  private pixelsAtWork = 0;

  constructor(private readonly bounds: RenderQueueLimits) {}

  /** What `work` answers, once it is its turn. Rejects with code `overloaded` when too much waits. */
  enqueue<T>(pixels: number, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const begin = () => void this.run(pixels, work).then(resolve, reject);
      if (this.waiting.length === 0 && this.hasRoom(pixels)) return begin();
      if (this.isFull(pixels))
        return reject(new HindsightError('overloaded', 'Too many pictures are waiting to be drawn.'));
      this.waiting.push({ pixels, begin, rejectAll: reject });
      this.pixelsWaiting += pixels;
    });
  }

  /** Turns away all that wait. What is drawn goes on. */
  turnAway(error: Error): void {
    this.pixelsWaiting = 0;
    for (const turn of this.waiting.splice(0)) turn.rejectAll(error);
  }

  private async run<T>(pixels: number, work: () => Promise<T>): Promise<T> {
    this.atWork++;
    this.pixelsAtWork += pixels;
    try {
      return await work();
    } finally {
      this.atWork--;
      this.pixelsAtWork -= pixels;
      this.startNext();
    }
  }

  private startNext(): void {
    while (this.waiting.length > 0 && this.hasRoom(this.waiting[0].pixels)) {
      const next = this.waiting.shift()!;
      this.pixelsWaiting -= next.pixels;
      next.begin();
    }
  }

  private hasRoom(pixels: number): boolean {
    return (
      this.atWork === 0 || (this.atWork < this.bounds.atWork && this.pixelsAtWork + pixels <= this.bounds.pixelsAtWork)
    );
  }

  private isFull(pixels: number): boolean {
    return this.waiting.length >= this.bounds.waiting || this.pixelsWaiting + pixels > this.bounds.pixelsWaiting;
  }
}
