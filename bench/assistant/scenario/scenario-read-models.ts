import { randomUUID } from 'node:crypto';
import type { ToolQueries } from '../../../src/assistant/tool.js';
import { createAlertQueries } from '../../../src/queries/diagnostics/alert-queries.js';
import { withNearbyChanges } from '../../../src/queries/incidents/incident-details.js';
import { createIncidentQueries } from '../../../src/queries/incidents/incident-queries.js';
import { createNotificationQueries } from '../../../src/queries/notifications/notification-queries.js';
import { createUsageQueries } from '../../../src/queries/usage/usage-queries.js';
import { createChartQueries } from '../../../src/queries/charts/chart-queries.js';
import { createDiagnosticsQueries } from '../../../src/queries/diagnostics/diagnostics-queries.js';
import { createTelemetryQueries } from '../../../src/queries/telemetry/telemetry-queries.js';
import { MemoryReadModelStore } from '../../../src/read-models/adapters/memory/read-model-store.js';
import { RollupReader } from '../../../src/read-models/rollups/rollup-reader.js';
import {
  alertsStream,
  gridStream,
  sessionsStream,
  speechStream,
  usageStream,
} from '../../../src/streams/stream-names.js';
import { TelemetryBodyCache } from '../../../src/streams/telemetry-body-cache.js';
import type { Signal } from '../../../src/telemetry/signals.js';
import { MINUTE_MS } from '../../../src/diagnostics/time-windows.js';
import { ProjectedLog } from '../../../test/unit/projections/engine/support/projected.js';
import { received } from '../../../test/unit/projections/engine/support/requests.js';
import { buildAlertEvents, buildRuleEvents } from './scenario-alerts.js';
import { buildChartEvents } from './scenario-charts.js';
import { encodeLogs, encodePoints, encodeSpans } from './otlp-encoding.js';
import type { Scenario } from './scenario.js';
import {
  COLLEAGUE,
  buildLimitEvents,
  buildPromptEvents,
  buildReservation,
  buildSessionEvents,
  buildSpeechEvents,
  USER,
} from './scenario-usage.js';

export const GRID = '5a0f1c3e-7b1d-4c52-9a44-2f6f0d9e8b17';
const GRID_NAME = 'Shop';

/** Minutes of telemetry in one export request of each signal. */
const REQUEST_MINUTES = 10;

/** Read models of a scenario, built by the real projections, and the real queries at its time. */
export class ScenarioReadModels {
  private readonly log = new ProjectedLog();
  readonly queries: ToolQueries;

  private constructor(private readonly scenario: Scenario) {
    const now = (): number => scenario.story.nowMs;
    const { store, events } = this.log;
    const rollups = new RollupReader(store);
    const { queries: diagnostics } = createDiagnosticsQueries({
      store,
      live: new MemoryReadModelStore(),
      now,
      rollups,
    });
    this.queries = {
      diagnostics,
      telemetry: createTelemetryQueries(store, new TelemetryBodyCache(events)),
      charts: createChartQueries({ store, rollups, now }),
      usage: createUsageQueries(store),
      incidents: withNearbyChanges(createIncidentQueries(store), diagnostics, now),
      alerts: createAlertQueries(store),
      // The stories of the scenarios have no objectives.
      slos: {
        assessSlos: () => Promise.resolve({ assessed: [], uncounted: [] }),
        sloReport: () => Promise.resolve(undefined),
      },
      notifications: createNotificationQueries(store),
    };
  }

  /** Resolves once all projections have processed everything. */
  static async create(scenario: Scenario): Promise<ScenarioReadModels> {
    const world = new ScenarioReadModels(scenario);
    await world.createGrid();
    await world.ingestTelemetry();
    await world.recordUsage();
    await world.log.settle();
    return world;
  }

  async close(): Promise<void> {
    await this.log.remove();
  }

  private async createGrid(): Promise<void> {
    const { fromMs: at } = this.scenario.story;
    const owner = { actor: USER, at, gridId: GRID };
    await this.append(gridStream(GRID), at, [
      { type: 'GridCreated.v1', data: { ...owner, name: GRID_NAME } },
      { type: 'MemberSet.v1', data: { ...owner, userId: USER, role: 'Owner', kind: 'user' } },
      { type: 'MemberSet.v1', data: { ...owner, userId: COLLEAGUE, role: 'Member', kind: 'user' } },
      ...buildRuleEvents(GRID, USER, at),
      ...buildChartEvents(GRID, USER, at),
      ...buildLimitEvents(GRID, USER, at),
    ]);
  }

  /** Like a collector: exports what ended within ten minutes soon afterwards. */
  private async ingestTelemetry(): Promise<void> {
    const { story, spans, logs, points } = this.scenario;
    const length = REQUEST_MINUTES * MINUTE_MS * 1000;
    const batchOf = (us: number): number => Math.floor((us - story.fromMs * 1000) / length);
    const batches = <Item>(items: readonly Item[], usOf: (item: Item) => number): Item[][] => {
      const all: Item[][] = [];
      for (const item of items) (all[batchOf(usOf(item))] ??= []).push(item);
      return all;
    };
    const [spanBatches, logBatches, pointBatches] = [
      batches(spans, ({ endUs }) => endUs),
      batches(logs, ({ atUs }) => atUs),
      batches(points, ({ atUs }) => atUs),
    ];
    for (const [batch, sent] of spanBatches.entries()) {
      const at = story.fromMs + (batch + 1) * REQUEST_MINUTES * MINUTE_MS;
      await this.ingestRequest('traces', sent.length, encodeSpans(sent), at);
      await this.ingestRequest('logs', logBatches[batch].length, encodeLogs(logBatches[batch]), at);
      await this.ingestRequest(
        'metrics',
        pointBatches[batch].length,
        encodePoints(pointBatches[batch], story.fromMs * 1000),
        at,
      );
    }
  }

  private async ingestRequest(signal: Signal, records: number, body: Uint8Array, atMs: number): Promise<void> {
    this.log.now = atMs;
    await this.log.append(received(GRID, signal, records, body, atMs));
  }

  private async recordUsage(): Promise<void> {
    const {
      story: { nowMs },
      alerts,
      prompts,
    } = this.scenario;
    await this.append(alertsStream(GRID), nowMs, buildAlertEvents(GRID, alerts));
    for (const prompt of prompts) await this.append(usageStream(prompt.userId), nowMs, buildPromptEvents(GRID, prompt));
    await this.append(usageStream(USER), nowMs, [buildReservation(GRID, nowMs)]);
    await this.append(speechStream(GRID), nowMs, buildSpeechEvents(GRID, nowMs));
    await this.append(sessionsStream(GRID), nowMs, buildSessionEvents(GRID, nowMs));
  }

  private async append(
    stream: string,
    atMs: number,
    events: readonly { readonly type: string; readonly data: object }[],
  ): Promise<void> {
    this.log.now = atMs;
    await this.log.events.append(
      stream,
      'any',
      events.map((event) => ({ id: randomUUID(), ...event })),
    );
  }
}
