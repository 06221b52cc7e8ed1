import {
  asyncScheduler,
  concatMap,
  firstValueFrom,
  from,
  fromEvent,
  Subscription,
  takeUntil,
  timer,
  type SchedulerLike,
} from 'rxjs';
import type { AssistantCommands } from '../commands/assistant/assistant-commands.js';
import type { Logger } from '../self-telemetry/logger.js';
import { FailureReporter } from '../self-telemetry/failure-reporter.js';
import type { UsageQueries } from '../queries/usage/usage-query-types.js';

const MINUTE_MS = 60_000;

export interface SessionExpiryParts {
  readonly usage: Pick<UsageQueries, 'gridsWithExpiredSessions'>;
  readonly commands: Pick<AssistantCommands, 'expireSessions'>;
  readonly log: Logger;
  readonly scheduler?: SchedulerLike;
}

/**
 * Records the end of idle assistant sessions. They are over without it; this cleans up the stream of sessions that are
 * never used again and informs the audit log. Several processes may poll; each session expires once, because its stream
 * decides.
 */
export class SessionExpiryPolicy {
  private readonly running = new Subscription();
  private readonly stopping = new AbortController();
  private currentPoll: Promise<void> = Promise.resolve();
  private readonly failures: FailureReporter;

  constructor(private readonly parts: SessionExpiryParts) {
    const { log, scheduler = asyncScheduler } = parts;
    this.failures = new FailureReporter({
      log,
      failed: 'Failed to expire assistant sessions; retrying',
      recovered: 'Assistant sessions expire again',
      now: () => scheduler.now(),
      isStopping: () => this.isStopping,
    });
  }

  /** Polls now and every minute. */
  start(): void {
    const { scheduler = asyncScheduler } = this.parts;
    const rounds = timer(0, MINUTE_MS, scheduler).pipe(
      concatMap(() => from((this.currentPoll = this.poll(scheduler.now())))),
    );
    this.running.add(rounds.subscribe());
  }

  /** Waits only for a pending append. Safe to call twice. */
  async stop(): Promise<void> {
    this.running.unsubscribe();
    this.stopping.abort();
    await this.currentPoll;
  }

  /**
   * Polls all Grids as of `nowMs`. Failures are retried by the next poll; a failure in one Grid does not affect the
   * others.
   */
  async poll(nowMs: number): Promise<void> {
    await this.failures.watch({}, () => this.expireAll(nowMs));
  }

  private async expireAll(nowMs: number): Promise<void> {
    for (const gridId of (await this.unlessStopped(this.parts.usage.gridsWithExpiredSessions(nowMs))) ?? []) {
      if (this.isStopping) break;
      await this.failures.watch({ gridId }, () => this.parts.commands.expireSessions(gridId));
    }
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Result of the work; undefined if the policy stops first. */
  private async unlessStopped<T>(work: Promise<T>): Promise<T | undefined> {
    return firstValueFrom(from(work).pipe(takeUntil(fromEvent(this.stopping.signal, 'abort'))), {
      defaultValue: undefined,
    });
  }
}
