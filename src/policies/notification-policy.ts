import type { NotificationCommand } from '../commands/notifications/notification-decider.js';
import type {
  NotificationSettings,
  NotificationSettingsCommand,
} from '../commands/notifications/notification-settings-decider.js';
import type { NotificationState } from '../commands/notifications/notification-state.js';
import type { CommandHandler } from '../commands/handle-command.js';
import type { AlertRule } from '../diagnostics/alerting/alert-rule-model.js';
import type { Diagnosis } from '../diagnostics/diagnostic-results.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { EventReader } from '../streams/event-store.js';
import { alertsStream, gridStream, notificationsStream } from '../streams/stream-names.js';
import type { NotifiedCause } from '../streams/events/notification-events.js';
import { readAlertEvents } from './alert-event-reader.js';
import { toRoutedChanges } from './alert-routing.js';
import { CurrentCauses } from './current-causes.js';
import { deriveDiagnosisChanges, NO_MEMORY, type DiagnosisMemory } from './diagnosis-alerts.js';
import { FailureReporter } from '../self-telemetry/failure-reporter.js';
import type { NotificationDispatcher } from './notification-dispatcher.js';

/** Polling interval (ms) of Grids that have open alerts or notifications. */
const POLL_INTERVAL_MS = 1_000;
/** Grids polled concurrently, so that one that waits does not delay the others. */
const PARALLEL_GRIDS = 8;
/** Longest age (ms) of a diagnosis while alerts are open or it may become one, and while nothing happens. */
const ACTIVE_DIAGNOSIS_MS = 3_000;
const IDLE_DIAGNOSIS_MS = 15_000;
/** Polling interval (ms) of all Grids with routes: finds alerts that were open only briefly, and diagnoses. */
const SWEEP_INTERVAL_MS = 5_000;
/** Alert events that one event routes. */
const BATCH_SIZE = 200;

export interface NotificationPolicyParts {
  readonly log: Pick<EventReader, 'readStream'>;
  readonly settings: CommandHandler<NotificationSettingsCommand, unknown, NotificationSettings>;
  readonly notifications: CommandHandler<NotificationCommand, unknown, NotificationState>;
  readonly dispatcher: Pick<NotificationDispatcher, 'dispatch' | 'stop'>;
  /** Each of these names only Grids that this process owns. */
  readonly grids: {
    withOpenAlerts(): Promise<readonly string[]>;
    withPendingDeliveries(): Promise<readonly string[]>;
    withRoutes(): Promise<readonly string[]>;
    owns(gridId: string): boolean;
  };
  alertRules(gridId: string): Promise<readonly AlertRule[]>;
  /** Current diagnosis, best first. */
  diagnose(gridId: string): Promise<readonly Diagnosis[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger;
  /** How long (ms) notifications wait for a diagnosis. */
  readonly diagnosisTimeoutMs?: number;
}

/**
 * Turns alerts into notifications. It reads the stream of alerts from a checkpoint that is in the same event as what
 * follows from it, so that a crash repeats and loses nothing; what is due is decided from the log, so that several
 * processes request each notification once.
 */
export class NotificationPolicy {
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> | undefined;
  private isStopped = false;
  private sweptAt = -Infinity;
  /** Grids with open groups, pending notifications, or a diagnosis to be confirmed at the last poll. */
  private readonly busy = new Set<string>();
  private readonly diagnosed = new Map<string, DiagnosisMemory>();

  private readonly causes: CurrentCauses;
  private readonly failures: FailureReporter;

  constructor(private readonly parts: NotificationPolicyParts) {
    const { now, logger, diagnosisTimeoutMs: timeoutMs } = parts;
    this.failures = new FailureReporter({
      log: logger,
      failed: 'Failed to process notifications; retrying',
      recovered: 'Notifications are processed again',
      now,
      isStopping: () => this.isStopped,
    });
    const diagnose = (gridId: string) => parts.diagnose(gridId);
    this.causes = new CurrentCauses({ diagnose, now, logger, ...(timeoutMs !== undefined && { timeoutMs }) });
  }

  start(): void {
    this.timer = setInterval(() => {
      this.current ??= this.poll().finally(() => (this.current = undefined));
    }, POLL_INTERVAL_MS);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.current;
    await this.parts.dispatcher.stop();
  }

  /** Polls all Grids that may have something to send. Failures are retried by the next poll. */
  async poll(): Promise<void> {
    await this.failures.watch({}, async () => {
      const queue = (await this.findGrids()).values();
      const pollInTurn = async (): Promise<void> => {
        for (const gridId of queue) {
          if (this.isStopped) return;
          await this.failures.watch({ gridId }, () => this.pollGrid(gridId));
        }
      };
      await Promise.all(Array.from({ length: PARALLEL_GRIDS }, pollInTurn));
    });
  }

  private async findGrids(): Promise<ReadonlySet<string>> {
    const { grids, now } = this.parts;
    // A clock that was set back would stop the sweeps until it is where it was.
    const isSweepDue = Math.abs(now() - this.sweptAt) >= SWEEP_INTERVAL_MS;
    const found = await Promise.all([
      grids.withOpenAlerts(),
      grids.withPendingDeliveries(),
      isSweepDue ? grids.withRoutes() : [],
    ]);
    if (isSweepDue) {
      this.sweptAt = now();
      const withRoutes = new Set(found[2]);
      this.forgetOthers((gridId) => grids.owns(gridId) && (withRoutes.has(gridId) || this.busy.has(gridId)));
    }
    return new Set([...[...this.busy].filter((gridId) => grids.owns(gridId)), ...found.flat()]);
  }

  private async pollGrid(gridId: string): Promise<void> {
    const { settings: handleSettings, notifications, dispatcher } = this.parts;
    const { state: settings } = await handleSettings(gridStream(gridId));
    let { state } = await notifications(notificationsStream(gridId));
    dispatcher.dispatch(gridId, state, settings); // what is pending does not wait for the diagnosis
    // Alerts of a route that was deleted while they fire still end.
    if (settings.route.size + state.groups.size > 0) {
      state = await this.routeAlerts(gridId, settings, state);
      const causes = await this.causes.find(gridId, this.findDiagnosisAge(gridId, state));
      if (causes !== undefined) state = await this.routeDiagnosis(gridId, settings, state, causes);
      if (state.groups.size > 0) state = await this.plan(gridId, settings, causes ?? []);
    }
    if (state.groups.size + state.pending.size > 0 || this.isDiagnosisPending(gridId)) this.busy.add(gridId);
    else this.busy.delete(gridId);
    dispatcher.dispatch(gridId, state, settings);
  }

  private findDiagnosisAge(gridId: string, { groups }: NotificationState): number {
    return groups.size > 0 || this.isDiagnosisPending(gridId) ? ACTIVE_DIAGNOSIS_MS : IDLE_DIAGNOSIS_MS;
  }

  private isDiagnosisPending(gridId: string): boolean {
    return this.diagnosed.get(gridId)?.isPending === true;
  }

  private forgetOthers(isKept: (gridId: string) => boolean): void {
    this.causes.keepOnly(isKept);
    for (const each of [this.busy, this.diagnosed])
      for (const gridId of each.keys()) if (!isKept(gridId)) each.delete(gridId);
  }

  /** Routes all alert events after the checkpoint, in batches. */
  private async routeAlerts(
    gridId: string,
    settings: NotificationSettings,
    before: NotificationState,
  ): Promise<NotificationState> {
    let state = before;
    for (;;) {
      const after = state.through;
      const { events, through } = await readAlertEvents(this.parts.log, alertsStream(gridId), after + 1, BATCH_SIZE);
      if (through <= after) return state;
      const rules = events.some(({ type }) => type === 'AlertFired.v2') ? await this.parts.alertRules(gridId) : [];
      const changes = toRoutedChanges(gridId, events, settings.route, rules);
      const command = { type: 'RouteAlerts', gridId, at: this.parts.now(), after, through, changes } as const;
      ({ state } = await this.parts.notifications(notificationsStream(gridId), command));
    }
  }

  /** Raises an alert for a critical diagnosis that no rule has noticed. */
  private async routeDiagnosis(
    gridId: string,
    { route: routes }: NotificationSettings,
    state: NotificationState,
    causes: readonly NotifiedCause[],
  ): Promise<NotificationState> {
    const at = this.parts.now();
    const before = this.diagnosed.get(gridId) ?? NO_MEMORY;
    const { changes, memory } = deriveDiagnosisChanges({ gridId, at, causes, state, routes, memory: before });
    if (memory.seenSince.size === 0 && memory.clearSince === undefined) this.diagnosed.delete(gridId);
    else this.diagnosed.set(gridId, memory);
    if (changes.length === 0) return state;
    const { through } = state;
    const command = { type: 'RouteAlerts', gridId, at, after: through, through, changes } as const;
    return (await this.parts.notifications(notificationsStream(gridId), command)).state;
  }

  private async plan(
    gridId: string,
    settings: NotificationSettings,
    causes: readonly NotifiedCause[],
  ): Promise<NotificationState> {
    const command = { type: 'Plan', gridId, at: this.parts.now(), settings, causes } as const;
    return (await this.parts.notifications(notificationsStream(gridId), command)).state;
  }
}
