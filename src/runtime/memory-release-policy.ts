import type { ReleaseExtent } from '../thread-memory.js';

/** The process at one moment. */
export interface ProcessUsage {
  /** Any clock that does not go back, in ms. */
  readonly atMs: number;
  /** CPU time (ms) of all threads since the start. */
  readonly cpuMs: number;
  readonly residentBytes: number;
}

/** Part of one CPU above which the process counts as busy. */
const BUSY_CPU = 0.25;
/** Samples without work before memory is released: caches of a process that pauses for a moment stay. */
const IDLE_SAMPLES = 2;
/** Releases after work has ended: the first notes what is used, the next ones drop the rest and return pages. */
const RELEASES_AFTER_WORK = 4;
/** Shortest time (ms) between them: all of them fit into a minute. */
const AFTER_WORK_INTERVAL_MS = 15_000;
/**
 * What leads to a release in an idle process, and the shortest time (ms) between two: growth since the last one, or CPU
 * time (ms) spent since then. Its polling, and work at a low rate, leave garbage, which V8 collects only when tens of
 * megabytes have piled up in each thread.
 */
const IDLE_GROWTH = 1.05;
const IDLE_WORK_MS = 2_500;
const IDLE_INTERVAL_MS = 20_000;
/** Part of the limit above which caches are halved, whatever the process does. */
const PRESSURE = 0.9;
/**
 * Shortest and longest time (ms) between two releases under pressure. A release that frees little doubles it, as long as
 * the process does not grow: what it has got since then may be free already.
 */
const MIN_PRESSURE_INTERVAL_MS = 10_000;
const MAX_PRESSURE_INTERVAL_MS = 320_000;
/** Shortest time (ms) while the process is beyond its limit and grows: a flood leaves 20 MB of garbage a second. */
const BEYOND_LIMIT_INTERVAL_MS = 4_000;
const FREED_LITTLE = 0.97;
const PRESSURE_GROWTH = 1.05;

/**
 * Decides when a process gives memory back: some seconds after it has become idle, and whenever it comes close to its
 * limit. Call `next` with a sample every few seconds, and `recordRelease` after each release.
 */
export class MemoryReleasePolicy {
  private previous: ProcessUsage | undefined;
  private idleSamples = 0;
  private releasesLeft = RELEASES_AFTER_WORK;
  /** The sample at the last release, what was left after it, and CPU time (ms) since the sample after it. */
  private released: ProcessUsage | undefined;
  private leftBytes = Infinity;
  private workedMs = 0;
  private pressureIntervalMs = MIN_PRESSURE_INTERVAL_MS;

  constructor(private readonly limitBytes: number) {}

  /** Whether a process of this size is so close to its limit that it should be sampled more often. */
  isNearLimit(residentBytes: number): boolean {
    return residentBytes > this.limitBytes * PRESSURE;
  }

  /** What to release now; undefined: nothing. */
  next(usage: ProcessUsage): ReleaseExtent | undefined {
    // The CPU time since a release is the release's own.
    if (this.released === undefined || this.released !== this.previous) this.recordWork(usage);
    this.previous = usage;
    const extent = this.isUnderPressure(usage) ? 'half' : this.isReleaseDue(usage) ? 'unused' : undefined;
    if (extent !== undefined) {
      this.released = usage;
      this.workedMs = 0;
    }
    if (extent === 'unused') this.releasesLeft = Math.max(0, this.releasesLeft - 1);
    return extent;
  }

  /** Records what a release has left of the memory that was in use when `next` asked for it. */
  recordRelease(leftBytes: number): void {
    this.leftBytes = leftBytes;
    const freedLittle = leftBytes > this.released!.residentBytes * FREED_LITTLE;
    this.pressureIntervalMs = freedLittle
      ? Math.min(MAX_PRESSURE_INTERVAL_MS, this.pressureIntervalMs * 2)
      : MIN_PRESSURE_INTERVAL_MS;
  }

  private recordWork({ atMs, cpuMs }: ProcessUsage): void {
    if (this.previous === undefined) return;
    const worked = cpuMs - this.previous.cpuMs;
    this.workedMs += worked;
    const isBusy = worked >= BUSY_CPU * (atMs - this.previous.atMs);
    this.idleSamples = isBusy ? 0 : this.idleSamples + 1;
    if (isBusy) this.releasesLeft = RELEASES_AFTER_WORK;
  }

  private isUnderPressure({ atMs, residentBytes }: ProcessUsage): boolean {
    if (!this.isNearLimit(residentBytes)) return false;
    const hasGrown = residentBytes > this.leftBytes * PRESSURE_GROWTH;
    const whileGrowing = residentBytes > this.limitBytes ? BEYOND_LIMIT_INTERVAL_MS : MIN_PRESSURE_INTERVAL_MS;
    return this.sinceRelease(atMs) >= (hasGrown ? whileGrowing : this.pressureIntervalMs);
  }

  private isReleaseDue({ atMs, residentBytes }: ProcessUsage): boolean {
    if (this.idleSamples < IDLE_SAMPLES) return false;
    if (this.releasesLeft > 0) return this.sinceRelease(atMs) >= AFTER_WORK_INTERVAL_MS;
    const hasGarbage = residentBytes > this.leftBytes * IDLE_GROWTH || this.workedMs >= IDLE_WORK_MS;
    return hasGarbage && this.sinceRelease(atMs) >= IDLE_INTERVAL_MS;
  }

  private sinceRelease(atMs: number): number {
    return atMs - (this.released?.atMs ?? -Infinity);
  }
}
