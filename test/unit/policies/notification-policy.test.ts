import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCommandHandler } from '../../../src/commands/handle-command.js';
import { notificationDecider } from '../../../src/commands/notifications/notification-decider.js';
import { notificationSettingsDecider } from '../../../src/commands/notifications/notification-settings-decider.js';
import type { Diagnosis } from '../../../src/diagnostics/diagnostic-results.js';
import { createHttpSender, parseRetryAfter } from '../../../src/notifications/adapters/http/http-sender.js';
import { createPublicLookup } from '../../../src/notifications/private-addresses.js';
import { computeRetryDelay, NotificationDispatcher } from '../../../src/policies/notification-dispatcher.js';
import { NotificationPolicy, type NotificationPolicyParts } from '../../../src/policies/notification-policy.js';
import { SILENT_LOGGER } from '../../../src/self-telemetry/logger.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { alertsStream, gridStream, notificationsStream } from '../../../src/streams/stream-names.js';
import { waitUntil } from '../../support/wait-until.js';
import { CAUSE, GRID, MINUTE, route, SECOND, T0 } from '../commands/notifications/given-notifications.js';

/** A receiver in this process, a log, and any number of processes that deliver. */
class World {
  readonly store = new MemoryEventStore();
  readonly received: { readonly key: string; readonly status: string }[] = [];
  /** Status code of the next answers; 200 when they are used up. */
  answers: number[] = [];
  headers: Record<string, string> = {};
  hangs = false;
  /** Status 200, then part of an answer that never ends, or that is cut off. */
  answersPartly: 'endless' | 'cut' | undefined;
  now = T0;
  diagnoses = 0;
  diagnose: () => Promise<readonly Diagnosis[]> = async () => [];
  private server: Server | undefined;
  private readonly dispatchers: NotificationDispatcher[] = [];

  async open(): Promise<void> {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        const { hindsight, status } = JSON.parse(text) as { hindsight: { key: string }; status: string };
        if (this.hangs) return;
        const code = this.answers.shift() ?? 200;
        if (code === 200) this.received.push({ key: hindsight.key, status });
        if (this.answersPartly !== undefined) {
          response.writeHead(200, { 'content-length': '1000' }).write('taken');
          if (this.answersPartly === 'cut') setTimeout(() => response.destroy(), 10);
          return;
        }
        response.writeHead(code, this.headers).end('x'.repeat(100_000));
      });
    });
    await new Promise<void>((done) => this.server!.listen(0, '127.0.0.1', done));
    const { createdAt: _, ...definition } = route({ groupWaitSeconds: 0 });
    const author = { actor: 'owner', at: T0 - MINUTE, gridId: GRID };
    const channel = { id: 'on-call', name: 'On call', type: 'webhook', target: '', recipients: [], sealed: 'sealed' };
    await this.append(gridStream(GRID), 'GridCreated.v1', { ...author, name: 'shop' });
    await this.append(gridStream(GRID), 'ChannelCreated.v1', { ...author, channel });
    await this.append(gridStream(GRID), 'NotificationRouteCreated.v1', { ...author, route: definition });
  }

  async close(): Promise<void> {
    await Promise.all(this.dispatchers.map((each) => each.stop()));
    this.server!.closeAllConnections();
    await new Promise((done) => this.server!.close(done));
  }

  policy({
    processId = 'one',
    isAlone = false,
    hasAlerts = true,
    refusesPrivate = false,
    timeoutMs = 5_000,
    diagnosisTimeoutMs = 20,
  } = {}): NotificationPolicy {
    const notifications = createCommandHandler(this.store, notificationDecider);
    const { port } = this.server!.address() as AddressInfo;
    const dispatcher = new NotificationDispatcher({
      notifications,
      senders: {
        http: createHttpSender(refusesPrivate ? { lookup: createPublicLookup() } : {}),
        email: { send: () => assert.fail('no e-mail') },
      },
      openSecret: async () => ({ url: `http://127.0.0.1:${port}/secret-path` }),
      signLink: async ({ alertIds }) => alertIds.join('-'),
      findIncident: async () => undefined,
      drawChart: async () => undefined,
      publicUrl: 'https://hindsight.example',
      processId,
      isAlone,
      attemptTimeoutMs: timeoutMs,
      now: () => this.now,
      random: () => 0,
      logger: SILENT_LOGGER,
    });
    this.dispatchers.push(dispatcher);
    const all = async () => [GRID];
    const withAlerts = hasAlerts ? all : async () => [];
    return new NotificationPolicy({
      log: this.store,
      settings: createCommandHandler(this.store, notificationSettingsDecider),
      notifications,
      dispatcher,
      grids: { withOpenAlerts: withAlerts, withPendingDeliveries: withAlerts, withRoutes: all, owns: () => true },
      alertRules: async () => [],
      diagnose: () => ((this.diagnoses += 1), this.diagnose()),
      diagnosisTimeoutMs,
      now: () => this.now,
      logger: { ...SILENT_LOGGER, error: (_, fields) => assert.fail(String(fields?.['error'])) },
    });
  }

  fire(alertId: string, at = T0): Promise<unknown> {
    const alert = { ruleId: 'r', ruleName: 'R', serviceName: alertId, condition: 'c', severity: 'warning', value: 1 };
    return this.append(alertsStream(GRID), 'AlertFired.v2', { gridId: GRID, alertId, ...alert, at });
  }

  resolve(alertId: string): Promise<unknown> {
    const data = { gridId: GRID, alertId, reason: 'cleared', at: this.now };
    return this.append(alertsStream(GRID), 'AlertResolved.v1', data);
  }

  deleteRoute(): Promise<unknown> {
    const data = { actor: 'owner', at: this.now, gridId: GRID, routeId: 'route' };
    return this.append(gridStream(GRID), 'NotificationRouteDeleted.v1', data);
  }

  /** Type and error of what happened to deliveries. */
  async outcomes(): Promise<string[]> {
    const events = await this.store.readStream(notificationsStream(GRID));
    return events
      .filter(({ type }) => /Delivered|Failed/.test(type))
      .map(({ type, data }) => {
        const { error, retryAt } = data as { error?: string; retryAt?: number | null };
        return [type.slice(12, -3), error, retryAt === null ? 'final' : undefined].filter(Boolean).join(' ');
      });
  }

  async until(count: number): Promise<string[]> {
    await waitUntil(async () => (await this.outcomes()).length >= count, `${count} outcomes`);
    return this.outcomes();
  }

  private append(stream: string, type: string, data: object): Promise<unknown> {
    return this.store.append(stream, 'any', [{ id: crypto.randomUUID(), type, data }]);
  }
}

describe('notification policy', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.open();
  });
  afterEach(() => world.close());

  it('delivers each firing and each end once, with a key of its own', async () => {
    const policy = world.policy();
    await world.fire('checkout');
    await policy.poll();
    assert.deepEqual(await world.until(1), ['Delivered']);
    await world.resolve('checkout');
    await policy.poll();
    await world.until(2);
    await policy.poll();
    assert.deepEqual(
      world.received.map(({ status }) => status),
      ['firing', 'resolved'],
    );
    assert.equal(new Set(world.received.map(({ key }) => key)).size, 2);
  });

  it('does not send alerts that fired before the route was created', async () => {
    await world.fire('checkout', T0 - 2 * MINUTE);
    await world.policy().poll();
    assert.deepEqual(await world.outcomes(), []);
  });

  it('retries under the same key what may succeed later, and gives up what cannot', async () => {
    const policy = world.policy();
    world.answers = [503, 429, 200, 404];
    await world.fire('checkout');
    await policy.poll();
    assert.match((await world.until(1))[0], /^Failed HTTP 503: x{1,300}$/);
    await policy.poll();
    assert.equal((await world.outcomes()).length, 1, 'not before it is due');
    world.now += SECOND;
    world.headers = { 'retry-after': '120' };
    await policy.poll();
    await world.until(2);
    world.now += 100 * SECOND;
    await policy.poll();
    assert.equal((await world.outcomes()).length, 2, 'the receiver has asked for more time');
    world.now += 20 * SECOND;
    await policy.poll();
    await world.until(3);
    assert.equal(world.received.length, 1);
    await world.resolve('checkout');
    await policy.poll();
    assert.match((await world.until(4))[3], /^Failed HTTP 404.* final$/);
  });

  it('follows no redirect', async () => {
    world.answers = [302];
    world.headers = { location: 'http://169.254.169.254/' };
    await world.fire('checkout');
    await world.policy().poll();
    assert.match((await world.until(1))[0], /HTTP 302: the receiver redirects/);
  });

  it('refuses private addresses, and says so without the address', async () => {
    await world.fire('checkout');
    await world.policy({ refusesPrivate: true }).poll();
    const [outcome] = await world.until(1);
    assert.match(outcome, /is not public.* final$/);
    assert.doesNotMatch(outcome, /127|secret/);
  });

  it('counts a message as delivered whose receiver says so and then cuts off its answer, or never ends it', async () => {
    for (const how of ['cut', 'endless'] as const) {
      world.answersPartly = how;
      await world.fire(how, T0);
      const policy = world.policy({ timeoutMs: 1_500 });
      await policy.poll();
      const before = how === 'cut' ? 0 : 1;
      assert.deepEqual((await world.until(before + 1)).slice(before), ['Delivered']);
      world.now += 10 * MINUTE;
    }
  });

  it('ends an attempt at a receiver that does not answer', async () => {
    world.hangs = true;
    await world.fire('checkout');
    await world.policy({ timeoutMs: 50 }).poll();
    assert.deepEqual(await world.until(1), ['Failed The receiver did not answer in time.']);
  });

  it('diagnoses every few seconds while alerts are open, else every 15 s', async () => {
    const policy = world.policy();
    const countIn = async (seconds: number): Promise<number> => {
      const before = world.diagnoses;
      for (const end = world.now + seconds * SECOND; world.now < end; world.now += SECOND) await policy.poll();
      return world.diagnoses - before;
    };
    assert.equal(await countIn(60), 4);
    await world.fire('checkout');
    assert.equal(await countIn(60), 20);
  });

  it('sends a critical diagnosis of a Grid without alerts 15 s after it was first seen', async () => {
    const policy = world.policy({ hasAlerts: false });
    world.diagnose = async () => [
      { ...CAUSE, kind: 'latency', severity: 'critical', sampleTraceIds: [], impactedTraceCount: 1 },
    ];
    for (let seconds = 0; seconds <= 16; seconds += 2, world.now += 2 * SECOND) await policy.poll();
    await world.until(1);
    assert.deepEqual(
      world.received.map(({ status }) => status),
      ['firing'],
    );
  });

  it('looks for Grids with routes at once after the clock was set back', async () => {
    let [now, sweeps] = [T0, 0];
    const none = async () => [];
    const withRoutes = async () => ((sweeps += 1), []);
    const grids = { withOpenAlerts: none, withPendingDeliveries: none, withRoutes, owns: () => true };
    const parts = { grids, now: () => now, logger: SILENT_LOGGER } as unknown as NotificationPolicyParts;
    const policy = new NotificationPolicy(parts);
    await policy.poll();
    now -= 60 * MINUTE;
    await policy.poll();
    assert.equal(sweeps, 2);
  });

  it('waits for no diagnosis that takes long, and starts none beside it', async () => {
    world.diagnose = () => new Promise(() => undefined);
    const policy = world.policy();
    await world.fire('checkout');
    for (let i = 0; i < 3; i += 1) await policy.poll();
    assert.deepEqual(await world.until(1), ['Delivered']);
    assert.equal(world.diagnoses, 1);
  });

  it('sends what is pending while the diagnosis runs', async () => {
    await world.fire('checkout');
    world.answers = [503];
    const policy = world.policy({ diagnosisTimeoutMs: 60_000 });
    await policy.poll();
    await world.until(1);
    world.now += 20 * SECOND;
    let end: () => void = () => undefined;
    world.diagnose = () => new Promise((done) => (end = () => done([])));
    const polled = policy.poll();
    await world.until(2);
    end();
    await polled;
  });

  it('sends the end of alerts whose only route was deleted', async () => {
    const policy = world.policy();
    await world.fire('checkout');
    await policy.poll();
    await world.until(1);
    await world.deleteRoute();
    await world.resolve('checkout');
    await policy.poll();
    await world.until(2);
    assert.deepEqual(
      world.received.map(({ status }) => status),
      ['firing', 'resolved'],
    );
  });

  it('makes each attempt in one of two processes', async () => {
    await world.fire('checkout');
    await Promise.all([world.policy({ processId: 'one' }).poll(), world.policy({ processId: 'two' }).poll()]);
    await world.until(1);
    assert.equal(world.received.length, 1);
  });

  it('repeats an attempt of a process that has ended: at once where it was alone, else after its claim', async () => {
    world.hangs = true;
    await world.fire('checkout');
    const ended = world.policy({ processId: 'ended' });
    await ended.poll();
    const claimed = async () =>
      (await world.store.readStream(notificationsStream(GRID))).some(({ type }) => type === 'NotificationAttempted.v1');
    await waitUntil(claimed, 'a claim');
    await ended.stop();
    world.hangs = false;
    const next = world.policy({ processId: 'next' });
    await next.poll();
    assert.deepEqual(await world.outcomes(), []);
    await world.policy({ processId: 'alone', isAlone: true }).poll();
    assert.deepEqual(await world.until(1), ['Delivered']);
    assert.equal(world.received.length, 1);
  });
});

describe('retries of notifications', () => {
  it('wait longer each time, at least as long as the receiver asks, and never for ever', () => {
    assert.deepEqual(
      [1, 2, 3, 9, 10, 50].map((attempt) => computeRetryDelay(attempt, undefined, 0)),
      [1_000, 2_000, 4_000, 256_000, 300_000, 300_000],
    );
    assert.equal(computeRetryDelay(1, undefined, 1), 500);
    assert.equal(computeRetryDelay(1, 90_000, 0.5), 90_000);
    assert.equal(computeRetryDelay(1, 1e12, 0.5), 3_600_000);
  });

  it('understand seconds and dates', () => {
    assert.equal(parseRetryAfter('120', T0), 120_000);
    assert.equal(parseRetryAfter(new Date(T0 + MINUTE).toUTCString(), T0), MINUTE);
    assert.equal(parseRetryAfter('soon', T0), undefined);
  });
});
