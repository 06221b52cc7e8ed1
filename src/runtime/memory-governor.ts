import type { Logger } from '../self-telemetry/logger.js';
import type { ReleaseExtent, ThreadMemory } from '../thread-memory.js';
import { MemoryReleasePolicy, type ProcessUsage } from './memory-release-policy.js';
import type { NativeMemoryTrimmer } from './native-memory.js';

/** Interval (ms) between two samples. */
const SAMPLE_INTERVAL_MS = 5_000;

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
}

/**
 * Keeps the process within its memory limit, and lets it give memory back when it is idle: see MemoryReleasePolicy.
 * Threads release one after the other, so that never all of them pause.
 */
export class MemoryGovernor {
  private readonly policy: MemoryReleasePolicy;
  private readonly readUsage: () => ProcessUsage;
  private readonly measured = new Map<string, ThreadMemory>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly options: MemoryGovernorOptions) {
    this.policy = new MemoryReleasePolicy(options.limitBytes);
    this.readUsage = options.readUsage ?? readProcessUsage;
  }

  start(): void {
    this.timer = setInterval(() => void this.sample(), SAMPLE_INTERVAL_MS).unref();
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
    for (const [name, thread] of Object.entries(this.options.threads))
      await this.attempt('measured', name, async () => {
        const measured = await thread.measureMemory?.();
        if (measured !== undefined) this.measured.set(name, measured);
      });
  }

  private async release(extent: ReleaseExtent): Promise<void> {
    const before = this.readUsage().residentBytes;
    for (const [name, thread] of Object.entries(this.options.threads))
      await this.attempt('released', name, () => thread.releaseMemory(extent));
    await this.attempt('released', 'native code', this.options.trimNativeMemory);
    const after = this.readUsage().residentBytes;
    this.policy.recordRelease(after);
    this.options.log.debug('Released memory', { extent, before, after });
  }

  /** A thread that fails is logged and keeps no other one from its turn. */
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
