import {
  asyncScheduler,
  concatMap,
  filter,
  firstValueFrom,
  forkJoin,
  from,
  fromEvent,
  merge,
  Subscription,
  takeUntil,
  throttle,
  timer,
  type Observable,
  type SchedulerLike,
} from 'rxjs';
import type { AlertObservation, ObserveAlerts } from '../commands/alerts/alert-decider.js';
import type { CommandHandler } from '../commands/handle-command.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { AlertQueries } from '../queries/diagnostics/alert-queries.js';
import type { DiagnosticsQueries } from '../queries/diagnostics/diagnostics-query-types.js';
import type { AlertDocument } from '../read-models/documents/alert-documents.js';
import type { AlertEvent } from '../streams/events/alert-events.js';
import type { ChangeHint } from '../streams/live/live-feed.js';
import { alertsStream } from '../streams/stream-names.js';
import { deriveObservations, type ClearSince } from './alert-observations.js';

/** Polling interval (ms): windows move with time even without new data. */
const POLL_INTERVAL_MS = 5_000;
/** Minimum gap (ms) between polls under load. */
const MIN_POLL_GAP_MS = 1_000;
/** Observations per append. */
const OBSERVATION_BATCH_SIZE = 500;

export interface AlertingParts {
  readonly diagnostics: Pick<DiagnosticsQueries, 'evaluations' | 'gridsWithRecentTelemetry'>;
  readonly alerts: Pick<AlertQueries, 'alertRules' | 'openAlerts'>;
  readonly handle: CommandHandler<ObserveAlerts, AlertEvent>;
  readonly hints: Observable<ChangeHint>;
  readonly log: Logger;
  readonly scheduler?: SchedulerLike;
}

/**
 * Fires, escalates and resolves alerts. The read model knows which alerts are open; the log is read and written only
 * when something changes, and its decision counts: several processes may poll, but an alert fires once. The time since
 * when an open alert is clear is kept only in memory: after a restart the two minutes start again, so that no alert
 * ends too early.
 */
export class AlertingPolicy {
  private readonly running = new Subscription();
  private readonly stopping = new AbortController();
  private readonly clearSince = new Map<string, ClearSince>();
  private currentPoll: Promise<void> = Promise.resolve();
  private isFailing = false;

  constructor(private readonly parts: AlertingParts) {}

  /** Polls now, every 5 s, and after hints at most once a second. */
  start(): void {
    const { hints, scheduler = asyncScheduler } = this.parts;
    const relevantHints = hints.pipe(filter(({ topic }) => topic === 'diagnosed' || topic === 'projected'));
    const pause = (): Observable<unknown> => forkJoin([timer(MIN_POLL_GAP_MS, scheduler), from(this.currentPoll)]);
    const polls = merge(timer(0, POLL_INTERVAL_MS, scheduler), relevantHints).pipe(
      throttle(pause, { leading: true, trailing: true }),
    );
    this.running.add(polls.pipe(concatMap(() => from((this.currentPoll = this.poll(scheduler.now()))))).subscribe());
  }

  /** Waits only for a pending append. Safe to call twice. */
  async stop(): Promise<void> {
    this.running.unsubscribe();
    this.stopping.abort();
    await this.currentPoll;
  }

  /** Polls all Grids as of `atMs`. Failures are retried by the next poll. */
  async poll(atMs: number): Promise<void> {
    try {
      const failures = await this.pollAllGrids(atMs);
      if (failures.length > 0) throw failures[0];
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing && !this.isStopping) this.parts.log.error('Alert evaluation failed; retrying', { error });
      this.isFailing = true;
    }
  }

  /** Returns the errors: a failure in one Grid does not affect the others. */
  private async pollAllGrids(atMs: number): Promise<unknown[]> {
    const { alerts, diagnostics } = this.parts;
    const [open, activeGrids] = (await this.unlessStopped(
      Promise.all([alerts.openAlerts(), diagnostics.gridsWithRecentTelemetry()]),
    )) ?? [[], []];
    const openByGrid = new Map<string, AlertDocument[]>(activeGrids.map((gridId) => [gridId, []]));
    for (const alert of open) {
      const alertsOfGrid = openByGrid.get(alert.gridId);
      if (alertsOfGrid === undefined) openByGrid.set(alert.gridId, [alert]);
      else alertsOfGrid.push(alert);
    }
    for (const gridId of this.clearSince.keys()) if (!openByGrid.has(gridId)) this.clearSince.delete(gridId);
    const failures: unknown[] = [];
    for (const [gridId, alertsOfGrid] of openByGrid) {
      if (this.isStopping) break;
      await this.pollGrid(gridId, alertsOfGrid, atMs).catch((error: unknown) => failures.push(error));
    }
    return failures;
  }

  private async pollGrid(gridId: string, open: readonly AlertDocument[], atMs: number): Promise<void> {
    const evaluated = await this.unlessStopped(this.evaluateGrid(gridId));
    if (evaluated === undefined || this.isStopping) return;
    const { findings, clearSince } = deriveObservations({
      atMs,
      open,
      ...evaluated,
      clearSince: this.clearSince.get(gridId) ?? new Map(),
    });
    this.clearSince.set(gridId, clearSince);
    for (let from = 0; from < findings.length && !this.isStopping; from += OBSERVATION_BATCH_SIZE) {
      await this.appendObservations(gridId, findings.slice(from, from + OBSERVATION_BATCH_SIZE), atMs);
    }
  }

  private async evaluateGrid(gridId: string) {
    const { diagnostics, alerts } = this.parts;
    try {
      // Read order: open alerts, evaluations, rules, so that the rule of every open alert is included.
      const evaluations = await diagnostics.evaluations(gridId);
      return { evaluations, rules: await alerts.alertRules(gridId) };
    } catch (error) {
      // Unknown does not count as clear: the two minutes start again.
      this.clearSince.delete(gridId);
      throw error;
    }
  }

  private async appendObservations(gridId: string, findings: readonly AlertObservation[], at: number): Promise<void> {
    const { events } = await this.parts.handle(alertsStream(gridId), { type: 'Observe', gridId, at, findings });
    for (const { type, data } of events) this.parts.log.info('Alert changed', { type, ...data });
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Result of the work; undefined if the policy stops first. */
  private async unlessStopped<T>(work: Promise<T>): Promise<T | undefined> {
    const { signal } = this.stopping;
    if (signal.aborted) return undefined;
    return firstValueFrom(from(work).pipe(takeUntil(fromEvent(signal, 'abort'))), { defaultValue: undefined });
  }
}
