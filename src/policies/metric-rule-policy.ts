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
  throwError,
  timeout,
  timer,
  type Observable,
  type SchedulerLike,
} from 'rxjs';
import { isMetricRule } from '../diagnostics/alerting/alert-rule-model.js';
import { HindsightError } from '../errors.js';
import type { AlertObservation, ObserveAlerts } from '../commands/alerts/alert-decider.js';
import type { CommandHandler } from '../commands/handle-command.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { AlertQueries } from '../queries/diagnostics/alert-queries.js';
import type { DiagnosticsQueries } from '../queries/diagnostics/diagnostics-query-types.js';
import type { AlertDocument } from '../read-models/documents/alert-documents.js';
import type { AlertEvent } from '../streams/events/alert-events.js';
import type { ChangeHint } from '../streams/live/live-feed.js';
import { alertsStream } from '../streams/stream-names.js';
import { isBurnRateCondition } from '../diagnostics/slos/burn-rate.js';
import { deriveObservations, type ClearSince } from './alert-observations.js';
import { EvaluationSlots } from './evaluation-slots.js';
import { FailureReporter } from '../self-telemetry/failure-reporter.js';

/** Polling interval (ms): windows move with time even without new data. */
const POLL_INTERVAL_MS = 5_000;
/** Minimum gap (ms) between polls under load. */
const MIN_POLL_GAP_MS = 1_000;
/** Grids that are evaluated at the same time. */
const GRIDS_AT_ONCE = 8;
/** Of them, those of Grids that were slow the last time: the others keep the remaining slots. */
const SLOW_GRIDS_AT_ONCE = 4;
/** For so long (ms) a poll waits for one Grid; then it leaves it behind, and the others go on. */
const POLL_TIMEOUT_PER_GRID_MS = 2_000;
/** After this time (ms) the evaluation of a Grid has failed. Longer than the time limit of its query, which says more. */
const GRID_TIMEOUT_MS = 30_000;
/** Observations per append. */
const OBSERVATION_BATCH_SIZE = 500;

export interface MetricRuleParts {
  readonly diagnostics: Pick<DiagnosticsQueries, 'evaluations' | 'gridsWithRecentTelemetry'>;
  readonly alerts: Pick<AlertQueries, 'alertRules' | 'openAlerts'>;
  readonly handle: CommandHandler<ObserveAlerts, AlertEvent>;
  readonly hints: Observable<ChangeHint>;
  readonly log: Logger;
  readonly scheduler?: SchedulerLike;
}

/** The rules of a Grid and what they say. */
interface Evaluated {
  readonly evaluations: Awaited<ReturnType<MetricRuleParts['diagnostics']['evaluations']>>;
  readonly rules: Awaited<ReturnType<MetricRuleParts['alerts']['alertRules']>>;
}

/**
 * Fires, escalates and resolves alerts of rules on metrics, and resolves those of all rules that are deleted, disabled or
 * changed. The read model knows which alerts are open; the log is read and written only
 * when something changes, and its decision counts: several processes may poll, but an alert fires once. The time since
 * when an open alert is clear is kept only in memory: after a restart the two minutes start again, so that no alert
 * ends too early.
 */
export class MetricRulePolicy {
  private readonly running = new Subscription();
  private readonly stopping = new AbortController();
  private readonly clearSince = new Map<string, ClearSince>();
  private currentPoll: Promise<void> = Promise.resolve();
  private readonly slots: EvaluationSlots;
  private readonly failures: FailureReporter;

  constructor(private readonly parts: MetricRuleParts) {
    const { log, scheduler = asyncScheduler } = parts;
    this.slots = new EvaluationSlots({
      slots: GRIDS_AT_ONCE,
      slotsOfSlow: SLOW_GRIDS_AT_ONCE,
      timeoutMs: POLL_TIMEOUT_PER_GRID_MS,
      scheduler,
    });
    this.failures = new FailureReporter({
      log,
      failed: 'Failed to evaluate alert rules; retrying',
      recovered: 'Alert rules are evaluated again',
      now: () => scheduler.now(),
      isStopping: () => this.isStopping,
    });
  }

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
    await this.slots.whenIdle();
  }

  /**
   * Polls all Grids as of `atMs`, but those whose last evaluation has not ended. A Grid holds its slot until its
   * evaluation ends; those that find none are polled the next time. Failures are retried by the next poll.
   */
  async poll(atMs: number): Promise<void> {
    await this.failures.watch({}, () => this.pollAllGrids(atMs));
  }

  /** A Grid that fails or takes long does not affect the others. */
  private async pollAllGrids(atMs: number): Promise<void> {
    const { alerts, diagnostics } = this.parts;
    const [open, activeGrids] = (await this.unlessStopped(
      Promise.all([alerts.openAlerts(), diagnostics.gridsWithRecentTelemetry()]),
    )) ?? [[], []];
    const openByGrid = new Map<string, AlertDocument[]>(activeGrids.map((gridId) => [gridId, []]));
    for (const alert of open) {
      if (isBurnRateCondition(alert.condition)) continue; // see SloPolicy
      const alertsOfGrid = openByGrid.get(alert.gridId);
      if (alertsOfGrid === undefined) openByGrid.set(alert.gridId, [alert]);
      else alertsOfGrid.push(alert);
    }
    for (const gridId of this.clearSince.keys()) if (!openByGrid.has(gridId)) this.clearSince.delete(gridId);
    await this.slots.visit(new Set(openByGrid.keys()), async (gridId) => {
      if (this.isStopping) return;
      await this.failures.watch({ gridId }, () => this.pollGrid(gridId, openByGrid.get(gridId) ?? [], atMs));
    });
  }

  private async pollGrid(gridId: string, open: readonly AlertDocument[], atMs: number): Promise<void> {
    const evaluated = await this.unlessStopped(this.evaluateInTime(gridId));
    if (evaluated === undefined || this.isStopping) return;
    const { findings, clearSince } = deriveObservations({
      atMs,
      open,
      ...evaluated,
      isEvaluated: isMetricRule,
      clearSince: this.clearSince.get(gridId) ?? new Map(),
    });
    this.clearSince.set(gridId, clearSince);
    for (let from = 0; from < findings.length && !this.isStopping; from += OBSERVATION_BATCH_SIZE) {
      await this.appendObservations(gridId, findings.slice(from, from + OBSERVATION_BATCH_SIZE), atMs);
    }
  }

  private async evaluateInTime(gridId: string): Promise<Evaluated> {
    const tooLate = () =>
      throwError(() => new HindsightError('unavailable', `Nothing was evaluated within ${GRID_TIMEOUT_MS} ms.`));
    const limit = { first: GRID_TIMEOUT_MS, with: tooLate, scheduler: this.scheduler };
    try {
      return await firstValueFrom(from(this.evaluateGrid(gridId)).pipe(timeout(limit)));
    } catch (error) {
      // Unknown does not count as clear: the two minutes start again.
      this.clearSince.delete(gridId);
      throw error;
    }
  }

  private async evaluateGrid(gridId: string): Promise<Evaluated> {
    const { diagnostics, alerts } = this.parts;
    // Read order: open alerts, evaluations, rules, so that the rule of every open alert is included.
    const evaluations = await diagnostics.evaluations(gridId);
    return { evaluations, rules: await alerts.alertRules(gridId) };
  }

  private async appendObservations(gridId: string, findings: readonly AlertObservation[], at: number): Promise<void> {
    const { events } = await this.parts.handle(alertsStream(gridId), { type: 'Observe', gridId, at, findings });
    for (const { type, data } of events) this.parts.log.info('Alert changed', { type, ...data });
  }

  private get scheduler(): SchedulerLike {
    return this.parts.scheduler ?? asyncScheduler;
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
