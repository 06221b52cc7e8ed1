import assert from 'node:assert/strict';
import { VirtualTimeScheduler } from 'rxjs';
import { alertsDecider } from '../../../src/commands/alerts/alert-decider.js';
import { createCommandHandler } from '../../../src/commands/handle-command.js';
import type { RecordAlertRule } from '../../../src/diagnostics/alerting/alert-rule-model.js';
import { EVALUATION_DELAY_MS } from '../../../src/diagnostics/alerting/record-rule-evaluator.js';
import { MINUTE_MS } from '../../../src/diagnostics/time-windows.js';
import { RecordRulePolicy, type RecordRuleParts } from '../../../src/policies/record-rule-policy.js';
import { evolveAlert } from '../../../src/projections/alerts-projection.js';
import { createTelemetryQueries } from '../../../src/queries/telemetry/telemetry-queries.js';
import type { AlertDocument } from '../../../src/read-models/documents/alert-documents.js';
import { SILENT_LOGGER } from '../../../src/self-telemetry/logger.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import type { AlertEvent } from '../../../src/streams/events/alert-events.js';
import { alertsStream } from '../../../src/streams/stream-names.js';
import {
  after,
  errorRule,
  failedLog,
  failedSpan,
  logs,
  queryRule,
  spanEnding,
} from '../queries/alerting/given-rules.js';
import { waitUntil } from '../../support/wait-until.js';
import { changeErrorGroup, resolvedIn } from '../queries/errors/support/error-group-changes.js';
import type { ErrorGroupChange } from '../../../src/read-models/documents/error-group-documents.js';
import { GRID, TelemetryWorld } from '../queries/telemetry/support/telemetry-world.js';

class World {
  readonly store = new MemoryEventStore();
  readonly complaints: string[] = [];
  readonly warnings: string[] = [];
  readonly clock = new VirtualTimeScheduler();
  rules: RecordAlertRule[] = [queryRule()];
  grids = [GRID];
  readonly policy: RecordRulePolicy;

  constructor(
    readonly telemetry: TelemetryWorld,
    queries: RecordRuleParts['queries'] = createTelemetryQueries(telemetry.store, telemetry.bodies),
  ) {
    this.policy = new RecordRulePolicy({
      queries,
      alerts: {
        alertRules: async () => this.rules,
        gridsWithRecordRules: async () => (this.rules.some(({ enabled }) => enabled) ? this.grids : []),
        openAlerts: async () => (await this.alerts()).filter(({ open }) => open),
      },
      handle: createCommandHandler(this.store, alertsDecider),
      waitForAlerts: async () => true,
      findOwner: async () => 'owner',
      log: {
        ...SILENT_LOGGER,
        warn: (message) => void this.warnings.push(message),
        error: (message, fields) => this.complaints.push(`${message} ${String(fields?.ruleId)}`),
      },
      scheduler: this.clock,
    });
  }

  /** Looks so many minutes after T0, when the evaluation of the minute is due. */
  async look(minutes: number): Promise<void> {
    this.clock.frame = after(minutes) + EVALUATION_DELAY_MS;
    await this.policy.poll(this.clock.now());
    await this.policy.whenIdle();
  }

  async events(): Promise<AlertEvent[]> {
    return (await this.store.readStream(alertsStream(GRID))).map(({ type, data }) => ({ type, data }) as AlertEvent);
  }

  async alerts(): Promise<AlertDocument[]> {
    const documents = new Map<string, AlertDocument>();
    for (const event of await this.events()) {
      const document = evolveAlert(documents.get(event.data.alertId), event);
      if (document !== undefined) documents.set(event.data.alertId, document);
    }
    return [...documents.values()];
  }

  /** Type and minute of every event; the minute that was evaluated. */
  async reported(): Promise<string[]> {
    return (await this.events()).map(
      ({ type, data }) => `${type.slice(5, -3)} ${(data.at - EVALUATION_DELAY_MS - after(0)) / MINUTE_MS}`,
    );
  }
}

/** Backtests list alerts, of which there are none in the read model of the test. */
async function listFirings(world: World, rule: RecordAlertRule, from: number, to: number): Promise<string[]> {
  const queries = createTelemetryQueries(world.telemetry.store, world.telemetry.bodies);
  const range = { fromMs: after(from), toMs: after(to) };
  const { firings } = await queries.backtestRecordRule(GRID, rule, range, after(to) + EVALUATION_DELAY_MS);
  return firings.map(({ serviceName, labels, firedAt, resolvedAt }) =>
    JSON.stringify([serviceName, labels, firedAt, resolvedAt]),
  );
}

describe('policy of alert rules on queries', () => {
  let telemetry: TelemetryWorld;
  beforeEach(async () => (telemetry = await TelemetryWorld.empty()));

  it('fires when a minute is over, and resolves after two clear minutes', async () => {
    const world = new World(telemetry);
    await telemetry.addLogs(logs(0, 4));
    for (const minute of [0, 0.5, 1, 1.1, 2, 3, 4, 5]) await world.look(minute);
    assert.deepEqual(await world.reported(), ['Fired 1', 'Resolved 4']);
    const [alert] = await world.alerts();
    assert.deepEqual([alert.serviceName, alert.labels, alert.value], ['', undefined, 4]);
    assert.equal(alert.condition, 'count of logs >= 3 where timeout');
  });

  it('asks each rule once a minute', async () => {
    let asked = 0;
    const world = new World(telemetry, { evaluateRecordRule: async () => (asked++, []) });
    for (const minute of [0, 0.2, 0.4, 0.9, 1, 1.5, 2]) await world.look(minute);
    assert.equal(asked, 3);
  });

  it('goes on from there after the clock was set back', async () => {
    const moments: number[] = [];
    const world = new World(telemetry, {
      evaluateRecordRule: async (_gridId, _rule, momentMs) => (moments.push((momentMs - after(0)) / MINUTE_MS), []),
    });
    for (const minute of [20, 5, 6]) await world.look(minute);
    assert.deepEqual(moments, [20, 5, 6]);
  });

  it('evaluates minutes that it has missed, one after the other', async () => {
    const moments: number[] = [];
    const world = new World(telemetry, {
      evaluateRecordRule: async (_gridId, _rule, momentMs) => (moments.push((momentMs - after(0)) / MINUTE_MS), []),
    });
    for (const minute of [1, 4, 30]) await world.look(minute);
    assert.deepEqual(moments, [1, 2, 3, 4, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
  });

  it('takes a turn for each rule and minute, so that a Grid that is late does not keep others of its owner waiting', async () => {
    const evaluated: string[] = [];
    let running = 0;
    const world = new World(telemetry, {
      evaluateRecordRule: async (gridId, _rule, momentMs) => {
        running++;
        await new Promise(setImmediate);
        assert.equal(running--, 1);
        evaluated.push(`${gridId} ${(momentMs - after(0)) / MINUTE_MS}`);
        return [];
      },
    });
    world.grids = ['late', 'later'];
    await world.look(0);
    world.grids = ['late', 'later', 'on time'];
    await world.look(10);
    const begins = evaluated.indexOf('on time 10');
    assert.ok(begins < evaluated.indexOf('late 10') && begins < evaluated.indexOf('later 10'), evaluated.join());
    assert.equal(evaluated.length, 23);
  });

  it('evaluates nothing that still waits for its turn when it stops', async () => {
    let evaluated = 0;
    let finish: () => void = assert.fail;
    const world = new World(telemetry, {
      evaluateRecordRule: () => {
        evaluated++;
        return new Promise((resolve) => (finish = () => resolve([])));
      },
    });
    world.grids = Array.from({ length: 20 }, (_, n) => `grid ${n}`);
    world.clock.frame = after(0) + EVALUATION_DELAY_MS;
    await world.policy.poll(world.clock.now());
    await waitUntil(() => evaluated === 1, 'the first rule is evaluated');
    const stopped = world.policy.stop();
    finish();
    await stopped;
    assert.equal(evaluated, 1);
  });

  it('says when minutes are skipped, and when that has ended', async () => {
    const world = new World(telemetry, { evaluateRecordRule: async () => [] });
    for (const minute of [1, 30, 31]) await world.look(minute);
    assert.deepEqual(world.warnings, ['Alert rules on queries take longer than a minute; minutes are skipped']);
  });

  it('keeps alerts of a rule whose query fails, and evaluates the others', async () => {
    let isFailing = false;
    const queries = createTelemetryQueries(telemetry.store, telemetry.bodies);
    const world = new World(telemetry, {
      evaluateRecordRule: async (gridId, rule, momentMs) => {
        if (isFailing && rule.id === 'r') throw new Error('too many groups');
        return queries.evaluateRecordRule(gridId, rule, momentMs);
      },
    });
    world.rules = [queryRule(), queryRule({}, { id: 'other', threshold: 1 })];
    await telemetry.addLogs(logs(0, 4));
    await world.look(1);
    isFailing = true;
    for (const minute of [2, 3, 4, 5]) await world.look(minute);
    assert.deepEqual(await world.reported(), ['Fired 1', 'Fired 1', 'Resolved 4']);
    assert.deepEqual(world.complaints, ['Cannot evaluate alert rules on queries; retrying r']);
    isFailing = false;
    for (const minute of [6, 7, 8]) await world.look(minute);
    assert.deepEqual((await world.reported()).slice(3), ['Resolved 8']);
  });

  it('ends alerts of other groups at once when a rule groups by other fields', async () => {
    const world = new World(telemetry);
    world.rules = [queryRule({ groupBy: ['service', 'tier'] })];
    await telemetry.addLogs(logs(0, 4, { tier: 'gold', region: 'eu' }));
    await world.look(1);
    for (const [minute, groupBy] of [['region'], []].entries()) {
      await telemetry.addLogs(logs(1 + minute, 4, { tier: 'gold', region: 'eu' }));
      world.rules = [queryRule({ groupBy })];
      await world.look(2 + minute);
    }
    assert.deepEqual(
      (await world.events()).map(({ data }) => ('reason' in data ? data.reason : 'labels' in data && data.labels)),
      [{ tier: 'gold' }, 'rule-changed', { region: 'eu' }, 'rule-changed', false],
    );
  });

  it('waits two minutes after the start before too few records are noticed', async () => {
    const world = new World(telemetry);
    world.rules = [queryRule({}, { operator: '<', threshold: 1 }), queryRule({}, { id: 'many' })];
    await telemetry.addLogs(logs(0, 4));
    world.clock.frame = after(1.5);
    world.policy.start();
    for (const minute of [2, 3]) await world.look(minute);
    assert.deepEqual(await world.reported(), []);
    await world.look(4);
    assert.deepEqual(await world.reported(), ['Fired 4']);
  });

  it('waits no longer than that when the clock was ahead at the start and was set back', async () => {
    const world = new World(telemetry);
    world.rules = [queryRule({}, { operator: '<', threshold: 1 })];
    await telemetry.addLogs(logs(0, 4));
    world.clock.frame = after(30 * 24 * 60);
    world.policy.start();
    for (const minute of [2, 3, 4, 5]) await world.look(minute);
    assert.deepEqual(await world.reported(), ['Fired 5']);
  });

  it('fires for each group, as a backtest over the same time does afterwards', async () => {
    const rules = [
      queryRule({ groupBy: ['service', 'tier'] }, { id: 'groups', windowMinutes: 3, forMinutes: 1 }),
      queryRule(
        { signal: 'spans', where: '', groupBy: ['service'], select: [{ fn: 'p99', field: 'duration', as: '' }] },
        { id: 'slow', threshold: 500, windowMinutes: 2, minRequests: 2 },
      ),
      queryRule({ groupBy: ['tier'] }, { id: 'silent', operator: '<', threshold: 1, windowMinutes: 2 }),
      queryRule(
        { signal: 'spans', where: '', select: [{ fn: 'errorRate', field: '', as: '' }] },
        { id: 'errors', operator: '>', threshold: 20 },
      ),
    ];
    const world = new World(telemetry);
    world.rules = rules;
    await world.look(0);
    for (let minute = 0; minute < 40; minute++) {
      // Telemetry of the minute arrives, then the minute is evaluated.
      const tiers = ['gold', 'free', 'trial'].filter((_, at) => (minute + at * 5) % 13 < 6);
      await telemetry.addLogs(tiers.flatMap((tier, at) => logs(minute, 1 + ((minute + at) % 4), { tier })));
      await telemetry.addSpans([
        spanEnding(minute, minute % 9 < 3 ? 90_000 : 40, { status: minute % 7 < 2 ? 2 : 0 }),
        spanEnding(minute, 30),
        spanEnding(minute, minute % 11 < 4 ? 700 : 20, { service: 'cart' }),
      ]);
      await world.look(minute + 1);
    }
    await assertBacktested(world, rules);
  });

  it('fires for each new error group and each that comes back, as a backtest does afterwards', async () => {
    const rules = [
      errorRule(),
      errorRule({ id: 'many', threshold: 3, windowMinutes: 5 }),
      errorRule({ id: 'lasting', windowMinutes: 4, forMinutes: 1 }),
      errorRule({ id: 'of cart', serviceName: 'cart' }),
    ];
    const world = new World(telemetry);
    world.rules = rules;
    await telemetry.addLogs([failedLog(-90, { type: 'Known' })]);
    await world.look(0);
    const groupIds: string[] = [];
    for (let minute = 0; minute < 40; minute++) {
      const type = `Error${String.fromCharCode(65 + Math.floor(minute / 3))}`;
      const version = String(1 + Math.floor(minute / 10));
      const again = { type: `Error${String.fromCharCode(65 + (minute % 4))}`, version };
      await telemetry.addSpans([
        failedSpan(minute, 20, { type, version }),
        failedSpan(minute, minute % 6 === 0 ? 9 * MINUTE_MS : 20, { ...again, service: minute % 2 ? 'cart' : 'shop' }),
      ]);
      await telemetry.addLogs([failedLog(minute, { type: 'Known' }), failedLog(minute, again)]);
      await world.look(minute + 1);
      // Now and then somebody resolves the groups that were news, for good or from the next version on.
      for (const { labels } of await world.alerts())
        if (labels !== undefined && !groupIds.includes(labels['error.group'])) groupIds.push(labels['error.group']);
      if (minute % 8 !== 5) continue;
      const at = (after(minute + 1) + EVALUATION_DELAY_MS) / 1_000 + 5;
      const resolution = resolvedIn(at, minute > 20 ? String(Number(version) + 1) : '', [version]);
      for (const groupId of groupIds) {
        const changes = [...(resolved.get(groupId) ?? []), resolution];
        resolved.set(groupId, changes);
        await changeErrorGroup(telemetry, groupId, ...changes);
      }
    }
    await assertBacktested(world, rules);
  });

  it('keeps the alert of an error group whose first exception arrives late, from another service', async () => {
    const world = new World(telemetry);
    const rule = errorRule({ windowMinutes: 5, forMinutes: 1 });
    world.rules = [rule];
    await world.look(0);
    await telemetry.addLogs([failedLog(0)]);
    for (const minute of [1, 2]) await world.look(minute);
    await telemetry.addLogs([failedLog(0, { service: 'cart', second: 10 })]);
    for (let minute = 3; minute <= 10; minute++) await world.look(minute);
    assert.deepEqual(await world.reported(), ['Fired 2', 'Resolved 8']);
    const firings = (await listFirings(world, rule, 0, 10)).map((text) => JSON.parse(text) as unknown[]);
    assert.deepEqual(
      firings.map((firing) => firing.slice(2)),
      [[after(2), after(8)]],
    );
  });

  const resolved = new Map<string, ErrorGroupChange[]>();

  /** Each rule has fired, and so it would have in a backtest. */
  async function assertBacktested(world: World, rules: readonly RecordAlertRule[]): Promise<void> {
    const alerts = await world.alerts();
    for (const rule of rules) {
      const minuteOf = (at: number | undefined): number | null => (at === undefined ? null : at - EVALUATION_DELAY_MS);
      const fired = alerts
        .filter(({ ruleId }) => ruleId === rule.id)
        .map(({ serviceName, labels, firedAt, resolvedAt }) =>
          JSON.stringify([serviceName, labels, minuteOf(firedAt), minuteOf(resolvedAt)]),
        );
      assert.ok(fired.length >= 3, `${rule.id} fires ${fired.length} times`);
      assert.deepEqual(fired.sort(), (await listFirings(world, rule, 0, 40)).sort(), rule.id);
    }
  }
});
