import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { SILENT } from '../../../src/log.js';
import { ADMINISTRATIVE_GROUPS, SHARED_GROUPS } from '../../../src/projections/groups.js';
import { Projector, type ProjectorParts } from '../../../src/projections/projector.js';
import { shareScope } from '../../../src/projections/share-scope.js';
import type { TelemetryQueries } from '../../../src/queries/answers.js';
import { createChartQueries } from '../../../src/queries/charts/chart-queries.js';
import type { ChartQueries } from '../../../src/queries/charts/questions.js';
import type { AskedLately } from '../../../src/queries/diagnostics/asked-lately.js';
import { createDiagnosticsQueries } from '../../../src/queries/diagnostics/diagnostics-queries.js';
import type { DiagnosticsQueries } from '../../../src/queries/diagnostics/questions.js';
import { telemetryAges, type TelemetryAge } from '../../../src/queries/telemetry-age.js';
import { createTelemetryQueries } from '../../../src/queries/telemetry-queries.js';
import { MemoryReadModelStore } from '../../../src/read-models/adapters/memory/read-model-store.js';
import type { LiveSource } from '../../../src/read-models/live-diagnostics.js';
import { readersByGrid } from '../../../src/read-models/shares/readers-by-grid.js';
import { ShareStore } from '../../../src/read-models/shares/share-store.js';
import { rollupsByGrid } from '../../../src/read-models/shares/shared-rollups.js';
import type { ReadModelReader, ReadModelStore } from '../../../src/read-models/store.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import type { EventReader, EventStore, NewEvent } from '../../../src/streams/event-store.js';
import { EXPIRED_TYPE } from '../../../src/streams/events/telemetry-events.js';
import { Shares } from '../../../src/streams/shares.js';
import { gridStream, retentionStream, telemetryStream } from '../../../src/streams/stream-names.js';
import { TelemetryBodies } from '../../../src/streams/telemetry-bodies.js';
import { feedOf } from '../../projections/support/projected.js';

const PATIENCE_MS = 20_000;

/** All that can be asked, as the threads put it together. */
export interface Asked {
  readonly telemetry: TelemetryQueries;
  readonly diagnostics: DiagnosticsQueries;
  readonly charts: ChartQueries;
  readonly liveSource: LiveSource;
  ages(): Promise<readonly TelemetryAge[]>;
}

/** The log of an installation. Its clock is that of the questions, too. */
export class SharedLog {
  now = Date.UTC(2026, 5, 20, 12);

  constructor(readonly events: EventReader & Pick<EventStore, 'append'> = new MemoryEventStore({ clock: () => this.now })) {}

  async received(event: NewEvent): Promise<void> {
    await this.append(telemetryStream((event.data as { gridId: string }).gridId), event);
  }

  async created(gridId: string, name: string): Promise<void> {
    await this.append(gridStream(gridId), { id: randomUUID(), type: 'GridCreated.v1', data: { actor: 'owner', at: this.now, gridId, name } });
  }

  async apdex(gridId: string, apdexThresholdMs: number): Promise<void> {
    await this.append(gridStream(gridId), { id: randomUUID(), type: 'GridSettingsChanged.v1', data: { actor: 'owner', at: this.now, gridId, changes: { apdexThresholdMs } } });
  }

  async expired(gridId: string, before: number): Promise<void> {
    await this.append(retentionStream(gridId), { id: randomUUID(), type: EXPIRED_TYPE, data: { gridId, before, at: this.now } });
  }

  /** Folds the log into `store` by one projector a share, and one of what is administrative. */
  async project(store: ReadModelStore, count: number): Promise<void> {
    if (count === 1) return this.follow({ store });
    const shares = new Shares(count);
    await this.follow({ store, groups: ADMINISTRATIVE_GROUPS });
    for (let share = 0; share < count; share++) await this.follow({ store: new ShareStore(store, share), groups: SHARED_GROUPS, scope: shareScope(shares, share) });
  }

  ask(store: ReadModelReader, count: number, asked?: AskedLately): Asked {
    const now = (): number => this.now;
    const shares = new Shares(count);
    const [readerOf, rollups] = [readersByGrid(store, shares), rollupsByGrid(store, shares)];
    const { queries: diagnostics, liveSource } = createDiagnosticsQueries({ store, readerOf, rollups, live: new MemoryReadModelStore(), now, asked });
    return {
      telemetry: createTelemetryQueries(store, new TelemetryBodies(this.events), { readerOf }),
      diagnostics,
      charts: createChartQueries({ store, readerOf, rollups, now }),
      liveSource,
      ages: () => telemetryAges(store, readerOf),
    };
  }

  private async append(stream: string, event: NewEvent): Promise<void> {
    assert.ok((await this.events.append(stream, 'any', [event])).ok);
  }

  private async follow(scope: Pick<ProjectorParts, 'store' | 'groups' | 'scope'>): Promise<void> {
    const projector = new Projector({ ...scope, events: this.events, feed: feedOf(), log: SILENT, scratch: () => new MemoryReadModelStore(), pace: { everyMs: 0, lookMs: 50 } });
    await projector.start();
    const head = await this.events.head();
    for (const name of await projector.projections()) assert.ok(await projector.whenAt(name, head, PATIENCE_MS), `${name} is late`);
    await projector.stop();
  }
}
