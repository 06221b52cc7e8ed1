import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Subject, VirtualTimeScheduler } from 'rxjs';
import { alertsDecider, type ObserveAlerts } from '../../../src/commands/alerts/alert-decider.js';
import { createCommandHandler, type CommandHandler } from '../../../src/commands/handle-command.js';
import type { AlertFiring, AlertMinute, MetricAlertRule } from '../../../src/diagnostics/alerting/alert-rule-model.js';
import { evaluateMetricRule } from '../../../src/diagnostics/alerting/metric-rule-evaluator.js';
import { MINUTE_MS } from '../../../src/diagnostics/time-windows.js';
import { HindsightError } from '../../../src/errors.js';
import { SILENT_LOGGER } from '../../../src/self-telemetry/logger.js';
import { MetricRulePolicy, type MetricRuleParts } from '../../../src/policies/metric-rule-policy.js';
import { evolveAlert } from '../../../src/projections/alerts-projection.js';
import type { AlertDocument } from '../../../src/read-models/documents/alert-documents.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import type { AlertEvent } from '../../../src/streams/events/alert-events.js';
import type { EventStore, Position } from '../../../src/streams/event-store.js';
import type { ChangeHint } from '../../../src/streams/live/live-feed.js';
import { alertsStream } from '../../../src/streams/stream-names.js';
import { Scene } from '../../integration/streams/adapters/eventstoredb/scene.js';
import { after, backtest, failing, rule } from '../diagnostics/alerting/given-minutes.js';

const GRID = 'grid';
const QUICK = rule({ windowMinutes: 1 });

/** A log of alerts, telemetry that is there as soon as its minute has begun, and policies that look at both. */
class World {
  readonly complaints: string[] = [];
  readonly failing = new Set<string>();
  rules: MetricAlertRule[] = [QUICK];
  minutes: AlertMinute[] = [];
  grids = [GRID];
  /** The read model shows no more than this many events of a stream. */
  shown = Infinity;
  looks = 0;
  now = 0;

  constructor(readonly store: EventStore = new MemoryEventStore()) {}

  policy(changes: Partial<MetricRuleParts> = {}): MetricRulePolicy {
    return new MetricRulePolicy({
      diagnostics: {
        gridsWithRecentTelemetry: async () => (this.looks++, this.grids),
        evaluations: async (gridId) => {
          if (this.failing.has(gridId)) throw new Error('the reader is unavailable');
          return this.grids.includes(gridId)
            ? this.rules
                .filter(({ enabled }) => enabled)
                .flatMap((each) => evaluateMetricRule(each, this.minutes, this.now))
            : [];
        },
      },
      alerts: {
        alertRules: async () => this.rules,
        openAlerts: async () => (await this.alerts(this.shown)).filter(({ open }) => open),
      },
      handle: createCommandHandler(this.store, alertsDecider),
      hints: new Subject<ChangeHint>(),
      log: {
        ...SILENT_LOGGER,
        error: (message, fields) => this.complaints.push(`${message} ${String(fields?.gridId)}`),
      },
      ...changes,
    });
  }

  /** Looks at a moment, `minutes` after T0. */
  async look(policy: MetricRulePolicy, minutes: number): Promise<void> {
    this.now = after(minutes);
    await policy.poll(this.now);
  }

  async events(gridId = GRID): Promise<AlertEvent[]> {
    return (await this.store.readStream(alertsStream(gridId))).map(({ type, data }) => ({ type, data }) as AlertEvent);
  }

  /** Type and minute of every event. */
  async reported(gridId = GRID): Promise<string[]> {
    return (await this.events(gridId)).map(
      ({ type, data }) => `${type.slice(5, -3)} ${(data.at - after(0)) / MINUTE_MS}`,
    );
  }

  async alerts(shown = Infinity): Promise<AlertDocument[]> {
    const documents = new Map<string, AlertDocument>();
    for (const gridId of ['grid', 'other']) {
      for (const event of (await this.events(gridId)).slice(0, shown)) {
        const document = evolveAlert(documents.get(event.data.alertId), event);
        if (document !== undefined) documents.set(event.data.alertId, document);
      }
    }
    return [...documents.values()];
  }
}

/** Lets promises settle until it holds. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let turns = 0; turns < 1_000; turns++) {
    if (await holds()) return;
    await new Promise(setImmediate);
  }
  assert.fail('It did not happen');
}

/** Virtual time, in which promises settle. */
async function pass(time: VirtualTimeScheduler, untilMs: number): Promise<void> {
  while (time.frame < untilMs) {
    time.maxFrames = Math.min(untilMs, time.frame + 100);
    time.schedule(() => undefined, time.maxFrames - time.frame);
    time.flush();
    for (let i = 0; i < 5; i++) await new Promise(setImmediate);
  }
}

describe('metric rule policy', () => {
  let world: World;
  beforeEach(() => void (world = new World()));

  it('fires an alert once and resolves it after two clear minutes', async () => {
    const policy = world.policy();
    world.minutes = [failing(0, 4), failing(1, 4), failing(2, 0), failing(3, 0), failing(4, 0)];
    for (const at of [0, 0.5, 1, 1.5, 2, 3, 3.5, 4, 4.9, 5, 5.1]) await world.look(policy, at);
    assert.deepEqual(await world.reported(), ['Fired 0.5', 'Resolved 5']);
    const [alert] = await world.alerts();
    assert.deepEqual(
      [alert.ruleName, alert.serviceName, alert.condition, alert.severity, alert.value],
      ['High error rate', 'shop', 'error_rate > 5%', 'warning', 20],
    );
  });

  it('reports escalation, but no improvement', async () => {
    const policy = world.policy();
    world.rules = [rule({ windowMinutes: 1, threshold: 4, criticalThreshold: 10 })];
    world.minutes = [failing(0, 1), failing(1, 1), failing(2, 8), failing(3, 1)];
    for (const at of [1, 2, 3, 4]) await world.look(policy, at);
    assert.deepEqual(await world.reported(), ['Fired 1', 'SeverityChanged 3']);
    assert.deepEqual(
      (await world.alerts()).map(({ severity, value }) => [severity, value]),
      [['critical', 40]],
    );
  });

  it('resolves alerts of Grids without data', async () => {
    const policy = world.policy();
    world.minutes = [failing(0, 4)];
    await world.look(policy, 1);
    world.grids = [];
    for (const at of [2, 3, 4]) await world.look(policy, at);
    assert.deepEqual(await world.reported(), ['Fired 1', 'Resolved 4']);
  });

  it('does not fire again for late data of past windows', async () => {
    const policy = world.policy();
    world.minutes = [failing(0, 4), failing(1, 0), failing(2, 0), failing(3, 0)];
    for (const at of [1, 2, 3, 4]) await world.look(policy, at);
    world.minutes = [failing(0, 20), failing(1, 20), failing(2, 20), failing(3, 0)];
    for (const at of [4.1, 5]) await world.look(policy, at);
    assert.deepEqual(await world.reported(), ['Fired 1', 'Resolved 4']);
  });

  it('accesses the log only to write', async () => {
    let asked = 0;
    const handle: CommandHandler<ObserveAlerts, AlertEvent> = createCommandHandler(world.store, alertsDecider);
    const policy = world.policy({ handle: (...command) => (asked++, handle(...command)) });
    world.minutes = [failing(0, 4), failing(1, 4), failing(2, 4)];
    for (const at of [0, 0.5, 1, 1.5, 2, 2.5, 3]) await world.look(policy, at);
    assert.equal(asked, 1);
  });

  it('writes nothing twice while the read model lags behind', async () => {
    const policy = world.policy();
    world.minutes = [failing(0, 4), failing(1, 4)];
    world.shown = 0;
    for (const at of [1, 1.1, 1.2]) await world.look(policy, at);
    world.shown = 1;
    for (const at of [2, 3, 4, 5, 5.1, 6]) await world.look(policy, at);
    assert.deepEqual(await world.reported(), ['Fired 1', 'Resolved 5']);
  });

  it('handles any number of observations', async () => {
    const services = Array.from({ length: 1_100 }, (_, i) => failing(0, 4, `service ${i}`).services[0]);
    world.minutes = [{ ...failing(0, 0), services }];
    const appended: number[] = [];
    const handle = createCommandHandler(world.store, alertsDecider);
    await world.look(
      world.policy({
        handle: async (...command) => {
          const handled = await handle(...command);
          appended.push(handled.events.length);
          return handled;
        },
      }),
      1,
    );
    assert.deepEqual(appended, [500, 500, 100]);
  });
});

describe('metric rule policy: rules that change', () => {
  const cases: [string, MetricAlertRule[], string[]][] = [
    ['rule-deleted', [], ['Fired 1', 'Resolved 1.1']],
    ['rule-disabled', [{ ...QUICK, enabled: false }], ['Fired 1', 'Resolved 1.1']],
    ['rule-changed', [{ ...QUICK, serviceName: 'cart' }], ['Fired 1', 'Resolved 1.1']],
    ['rule-changed', [{ ...QUICK, threshold: 50 }], ['Fired 1', 'Resolved 1.1']],
    ['rule-changed', [{ ...QUICK, threshold: 6 }], ['Fired 1', 'Resolved 1.1', 'Fired 1.1']],
  ];
  for (const [reason, rules, reported] of cases) {
    it(`end their alerts at once: ${reason}, ${reported.length} events`, async () => {
      const world = new World();
      const policy = world.policy();
      world.minutes = [failing(0, 4), failing(1, 4)];
      await world.look(policy, 1);
      world.rules = rules;
      await world.look(policy, 1.1);
      assert.deepEqual(await world.reported(), reported);
      assert.equal(
        (await world.events())[1].type === 'AlertResolved.v1' &&
          ((await world.events())[1].data as { reason: string }).reason,
        reason,
      );
    });
  }

  it('keep their alerts where the condition stays', async () => {
    const world = new World();
    const policy = world.policy();
    world.minutes = [failing(0, 4), failing(1, 4)];
    await world.look(policy, 1);
    world.rules = [{ ...QUICK, name: 'Another name', windowMinutes: 2, severity: 'info' }];
    await world.look(policy, 1.1);
    assert.deepEqual(await world.reported(), ['Fired 1']);
  });
});

describe('metric rule policy: two processes and restarts', () => {
  it('an incident is one alert, whoever looks, and at once', async () => {
    const world = new World();
    const policies = [world.policy(), world.policy(), world.policy()];
    world.minutes = [failing(0, 4), failing(1, 0), failing(2, 0), failing(3, 0), failing(4, 4)];
    for (const at of [1, 2, 3, 4, 5]) {
      world.now = after(at);
      await Promise.all(policies.map((policy) => policy.poll(world.now)));
    }
    assert.deepEqual(await world.reported(), ['Fired 1', 'Resolved 4', 'Fired 5']);
  });

  it('an incident is one alert, whoever looks over a connection of his own, whatever his clock says', async () => {
    const scene = await Scene.open();
    const world = new World(scene.store());
    const policies = Array.from({ length: 4 }, () =>
      world.policy({ handle: createCommandHandler(scene.store(), alertsDecider) }),
    );
    world.minutes = [failing(0, 4), failing(1, 0), failing(2, 0), failing(3, 0), failing(4, 4)];
    for (const at of [1, 2, 3, 4, 5]) {
      world.now = after(at);
      await Promise.all(policies.map((policy, ahead) => policy.poll(world.now + ahead * 250)));
    }
    assert.deepEqual(
      (await world.events()).map(({ type }) => type),
      ['AlertFired.v2', 'AlertResolved.v1', 'AlertFired.v2'],
    );
    assert.deepEqual(world.complaints, []);
    await scene.close();
  });

  it('an alert fires no second time after a restart, and the new process lets it end', async () => {
    const world = new World();
    world.minutes = [failing(0, 4), failing(1, 4)];
    await world.look(world.policy(), 1);
    const restarted = world.policy();
    for (const at of [2, 3, 4, 5]) await world.look(restarted, at);
    assert.deepEqual(await world.reported(), ['Fired 1', 'Resolved 5']);
  });

  it('a restart lets no alert end early: it was seen clear by nobody who remembers it', async () => {
    const world = new World();
    const before = world.policy();
    world.minutes = [failing(0, 4)];
    for (const at of [1, 2, 3]) await world.look(before, at);
    const restarted = world.policy();
    for (const at of [4, 5]) await world.look(restarted, at);
    assert.deepEqual(await world.reported(), ['Fired 1']);
    await world.look(restarted, 6);
    assert.deepEqual(await world.reported(), ['Fired 1', 'Resolved 6']);
  });
});

describe('metric rule policy: laws of restarts', () => {
  it('alerts of a rule and a service never overlap, and none ends within two minutes of a breach', async () => {
    const looks = fc.array(
      fc.record({
        minutes: fc.constantFrom(0.1, 0.5, 1, 2),
        errors: fc.constantFrom(0, 0, 5),
        restarts: fc.boolean(),
        isAway: fc.boolean(),
      }),
      { minLength: 5, maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(looks, async (course) => {
        const world = new World();
        let policy = world.policy();
        let at = 0;
        const breaches: number[] = [];
        for (const { minutes, errors, restarts, isAway } of course) {
          at += minutes;
          world.minutes = [failing(Math.ceil(at) - 1, errors)];
          if (restarts) policy = world.policy();
          if (isAway) world.failing.add(GRID);
          else world.failing.clear();
          if (errors > 0) breaches.push(after(at));
          await world.look(policy, at);
        }
        const alerts = await world.alerts();
        for (const [i, { firedAt, resolvedAt = Infinity }] of alerts.entries()) {
          assert.ok(i === 0 || firedAt > (alerts[i - 1].resolvedAt ?? Infinity), 'one alert at a time');
          const seen = breaches.filter((each) => each >= firedAt && each < resolvedAt);
          assert.ok(
            resolvedAt - Math.max(...seen) >= 2 * MINUTE_MS || resolvedAt === Infinity,
            'clear for two minutes',
          );
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('metric rule policy: failures', () => {
  it('in one Grid do not affect others, and are logged once for each Grid', async () => {
    const world = new World();
    const policy = world.policy();
    world.grids = ['grid', 'other'];
    world.minutes = [failing(0, 4), failing(1, 4)];
    world.failing.add('grid');
    for (const at of [1, 1.1]) await world.look(policy, at);
    assert.deepEqual(
      [await world.reported('grid'), await world.reported('other'), world.complaints.length],
      [[], ['Fired 1'], 1],
    );
    world.failing.clear();
    await world.look(policy, 1.2);
    assert.deepEqual(await world.reported('grid'), ['Fired 1.2']);
    world.failing.add('other');
    await world.look(policy, 1.3);
    assert.deepEqual(
      world.complaints,
      ['grid', 'other'].map((gridId) => `Failed to evaluate alert rules; retrying ${gridId}`),
    );
  });

  it('and evaluations that hang in one Grid delay no other, and are given up', async () => {
    const world = new World();
    const time = new VirtualTimeScheduler();
    let asked = 0;
    const policy = world.policy({
      scheduler: time,
      diagnostics: {
        gridsWithRecentTelemetry: async () => ['grid', 'other'],
        evaluations: (gridId) =>
          gridId === 'grid'
            ? (asked++, new Promise(() => undefined))
            : Promise.resolve(evaluateMetricRule(QUICK, world.minutes, world.now)),
      },
    });
    world.minutes = [failing(0, 4)];
    const polled = world.look(policy, 1);
    await eventually(async () => (await world.reported('other')).length === 1);
    time.maxFrames = 2_000;
    time.flush();
    await polled;
    await world.look(policy, 1.1);
    assert.deepEqual([await world.reported('other'), asked, world.complaints], [['Fired 1'], 1, []]);
    time.maxFrames = 30_000;
    time.flush();
    await eventually(async () => world.complaints.length === 1);
    void world.look(policy, 1.2);
    await eventually(async () => asked === 2);
    assert.deepEqual(world.complaints, ['Failed to evaluate alert rules; retrying grid']);
    await policy.stop();
  });

  it('and Grids that hang hold at most the slots that there are, and leave some to the others', async () => {
    const world = new World();
    const time = new VirtualTimeScheduler();
    const hanging = Array.from({ length: 20 }, (_, i) => `hanging ${i}`);
    const begun = new Map<string, number>();
    const evaluatedAt: number[] = [];
    let [running, most] = [0, 0];
    const policy = world.policy({
      scheduler: time,
      diagnostics: {
        gridsWithRecentTelemetry: async () => [...hanging, GRID],
        evaluations: (gridId) => {
          if (gridId === GRID) return Promise.resolve((evaluatedAt.push(time.frame), []));
          begun.set(gridId, (begun.get(gridId) ?? 0) + 1);
          most = Math.max(most, (running += 1));
          return new Promise((_, reject) => {
            time.schedule(() => ((running -= 1), reject(new HindsightError('unavailable', 'It hangs'))), 25_000);
          });
        },
      },
    });
    policy.start();
    await pass(time, 100_000);
    // The first round shows who hangs.
    assert.deepEqual([most, begun.size], [8, hanging.length]);
    const before = evaluatedAt.length;
    await pass(time, 200_000);
    assert.ok(evaluatedAt.length >= before + 19, `${evaluatedAt.length - before} evaluations in 100 s`);
    const rounds = [...begun.values()];
    assert.ok(Math.max(...rounds) - Math.min(...rounds) <= 1, 'those that hang take turns');
    assert.equal(most, 8);
    await policy.stop();
  });

  it('do not count as clear', async () => {
    const world = new World();
    const policy = world.policy();
    world.minutes = [failing(0, 4)];
    for (const at of [1, 2]) await world.look(policy, at);
    world.failing.add(GRID);
    await world.look(policy, 3);
    world.failing.clear();
    for (const at of [4, 5]) await world.look(policy, at);
    assert.deepEqual(await world.reported(), ['Fired 1']);
    await world.look(policy, 6);
    assert.deepEqual(await world.reported(), ['Fired 1', 'Resolved 6']);
  });

  it('of the log lose nothing: the next poll writes what still holds', async () => {
    const world = new World();
    const handle = createCommandHandler(world.store, alertsDecider);
    let away = true;
    const policy = world.policy({
      handle: (...command) => (away ? Promise.reject(new Error('the log is unavailable')) : handle(...command)),
    });
    world.minutes = [failing(0, 4)];
    await world.look(policy, 1);
    away = false;
    for (const at of [1.5, 3]) await world.look(policy, at);
    away = true;
    await world.look(policy, 5);
    away = false;
    await world.look(policy, 5.1);
    assert.deepEqual(await world.reported(), ['Fired 1.5', 'Resolved 5.1']);
  });
});

describe('metric rule policy: law', () => {
  it('alerts are those of the backtest', async () => {
    const errors = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 5), { minLength: 30, maxLength: 30 });
    const rules = fc
      .record({
        windowMinutes: fc.integer({ min: 1, max: 5 }),
        forMinutes: fc.integer({ min: 0, max: 2 }),
        threshold: fc.constantFrom(4, 9),
        critical: fc.boolean(),
      })
      .map(({ critical, ...rest }) => rule({ ...rest, ...(critical && { criticalThreshold: rest.threshold * 2 }) }));
    await fc.assert(
      fc.asyncProperty(errors, errors, rules, async (shop, cart, asked) => {
        const world = new World();
        const policy = world.policy();
        world.rules = [asked];
        const both = shop.map((each, at) => ({
          ...failing(at, each),
          services: [failing(at, cart[at], 'cart').services[0], failing(at, each).services[0]],
        }));
        // Silence of both, now and then.
        world.minutes = both.filter((_, at) => shop[at] + cart[at] !== 3);
        for (let at = 0; at <= 30; at++) await world.look(policy, at);
        const alerts = (await world.alerts()).map(({ serviceName, firedAt, resolvedAt = null }) => ({
          serviceName,
          firedAt,
          resolvedAt,
        }));
        const { firings } = backtest(asked, world.minutes, { fromMs: after(0), toMs: after(30) }, after(30));
        const order = (a: Omit<AlertFiring, 'peakValue'>, b: Omit<AlertFiring, 'peakValue'>): number =>
          a.firedAt - b.firedAt || (a.serviceName < b.serviceName ? -1 : 1);
        assert.deepEqual(
          alerts.sort(order),
          firings.map(({ peakValue: _, ...firing }) => firing),
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe('metric rule policy: when it looks', () => {
  const projected: ChangeHint = { topic: 'projected', projection: 'traces', position: '1' as Position };

  it('at once and every 5 s', async () => {
    const world = new World();
    const time = new VirtualTimeScheduler();
    const policy = world.policy({ scheduler: time });
    policy.start();
    await pass(time, 100);
    assert.equal(world.looks, 1);
    await pass(time, 20_500);
    assert.equal(world.looks, 5);
    await policy.stop();
    await pass(time, 40_000);
    assert.equal(world.looks, 5);
  });

  it('after hints, at most once a second, the last one included', async () => {
    const world = new World();
    const time = new VirtualTimeScheduler();
    const hints = new Subject<ChangeHint>();
    const policy = world.policy({ scheduler: time, hints });
    policy.start();
    await pass(time, 1_500);
    const before = world.looks;
    for (let i = 1; i <= 10; i++) {
      hints.next(projected);
      await pass(time, 1_500 + i * 100);
    }
    assert.equal(world.looks, before + 2);
    hints.next({ topic: 'appended', position: '1' as Position });
    await pass(time, 4_900);
    assert.equal(world.looks, before + 2);
    await policy.stop();
  });

  it('stops without waiting for what it asks, but for what it writes', async () => {
    const world = new World();
    let release: (() => void) | undefined;
    world.minutes = [failing(0, 4)];
    world.now = after(1);
    const asking = world.policy({
      diagnostics: { gridsWithRecentTelemetry: () => new Promise(() => undefined), evaluations: async () => [] },
    });
    void asking.poll(after(1));
    await asking.stop();
    await asking.stop();
    const handle = createCommandHandler(world.store, alertsDecider);
    const time = new VirtualTimeScheduler();
    const writing = world.policy({
      scheduler: time,
      handle: async (...command) => {
        await new Promise<void>((resolve) => (release = resolve));
        return handle(...command);
      },
    });
    writing.start();
    await pass(time, 200);
    assert.ok(release);
    let stopped = false;
    const stopping = writing.stop().then(() => (stopped = true));
    await new Promise(setImmediate);
    assert.equal(stopped, false);
    release();
    await stopping;
    assert.equal((await world.events()).length, 1);
    assert.deepEqual(world.complaints, []);
  });
});
