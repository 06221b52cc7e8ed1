import { Piscina } from 'piscina';
import { computeDashboardLayout } from '../../charts/dashboard-layout.js';
import type { DashboardRenderOptions, ChartRenderer, ChartRenderOptions } from '../../charts/render-options.js';
import type { Component, Health } from '../../component.js';
import { HindsightError } from '../../errors.js';
import type { DashboardPicture, PackedChartPicture } from '../../queries/charts/chart-query-types.js';
import { RenderQueue } from './render-queue.js';
import type { RenderRequest } from './render-thread.js';

export interface ChartRenderPoolOptions {
  readonly threads: number;
  /** Pictures that may wait for a thread. */
  readonly maxWaiting: number;
  /** A picture that takes longer loses its thread. */
  readonly deadlineMs?: number;
  /** Threads without work for so long end. */
  readonly idleMs?: number;
  /** What threads run. */
  readonly entry?: URL;
}

/** One picture of the largest size, of up to 13 bytes a pixel while it is drawn, or many of the usual one. */
const MAX_PIXELS_RENDERING = 16_000_000;
/** Four of the largest size. */
const MAX_PIXELS_QUEUED = 64_000_000;

type Pool = Piscina<RenderRequest, Uint8Array>;
const ENTRY = new URL('./render-thread.js', import.meta.url);
const DEADLINE_MS = 20_000;
const IDLE_MS = 300_000;

/** Taking telemetry in comes before drawing. Elsewhere than on Linux it would be the priority of the whole process. */
const NICE_INCREMENT = process.platform === 'linux' ? 5 : 0;

/** A dashboard of 100 charts with eleven series of 400 points takes a quarter of it. */
const HEAP_MB = 256;

/** Draws charts on threads of their own, which start with the first picture and end when none was asked for some minutes. */
export class ChartRenderPool implements ChartRenderer, Component {
  private pool: Pool | undefined;
  private readonly broken = new WeakMap<Pool, Error>();
  private readonly line: RenderQueue;
  private closed = false;

  constructor(private readonly options: ChartRenderPoolOptions) {
    const { threads, maxWaiting } = options;
    this.line = new RenderQueue({
      atWork: threads,
      pixelsAtWork: MAX_PIXELS_RENDERING,
      waiting: maxWaiting,
      pixelsWaiting: MAX_PIXELS_QUEUED,
    });
  }

  async render(picture: PackedChartPicture, look: ChartRenderOptions): Promise<Uint8Array> {
    return this.submit(look, { kind: 'chart', picture, look });
  }

  async renderDashboard(picture: DashboardPicture, look: DashboardRenderOptions): Promise<Uint8Array> {
    return this.submit(
      computeDashboardLayout(
        picture.charts.map(({ position }) => position),
        look.width,
      ),
      { kind: 'dashboard', picture, look },
    );
  }

  check(): Promise<Health> {
    return Promise.resolve(this.closed ? { ok: false, reason: 'closed' } : { ok: true });
  }

  /** Threads that are there now. */
  get threads(): number {
    return this.pool?.threads.length ?? 0;
  }

  /** Ends the threads at once: pictures that wait or are being drawn reject with code `unavailable`. */
  async close(): Promise<void> {
    this.closed = true;
    this.line.turnAway(toPoolClosedError());
    const pool = this.pool;
    this.pool = undefined;
    await pool?.destroy();
  }

  private async submit(
    { width, height }: Pick<ChartRenderOptions, 'width' | 'height'>,
    order: RenderRequest,
  ): Promise<Uint8Array> {
    if (this.closed) throw toPoolClosedError();
    return this.line.enqueue(width * height, () => this.draw(order));
  }

  private async draw(order: RenderRequest): Promise<Uint8Array> {
    const deadline = AbortSignal.timeout(this.options.deadlineMs ?? DEADLINE_MS);
    const pool = (this.pool ??= this.startPool());
    try {
      return await pool.run(order, { signal: deadline });
    } catch (cause) {
      if (this.closed) throw toPoolClosedError(cause);
      if (deadline.aborted)
        throw new HindsightError('unavailable', 'The picture took too long to draw.', [], { cause });
      throw this.broken.get(pool) ?? cause;
    }
  }

  private startPool(): Pool {
    const { threads, entry = ENTRY, idleMs = IDLE_MS } = this.options;
    const pool: Pool = new Piscina({
      filename: entry.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      niceIncrement: NICE_INCREMENT,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      // A thread that waits on an atomic turns no event loop, and without that no canvas is ever freed.
      atomics: 'disabled',
      recordTiming: false,
    });
    // A thread that fails without a picture leaves those in the pool's own queue without an answer.
    pool.on('error', (error: Error) => void this.discardPool(pool, error));
    return pool;
  }

  /** Whatever the pool has not answered yet rejects; the next picture starts another. */
  private async discardPool(pool: Pool, error: Error): Promise<void> {
    this.broken.set(pool, error);
    if (this.pool === pool) this.pool = undefined;
    await pool.destroy();
  }
}

function toPoolClosedError(cause?: unknown): HindsightError {
  return new HindsightError('unavailable', 'The service is stopping.', [], { cause });
}
