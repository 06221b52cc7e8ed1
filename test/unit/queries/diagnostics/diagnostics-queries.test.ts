import assert from 'node:assert/strict';
import type { MetricAlertRule } from '../../../../src/diagnostics/alerting/alert-rule-model.js';
import { detectChanges } from '../../../../src/diagnostics/changes/change-detection.js';
import { computeComparison, computeTrends } from '../../../../src/diagnostics/window-comparison.js';
import { toPublicAnswer } from '../../../../src/diagnostics/services/recent-status.js';
import { computeHealth, nameHealthCauses } from '../../../../src/diagnostics/services/service-health.js';
import type { DiagnosticsInput } from '../../../../src/diagnostics/diagnostics-input.js';
import { findPressurePoints } from '../../../../src/diagnostics/pressure/pressure-detection.js';
import { diagnose } from '../../../../src/diagnostics/root-cause/diagnose.js';
import { buildServiceDetail } from '../../../../src/diagnostics/services/service-detail-builder.js';
import { buildServiceMap, nameMapCauses } from '../../../../src/diagnostics/services/service-map-builder.js';
import { rankSlowestEndpoints } from '../../../../src/diagnostics/services/slowest-endpoint-ranking.js';
import {
  resolveAnalysisWindows,
  HISTORY_WINDOW_LENGTHS,
  MINUTE_MS,
  DEFAULT_WINDOW_LENGTHS,
  type TimeSelection,
} from '../../../../src/diagnostics/time-windows.js';
import { buildTimeline } from '../../../../src/diagnostics/timeline-builder.js';
import {
  LIVE_DIAGNOSTICS,
  LIVE_TOPICS,
  liveDiagnosticsId,
  type LiveTopic,
} from '../../../../src/read-models/documents/live-diagnostics-documents.js';
import { catalogsOf, HOUR_MS, ofMinutes, spans } from '../../diagnostics/given-rollups.js';
import { naiveRollups, type PlainLog, type PlainPoint, type PlainSpan } from '../../../support/naive-rollups.js';
import { DiagnosticsWorld, GRID } from './support/diagnostics-world.js';

/** 12:30:20. */
const NOW = HOUR_MS + 30 * MINUTE_MS + 20_000;
const at = (minutes: number): number => HOUR_MS + minutes * MINUTE_MS;
const range = { fromMs: at(0), toMs: at(20) };

/** Two and a half hours of a shop whose cart fails from 12:18 on, with a version deployed at 12:12. */
const SPANS: readonly PlainSpan[] = [
  ...spans(1_500, at(-120), NOW, { service: 'shop', operation: 'buy', ms: 120, version: '1.0', instance: 'a' }),
  ...spans(700, at(-120), at(12), { service: 'cart', operation: 'add', ms: 40, version: '1.0', instance: 'b' }),
  ...spans(40, at(12), at(18), { service: 'cart', operation: 'add', ms: 40, version: '2.0', instance: 'b' }),
  ...spans(80, at(18), NOW, {
    service: 'cart',
    operation: 'add',
    ms: 900,
    version: '2.0',
    instance: 'b',
    error: true,
    exceptions: [{ type: 'Full', message: 'no room' }],
  }),
  ...spans(60, at(20), NOW, { service: 'bank', operation: 'pay', ms: 10 }),
];
const LOGS: readonly PlainLog[] = Array.from({ length: 300 }, (_, i) => ({
  service: i % 2 === 0 ? 'shop' : 'cart',
  timeUs: at(-120 + i / 2) * 1000,
  severity: i > 270 ? 17 : 9,
  template: 'handled <n>',
  ...(i > 280 && { exception: { type: 'Full', message: 'no room' } }),
}));
const POINTS: readonly PlainPoint[] = Array.from({ length: 300 }, (_, i) => ({
  service: 'cart',
  instance: 'b',
  metric: 'process.cpu.utilization',
  unit: '1',
  kind: 'gauge',
  monotonic: false,
  attributes: [],
  timeUs: at(-120 + i / 2) * 1000,
  value: i > 260 ? 0.95 : 0.2,
}));

const MINUTES = naiveRollups({ spans: SPANS, logs: LOGS, points: POINTS });
const CATALOGS = catalogsOf(SPANS);
const ALL: DiagnosticsInput = {
  ...ofMinutes(MINUTES, { catalogs: CATALOGS }),
  metrics: MINUTES.flatMap(({ minute, metrics }) => metrics.map((value) => ({ minute, minutes: 1, value }))),
};

const RULE: MetricAlertRule = {
  id: 'r',
  name: 'errors',
  metric: 'error_rate',
  operator: '>',
  threshold: 5,
  severity: 'warning',
  windowMinutes: 15,
  forMinutes: 0,
  minRequests: 20,
  enabled: true,
};
const ALERT = {
  ruleId: 'r',
  ruleName: 'errors',
  serviceName: 'cart',
  condition: 'error_rate > 5%',
  severity: 'warning',
  value: 40,
} as const;

/** Documents also hold what recent statuses were derived from, for a newer diagnosis. */
function omitRecentRequests(answer: object | undefined): object | undefined {
  return answer !== undefined && 'recentRequests' in answer
    ? toPublicAnswer(answer as Parameters<typeof toPublicAnswer>[0])
    : answer;
}

for (const shards of [1, 16])
  describe(`diagnostic questions of ${shards === 1 ? 'one shard' : 'Grids in 16 shards'}`, () => {
    let world: DiagnosticsWorld;

    beforeEach(async () => {
      world = new DiagnosticsWorld(NOW, shards);
      await world.project(MINUTES, CATALOGS);
    });

    it('leave room for those of alerts and live documents, however many are asked', async () => {
      await world.rule(RULE);
      const [running, waiting] = [48, 1_024]; // one Grid runs three quarters of its owner's 64 queries
      const asked = Array.from({ length: running + waiting }, () => world.queries.compare(GRID, range, range));
      const refused = assert.rejects(world.queries.compare(GRID, range, range), { code: 'overloaded' });
      const [evaluations, live] = await Promise.all([
        world.queries.evaluations(GRID),
        world.liveSource.computeFor(GRID),
        refused,
      ]);
      assert.deepEqual([evaluations.length > 0, live.answers.size], [true, LIVE_TOPICS.length]);
      await Promise.all(asked);
    });

    for (const [name, when] of Object.entries<TimeSelection>({
      'about now': {},
      'as of a moment': { asOfMs: at(20) },
      'of a window': { range },
    })) {
      it(`${name} are answered as from all rollups at once`, async () => {
        const usual = resolveAnalysisWindows(when, NOW, DEFAULT_WINDOW_LENGTHS);
        const history = resolveAnalysisWindows(when, NOW, HISTORY_WINDOW_LENGTHS);
        const { queries } = world;

        const found = diagnose(ALL, usual);
        assert.deepEqual(
          await queries.health(GRID, when),
          toPublicAnswer(nameHealthCauses(computeHealth(ALL, usual), found)),
        );
        assert.deepEqual(await queries.trends(GRID, when), computeTrends(ALL, usual));
        assert.deepEqual(
          await queries.serviceMap(GRID, when),
          toPublicAnswer(nameMapCauses(buildServiceMap(ALL, usual), found)),
        );
        assert.deepEqual(await queries.slowestEndpoints(GRID, when), rankSlowestEndpoints(ALL, usual));
        assert.deepEqual(await queries.pressure(GRID, when), findPressurePoints(ALL, usual));
        assert.deepEqual(await queries.changes(GRID, when), detectChanges(ALL, history));
        assert.deepEqual(await queries.timeline(GRID, when), buildTimeline(ALL, history));
        assert.deepEqual(
          await queries.serviceDetail(GRID, 'cart', when),
          buildServiceDetail(ALL, usual, 'cart', { causes: found }),
        );
        const causes = found.map(({ impact: _, ...cause }) => ({
          ...cause,
          impactedTraceCount: 0,
          sampleTraceIds: [],
        }));
        assert.deepEqual(await queries.diagnosis(GRID, when), causes);
      });
    }

    it('have something to report', async () => {
      const { queries } = world;

      assert.equal((await queries.health(GRID, {})).overallStatus, 'degraded');
      assert.equal((await queries.diagnosis(GRID, {}))[0]?.serviceName, 'cart');
      assert.ok(
        (await queries.pressure(GRID, {})).length > 0 &&
          (await queries.changes(GRID, {})).length > 0 &&
          (await queries.timeline(GRID, {})).length > 0,
      );
    });

    it('report since when metric series are too many', async () => {
      await world.seriesOverflow(at(7) / MINUTE_MS);
      const overflows = (await world.queries.timeline(GRID, {})).filter(({ type }) => type === 'overflow');
      assert.deepEqual(
        overflows.map(({ timestamp, severity }) => [timestamp, severity]),
        [[at(7), 'warning']],
      );
    });

    it('compare windows that overlap, and that begin within a minute', async () => {
      const [current, baseline] = [
        { fromMs: at(5) + 1, toMs: at(25) },
        { fromMs: at(-10), toMs: at(9) + 1 },
      ];

      const expected = computeComparison(ALL, { fromMs: at(5), toMs: at(25) }, { fromMs: at(-10), toMs: at(10) }, NOW);
      assert.deepEqual(await world.queries.compare(GRID, current, baseline), expected);
    });

    it('know a service from its first span on', async () => {
      const { queries } = world;

      assert.equal(await queries.serviceDetail(GRID, 'nobody', {}), undefined);
      assert.equal(await queries.serviceDetail(GRID, 'bank', { asOfMs: at(19) }), undefined);
      assert.equal((await queries.serviceDetail(GRID, 'bank', { asOfMs: at(25) }))?.serviceName, 'bank');
    });

    it('report alerts that fired by the moment and were not resolved by then, and of all that were open in a window', async () => {
      await world.alert({ ...ALERT, id: 'open', firedAt: at(10) });
      await world.alert({ ...ALERT, id: 'over', firedAt: at(2), resolvedAt: at(8) });
      await world.alert({ ...ALERT, id: 'before', firedAt: at(-50), resolvedAt: at(-40) });
      const ids = async (when: TimeSelection) =>
        (await world.queries.alerts(GRID, when)).map(({ id, status }) => `${id} ${status}`);

      assert.deepEqual(await ids({}), ['open firing']);
      assert.deepEqual(await ids({ asOfMs: at(5) }), ['over firing']);
      assert.deepEqual(await ids({ asOfMs: at(1) }), []);
      assert.deepEqual(await ids({ range }), ['open firing', 'over resolved']);
      assert.deepEqual(await ids({ range: { fromMs: at(8), toMs: at(9) } }), []);
    });

    it('name the causes in what had arrived when they were asked', async () => {
      const half = MINUTES.length / 2;
      const growing = new DiagnosticsWorld(NOW, shards);
      await growing.project(MINUTES.slice(0, half), CATALOGS);
      const asked = { range: { fromMs: at(-30), toMs: NOW } };
      await growing.queries.health(GRID, asked);
      await growing.project(MINUTES.slice(half)); // within the time for which answers are shared
      const health = await growing.queries.health(GRID, asked);
      assert.deepEqual(health, await world.queries.health(GRID, asked));
      assert.ok(health.services.some(({ causeOf }) => causeOf !== undefined));
    });

    it('say of a service what health has said, although more has arrived since', async () => {
      const growing = new DiagnosticsWorld(NOW, shards);
      const isLater = (minute: number): boolean => minute >= at(18) / MINUTE_MS;
      await growing.project(
        MINUTES.filter(({ minute }) => !isLater(minute)),
        CATALOGS,
      );
      const { queries } = growing;
      const askHealth = async () =>
        (await queries.health(GRID, {})).services.find(({ serviceName }) => serviceName === 'cart')!;
      const askOthers = async () => [
        (await queries.serviceMap(GRID, {})).services.find(({ name }) => name === 'cart')!,
        (await queries.serviceDetail(GRID, 'cart', {}))!,
      ];
      const summarize = (of: { status: string; recentStatus: string; requestCount: number; errorRate: number }) => [
        ...[of.status, of.recentStatus, of.requestCount, of.errorRate],
      ];
      const before = summarize(await askHealth());
      await growing.project(MINUTES.filter(({ minute }) => isLater(minute)));
      for (const other of await askOthers()) assert.deepEqual(summarize(other), before);

      growing.nowMs += 1_000;
      for (const other of await askOthers()) assert.notDeepEqual(summarize(other), before);
      for (const other of await askOthers()) assert.deepEqual(summarize(other), summarize(await askHealth()));
      const [map] = await askOthers();
      assert.equal(map.recentStatus, 'degraded');
    });

    it('evaluate the enabled rules, and test one over the past', async () => {
      await world.rule(RULE);
      await world.rule({ ...RULE, id: 'off', enabled: false });
      await world.rule({ ...RULE, id: 'full', metric: 'pressure', threshold: 90 });
      const breached = (await world.queries.evaluations(GRID)).filter((evaluation) => evaluation.breached);

      assert.deepEqual(breached.map(({ ruleId, serviceName }) => `${ruleId} ${serviceName}`).sort(), [
        'full cart',
        'r cart',
      ]);
      assert.deepEqual((await world.queries.alertRules(GRID)).map(({ id }) => id).sort(), ['full', 'off', 'r']);
      const { firings } = await world.queries.backtest(GRID, RULE, { fromMs: at(-100), toMs: NOW });
      assert.deepEqual(
        firings.map(({ serviceName, resolvedAt }) => [serviceName, resolvedAt]),
        [['cart', null]],
      );
      assert.ok(firings[0].firedAt > at(18) && firings[0].firedAt < at(22));
    });

    it('know which Grids can change their mind', async () => {
      assert.deepEqual(await world.queries.gridsWithRecentTelemetry(), [GRID]);

      world.nowMs = at(30 + 121);
      assert.deepEqual(await world.queries.gridsWithRecentTelemetry(), []);
      await world.alert({ ...ALERT, id: 'open', firedAt: at(10) });
      assert.deepEqual(await world.queries.gridsWithRecentTelemetry(), [GRID]);
    });

    it('about an unknown Grid are answered with nothing', async () => {
      assert.deepEqual((await world.queries.health('unknown', {})).services, []);
      assert.deepEqual(await world.queries.diagnosis('unknown', {}), []);
      assert.deepEqual(await world.queries.evaluations('unknown'), []);
      assert.equal(await world.queries.liveDocument('unknown', 'health'), undefined);
    });

    describe('and live documents', () => {
      async function refresh(): Promise<void> {
        const { at: moment, answers, markStored: kept } = await world.liveSource.computeFor(GRID);
        const put = (topic: LiveTopic, answer: object) =>
          ({
            kind: 'put',
            collection: LIVE_DIAGNOSTICS,
            id: liveDiagnosticsId(GRID, topic),
            document: { gridId: GRID, topic, version: 1, at: moment, answer },
          }) as const;
        await world.live.commit(
          [...answers].map(([topic, answer]) => put(topic, answer)),
          [],
        );
        kept();
      }
      const marked = {
        overallStatus: 'degraded',
        recentStatus: 'degraded', // by the diagnosis
        timestamp: NOW,
        services: [],
        isKept: true,
      } as const;

      async function keep(document: object): Promise<void> {
        await world.live.commit(
          [
            {
              kind: 'put',
              collection: LIVE_DIAGNOSTICS,
              id: liveDiagnosticsId(GRID, 'health'),
              document: { gridId: GRID, topic: 'health', version: 1, at: world.nowMs, answer: document },
            },
          ],
          [],
        );
      }

      it('hold what the questions answer', async () => {
        await refresh();
        const { queries } = new DiagnosticsWorld(NOW, shards);
        assert.equal(await queries.liveDocument(GRID, 'health'), undefined);
        const fresh = new DiagnosticsWorld(NOW, shards);
        await fresh.project(MINUTES, CATALOGS);

        const answers: Record<LiveTopic, object> = {
          health: await fresh.queries.health(GRID, {}),
          alerts: await fresh.queries.alerts(GRID, {}),
          diagnosis: await fresh.queries.diagnosis(GRID, {}),
          pressure: await fresh.queries.pressure(GRID, {}),
          trends: await fresh.queries.trends(GRID, {}),
          services: await fresh.queries.serviceMap(GRID, {}),
          timeline: await fresh.queries.timeline(GRID, {}),
          'slowest-endpoints': await fresh.queries.slowestEndpoints(GRID, {}),
          changes: await fresh.queries.changes(GRID, {}),
        };
        for (const topic of LIVE_TOPICS)
          assert.deepEqual(
            omitRecentRequests((await world.queries.liveDocument(GRID, topic))?.answer),
            answers[topic],
            topic,
          );
      });

      it('answer questions about now while they are current', async () => {
        await refresh();
        await keep({ ...marked, recentRequests: [] });

        assert.deepEqual(await world.queries.health(GRID, {}), marked);
        world.nowMs += 5_000; // nothing has changed
        assert.deepEqual(await world.queries.health(GRID, {}), marked);
        assert.notDeepEqual(await world.queries.health(GRID, { asOfMs: NOW }), marked);
      });

      it('are passed by once telemetry has come, time has moved the window, or nobody keeps them', async () => {
        await refresh();
        await keep({ ...marked, recentRequests: [] });
        await world.project(MINUTES.slice(-1));
        world.nowMs += 1_000;
        assert.notDeepEqual(await world.queries.health(GRID, {}), marked, 'telemetry has come');

        await refresh();
        await keep({ ...marked, recentRequests: [] });
        world.nowMs += 40_000;
        assert.notDeepEqual(await world.queries.health(GRID, {}), marked, 'another minute runs');
      });

      it('are passed by as soon as the settings are others, and so is what was computed for somebody else', async () => {
        await world.settings({});
        await refresh();
        await keep({ ...marked, recentRequests: [] });
        assert.deepEqual(await world.queries.health(GRID, {}), marked);
        for (const [errorRateThreshold, status] of [
          [100, 'healthy'],
          [1, 'degraded'],
          [100, 'healthy'],
        ] as const) {
          await world.settings({ errorRateThreshold, apdexHealthThreshold: 0 });
          assert.equal((await world.queries.health(GRID, {})).overallStatus, status, 'at the very same moment');
        }
      });

      it('are due at once when settings have changed, however long an answer took', async () => {
        const { liveSource } = world;
        await world.settings({});
        await refresh();
        assert.deepEqual(await liveSource.findDueGrids(), []);
        await world.settings({ apdexThresholdMs: 300 });
        assert.deepEqual(await liveSource.findDueGrids(), [GRID]);
        assert.equal((await liveSource.computeFor(GRID)).answers.size, LIVE_TOPICS.length, 'all of its topics');
      });

      it('are due when something came, the minute turned, or five seconds are over; not while a Grid sleeps', async () => {
        const { liveSource } = world;
        assert.deepEqual(await liveSource.findDueGrids(), [GRID]);
        await refresh();
        world.nowMs += 4_000;
        assert.deepEqual(await liveSource.findDueGrids(), []);

        await world.project(MINUTES.slice(-1));
        assert.deepEqual(await liveSource.findDueGrids(), [GRID]);
        await refresh();
        world.nowMs += 4_000;
        await world.alert({ ...ALERT, id: 'open', firedAt: at(10) });
        assert.deepEqual(await liveSource.findDueGrids(), [GRID]);
        await refresh();
        world.nowMs += 5_000;
        assert.deepEqual(await liveSource.findDueGrids(), [GRID]);
        world.nowMs = at(30 + 121);
        assert.deepEqual(await liveSource.findDueGrids(), []);
      });
    });
  });
