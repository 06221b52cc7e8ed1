import { Piscina } from 'piscina';
import { computeDashboardLayout } from '../../charts/dashboard-layout.js';
import type { DashboardRenderOptions, ChartRenderer, ChartRenderOptions } from '../../charts/render-options.js';
import type { Component, Health } from '../../component.js';
import { HindsightError } from '../../errors.js';
import type { DashboardRenderInput, PackedChartInput } from '../../queries/charts/chart-query-types.js';
import { RenderQueue } from './render-queue.js';
import type { RenderRequest } from './render-thread.js';

export interface ChartRenderPoolOptions {
  /** Threads that one owner may use at the same time. */
  readonly threads: number;
  /** Pictures of one owner that may wait for a thread; more are refused as `overloaded`. */
  readonly maxWaiting: number;
  /** Finds the user who created a Grid. Default: each Grid is its own owner. */
  readonly findOwner?: (gridId: string) => Promise<string>;
  /** Time (ms) after which rendering is aborted. */
  readonly timeoutMs?: number;
  /** Time (ms) after which an idle thread ends. */
  readonly idleMs?: number;
  /** Entry file of the threads. */
  readonly entry?: URL;
}

/** Of one owner: one picture of the largest size, or many of the usual one. Rendering takes up to 13 bytes per pixel. */
const MAX_PIXELS_OF_OWNER = 16_000_000;
/** Of all owners: beside the largest picture of one, usual ones of others. */
const MAX_PIXELS_RENDERING = 20_000_000;
/** Four pictures of the largest size for one owner alone, who gets half. */
const MAX_PIXELS_QUEUED = 128_000_000;

/** Threads that only a second owner uses, so that large pictures of one do not delay others. */
const SPARE_THREADS = 1;

type Pool = Piscina<RenderRequest, Uint8Array>;
const ENTRY = new URL('./render-thread.js', import.meta.url);
const DEADLINE_MS = 20_000;
/** Short enough that a release of the memory governor follows within a minute, which returns the memory. */
const IDLE_MS = 25_000;

/** Lower priority than ingestion. On Linux the priority belongs to the thread; elsewhere to the whole process. */
const NICE_INCREMENT = process.platform === 'linux' ? 5 : 0;

/** A dashboard of 100 charts with eleven series of 400 points takes a quarter of it. */
const HEAP_MB = 256;

/** Renders charts on worker threads, which start with the first picture and end when they have had no work for a while. */
export class ChartRenderPool implements ChartRenderer, Component {
  private pool: Pool | undefined;
  private readonly broken = new WeakMap<Pool, Error>();
  private readonly queue: RenderQueue;
  private closed = false;

  constructor(private readonly options: ChartRenderPoolOptions) {
    const { threads, maxWaiting } = options;
    this.queue = new RenderQueue({
      running: threads + SPARE_THREADS,
      runningPixels: MAX_PIXELS_RENDERING,
      runningOfOwner: threads,
      runningPixelsOfOwner: MAX_PIXELS_OF_OWNER,
      waiting: 2 * maxWaiting,
      waitingPixels: MAX_PIXELS_QUEUED,
    });
  }

  async render(gridId: string, picture: PackedChartInput, options: ChartRenderOptions): Promise<Uint8Array> {
    return this.submit(gridId, options, { kind: 'chart', picture, look: options });
  }

  async renderDashboard(
    gridId: string,
    picture: DashboardRenderInput,
    options: DashboardRenderOptions,
  ): Promise<Uint8Array> {
    return this.submit(
      gridId,
      computeDashboardLayout(
        picture.charts.map(({ position }) => position),
        options.width,
      ),
      { kind: 'dashboard', picture, look: options },
    );
  }

  check(): Promise<Health> {
    return Promise.resolve(this.closed ? { ok: false, reason: 'closed' } : { ok: true });
  }

  /** Number of running threads. */
  get threads(): number {
    return this.pool?.threads.length ?? 0;
  }

  /** Ends the threads at once: waiting and running pictures reject with code `unavailable`. */
  async close(): Promise<void> {
    this.closed = true;
    this.queue.rejectWaiting(toPoolClosedError());
    const pool = this.pool;
    this.pool = undefined;
    await pool?.destroy();
  }

  private async submit(
    gridId: string,
    { width, height }: Pick<ChartRenderOptions, 'width' | 'height'>,
    request: RenderRequest,
  ): Promise<Uint8Array> {
    if (this.closed) throw toPoolClosedError();
    const ownerId = (await this.options.findOwner?.(gridId)) ?? gridId;
    return this.queue.enqueue({ ownerId, gridId }, width * height, () => this.draw(request));
  }

  private async draw(request: RenderRequest): Promise<Uint8Array> {
    // It may have been closed during the look-up of the owner.
    if (this.closed) throw toPoolClosedError();
    const deadline = AbortSignal.timeout(this.options.timeoutMs ?? DEADLINE_MS);
    const pool = (this.pool ??= this.startPool());
    try {
      return await pool.run(request, { signal: deadline });
    } catch (cause) {
      if (this.closed) throw toPoolClosedError(cause);
      if (deadline.aborted) throw new HindsightError('unavailable', 'Rendering the chart timed out.', [], { cause });
      throw this.broken.get(pool) ?? cause;
    }
  }

  private startPool(): Pool {
    const { threads, entry = ENTRY, idleMs = IDLE_MS } = this.options;
    const pool: Pool = new Piscina({
      filename: entry.href,
      minThreads: 0,
      maxThreads: threads + SPARE_THREADS,
      idleTimeout: idleMs,
      niceIncrement: NICE_INCREMENT,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      // A thread that waits on an atomic does not run its event loop, and without that no canvas is ever freed.
      atomics: 'disabled',
      recordTiming: false,
    });
    // When an idle thread fails, requests in the pool's own queue would never settle.
    pool.on('error', (error: Error) => void this.discardPool(pool, error));
    return pool;
  }

  /** Rejects what the pool has not finished; the next picture starts another pool. */
  private async discardPool(pool: Pool, error: Error): Promise<void> {
    this.broken.set(pool, error);
    if (this.pool === pool) this.pool = undefined;
    await pool.destroy();
  }
}

function toPoolClosedError(cause?: unknown): HindsightError {
  return new HindsightError('unavailable', 'The service is stopping.', [], { cause });
}
