import type { CommandHandler } from '../commands/handle-command.js';
import type { IncidentCommand } from '../commands/incidents/incident-decider.js';
import type { Incident, IncidentsState } from '../commands/incidents/incident-state.js';
import type { AlertChange, ObservedCause } from '../commands/incidents/observed-changes.js';
import type { Diagnosis } from '../diagnostics/diagnostic-results.js';
import type { AlertDocument } from '../read-models/documents/alert-documents.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { EventReader } from '../streams/event-store.js';
import type { IncidentEvent } from '../streams/events/incident-events.js';
import { alertsStream, incidentsStream } from '../streams/stream-names.js';
import { toAlertChanges } from './alert-changes.js';
import { acknowledgeAlertsOfIncidents, type AcknowledgementParts } from './incident-acknowledgements.js';
import { FailureReporter } from '../self-telemetry/failure-reporter.js';
import { readAlertEvents } from './alert-event-reader.js';
import { NO_CAUSES, debounceCauses, type CauseHistory } from './cause-debounce.js';

/** Polling interval (ms) of Grids with open alerts or incidents. */
const POLL_INTERVAL_MS = 2_000;
/** Grids polled concurrently. */
const PARALLEL_GRIDS = 4;
/** Shortest time (ms) between two diagnoses of a Grid with open alerts or incidents, and of others with traffic. */
const ACTIVE_DIAGNOSIS_MS = 3_000;
const IDLE_DIAGNOSIS_MS = 15_000;
/** Others wait so many times as long as the last round of their diagnoses took, so that these take a twentieth of the time. */
const IDLE_SHARE = 20;
/** Alert events decided at once. */
const BATCH_SIZE = 200;

export interface IncidentPolicyParts extends AcknowledgementParts {
  readonly log: Pick<EventReader, 'readStream'>;
  readonly incidents: CommandHandler<IncidentCommand, IncidentEvent, IncidentsState>;
  /** Each of these names only Grids that this process owns. */
  readonly grids: {
    withTraffic(): Promise<readonly string[]>;
    withOpenIncidents(): Promise<readonly string[]>;
    owns(gridId: string): boolean;
  };
  openAlerts(): Promise<readonly Pick<AlertDocument, 'id' | 'gridId'>[]>;
  /** Current diagnosis, best first. */
  diagnose(gridId: string): Promise<readonly Diagnosis[]>;
  readonly logger: Logger;
}

/** What is known of a Grid between two polls. */
interface FollowedGrid {
  causeHistory: CauseHistory;
  diagnosedAt: number;
  /** Revision of the alerts stream that was read, which may be ahead of what the log of incidents includes. */
  readThrough: number;
  isBusy: boolean;
}

/**
 * Opens, changes and resolves incidents. Everything is decided from the log of incidents, which also holds how far alerts
 * are included: a crash repeats and loses nothing, and several processes open each incident once.
 */
export class IncidentPolicy {
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> | undefined;
  private isStopped = false;
  private sweepDueAt = -Infinity;
  private sweptAt = -Infinity;
  private readonly followed = new Map<string, FollowedGrid>();

  private readonly failures: FailureReporter;
  private readonly failedDiagnoses: FailureReporter;

  constructor(private readonly parts: IncidentPolicyParts) {
    const common = { log: parts.logger, now: () => parts.now(), isStopping: () => this.isStopped };
    this.failures = new FailureReporter({
      ...common,
      failed: 'Failed to update incidents; retrying',
      recovered: 'Incidents are updated again',
    });
    this.failedDiagnoses = new FailureReporter({
      ...common,
      level: 'warn',
      failed: 'Diagnosis failed; causes of incidents are not updated; retrying',
      recovered: 'Causes of incidents are updated again',
    });
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
  }

  /** Polls the Grids that may have something new. Failures are retried by the next poll. */
  async poll(): Promise<void> {
    await this.failures.watch({}, () => this.pollGrids());
  }

  /** A failure in one Grid does not affect the others. */
  private async pollGrids(): Promise<void> {
    const { grids, now } = this.parts;
    const startedAt = now();
    // A clock that was set back must not stop the sweeps until it is where it was.
    const isSweepDue = startedAt >= this.sweepDueAt || startedAt < this.sweptAt;
    const open = groupByGrid(await this.parts.openAlerts());
    const others = isSweepDue ? await Promise.all([grids.withOpenIncidents(), grids.withTraffic()]) : [];
    const busy = [...this.followed].filter(([, { isBusy }]) => isBusy).map(([gridId]) => gridId);
    const queue = new Set([...busy, ...open.keys(), ...others.flat()].filter((gridId) => grids.owns(gridId)));
    if (isSweepDue) for (const gridId of this.followed.keys()) if (!queue.has(gridId)) this.followed.delete(gridId);
    const turns = queue.values();
    const pollInTurn = async (): Promise<void> => {
      for (const gridId of turns) {
        if (this.isStopped) return;
        await this.failures.watch({ gridId }, () => this.pollGrid(gridId, open.get(gridId) ?? NOTHING_OPEN));
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_GRIDS }, pollInTurn));
    if (isSweepDue) this.sweptAt = startedAt;
    if (isSweepDue)
      this.sweepDueAt = now() + Math.max(IDLE_DIAGNOSIS_MS, IDLE_SHARE * (now() - startedAt)) - POLL_INTERVAL_MS;
  }

  private async pollGrid(gridId: string, open: ReadonlySet<string>): Promise<void> {
    const grid = this.followed.get(gridId) ?? {
      causeHistory: NO_CAUSES,
      diagnosedAt: -Infinity,
      readThrough: -1,
      isBusy: false,
    };
    this.followed.set(gridId, grid);
    const { state: before } = await this.parts.incidents(incidentsStream(gridId));
    grid.readThrough = Math.max(grid.readThrough, before.through);
    const causes = await this.findCauses(gridId, grid);
    let state = before;
    for (;;) {
      const { events, through } = await readAlertEvents(
        this.parts.log,
        alertsStream(gridId),
        grid.readThrough + 1,
        BATCH_SIZE,
      );
      const alerts = toAlertChanges(events, this.parts.now(), (alertId) => open.has(alertId));
      const isLast = through <= grid.readThrough || events.length < BATCH_SIZE;
      state = await this.observe(gridId, alerts, isLast ? causes : undefined, state);
      grid.readThrough = Math.max(grid.readThrough, through);
      if (isLast) break;
    }
    await acknowledgeAlertsOfIncidents(this.parts, gridId, state);
    grid.isBusy = hasUnresolved(state) || grid.causeHistory.size > 0;
  }

  private async observe(
    gridId: string,
    alerts: readonly AlertChange[],
    causes: readonly ObservedCause[] | undefined,
    before: IncidentsState,
  ): Promise<IncidentsState> {
    const isNothing = alerts.length === 0 && !hasUnresolved(before) && (causes ?? []).length === 0;
    if (isNothing) return before;
    const { incidents, now, logger } = this.parts;
    const command = { type: 'Observe', gridId, at: now(), alerts, causes } as const;
    const { state, events } = await incidents(incidentsStream(gridId), command);
    for (const { type, data } of events) logger.info('Incident changed', { type, gridId, incidentId: data.incidentId });
    return state;
  }

  /** Undefined if they are not known: the diagnosis is late, has failed, or was asked a moment ago. */
  private async findCauses(gridId: string, grid: FollowedGrid): Promise<readonly ObservedCause[] | undefined> {
    const { now } = this.parts;
    if (Math.abs(now() - grid.diagnosedAt) < ACTIVE_DIAGNOSIS_MS) return undefined; // the clock may be set back
    let found: readonly ObservedCause[] | undefined;
    await this.failedDiagnoses.watch({ gridId }, async () => {
      const diagnoses = await this.parts.diagnose(gridId);
      grid.diagnosedAt = now();
      const { causes, history } = debounceCauses(diagnoses, now(), grid.causeHistory);
      grid.causeHistory = history;
      found = causes;
    });
    return found;
  }
}

const NOTHING_OPEN: ReadonlySet<string> = new Set();

function groupByGrid(
  alerts: readonly Pick<AlertDocument, 'id' | 'gridId'>[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { id, gridId } of alerts) groups.set(gridId, (groups.get(gridId) ?? new Set()).add(id));
  return groups;
}

function hasUnresolved({ incidents }: IncidentsState): boolean {
  for (const { status } of incidents.values() as Iterable<Incident>) if (status !== 'resolved') return true;
  return false;
}
