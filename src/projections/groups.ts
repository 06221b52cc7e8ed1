import type { ReadModelReader } from '../read-models/store.js';
import type { EventReader } from '../streams/event-store.js';
import { GRID_PREFIX, RETENTION_PREFIX } from '../streams/stream-names.js';
import { access, accessRun } from './access.js';
import { alerts, alertsRun } from './alerts.js';
import { audit, auditRun } from './audit.js';
import { charts, chartsRun } from './charts.js';
import type { Run } from './fold.js';
import { keyUse, keyUseRun } from './key-use.js';
import { logs, LogsFold } from './logs.js';
import { metrics, MetricsFold } from './metrics.js';
import { checkpointName, type Projection } from './projection.js';
import { retryable, retryableBodies } from './retryable.js';
import { ALL_GRIDS, type ShareScope } from './share-scope.js';
import type { Hold } from './telemetry/blocks-projection.js';
import { REQUEST_HORIZON } from './telemetry/recent-requests.js';
import { SPAN_HORIZON } from './telemetry/recent-spans.js';
import { RequestJournal } from './telemetry/request-journal.js';
import { signalOf, TelemetryFold, type SignalFold } from './telemetry/telemetry-fold.js';
import { traces, TracesFold } from './traces.js';
import { usage, usageRun } from './usage.js';

/** What a run is made over. */
export interface RunSources {
  readonly events: EventReader;
  readonly store: ReadModelReader;
  /** Shared by all runs over this store. */
  readonly hold: Hold;
  /** Rows that one commit takes at most; less where the thread is wanted by others. */
  readonly rowsACommit?: number;
  /** Spans that are recognised by identity alone; for tests. */
  readonly spanHorizon?: number;
  /** Of whose telemetry; absent: of all Grids. */
  readonly scope?: ShareScope;
}

/** Versions of the projections that a run keeps, by their names. */
export type Versions = ReadonlyMap<string, number>;

/** Projections that read the same streams, and therefore run together. */
export interface ProjectionGroup {
  readonly name: string;
  readonly projections: readonly Projection[];
  /** Whether the run keeps state of its own, and goes on without any of its projections. */
  readonly standsAlone: boolean;
  /** Of its projections, those that fold events of this type; absent: all of them. */
  concerned?(type: string): readonly Projection[];
  /**
   * The live run of these versions that goes on with the memory of both runs, which stand at the same position: of `built`
   * for what that has, of `live` for the rest. Absent: runs keep nothing in memory.
   */
  joined?(live: Run, built: Run, versions: Versions): Run;
  /** `owner` names the run's own state: `live`, or that of a rebuild. */
  run(versions: Versions, owner: string, sources: RunSources): Run;
}

const accessGroup: ProjectionGroup = {
  name: 'access',
  projections: [access],
  standsAlone: false,
  run: (versions, _owner, { store }) => accessRun(versions.get(access.name) ?? 1, retryable(store)),
};

const alertsGroup: ProjectionGroup = {
  name: 'alerts',
  projections: [alerts],
  standsAlone: false,
  run: (versions, _owner, { store }) => alertsRun(versions.get(alerts.name) ?? 1, retryable(store)),
};

const chartsGroup: ProjectionGroup = {
  name: 'charts',
  projections: [charts],
  standsAlone: false,
  run: (versions, _owner, { store }) => chartsRun(versions.get(charts.name) ?? 1, retryable(store)),
};

const usageGroup: ProjectionGroup = {
  name: 'usage',
  projections: [usage],
  standsAlone: false,
  run: (versions, _owner, { store }) => usageRun(versions.get(usage.name) ?? 1, retryable(store)),
};

const auditGroup: ProjectionGroup = {
  name: 'audit',
  projections: [audit],
  standsAlone: false,
  run: (versions, _owner, { store }) => auditRun(versions.get(audit.name) ?? 1, retryable(store)),
};

const keyUseGroup: ProjectionGroup = {
  name: 'key-use',
  projections: [keyUse],
  standsAlone: false,
  run: (versions, _owner, { store }) => keyUseRun(versions.get(keyUse.name) ?? 1, retryable(store)),
};

const telemetryGroup: ProjectionGroup = {
  name: 'telemetry',
  projections: [traces, logs, metrics],
  standsAlone: true,
  concerned: (type) => {
    const signal = signalOf({ type });
    return [traces, logs, metrics].filter(({ name }) => signal === undefined || name === signal);
  },
  joined: (live, built, versions) => ({ ...live, checkpoints: telemetryCheckpoints(versions, 'live'), fold: (live.fold as TelemetryFold).joinedBy(built.fold as TelemetryFold) }),
  run: telemetryRun,
};

/** What is asked across Grids, and kept once for an installation. */
export const ADMINISTRATIVE_GROUPS: readonly ProjectionGroup[] = [accessGroup, alertsGroup, chartsGroup, usageGroup, auditGroup, keyUseGroup];

/** What is kept for each share of Grids. */
export const SHARED_GROUPS: readonly ProjectionGroup[] = [telemetryGroup];

export const GROUPS: readonly ProjectionGroup[] = [...ADMINISTRATIVE_GROUPS, ...SHARED_GROUPS];

/** Name of the checkpoint of the requests that a run has counted. */
export function requestsCheckpoint(owner: string): string {
  return `requests.${owner}`;
}

function telemetryRun(versions: Versions, owner: string, { events, store, hold, rowsACommit, spanHorizon, scope = ALL_GRIDS }: RunSources): Run {
  const reader = retryable(store);
  const { memory } = scope;
  const folds: SignalFold[] = [];
  const tracesVersion = versions.get(traces.name);
  const logsVersion = versions.get(logs.name);
  const metricsVersion = versions.get(metrics.name);
  if (tracesVersion !== undefined) folds.push(new TracesFold(tracesVersion, reader, hold, spanHorizon ?? Math.floor(SPAN_HORIZON * memory), memory));
  if (metricsVersion !== undefined) folds.push(new MetricsFold(metricsVersion, reader, memory));
  if (logsVersion !== undefined) folds.push(new LogsFold(logsVersion, reader, hold, memory));
  const bounds = { rowsACommit, requestHorizon: Math.floor(REQUEST_HORIZON * memory), concerns: scope.concerns };
  return {
    name: [scope.name, ...(owner === 'live' ? [] : [owner])].join('/'),
    group: 'telemetry',
    prefixes: [...scope.prefixes, RETENTION_PREFIX, GRID_PREFIX],
    checkpoints: telemetryCheckpoints(versions, owner),
    fold: new TelemetryFold(folds, new RequestJournal(owner, reader), retryableBodies(events), bounds),
  };
}

function telemetryCheckpoints(versions: Versions, owner: string): string[] {
  return [requestsCheckpoint(owner), ...[...versions].map(([name, version]) => checkpointName(name, version))];
}
