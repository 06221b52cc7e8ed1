import type { ReadModelReader } from '../read-models/read-model-store.js';
import type { EventReader } from '../streams/event-store.js';
import { GRID_PREFIX, RETENTION_PREFIX } from '../streams/stream-names.js';
import { accessProjection, createAccessRun } from './access-projection.js';
import { alertsProjection, createAlertsRun } from './alerts-projection.js';
import { auditProjection, createAuditRun } from './audit-projection.js';
import { chartsProjection, createChartsRun } from './charts-projection.js';
import { checkpointName, type Projection, type ProjectionRun } from './projection.js';
import { keyUseProjection, createKeyUseRun } from './key-use-projection.js';
import { createErrorGroupsRun, errorGroupsProjection } from './error-groups-projection.js';
import { createIncidentsRun, incidentsProjection } from './incidents-projection.js';
import { createNotificationsRun, notificationsProjection } from './notifications-projection.js';
import { logsProjection, LogsFold } from './logs-projection.js';
import { metricsProjection, MetricsFold } from './metrics-projection.js';
import { type PollingIntervals, TELEMETRY_POLLING_INTERVALS } from './engine/polling-loop.js';
import { markFailuresRetryable, markLogFailuresRetryable } from './engine/projection-failures.js';
import { ALL_GRIDS, type ShardScope } from './sharding/shard-scope.js';
import type { CompactionHold } from './telemetry/blocks/blocks-projection.js';
import { REQUEST_HORIZON, RequestJournal } from './telemetry/deduplication/request-journal.js';
import { SPAN_HORIZON } from './telemetry/deduplication/recent-spans.js';
import { createSlosRun, slosProjection } from './slos-projection.js';
import { findSignal, TelemetryFold, type SignalFold, type TelemetryFoldOptions } from './telemetry/telemetry-fold.js';
import { tracesProjection, TracesFold } from './traces-projection.js';
import { viewsProjection, createViewsRun } from './views-projection.js';
import { usageProjection, createUsageRun } from './usage-projection.js';

/** Dependencies and limits of a run. */
export interface RunSources {
  readonly events: EventReader;
  readonly store: ReadModelReader;
  /** Shared by all runs over this store. */
  readonly hold: CompactionHold;
  /** Maximum rows per commit; less for background runs that share the thread. */
  readonly maxRowsPerCommit?: number;
  /** Spans that are recognised by identity alone; for tests. */
  readonly spanHorizon?: number;
  /** Grids whose telemetry is folded; absent: all. */
  readonly scope?: ShardScope;
}

/** Versions of the projections in a run, by name. */
export type ProjectionVersions = ReadonlyMap<string, number>;

/** Projections that read the same streams and are therefore run together. */
export interface ProjectionGroup {
  readonly name: string;
  readonly projections: readonly Projection[];
  /** Whether the run has state of its own and continues without any of its projections. */
  readonly standsAlone: boolean;
  /** How often its live run reads the log; absent: as LIVE_POLLING_INTERVALS. */
  readonly pollingIntervals?: PollingIntervals;
  /** Projections of the group that fold events of this type; absent: all of them. */
  affectedProjections?(type: string): readonly Projection[];
  /**
   * Combines two runs at the same position into the live run of these versions: memory of `built` for the projections
   * that it has, of `live` for the others. Absent: runs have no memory.
   */
  joinRuns?(live: ProjectionRun, built: ProjectionRun, versions: ProjectionVersions): ProjectionRun;
  /** `owner` names the private state of the run: `live`, or that of a rebuild. */
  createRun(versions: ProjectionVersions, owner: string, sources: RunSources): ProjectionRun;
}

const accessGroup: ProjectionGroup = {
  name: 'access',
  projections: [accessProjection],
  standsAlone: false,
  createRun: (versions, _owner, { store }) =>
    createAccessRun(versions.get(accessProjection.name) ?? 1, markFailuresRetryable(store)),
};

const alertsGroup: ProjectionGroup = {
  name: 'alerts',
  projections: [alertsProjection],
  standsAlone: false,
  createRun: (versions, _owner, { store }) =>
    createAlertsRun(versions.get(alertsProjection.name) ?? 1, markFailuresRetryable(store)),
};

const chartsGroup: ProjectionGroup = {
  name: 'charts',
  projections: [chartsProjection],
  standsAlone: false,
  createRun: (versions, _owner, { store }) =>
    createChartsRun(versions.get(chartsProjection.name) ?? 1, markFailuresRetryable(store)),
};

const viewsGroup: ProjectionGroup = {
  name: 'views',
  projections: [viewsProjection],
  standsAlone: false,
  createRun: (versions, _owner, { store }) =>
    createViewsRun(versions.get(viewsProjection.name) ?? 1, markFailuresRetryable(store)),
};

const errorGroupsGroup: ProjectionGroup = {
  name: 'error-groups',
  projections: [errorGroupsProjection],
  standsAlone: false,
  createRun: (versions, _owner, { store }) =>
    createErrorGroupsRun(versions.get(errorGroupsProjection.name) ?? 1, markFailuresRetryable(store)),
};

const slosGroup: ProjectionGroup = {
  name: 'slos',
  projections: [slosProjection],
  standsAlone: false,
  createRun: (versions, _owner, { store }) =>
    createSlosRun(versions.get(slosProjection.name) ?? 1, markFailuresRetryable(store)),
};

const notificationsGroup: ProjectionGroup = {
  name: 'notifications',
  projections: [notificationsProjection],
  standsAlone: false,
  createRun: (versions, _owner, { store }) =>
    createNotificationsRun(versions.get(notificationsProjection.name) ?? 1, markFailuresRetryable(store)),
};

const incidentsGroup: ProjectionGroup = {
  name: 'incidents',
  projections: [incidentsProjection],
  standsAlone: false,
  createRun: (versions, _owner, { store }) =>
    createIncidentsRun(versions.get(incidentsProjection.name) ?? 1, markFailuresRetryable(store)),
};

const usageGroup: ProjectionGroup = {
  name: 'usage',
  projections: [usageProjection],
  standsAlone: false,
  createRun: (versions, _owner, { store }) =>
    createUsageRun(versions.get(usageProjection.name) ?? 1, markFailuresRetryable(store)),
};

const auditGroup: ProjectionGroup = {
  name: 'audit',
  projections: [auditProjection],
  standsAlone: false,
  createRun: (versions, _owner, { store }) =>
    createAuditRun(versions.get(auditProjection.name) ?? 1, markFailuresRetryable(store)),
};

const keyUseGroup: ProjectionGroup = {
  name: 'key-use',
  projections: [keyUseProjection],
  standsAlone: false,
  createRun: (versions, _owner, { store }) =>
    createKeyUseRun(versions.get(keyUseProjection.name) ?? 1, markFailuresRetryable(store)),
};

const telemetryGroup: ProjectionGroup = {
  name: 'telemetry',
  projections: [tracesProjection, logsProjection, metricsProjection],
  standsAlone: true,
  pollingIntervals: TELEMETRY_POLLING_INTERVALS,
  affectedProjections: (type) => {
    const signal = findSignal({ type });
    return [tracesProjection, logsProjection, metricsProjection].filter(
      ({ name }) => signal === undefined || name === signal,
    );
  },
  joinRuns: (live, built, versions) => ({
    ...live,
    checkpoints: telemetryCheckpointNames(versions, 'live'),
    fold: (live.fold as TelemetryFold).joinWith(built.fold as TelemetryFold),
  }),
  createRun: createTelemetryRun,
};

/** Groups that are not sharded: one instance per installation. */
export const ADMINISTRATIVE_GROUPS: readonly ProjectionGroup[] = [
  accessGroup,
  alertsGroup,
  notificationsGroup,
  incidentsGroup,
  chartsGroup,
  viewsGroup,
  errorGroupsGroup,
  slosGroup,
  usageGroup,
  auditGroup,
  keyUseGroup,
];

/** Groups that run once per shard. */
export const SHARDED_GROUPS: readonly ProjectionGroup[] = [telemetryGroup];

export const PROJECTION_GROUPS: readonly ProjectionGroup[] = [...ADMINISTRATIVE_GROUPS, ...SHARDED_GROUPS];

/** Name of the checkpoint of the requests that a run has counted. */
export function requestsCheckpointName(owner: string): string {
  return `requests.${owner}`;
}

function createTelemetryRun(
  versions: ProjectionVersions,
  owner: string,
  { events, store, hold, maxRowsPerCommit, spanHorizon, scope = ALL_GRIDS }: RunSources,
): ProjectionRun {
  const reader = markFailuresRetryable(store);
  const { memory } = scope;
  const folds: SignalFold[] = [];
  const tracesVersion = versions.get(tracesProjection.name);
  const logsVersion = versions.get(logsProjection.name);
  const metricsVersion = versions.get(metricsProjection.name);
  if (tracesVersion !== undefined)
    folds.push(new TracesFold(tracesVersion, reader, hold, spanHorizon ?? Math.floor(SPAN_HORIZON * memory), memory));
  if (metricsVersion !== undefined) folds.push(new MetricsFold(metricsVersion, reader, memory));
  if (logsVersion !== undefined) folds.push(new LogsFold(logsVersion, reader, hold, memory));
  const bounds: TelemetryFoldOptions = {
    maxRowsPerCommit,
    requestHorizon: Math.floor(REQUEST_HORIZON * memory),
    includesGrid: scope.includesGrid,
  };
  return {
    name: [scope.name, ...(owner === 'live' ? [] : [owner])].join('/'),
    group: 'telemetry',
    prefixes: [...scope.prefixes, RETENTION_PREFIX, GRID_PREFIX],
    checkpoints: telemetryCheckpointNames(versions, owner),
    fold: new TelemetryFold(folds, new RequestJournal(owner, reader), markLogFailuresRetryable(events), bounds),
  };
}

function telemetryCheckpointNames(versions: ProjectionVersions, owner: string): string[] {
  return [requestsCheckpointName(owner), ...[...versions].map(([name, version]) => checkpointName(name, version))];
}
