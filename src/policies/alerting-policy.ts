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

/** Time moves windows even where no data comes. */
const POLL_INTERVAL_MS = 5_000;
/** Looks are no closer together, however much comes in. */
const MIN_POLL_GAP_MS = 1_000;
/** Findings that go into one append. */
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
 * Lets alerts fire, grow worse and end. Which ones are open, the read model knows; the log is asked, and written, only
 * when something changes, and its answer counts: several processes may look, and an alert fires once. Since when an
 * open alert is clear, is kept here alone: after a restart the two minutes begin anew, so that none ends too early.
 */
export class AlertingPolicy {
  private readonly running = new Subscription();
  private readonly stopping = new AbortController();
  private readonly clearSince = new Map<string, ClearSince>();
  private round: Promise<void> = Promise.resolve();
  private isFailing = false;

  constructor(private readonly parts: AlertingParts) {}

  /** Looks now, every 5 s, and after hints, at most once a second. */
  start(): void {
    const { hints, scheduler = asyncScheduler } = this.parts;
    const news = hints.pipe(filter(({ topic }) => topic === 'diagnosed' || topic === 'projected'));
    const pause = (): Observable<unknown> => forkJoin([timer(MIN_POLL_GAP_MS, scheduler), from(this.round)]);
    const looks = merge(timer(0, POLL_INTERVAL_MS, scheduler), news).pipe(
      throttle(pause, { leading: true, trailing: true }),
    );
    this.running.add(looks.pipe(concatMap(() => from((this.round = this.poll(scheduler.now()))))).subscribe());
  }

  /** Waits for no more than the append under way. Legal twice. */
  async stop(): Promise<void> {
    this.running.unsubscribe();
    this.stopping.abort();
    await this.round;
  }

  /** One look at all Grids, as of `atMs`. What fails is tried again with the next one. */
  async poll(atMs: number): Promise<void> {
    try {
      const failures = await this.pollAllGrids(atMs);
      if (failures.length > 0) throw failures[0];
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing && !this.isStopping)
        this.parts.log.error('alerting failed and will be tried again', { error });
      this.isFailing = true;
    }
  }

  /** Answers what failed: one Grid's failure keeps no other from being looked at. */
  private async pollAllGrids(atMs: number): Promise<unknown[]> {
    const { alerts, diagnostics } = this.parts;
    const [open, awake] = (await this.unlessStopped(
      Promise.all([alerts.openAlerts(), diagnostics.gridsWithRecentTelemetry()]),
    )) ?? [[], []];
    const openByGrid = new Map<string, AlertDocument[]>(awake.map((gridId) => [gridId, []]));
    for (const alert of open) {
      const ofGrid = openByGrid.get(alert.gridId);
      if (ofGrid === undefined) openByGrid.set(alert.gridId, [alert]);
      else ofGrid.push(alert);
    }
    for (const gridId of this.clearSince.keys()) if (!openByGrid.has(gridId)) this.clearSince.delete(gridId);
    const failures: unknown[] = [];
    for (const [gridId, ofGrid] of openByGrid) {
      if (this.isStopping) break;
      await this.pollGrid(gridId, ofGrid, atMs).catch((error: unknown) => failures.push(error));
    }
    return failures;
  }

  private async pollGrid(gridId: string, open: readonly AlertDocument[], atMs: number): Promise<void> {
    const seen = await this.unlessStopped(this.evaluateGrid(gridId));
    if (seen === undefined || this.isStopping) return;
    const { findings, clearSince } = deriveObservations({
      atMs,
      open,
      ...seen,
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
      // Rules after evaluations, and both after the open alerts: whoever has an alert has had its rule.
      const evaluations = await diagnostics.evaluations(gridId);
      return { evaluations, rules: await alerts.alertRules(gridId) };
    } catch (error) {
      // What was not seen was not clear: the two minutes begin anew.
      this.clearSince.delete(gridId);
      throw error;
    }
  }

  private async appendObservations(gridId: string, findings: readonly AlertObservation[], at: number): Promise<void> {
    const { events } = await this.parts.handle(alertsStream(gridId), { type: 'Observe', gridId, at, findings });
    for (const { type, data } of events) this.parts.log.info('an alert changed', { type, ...data });
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** What the work answers; undefined when the policy stops first. */
  private async unlessStopped<T>(work: Promise<T>): Promise<T | undefined> {
    const { signal } = this.stopping;
    if (signal.aborted) return undefined;
    return firstValueFrom(from(work).pipe(takeUntil(fromEvent(signal, 'abort'))), { defaultValue: undefined });
  }
}
