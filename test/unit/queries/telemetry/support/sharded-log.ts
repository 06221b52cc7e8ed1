import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { SILENT_LOGGER } from '../../../../../src/self-telemetry/logger.js';
import { ADMINISTRATIVE_GROUPS, SHARDED_GROUPS } from '../../../../../src/projections/projection-groups.js';
import { Projector, type ProjectorParts } from '../../../../../src/projections/engine/projector.js';
import { createShardScope } from '../../../../../src/projections/sharding/shard-scope.js';
import type { TelemetryQueries } from '../../../../../src/queries/telemetry/telemetry-query-types.js';
import { createChartQueries } from '../../../../../src/queries/charts/chart-queries.js';
import type { ChartQueries } from '../../../../../src/queries/charts/chart-query-types.js';
import type { RecentlyQueriedGrids } from '../../../../../src/queries/diagnostics/recently-queried-grids.js';
import { createDiagnosticsQueries } from '../../../../../src/queries/diagnostics/diagnostics-queries.js';
import type { DiagnosticsQueries } from '../../../../../src/queries/diagnostics/diagnostics-query-types.js';
import { findTelemetryAges, type TelemetryAge } from '../../../../../src/queries/telemetry/telemetry-age-queries.js';
import { createTelemetryQueries } from '../../../../../src/queries/telemetry/telemetry-queries.js';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import type { LiveDiagnosticsSource } from '../../../../../src/read-models/documents/live-diagnostics-documents.js';
import { createReaderForGrid } from '../../../../../src/read-models/sharding/shard-readers.js';
import { ShardStore } from '../../../../../src/read-models/sharding/shard-store.js';
import { createRollupReader } from '../../../../../src/read-models/sharding/sharded-rollup-reader.js';
import type { ReadModelReader, ReadModelStore } from '../../../../../src/read-models/read-model-store.js';
import { MemoryEventStore } from '../../../../../src/streams/adapters/memory/memory-event-store.js';
import type { EventReader, EventStore, NewEvent } from '../../../../../src/streams/event-store.js';
import { TELEMETRY_EXPIRED_TYPE } from '../../../../../src/streams/events/telemetry-events.js';
import { ShardMap } from '../../../../../src/streams/shard-map.js';
import { gridStream, retentionStream, telemetryStream } from '../../../../../src/streams/stream-names.js';
import { TelemetryBodyCache } from '../../../../../src/streams/telemetry-body-cache.js';
import { feedOf } from '../../../projections/engine/support/projected.js';

const TIMEOUT_MS = 20_000;

/** All queries, assembled as in the threads. */
export interface AllQueries {
  readonly telemetry: TelemetryQueries;
  readonly diagnostics: DiagnosticsQueries;
  readonly charts: ChartQueries;
  readonly liveSource: LiveDiagnosticsSource;
  ages(): Promise<readonly TelemetryAge[]>;
}

/** The event log of an installation. Its clock is also that of the queries. */
export class ShardedLog {
  now = Date.UTC(2026, 5, 20, 12);

  constructor(
    readonly events: EventReader & Pick<EventStore, 'append'> = new MemoryEventStore({ clock: () => this.now }),
  ) {}

  async received(event: NewEvent): Promise<void> {
    await this.append(telemetryStream((event.data as { gridId: string }).gridId), event);
  }

  async created(gridId: string, name: string): Promise<void> {
    await this.append(gridStream(gridId), {
      id: randomUUID(),
      type: 'GridCreated.v1',
      data: { actor: 'owner', at: this.now, gridId, name },
    });
  }

  async apdex(gridId: string, apdexThresholdMs: number): Promise<void> {
    await this.append(gridStream(gridId), {
      id: randomUUID(),
      type: 'GridSettingsChanged.v1',
      data: { actor: 'owner', at: this.now, gridId, changes: { apdexThresholdMs } },
    });
  }

  async expired(gridId: string, before: number): Promise<void> {
    await this.append(retentionStream(gridId), {
      id: randomUUID(),
      type: TELEMETRY_EXPIRED_TYPE,
      data: { gridId, before, at: this.now },
    });
  }

  /** Projects the log into `store` with one projector per shard, and one for administrative data. */
  async project(store: ReadModelStore, count: number): Promise<void> {
    if (count === 1) return this.follow({ store });
    const shardMap = new ShardMap(count);
    await this.follow({ store, groups: ADMINISTRATIVE_GROUPS });
    for (let shard = 0; shard < count; shard++)
      await this.follow({
        store: new ShardStore(store, shard),
        groups: SHARDED_GROUPS,
        scope: createShardScope(shardMap, shard),
      });
  }

  ask(store: ReadModelReader, count: number, asked?: RecentlyQueriedGrids): AllQueries {
    const now = (): number => this.now;
    const shardMap = new ShardMap(count);
    const [getReader, rollups] = [createReaderForGrid(store, shardMap), createRollupReader(store, shardMap)];
    const { queries: diagnostics, liveSource } = createDiagnosticsQueries({
      store,
      getReader,
      rollups,
      live: new MemoryReadModelStore(),
      now,
      recentGrids: asked,
    });
    return {
      telemetry: createTelemetryQueries(store, new TelemetryBodyCache(this.events), { getReader }),
      diagnostics,
      charts: createChartQueries({ store, getReader, rollups, now }),
      liveSource,
      ages: () => findTelemetryAges(store, getReader),
    };
  }

  private async append(stream: string, event: NewEvent): Promise<void> {
    assert.ok((await this.events.append(stream, 'any', [event])).ok);
  }

  private async follow(scope: Pick<ProjectorParts, 'store' | 'groups' | 'scope'>): Promise<void> {
    const projector = new Projector({
      ...scope,
      events: this.events,
      feed: feedOf(),
      log: SILENT_LOGGER,
      scratch: () => new MemoryReadModelStore(),
      pollingIntervals: { everyMs: 0, idleMs: 50 },
    });
    await projector.start();
    const head = await this.events.head();
    for (const name of await projector.projections())
      assert.ok(await projector.waitForPosition(name, head, TIMEOUT_MS), `${name} is late`);
    await projector.stop();
  }
}
