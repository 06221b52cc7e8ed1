import type { Logger } from '../log.js';
import type { CallCount, CallCounts } from './call-counts.js';
import { KnownCounts } from './known-counts.js';

export interface InsuredCountsParts {
  /** Where all processes count. */
  readonly shared: CallCounts & { close(): Promise<void> };
  /** What this process counts by while that is away. */
  readonly own: CallCounts;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Longer (ms) than the shared place takes where it works; no call waits longer for it. Default 500. */
  readonly patienceMs?: number;
  /** Between two looks (ms) at a place that is away. Default 1 s. */
  readonly pauseMs?: number;
}

const PATIENCE_MS = 500;
/** To connect takes longer than to count. */
const START_MS = 3_000;

/** Counted in order to see whether counting works again. */
const PROBE = 'probe';

/**
 * Counts that are never waited for: while the shared place is slow or away, this process counts alone, on from what it was told
 * last, so that no process lets in more than the limit. Calls that find the place away are held up by `patienceMs`, those
 * that come after them by nothing. It never rejects, and comes back by itself.
 */
export class InsuredCounts implements CallCounts {
  private isAway = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;
  /** By the shared place. */
  private readonly told = new KnownCounts(() => performance.now());

  constructor(private readonly parts: InsuredCountsParts) {}

  /** Looks whether the shared place is there, so that the first call does not wait for a connection. Takes a few seconds at most. */
  async start(): Promise<void> {
    try {
      await this.inTime(this.parts.shared.add(PROBE), START_MS);
    } catch (error) {
      this.leave(error);
    }
  }

  async add(key: string): Promise<CallCount> {
    const [count, isShared] = await this.ask((counts) => counts.add(key));
    return this.from(key, count, isShared);
  }

  async takeBack(key: string): Promise<void> {
    await this.ask((counts) => counts.takeBack(key));
  }

  async of(key: string): Promise<CallCount | undefined> {
    const [count, isShared] = await this.ask((counts) => counts.of(key));
    return count === undefined ? this.told.of(key) : this.from(key, count, isShared);
  }

  /** Legal twice. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.parts.shared.close();
  }

  /** The answer, and whether it is that of all processes. */
  private async ask<Answer>(question: (counts: CallCounts) => Promise<Answer>): Promise<readonly [Answer, boolean]> {
    if (this.isAway) return [await question(this.parts.own), false];
    try {
      return [await this.inTime(question(this.parts.shared)), true];
    } catch (error) {
      this.leave(error);
      return [await question(this.parts.own), false];
    }
  }

  private from(key: string, count: CallCount, isShared: boolean): CallCount {
    if (isShared) this.told.note(key, count);
    const before = isShared ? undefined : this.told.of(key);
    return before === undefined ? count : { calls: before.calls + count.calls, endsInMs: before.endsInMs };
  }

  private leave(error: unknown): void {
    if (this.isAway || this.isClosed) return;
    this.isAway = true;
    this.parts.log.warn('calls are counted in this process alone: where all processes count them is away', { error });
    this.lookLater();
  }

  private lookLater(): void {
    if (!this.isClosed) this.timer = setTimeout(() => void this.look(), this.parts.pauseMs ?? 1_000).unref();
  }

  private async look(): Promise<void> {
    try {
      await this.inTime(this.parts.shared.add(PROBE));
    } catch {
      return this.lookLater(); // which has been told
    }
    this.isAway = false;
    this.parts.log.info('calls are counted together with all other processes again');
  }

  private async inTime<Answer>(answer: Promise<Answer>, patienceMs = this.parts.patienceMs ?? PATIENCE_MS): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      // Where this process was late itself, the answer may have come and is about to be read.
      timer = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${patienceMs} ms`))), patienceMs);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
