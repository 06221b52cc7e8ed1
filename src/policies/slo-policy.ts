import { asyncScheduler, exhaustMap, from, Subscription, timer, type SchedulerLike } from 'rxjs';
import type { AlertObservation, ObserveAlerts } from '../commands/alerts/alert-decider.js';
import type { CommandHandler } from '../commands/handle-command.js';
import type { RecordEventCounts } from '../commands/slos/event-count-decider.js';
import { isBurnRateCondition } from '../diagnostics/slos/burn-rate.js';
import type { SloAssessment } from '../diagnostics/slos/slo-assessment.js';
import type { DefinedSlo, SloQueries } from '../queries/slos/slo-query-types.js';
import type { AlertDocument } from '../read-models/documents/alert-documents.js';
import { FairExecutor } from '../scheduling/fair-executor.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { AlertEvent } from '../streams/events/alert-events.js';
import type { SloEventsCounted } from '../streams/events/slo-events.js';
import { alertsStream, slosStream } from '../streams/stream-names.js';
import { deriveBurnRateObservations } from './burn-rate-observations.js';
import { FailureReporter } from '../self-telemetry/failure-reporter.js';

/** Polling interval (ms): the shortest window is five minutes. */
const POLL_INTERVAL_MS = 15_000;
/** How often (ms) events are recorded: telemetry since then is counted for each answer. */
const RECORD_INTERVAL_MS = 3_600_000;
/** Objectives that are evaluated at the same time, of all Grids and of one owner: a slow one delays only few others. */
const SLOS_AT_ONCE = 4;
const SLOS_OF_AN_OWNER = 2;

export interface SloPolicyParts {
  readonly slos: Pick<SloQueries, 'allSlos' | 'evaluateSlo' | 'countNewEvents'>;
  /** Of the Grids that this process owns, as are those of `slos.allSlos`. */
  openAlerts(): Promise<readonly AlertDocument[]>;
  readonly findOwner: (gridId: string) => Promise<string>;
  readonly observe: CommandHandler<ObserveAlerts, AlertEvent>;
  readonly record: CommandHandler<RecordEventCounts, SloEventsCounted>;
  readonly log: Logger;
  readonly scheduler?: SchedulerLike;
}

/**
 * Raises and resolves alerts of objectives by their burn rates, and records their events every hour, so that they stay
 * counted when retention removes the telemetry. Each objective is evaluated by itself: one that cannot be counted, or takes
 * long, keeps its alert as it is, and the others go on. The decisions of the log count: several processes may poll, but an
 * alert fires once, and an event is recorded once. Since when an alert is clear is in memory only, see MetricRulePolicy.
 */
export class SloPolicy {
  private readonly running = new Subscription();
  private readonly clearSince = new Map<string, number>();
  /** When events were last recorded (ms since 1970), by objective. */
  private readonly recordedAt = new Map<string, number>();
  /** Evaluations that have begun, by objective. */
  private readonly pending = new Map<string, Promise<unknown>>();
  private readonly executor = new FairExecutor({
    slots: SLOS_AT_ONCE,
    slotsPerOwner: SLOS_OF_AN_OWNER,
    maxWaiting: Infinity,
  });
  private readonly failures: FailureReporter;
  private isStopped = false;

  constructor(private readonly parts: SloPolicyParts) {
    const { log, scheduler = asyncScheduler } = parts;
    this.failures = new FailureReporter({
      log,
      failed: 'Failed to evaluate objectives; retrying',
      recovered: 'Objectives are evaluated again',
      now: () => scheduler.now(),
      isStopping: () => this.isStopped,
    });
  }

  /** Polls now and every 15 s. */
  start(): void {
    const { scheduler = asyncScheduler } = this.parts;
    const polls = timer(0, POLL_INTERVAL_MS, scheduler);
    this.running.add(polls.pipe(exhaustMap(() => from(this.poll(scheduler.now())))).subscribe());
  }

  /** Waits for the objectives that are being evaluated. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.running.unsubscribe();
    await this.whenIdle();
  }

  /**
   * Begins to evaluate all objectives as of `atMs`, but those whose last evaluation has not ended. Resolves when they have
   * begun. Failures are retried by the next poll.
   */
  async poll(atMs: number): Promise<void> {
    await this.failures.watch({}, async () => {
      // In this order, the objective of every open alert is found unless it was deleted.
      const open = (await this.parts.openAlerts()).filter(({ condition }) => isBurnRateCondition(condition));
      const objectives = await this.parts.slos.allSlos();
      this.forgetOthers(objectives, open);
      for (const objective of objectives) {
        const { gridId, slo } = objective;
        const alerts = open.filter((alert) => alert.ruleId === slo.id && alert.gridId === gridId);
        this.begin(toKey(objective), gridId, (waitedMs) => this.evaluate(objective, alerts, atMs + waitedMs));
      }
      this.endDeleted(objectives, open, atMs);
    });
  }

  /** Resolves when all evaluations that have begun are over. */
  async whenIdle(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending.values());
  }

  /** @param work gets the time (ms) for which it has waited for its turn */
  private begin(key: string, gridId: string, work: (waitedMs: number) => Promise<unknown>): void {
    if (this.isStopped || this.pending.has(key)) return;
    this.pending.set(
      key,
      this.runInTurn(gridId, work).finally(() => this.pending.delete(key)),
    );
  }

  /** Never rejects, nor does `work`. */
  private async runInTurn(gridId: string, work: (waitedMs: number) => Promise<unknown>): Promise<void> {
    const { scheduler = asyncScheduler } = this.parts;
    const queuedAt = scheduler.now();
    const ownerId = await this.parts.findOwner(gridId).catch(() => gridId);
    await this.executor.run({ ownerId, gridId }, async () => {
      const startedAt = performance.now();
      if (!this.isStopped) await work(scheduler.now() - queuedAt);
      return { result: undefined, costMs: performance.now() - startedAt };
    });
  }

  private evaluate({ gridId, slo }: DefinedSlo, open: readonly AlertDocument[], atMs: number): Promise<unknown> {
    return this.failures.watch({ gridId, sloId: slo.id }, async () => {
      const observe = (assessment: SloAssessment | undefined): Promise<void> => {
        const current = assessment?.slo ?? slo;
        const input = { atMs, open, slo: current, assessment, clearSince: this.clearSince };
        return this.observe(gridId, deriveBurnRateObservations(input), atMs);
      };
      try {
        await observe(await this.parts.slos.evaluateSlo(gridId, slo.id));
      } catch (error) {
        await observe(undefined);
        throw error;
      }
      await this.recordEvents(gridId, slo.id, atMs);
    });
  }

  private async recordEvents(gridId: string, sloId: string, atMs: number): Promise<void> {
    const key = toKey({ gridId, slo: { id: sloId } });
    // A clock that was set back must not stop the records until it is where it was.
    if (Math.abs(atMs - (this.recordedAt.get(key) ?? -Infinity)) < RECORD_INTERVAL_MS || this.isStopped) return;
    const counts = await this.parts.slos.countNewEvents(gridId, sloId);
    if (this.isStopped) return;
    if (counts !== undefined)
      await this.parts.record(slosStream(gridId), { type: 'RecordEventCounts', at: atMs, ...counts });
    this.recordedAt.set(key, atMs);
  }

  /** Ends alerts of objectives that are no more, also of the last one of a Grid. */
  private endDeleted(objectives: readonly DefinedSlo[], open: readonly AlertDocument[], atMs: number): void {
    const known = new Set(objectives.map(toKey));
    const orphans = open.filter(({ gridId, ruleId }) => !known.has(toKey({ gridId, slo: { id: ruleId } })));
    for (const gridId of new Set(orphans.map((alert) => alert.gridId))) {
      const findings = orphans
        .filter((alert) => alert.gridId === gridId)
        .map(({ id: alertId }) => ({ kind: 'over', alertId, reason: 'rule-deleted' }) as const);
      this.begin(gridId, gridId, () => this.failures.watch({ gridId }, () => this.observe(gridId, findings, atMs)));
    }
  }

  private async observe(gridId: string, findings: readonly AlertObservation[], at: number): Promise<void> {
    if (findings.length === 0 || this.isStopped) return;
    const { events } = await this.parts.observe(alertsStream(gridId), { type: 'Observe', gridId, at, findings });
    for (const { type, data } of events) this.parts.log.info('Alert changed', { type, ...data });
  }

  private forgetOthers(objectives: readonly DefinedSlo[], open: readonly AlertDocument[]): void {
    const [known, alerts] = [new Set(objectives.map(toKey)), new Set(open.map(({ id }) => id))];
    for (const key of this.recordedAt.keys()) if (!known.has(key)) this.recordedAt.delete(key);
    for (const alertId of this.clearSince.keys()) if (!alerts.has(alertId)) this.clearSince.delete(alertId);
  }
}

function toKey({ gridId, slo }: { readonly gridId: string; readonly slo: { readonly id: string } }): string {
  return `${gridId} ${slo.id}`;
}
