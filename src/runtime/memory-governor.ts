import type { Logger } from '../self-telemetry/logger.js';
import type { ReleaseExtent, ThreadMemory } from '../thread-memory.js';
import { MemoryReleasePolicy, type ProcessUsage } from './memory-release-policy.js';
import type { NativeMemoryTrimmer } from './native-memory.js';

/** Interval (ms) between two samples, and at which the size is looked at in between: close to the limit, it is sampled. */
const SAMPLE_INTERVAL_MS = 5_000;
const LOOK_INTERVAL_MS = 1_000;
/** Longest wait (ms) for a thread to release: one that works for longer does it later, and the next one has its turn. */
const THREAD_WAIT_MS = 2_000;

/** A thread or a pool of threads. `measureMemory` is absent where it would delay work. */
export interface ReleasableMemory {
  measureMemory?(): Promise<ThreadMemory>;
  releaseMemory(extent: ReleaseExtent): Promise<void>;
}

export interface MemoryGovernorOptions {
  readonly limitBytes: number;
  /** Memory of every thread that holds much of it, by name. */
  readonly threads: Readonly<Record<string, ReleasableMemory>>;
  /** Called after all threads have released. */
  readonly trimNativeMemory: NativeMemoryTrimmer;
  readonly log: Logger;
  /** Default: this process. */
  readonly readUsage?: () => ProcessUsage;
  /** Default: 2 s. */
  readonly threadWaitMs?: number;
}

/**
 * Keeps the process within its memory limit, and lets it give memory back when it is idle: see MemoryReleasePolicy.
 * Threads release one after the other, so that they never all pause at once. A thread that is busy delays neither the
 * others nor the next sample; it is asked again once it has answered.
 */
export class MemoryGovernor {
  private readonly policy: MemoryReleasePolicy;
  private readonly readUsage: () => ProcessUsage;
  private readonly measured = new Map<string, ThreadMemory>();
  /** What threads have not answered yet, by thread. */
  private readonly pending = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly options: MemoryGovernorOptions) {
    this.policy = new MemoryReleasePolicy(options.limitBytes);
    this.readUsage = options.readUsage ?? readProcessUsage;
  }

  start(): void {
    let looks = 0;
    this.timer = setInterval(() => {
      const isDue = ++looks % (SAMPLE_INTERVAL_MS / LOOK_INTERVAL_MS) === 0;
      if (isDue || this.policy.isNearLimit(this.readUsage().residentBytes)) void this.sample();
    }, LOOK_INTERVAL_MS).unref();
  }

  /** No samples from now on; what fails in a running one is no longer reported, because the threads end. */
  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  /** Memory of each thread at the last sample. */
  get threads(): ReadonlyMap<string, ThreadMemory> {
    return this.measured;
  }

  /** Takes one sample and does what it asks for. Concurrent calls share one; never rejects. */
  sample(): Promise<void> {
    this.running ??= this.sampleNow().finally(() => (this.running = undefined));
    return this.running;
  }

  private async sampleNow(): Promise<void> {
    const extent = this.policy.next(this.readUsage());
    if (extent !== undefined) await this.release(extent);
    const threads = Object.entries(this.options.threads);
    await this.waitAtMost(Promise.all(threads.map(([name, thread]) => this.measure(name, thread))));
  }

  private measure(name: string, thread: ReleasableMemory): Promise<void> {
    return this.ask('measured', name, async () => {
      const measured = await thread.measureMemory?.();
      if (measured !== undefined) this.measured.set(name, measured);
    });
  }

  private async release(extent: ReleaseExtent): Promise<void> {
    const before = this.readUsage().residentBytes;
    for (const [name, thread] of Object.entries(this.options.threads))
      await this.waitAtMost(this.ask('released', name, () => thread.releaseMemory(extent)));
    await this.attempt('released', 'native code', this.options.trimNativeMemory);
    const after = this.readUsage().residentBytes;
    this.policy.recordRelease(after);
    this.options.log.debug('Released memory', { extent, before, after, busy: [...this.pending.keys()] });
  }

  /** Asks a thread, unless it has not answered the previous question. */
  private ask(what: 'measured' | 'released', thread: string, work: () => Promise<void>): Promise<void> {
    const pending = this.pending.get(thread);
    if (pending !== undefined) return pending;
    const answered = this.attempt(what, thread, work).finally(() => this.pending.delete(thread));
    this.pending.set(thread, answered);
    return answered;
  }

  private async waitAtMost(answer: Promise<unknown>): Promise<void> {
    const { threadWaitMs = THREAD_WAIT_MS } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, threadWaitMs).unref()));
    await Promise.race([answer, timeout]);
    clearTimeout(timer);
  }

  /** A failing thread is logged and does not prevent the others from taking their turn. */
  private async attempt(what: 'measured' | 'released', thread: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.stopped) this.options.log.warn(`Memory of a thread cannot be ${what}`, { thread, error });
    }
  }
}

function readProcessUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  return { atMs: performance.now(), cpuMs: (user + system) / 1_000, residentBytes: process.memoryUsage.rss() };
}
