import type { Logger } from '../log.js';
import type { CallCount, CallCounts } from './call-counts.js';

export interface InsuredCountsParts {
  /** Where all processes count. */
  readonly shared: CallCounts & { close(): Promise<void> };
  /** What this process counts by while that is away. */
  readonly own: CallCounts;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Longer (ms) than the shared place takes where it works; no call waits longer for it. Default 250. */
  readonly patienceMs?: number;
  /** Between two looks (ms) at a place that is away. Default 1 s. */
  readonly pauseMs?: number;
}

const PATIENCE_MS = 250;
/** To connect takes longer than to count. */
const START_MS = 3_000;

/** Counted in order to see whether counting works again. */
const PROBE = 'probe';

/**
 * Counts that are never waited for: while the shared place is slow or away, this process counts alone, beginning at nothing,
 * so that each process lets in as many as the limit says. Calls that find the place away are held up by `patienceMs`, those
 * that come after them by nothing. It never rejects, and comes back by itself.
 */
export class InsuredCounts implements CallCounts {
  private isAway = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: InsuredCountsParts) {}

  /** Looks whether the shared place is there, so that the first call does not wait for a connection. Takes a few seconds at most. */
  async start(): Promise<void> {
    try {
      await this.inTime(this.parts.shared.add(PROBE), START_MS);
    } catch (error) {
      this.leave(error);
    }
  }

  add(key: string): Promise<CallCount> {
    return this.ask((counts) => counts.add(key));
  }

  takeBack(key: string): Promise<void> {
    return this.ask((counts) => counts.takeBack(key));
  }

  of(key: string): Promise<CallCount | undefined> {
    return this.ask((counts) => counts.of(key));
  }

  /** Legal twice. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.parts.shared.close();
  }

  private async ask<Answer>(question: (counts: CallCounts) => Promise<Answer>): Promise<Answer> {
    if (this.isAway) return question(this.parts.own);
    try {
      return await this.inTime(question(this.parts.shared));
    } catch (error) {
      this.leave(error);
      return question(this.parts.own);
    }
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
      timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
