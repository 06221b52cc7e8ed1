import { asyncScheduler, exhaustMap, from, Subscription, timer, type SchedulerLike } from 'rxjs';
import type { ObserveAlerts } from '../commands/alerts/alert-decider.js';
import type { CommandHandler } from '../commands/handle-command.js';
import {
  firesOnAbsence,
  isRecordRule,
  type RecordAlertRule,
  type RuleEvaluation,
} from '../diagnostics/alerting/alert-rule-model.js';
import { EVALUATION_DELAY_MS } from '../diagnostics/alerting/record-rule-evaluator.js';
import { floorMinute, MINUTE_MS } from '../diagnostics/time-windows.js';
import type { RecordRuleQueries } from '../queries/alerting/record-rule-queries.js';
import { CONCURRENT_RULE_EVALUATIONS } from '../queries/alerting/rule-evaluation-limits.js';
import type { AlertQueries } from '../queries/diagnostics/alert-queries.js';
import { FairExecutor } from '../scheduling/fair-executor.js';
import type { WorkShare } from '../scheduling/fair-queue.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { Position } from '../streams/event-store.js';
import type { AlertEvent } from '../streams/events/alert-events.js';
import { alertsStream } from '../streams/stream-names.js';
import { deriveObservations, type ClearSince } from './alert-observations.js';
import { FailureReporter } from '../self-telemetry/failure-reporter.js';

/** How often (ms) the policy looks whether a minute is over. */
const POLL_INTERVAL_MS = 1_000;
/**
 * For so long (ms) after the start, records may be missing because nobody could take them: rules that look for too few wait
 * until senders have repeated them.
 */
const ABSENCE_GRACE_MS = 2 * MINUTE_MS;
/** Minutes that are evaluated late, one after the other, when an evaluation has taken longer than a minute. */
const MAX_CATCH_UP_MINUTES = 10;
/**
 * Rules that are evaluated at the same time, of all Grids and of one owner: as many as the thread that reads telemetry takes,
 * so that the time limit of an evaluation does not include a wait for a slot. It includes one for memory, which only
 * evaluations need that are too large for what is set aside for them.
 */
const { all: RULES_AT_ONCE, ofOwner: RULES_OF_AN_OWNER } = CONCURRENT_RULE_EVALUATIONS;
/** Grids that are worked on at the same time, and those of one owner. */
const GRIDS_AT_ONCE = 32;
const GRIDS_OF_AN_OWNER = 8;
/** Observations per append. */
const OBSERVATION_BATCH_SIZE = 500;

export interface RecordRuleParts {
  readonly queries: Pick<RecordRuleQueries, 'evaluateRecordRule'>;
  /** Of the Grids of this process. */
  readonly alerts: Pick<AlertQueries, 'alertRules' | 'gridsWithRecordRules' | 'openAlerts'>;
  readonly handle: CommandHandler<ObserveAlerts, AlertEvent>;
  /** Resolves when the read model of alerts contains this position. */
  readonly waitForAlerts: (position: Position) => Promise<unknown>;
  readonly findOwner: (gridId: string) => Promise<string>;
  readonly log: Logger;
  readonly scheduler?: SchedulerLike;
}

/** What the policy remembers of a Grid between two minutes; after a restart it begins with the current minute. */
interface GridProgress {
  readonly lastMomentMs: number;
  readonly clearSince: ClearSince;
}

/**
 * Evaluates alert rules on queries and on error groups at every whole minute, each in the turns of the Grid's owner: a Grid that is late
 * takes a turn for each rule and minute, between which others have theirs. The same moments and windows are evaluated by
 * backtests, which therefore find the same firings.
 */
export class RecordRulePolicy {
  private readonly running = new Subscription();
  private readonly progress = new Map<string, GridProgress>();
  private readonly pending = new Map<string, Promise<unknown>>();
  private readonly executor = new FairExecutor({
    slots: RULES_AT_ONCE,
    slotsPerOwner: RULES_OF_AN_OWNER,
    maxWaiting: Infinity,
  });
  private readonly grids = new FairExecutor({
    slots: GRIDS_AT_ONCE,
    slotsPerOwner: GRIDS_OF_AN_OWNER,
    maxWaiting: Infinity,
  });
  /** Of rules, of Grids, and of all. */
  private readonly failures: FailureReporter;
  /** Of Grids whose minutes are skipped. */
  private readonly delays: FailureReporter;
  private isStopping = false;
  private startedAtMs = -Infinity;

  constructor(private readonly parts: RecordRuleParts) {
    const { log, scheduler = asyncScheduler } = parts;
    const common = { log, now: () => scheduler.now(), isStopping: () => this.isStopping };
    this.failures = new FailureReporter({
      ...common,
      failed: 'Cannot evaluate alert rules on queries; retrying',
      recovered: 'Alert rules on queries are evaluated again',
    });
    this.delays = new FailureReporter({
      ...common,
      level: 'warn',
      failed: 'Alert rules on queries take longer than a minute; minutes are skipped',
      recovered: 'Alert rules on queries are evaluated every minute again',
    });
  }

  start(): void {
    const { scheduler = asyncScheduler } = this.parts;
    this.startedAtMs = scheduler.now();
    const polls = timer(0, POLL_INTERVAL_MS, scheduler);
    this.running.add(polls.pipe(exhaustMap(() => from(this.poll(scheduler.now())))).subscribe());
  }

  /** Waits for the rules that are being evaluated. Safe to call twice. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.running.unsubscribe();
    await Promise.all(this.pending.values());
  }

  /** Begins to evaluate the Grids for which a minute is over at `nowMs`. Resolves when they have begun. */
  async poll(nowMs: number): Promise<void> {
    const momentMs = floorMinute(nowMs - EVALUATION_DELAY_MS);
    // A clock that was ahead at the start and was set back must not keep rules from being evaluated until it is there again.
    this.startedAtMs = Math.min(this.startedAtMs, nowMs);
    await this.failures.watch({}, async () => {
      const gridIds = new Set(await this.parts.alerts.gridsWithRecordRules());
      for (const gridId of this.progress.keys()) if (!gridIds.has(gridId)) this.progress.delete(gridId);
      for (const gridId of gridIds) this.begin(gridId, momentMs);
    });
  }

  /** Resolves when all evaluations that have begun are over. */
  async whenIdle(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending.values());
  }

  private begin(gridId: string, momentMs: number): void {
    const known = this.progress.get(gridId)?.lastMomentMs;
    // After the clock was set back, evaluation goes on from there instead of waiting for it to catch up.
    const lastMomentMs = known === undefined || known > momentMs ? momentMs - MINUTE_MS : known;
    if (this.isStopping || this.pending.has(gridId) || lastMomentMs >= momentMs) return;
    const work = this.failures
      .watch({ gridId }, () => this.evaluateMoments(gridId, lastMomentMs, momentMs))
      .finally(() => this.pending.delete(gridId));
    this.pending.set(gridId, work);
  }

  private async evaluateMoments(gridId: string, lastMomentMs: number, momentMs: number): Promise<void> {
    const share = { ownerId: await this.parts.findOwner(gridId), gridId };
    const first = Math.max(lastMomentMs + MINUTE_MS, momentMs - (MAX_CATCH_UP_MINUTES - 1) * MINUTE_MS);
    this.reportSkipped(gridId, (first - lastMomentMs) / MINUTE_MS - 1);
    await this.grids.run(share, async () => {
      for (let at = first; at <= momentMs && !this.isStopping; at += MINUTE_MS) await this.evaluateMoment(share, at);
      return { result: undefined, costMs: 0 }; // the evaluations are charged by themselves
    });
  }

  private reportSkipped(gridId: string, minutes: number): void {
    if (minutes === 0) this.delays.reportSuccess({ gridId });
    else this.delays.reportFailure({ gridId }, new Error('fewer or faster rules are needed'));
  }

  private async evaluateMoment(share: WorkShare, momentMs: number): Promise<void> {
    const { alerts } = this.parts;
    const { gridId } = share;
    const before = this.progress.get(gridId);
    const evaluated = await this.evaluateRules(share, momentMs);
    if (this.isStopping) return;
    // Rules are read again: an alert of a rule that has changed meanwhile is not judged by its former query.
    const rules = await alerts.alertRules(gridId);
    const judged = new Map(
      rules.flatMap((rule) => {
        const found = evaluated.get(JSON.stringify(rule));
        return found === undefined ? [] : [[rule.id, found] as const];
      }),
    );
    const { findings, clearSince } = deriveObservations({
      atMs: momentMs,
      // The others are those of MetricRulePolicy and SloPolicy.
      open: (await alerts.openAlerts(gridId)).filter(({ ruleId }) => judged.has(ruleId)),
      rules,
      isEvaluated: ({ id }) => judged.has(id),
      evaluations: [...judged.values()].flat(),
      clearSince: before?.clearSince ?? new Map(),
    });
    await this.append(gridId, findings);
    this.progress.set(gridId, { lastMomentMs: momentMs, clearSince });
  }

  /**
   * What the rules of a Grid have found, by the definition of the rule. Rules whose query fails are left out: they keep their
   * alerts as they are until they can be evaluated.
   */
  private async evaluateRules(share: WorkShare, momentMs: number) {
    const { gridId } = share;
    const evaluated = new Map<string, readonly RuleEvaluation[]>();
    for (const rule of (await this.parts.alerts.alertRules(gridId)).filter(isRecordRule)) {
      if (!rule.enabled || this.isStopping || (firesOnAbsence(rule) && this.isTooEarly(momentMs))) continue;
      await this.failures.watch({ gridId, ruleId: rule.id }, async () => {
        evaluated.set(JSON.stringify(rule), await this.evaluateInTurn(share, rule, momentMs));
      });
    }
    return evaluated;
  }

  private evaluateInTurn(
    share: WorkShare,
    rule: RecordAlertRule,
    momentMs: number,
  ): Promise<readonly RuleEvaluation[]> {
    return this.executor.run(share, async () => {
      if (this.isStopping) return { result: [], costMs: 0 };
      const startedAt = performance.now();
      const result = await this.parts.queries.evaluateRecordRule(share.gridId, rule, momentMs);
      return { result, costMs: performance.now() - startedAt };
    });
  }

  private isTooEarly(momentMs: number): boolean {
    return momentMs < this.startedAtMs + ABSENCE_GRACE_MS;
  }

  private async append(gridId: string, findings: ObserveAlerts['findings']): Promise<void> {
    const { handle, waitForAlerts, log, scheduler = asyncScheduler } = this.parts;
    for (let first = 0; first < findings.length; first += OBSERVATION_BATCH_SIZE) {
      const batch = findings.slice(first, first + OBSERVATION_BATCH_SIZE);
      const command = { type: 'Observe', gridId, at: scheduler.now(), findings: batch } as const;
      const { events, position } = await handle(alertsStream(gridId), command);
      for (const { type, data } of events) log.info('Alert changed', { type, ...data });
      // The next minute is derived from the alerts that are open then.
      await waitForAlerts(position);
    }
  }
}
