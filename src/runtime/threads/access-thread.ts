import { workerData } from 'node:worker_threads';
import { areReadModelsEmbedded, type ThreadSettings } from '../engines/engine-settings.js';
import { openReadModelReader } from '../engines/read-model-stores.js';
import { HindsightError } from '../../errors.js';
import { readProjectionPosition } from '../../projections/projection.js';
import { readRecordSources, type RecordSource } from '../../projections/record-account-reader.js';
import { createAccessQueries, type AccessQueries } from '../../queries/administration/access-queries.js';
import { createAlertQueries, type AlertQueries } from '../../queries/diagnostics/alert-queries.js';
import { createAdministrationQueries } from '../../queries/administration/administration-queries.js';
import { findApiKeyUses } from '../../queries/administration/api-key-queries.js';
import type { AdministrationQueries, ApiKeyUse } from '../../queries/administration/administration-query-types.js';
import {
  createNotificationQueries,
  type NotificationQueries,
} from '../../queries/notifications/notification-queries.js';
import { createIncidentQueries } from '../../queries/incidents/incident-queries.js';
import type { IncidentQueries } from '../../queries/incidents/incident-query-types.js';
import type { UsageQueries } from '../../queries/usage/usage-query-types.js';
import { createUsageQueries } from '../../queries/usage/usage-queries.js';
import {
  findRetentionWatermark,
  findNewestLogTime,
  findTelemetryAges,
  type TelemetryAge,
} from '../../queries/telemetry/telemetry-age-queries.js';
import { verifyShardCount } from '../../read-models/sharding/installed-shard-count.js';
import { createReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { Position } from '../../streams/event-store.js';
import { ShardMap } from '../../streams/shard-map.js';
import { ThreadCaches } from '../../thread-memory.js';
import { type AccessSnapshot, readAccessSnapshot } from './access-snapshot.js';
import { crashThread, exposeThreadApi } from './worker-thread.js';

/**
 * API of the access thread: short queries that every request waits for. They have a thread and a connection of their
 * own, so that no search delays them.
 */
export interface AccessApi
  extends
    AccessQueries,
    AdministrationQueries,
    NotificationQueries,
    IncidentQueries,
    UsageQueries,
    Pick<AlertQueries, 'alertRules' | 'openAlerts' | 'gridsWithRecordRules'> {
  /** Stored usage of the API keys of a Grid. */
  keyUses(gridId: string): Promise<readonly ApiKeyUse[]>;
  /** Ages of the telemetry of every Grid, for retention. */
  telemetryAges(): Promise<readonly TelemetryAge[]>;
  /** Record accounts of these shards, by default of all. */
  recordSources(shards?: readonly number[]): Promise<readonly RecordSource[]>;
  /** Log time of the newest telemetry, see findNewestLogTime. */
  newestLogTime(): Promise<number | undefined>;
  /** Time before which telemetry of the Grid has expired, see findRetentionWatermark. */
  retentionWatermark(gridId: string): Promise<number>;
  /**
   * Position up to which a projection reflects the log; undefined before the first commit.
   * @param gridId selects the shard, for a projection of telemetry in a shared store
   */
  position(projection: string, gridId?: string): Promise<Position | undefined>;
  /** See readAccessSnapshot. */
  accessSnapshot(): Promise<AccessSnapshot | undefined>;
  /**
   * Resolves when the read models are readable and have the configured number of shards; otherwise rejects with the
   * reason.
   */
  ping(): Promise<void>;
}

const settings = workerData as ThreadSettings;
const caches = new ThreadCaches();
const store = caches.addStore(await openReadModelReader(settings, crashThread));
const shardMap = new ShardMap(settings.projectorShares);
const getReader = createReaderForGrid(store, shardMap);
const alerts = createAlertQueries(store);

const api: AccessApi = {
  ...createAccessQueries(store),
  ...createAdministrationQueries(store),
  ...createUsageQueries(store),
  ...createNotificationQueries(store),
  ...createIncidentQueries(store),
  alertRules: (gridId) => alerts.alertRules(gridId),
  openAlerts: (gridId) => alerts.openAlerts(gridId),
  gridsWithRecordRules: () => alerts.gridsWithRecordRules(),
  keyUses: (gridId) => findApiKeyUses(store, gridId),
  telemetryAges: () => findTelemetryAges(store, getReader),
  recordSources: (shards) => readRecordSources(store, shardMap, shards),
  newestLogTime: () => findNewestLogTime(store, getReader),
  retentionWatermark: (gridId) => findRetentionWatermark(getReader(gridId), gridId),
  position: (projection, gridId) =>
    readProjectionPosition(gridId === undefined ? store : getReader(gridId), projection),
  accessSnapshot: () => readAccessSnapshot(store, getReader),
  async ping() {
    const health = await store.check();
    if (!health.ok) throw new HindsightError('unavailable', health.reason);
    if (!areReadModelsEmbedded(settings)) await verifyShardCount(store, settings.projectorShares);
  },
};

exposeThreadApi(api, caches);
