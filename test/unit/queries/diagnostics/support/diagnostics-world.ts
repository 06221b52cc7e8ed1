import type { AlertRule } from '../../../../../src/diagnostics/alerting/alert-rule-model.js';
import type { ServiceCatalog } from '../../../../../src/diagnostics/rollups/rollup-types.js';
import type { RecentlyQueriedGrids } from '../../../../../src/queries/diagnostics/recently-queried-grids.js';
import { createDiagnosticsQueries } from '../../../../../src/queries/diagnostics/diagnostics-queries.js';
import type { DiagnosticsQueries } from '../../../../../src/queries/diagnostics/diagnostics-query-types.js';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import { accessCollections, type GridDocument } from '../../../../../src/read-models/documents/access-documents.js';
import {
  alertCollections,
  alertRuleId,
  ALERTS_PROJECTION,
  type AlertDocument,
} from '../../../../../src/read-models/documents/alert-documents.js';
import type { LiveDiagnosticsSource } from '../../../../../src/read-models/documents/live-diagnostics-documents.js';
import { LOGS_PROJECTION, TRACES_PROJECTION } from '../../../../../src/read-models/documents/block-documents.js';
import { metricSeriesCollections } from '../../../../../src/read-models/documents/metric-series-documents.js';
import { PROJECTIONS } from '../../../../../src/read-models/documents/projection-documents.js';
import { encodeGridRollup } from '../../../../../src/read-models/rollups/grid-rollup-codec.js';
import { encodeLogRollup } from '../../../../../src/read-models/rollups/log-rollup-codec.js';
import { encodeMetricRollup } from '../../../../../src/read-models/rollups/metric-rollup-codec.js';
import { encodeServiceRollup } from '../../../../../src/read-models/rollups/service-rollup-codec.js';
import {
  logRollupCollections,
  metricRollupCollections,
  METRICS_PROJECTION,
  ROLLUP_BLOB,
  rollupId,
  spanRollupCollections,
  type RollupCollections,
} from '../../../../../src/read-models/documents/rollup-documents.js';
import { createReaderForGrid } from '../../../../../src/read-models/sharding/shard-readers.js';
import { ShardStore } from '../../../../../src/read-models/sharding/shard-store.js';
import { createRollupReader } from '../../../../../src/read-models/sharding/sharded-rollup-reader.js';
import type { DocumentChange, ReadModelStore } from '../../../../../src/read-models/read-model-store.js';
import type { Position } from '../../../../../src/streams/event-store.js';
import { ShardMap } from '../../../../../src/streams/shard-map.js';
import { createInitialSettings, type GridSettings } from '../../../../../src/streams/events/grid-events.js';
import type { GridMinute } from '../../../../support/naive-rollups.js';

export const GRID = '3f2b8c54-93a1-4b0e-8a51-0d4f6f7c2e10';

const [SPANS, LOGS, METRICS, ALERTS] = [
  spanRollupCollections(1),
  logRollupCollections(1),
  metricRollupCollections(1),
  alertCollections(1),
];

/**
 * Rollups of one Grid in a memory store (optionally sharded), diagnostics queries, and a clock controlled by the
 * test.
 */
export class DiagnosticsWorld {
  readonly store: ReadModelStore;
  readonly live = new MemoryReadModelStore();
  readonly queries: DiagnosticsQueries;
  readonly liveSource: LiveDiagnosticsSource;
  private stamp = 0;

  /** `recentGrids`: see DiagnosticsQueriesOptions. */
  constructor(
    public nowMs: number,
    count = 1,
    recentGrids?: RecentlyQueriedGrids,
  ) {
    const store = new MemoryReadModelStore();
    const shardMap = new ShardMap(count);
    this.store = count === 1 ? store : new ShardStore(store, shardMap.shardFor(GRID));
    const parts = {
      store,
      getReader: createReaderForGrid(store, shardMap),
      rollups: createRollupReader(store, shardMap),
      live: this.live,
      now: () => this.nowMs,
      recentGrids,
      // The usual time limit may be exceeded on a busy machine.
      limits: { timeoutMs: 60 * 60_000 },
    };
    ({ queries: this.queries, liveSource: this.liveSource } = createDiagnosticsQueries(parts));
  }

  /** One commit of the projections. */
  async project(minutes: readonly GridMinute[], catalogs: readonly ServiceCatalog[] = []): Promise<void> {
    const stamp = ++this.stamp;
    const newestMinute = Math.max(...minutes.map(({ minute }) => minute));
    const openHours = [...new Set(minutes.map(({ minute }) => minute - (minute % 60)))];
    const known = [SPANS.grids, SPANS.services, LOGS, METRICS].map((collections): DocumentChange => ({
      kind: 'put',
      collection: collections.catalogs,
      id: GRID,
      document: { gridId: GRID, stamp, newestMinute, openHours, expiredBefore: 0 },
    }));
    await this.commit([
      ...PROJECTED,
      ...known,
      ...minutes.flatMap((minute) => rollupsOf(minute, stamp)),
      ...catalogs.map(catalogOf),
    ]);
  }

  async alert(alert: Omit<AlertDocument, 'gridId' | 'open'>): Promise<void> {
    const document: AlertDocument = { ...alert, gridId: GRID, open: alert.resolvedAt === undefined };
    await this.commitAlerts({ kind: 'put', collection: ALERTS.alerts, id: alert.id, document });
  }

  async rule(rule: AlertRule): Promise<void> {
    await this.commitAlerts({
      kind: 'put',
      collection: ALERTS.rules,
      id: alertRuleId(GRID, rule.id),
      document: { ...rule, gridId: GRID, onQuery: rule.query !== undefined },
    });
  }

  /** Points of series beyond the limit arrive from this minute on. */
  async seriesOverflow(firstMinute: number): Promise<void> {
    const document = {
      gridId: GRID,
      newestHour: Math.floor(firstMinute / 60),
      overflow: { firstMinute, lastMinute: firstMinute },
    };
    await this.commit([{ kind: 'put', collection: metricSeriesCollections(1).grids, id: GRID, document }]);
  }

  /** Changes settings of the Grid and projects the change. */
  async settings(changes: Partial<GridSettings>): Promise<void> {
    const grid: GridDocument = {
      ...createInitialSettings('shop'),
      ...changes,
      gridId: GRID,
      createdAt: 0,
      createdBy: 'a',
    };
    const expected = await this.store.readCheckpoint('access.v1');
    const position = String(++this.stamp).padStart(20, '0') as Position;
    const change: DocumentChange = { kind: 'put', collection: accessCollections(1).grids, id: GRID, document: grid };
    await this.store.commit([projected('access'), change], [{ projection: 'access.v1', expected, position }]);
  }

  private async commitAlerts(change: DocumentChange): Promise<void> {
    const projection = `${ALERTS_PROJECTION}.v1`;
    const expected = await this.store.readCheckpoint(projection);
    const position = String(++this.stamp).padStart(20, '0') as Position;
    await this.store.commit([projected(ALERTS_PROJECTION), change], [{ projection, expected, position }]);
  }

  private async commit(changes: readonly DocumentChange[]): Promise<void> {
    await this.store.commit(changes, []);
  }
}

const PROJECTED = [TRACES_PROJECTION, LOGS_PROJECTION, METRICS_PROJECTION].map(projected);

function projected(name: string): DocumentChange {
  return { kind: 'put', collection: PROJECTIONS, id: name, document: { active: 1, schema: 1 } };
}

function rollupsOf({ minute, grid, services, logs, metrics }: GridMinute, stamp: number): DocumentChange[] {
  const put = ({ minutes }: RollupCollections, service: string, blob: Uint8Array): DocumentChange => {
    const document = { gridId: GRID, minute, service, stamp };
    return { kind: 'put', collection: minutes, id: rollupId(document), document, blobs: { [ROLLUP_BLOB]: blob } };
  };
  return [
    put(SPANS.grids, '', encodeGridRollup(grid)),
    ...services.map((rollup) => put(SPANS.services, rollup.service, encodeServiceRollup(rollup))),
    ...logs.map((rollup) => put(LOGS, rollup.service, encodeLogRollup(rollup))),
    ...metrics.map((rollup) => put(METRICS, rollup.service, encodeMetricRollup(rollup))),
  ];
}

function catalogOf(catalog: ServiceCatalog): DocumentChange {
  return {
    kind: 'put',
    collection: SPANS.catalogs,
    id: `${GRID}/${catalog.service}`,
    document: { ...catalog, gridId: GRID },
  };
}
