import {
  asyncScheduler, concatMap, filter, firstValueFrom, forkJoin, from, fromEvent, merge, Subscription, takeUntil, throttle, timer, type Observable, type SchedulerLike,
} from 'rxjs';
import type { Finding, Observe } from '../commands/alerts/decider.js';
import type { Handle } from '../commands/handle.js';
import type { Logger } from '../log.js';
import type { AlertQueries } from '../queries/alerts.js';
import type { DiagnosticsQueries } from '../queries/diagnostics/questions.js';
import type { AlertDocument } from '../read-models/alerts.js';
import type { AlertEvent } from '../streams/events/alert-events.js';
import type { Hint } from '../streams/live/live-feed.js';
import { alertsStream } from '../streams/stream-names.js';
import { findingsOf, type ClearSince } from './alert-findings.js';

/** Time moves windows even where no data comes. */
const LOOK_MS = 5_000;
/** Looks are no closer together, however much comes in. */
const PAUSE_MS = 1_000;
/** Findings that go into one append. */
const FINDINGS_AT_ONCE = 500;

export interface AlertingParts {
  readonly diagnostics: Pick<DiagnosticsQueries, 'evaluations' | 'awakeGrids'>;
  readonly alerts: Pick<AlertQueries, 'alertRules' | 'openAlerts'>;
  readonly handle: Handle<Observe, AlertEvent>;
  readonly hints: Observable<Hint>;
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
    const pause = (): Observable<unknown> => forkJoin([timer(PAUSE_MS, scheduler), from(this.round)]);
    const looks = merge(timer(0, LOOK_MS, scheduler), news).pipe(throttle(pause, { leading: true, trailing: true }));
    this.running.add(looks.pipe(concatMap(() => from((this.round = this.look(scheduler.now()))))).subscribe());
  }

  /** Waits for no more than the append under way. Legal twice. */
  async stop(): Promise<void> {
    this.running.unsubscribe();
    this.stopping.abort();
    await this.round;
  }

  /** One look at all Grids, as of `atMs`. What fails is tried again with the next one. */
  async look(atMs: number): Promise<void> {
    try {
      const failures = await this.lookAtAll(atMs);
      if (failures.length > 0) throw failures[0];
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing && !this.isStopping) this.parts.log.error('alerting failed and will be tried again', { error });
      this.isFailing = true;
    }
  }

  /** Answers what failed: one Grid's failure keeps no other from being looked at. */
  private async lookAtAll(atMs: number): Promise<unknown[]> {
    const { alerts, diagnostics } = this.parts;
    const [open, awake] = (await this.unlessStopped(Promise.all([alerts.openAlerts(), diagnostics.awakeGrids()]))) ?? [[], []];
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
      await this.lookAt(gridId, ofGrid, atMs).catch((error: unknown) => failures.push(error));
    }
    return failures;
  }

  private async lookAt(gridId: string, open: readonly AlertDocument[], atMs: number): Promise<void> {
    const seen = await this.unlessStopped(this.see(gridId));
    if (seen === undefined || this.isStopping) return;
    const { findings, clearSince } = findingsOf({ atMs, open, ...seen, clearSince: this.clearSince.get(gridId) ?? new Map() });
    this.clearSince.set(gridId, clearSince);
    for (let from = 0; from < findings.length && !this.isStopping; from += FINDINGS_AT_ONCE) {
      await this.observe(gridId, findings.slice(from, from + FINDINGS_AT_ONCE), atMs);
    }
  }

  private async see(gridId: string) {
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

  private async observe(gridId: string, findings: readonly Finding[], at: number): Promise<void> {
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
