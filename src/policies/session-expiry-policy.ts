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
import type { UsageQueries } from '../queries/usage/usage-query-types.js';

const MINUTE_MS = 60_000;

export interface SessionExpiryParts {
  readonly usage: Pick<UsageQueries, 'gridsWithExpiredSessions'>;
  readonly commands: Pick<AssistantCommands, 'expireSessions'>;
  readonly log: Logger;
  readonly scheduler?: SchedulerLike;
}

/**
 * Writes down that idle sessions are over. They are over without it: this tidies the stream of sessions that nobody follows
 * up, and tells the audit. Several processes may look; each session expires once, since its stream decides.
 */
export class SessionExpiryPolicy {
  private readonly running = new Subscription();
  private readonly stopping = new AbortController();
  private round: Promise<void> = Promise.resolve();
  private isFailing = false;

  constructor(private readonly parts: SessionExpiryParts) {}

  /** Looks now and every minute. */
  start(): void {
    const { scheduler = asyncScheduler } = this.parts;
    const rounds = timer(0, MINUTE_MS, scheduler).pipe(
      concatMap(() => from((this.round = this.poll(scheduler.now())))),
    );
    this.running.add(rounds.subscribe());
  }

  /** Waits for no more than the append under way. Legal twice. */
  async stop(): Promise<void> {
    this.running.unsubscribe();
    this.stopping.abort();
    await this.round;
  }

  /** One look at all Grids, as of `nowMs`. What fails is tried again with the next one; one Grid's failure keeps no other waiting. */
  async poll(nowMs: number): Promise<void> {
    try {
      const failures = await this.expireAll(nowMs);
      if (failures.length > 0) throw failures[0];
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing && !this.isStopping)
        this.parts.log.error('sessions could not be expired, which will be tried again', { error });
      this.isFailing = true;
    }
  }

  private async expireAll(nowMs: number): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const gridId of (await this.unlessStopped(this.parts.usage.gridsWithExpiredSessions(nowMs))) ?? []) {
      if (this.isStopping) break;
      await this.parts.commands.expireSessions(gridId).catch((error: unknown) => failures.push(error));
    }
    return failures;
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** What the work answers; undefined when the policy stops first. */
  private async unlessStopped<T>(work: Promise<T>): Promise<T | undefined> {
    return firstValueFrom(from(work).pipe(takeUntil(fromEvent(this.stopping.signal, 'abort'))), {
      defaultValue: undefined,
    });
  }
}
