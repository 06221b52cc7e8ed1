import assert from 'node:assert/strict';
import { createCommandHandler } from '../../../src/commands/handle-command.js';
import {
  notificationDecider,
  type NotificationCommand,
} from '../../../src/commands/notifications/notification-decider.js';
import {
  applyNotificationEvents,
  EMPTY_NOTIFICATIONS,
} from '../../../src/commands/notifications/notification-state.js';
import { NotificationCompactor } from '../../../src/policies/notification-compactor.js';
import { createNotificationsRun } from '../../../src/projections/notifications-projection.js';
import { MemoryReadModelStore } from '../../../src/read-models/adapters/memory/read-model-store.js';
import {
  notificationCollections,
  type DeliveryDocument,
} from '../../../src/read-models/documents/notification-documents.js';
import { SILENT_LOGGER } from '../../../src/self-telemetry/logger.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { START, type Position } from '../../../src/streams/event-store.js';
import type { NotificationEvent, RoutedChange } from '../../../src/streams/events/notification-events.js';
import { notificationsStream } from '../../../src/streams/stream-names.js';
import { alert, GRID, MINUTE, route, SECOND, settings, T0 } from '../commands/notifications/given-notifications.js';

const STREAM = notificationsStream(GRID);
const SETTINGS = settings(route({ groupWaitSeconds: 0, groupIntervalSeconds: 1 }));
/** Rounds of half an hour, and alerts of each. */
const ROUNDS = 20;
const ALERTS = 200;

/** Every event that was ever appended, though the log forgets some. */
class RecordingLog extends MemoryEventStore {
  readonly all: NotificationEvent[] = [];

  override async append(...[stream, expected, events]: Parameters<MemoryEventStore['append']>) {
    const appended = await super.append(stream, expected, events);
    if (appended.ok) this.all.push(...events.map(({ type, data }) => ({ type, data }) as NotificationEvent));
    return appended;
  }
}

class World {
  now = T0;
  readonly log: RecordingLog;
  readonly readModels = new MemoryReadModelStore();
  handle: ReturnType<World['start']>;
  private projected: Position = START;

  constructor(maxAppendBytes = 16 * 1024 * 1024) {
    this.log = new RecordingLog({ clock: () => this.now, maxAppendBytes });
    this.handle = this.start();
  }

  /** A process that knows nothing but the log. */
  start() {
    return createCommandHandler(this.log, notificationDecider, 1);
  }

  do(command: NotificationCommand) {
    return this.handle(STREAM, command);
  }

  compactor(): NotificationCompactor {
    return new NotificationCompactor({
      log: this.log,
      listGrids: async () => [GRID],
      now: () => this.now,
      newId: () => crypto.randomUUID(),
      logger: { ...SILENT_LOGGER, error: (message) => assert.fail(message) },
    });
  }

  /** Routes changes, each alert in a group of its own, and requests what is due. */
  async change(...changes: readonly RoutedChange[]): Promise<void> {
    const { state } = await this.handle(STREAM);
    const after = state.through;
    const through = after + changes.length;
    await this.do({ type: 'RouteAlerts', gridId: GRID, at: this.now, after, through, changes });
    await this.do({ type: 'Plan', gridId: GRID, at: this.now, settings: SETTINGS, causes: [] });
  }

  /** Delivers all that is pending; `fails`: the attempt of some of it fails. */
  async deliver(fails: boolean): Promise<void> {
    const { state } = await this.handle(STREAM);
    const commands = [...state.pending.values()].flatMap(({ key, attempts }, i): NotificationCommand[] => {
      const by = { gridId: GRID, key, at: this.now };
      const attempt = attempts + 1;
      return [
        { ...by, type: 'StartAttempt', by: 'one', until: this.now + 15 * SECOND, isAlone: true },
        fails && i % 10 === 0
          ? { ...by, type: 'RecordFailed', attempt, error: 'HTTP 503', retryAt: this.now + 1 }
          : { ...by, type: 'RecordDelivered', attempt, status: 200, answer: 'ok' },
      ];
    });
    await this.handle(STREAM, ...commands);
  }

  /** Brings the read model up to date, as a projector that has followed all along. */
  async project(store = this.readModels, from = this.projected): Promise<void> {
    const events = await this.log.readAll(from, { limit: Infinity });
    const { fold } = createNotificationsRun(1, store);
    for (let at = 0; at < events.length; at += 700) await store.commit(await fold.fold(events.slice(at, at + 700)), []);
    if (store === this.readModels) this.projected = events.at(-1)?.position ?? from;
  }

  /** Deliveries of a read model, and of one that is built from what the log still has. */
  async deliveries(): Promise<{ followed: readonly DeliveryDocument[]; rebuilt: readonly DeliveryDocument[] }> {
    const fresh = new MemoryReadModelStore();
    await this.project();
    await this.project(fresh, START);
    const { deliveries } = notificationCollections(1);
    const listOf = async (store: MemoryReadModelStore) =>
      (await store.find(deliveries, { sort: [{ field: 'key' }] })).map(({ document }) => document);
    return { followed: await listOf(this.readModels), rebuilt: await listOf(fresh) };
  }
}

function fired(i: number, at: number): RoutedChange {
  const group = { groupId: `group-${i % ALERTS}`, routeId: 'route', labels: {} };
  return { change: 'fired', alert: alert(`alert-${i}`, { firedAt: at }), groups: [group] };
}

describe('Notification compactor', () => {
  it('keeps a stream short over 4,000 firings; nothing is lost or doubled across restarts', async function () {
    const world = new World();
    let longest = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const ids = Array.from({ length: ALERTS }, (_, i) => round * ALERTS + i);
      await world.change(...ids.map((i) => fired(i, world.now)));
      await world.deliver(round % 3 === 0);
      world.now += 15 * MINUTE;
      // The alerts of the last round go on.
      const ended = round === ROUNDS - 1 ? [] : ids;
      await world.change(...ended.map((i) => ({ change: 'resolved', alertId: `alert-${i}`, at: world.now }) as const));
      await world.deliver(round % 4 === 0);
      await Promise.all([world.compactor().compact(GRID), world.compactor().compact(GRID)]);
      world.now += 15 * MINUTE;
      longest = Math.max(longest, (await world.log.readStream(STREAM)).length);
      if (round % 10 === 9) {
        world.handle = world.start();
        const { state } = await world.handle(STREAM);
        assert.deepEqual(state, applyNotificationEvents(EMPTY_NOTIFICATIONS, world.log.all), `after round ${round}`);
        const { followed, rebuilt } = await world.deliveries();
        assert.deepEqual(followed, rebuilt);
      }
    }
    assert.ok(world.log.all.length > 20_000, `${world.log.all.length} events`);
    assert.ok(longest < 6_000, `${longest} events at once: those of an hour and of two summaries`);
    const requests = world.log.all.flatMap((event) => (event.type === 'NotificationRequested.v2' ? [event.data] : []));
    assert.equal(new Set(requests.map(({ key }) => key)).size, requests.length);
    assert.deepEqual(
      requests.flatMap(({ firing }) => firing).sort(),
      Array.from({ length: ROUNDS * ALERTS }, (_, i) => `alert-${i}`).sort(),
    );
    assert.equal(new Set(requests.flatMap(({ resolved }) => resolved)).size, (ROUNDS - 1) * ALERTS);
    assert.equal((await world.handle(STREAM)).state.groups.size, ALERTS, 'what fires is known');
  });

  it('keeps the newest 50 deliveries of a channel, and all that are pending', async () => {
    const world = new World();
    for (let i = 0; i < 400; i++) {
      await world.change(fired(i, world.now), { change: 'resolved', alertId: `alert-${i}`, at: world.now });
      if (i < 380) await world.deliver(false);
      world.now += SECOND;
    }
    await world.compactor().compact(GRID);
    const { followed, rebuilt } = await world.deliveries();
    assert.deepEqual(followed, rebuilt);
    const { state } = await world.handle(STREAM);
    assert.equal(followed.filter((each) => each.state === 'pending').length, state.pending.size);
    const settled = followed.filter((each) => each.state === 'delivered');
    assert.equal(settled.length, 50);
    const times = (await world.log.readStream(STREAM)).flatMap(({ type, data }) =>
      type === 'NotificationDelivered.v1' ? [(data as { at: number }).at] : [],
    );
    assert.deepEqual(
      settled.map(({ settledAt }) => settledAt!).sort((a, b) => a - b),
      times.slice(-50),
    );
  });

  it('appends no summary behind an event that it does not know', async () => {
    const world = new World();
    for (let i = 0; i < 300; i++)
      await world.change(fired(i, world.now), { change: 'resolved', alertId: `alert-${i}`, at: world.now });
    for (let i = 0; i < 3; i++) await world.deliver(false);
    const append = world.log.append.bind(world.log);
    let isLate = true;
    world.log.append = async (stream, expected, events) => {
      if (events.at(0)?.type === 'NotificationsSummarized.v1' && isLate) {
        isLate = false;
        await world.change(fired(999, world.now));
      }
      return append(stream, expected, events);
    };
    await world.compactor().compact(GRID);
    const typesOf = async () => (await world.log.readStream(STREAM)).map(({ type }) => type);
    assert.ok(!(await typesOf()).includes('NotificationsSummarized.v1'), 'it was overtaken');
    await world.compactor().compact(GRID);
    assert.equal((await typesOf()).at(-1), 'NotificationsSummarized.v1');
    assert.ok((await world.start()(STREAM)).state.groups.size > 0);
  });

  it('keeps fewer deliveries where the log takes no event of that size', async () => {
    const world = new World(12_000);
    for (let i = 0; i < 300; i++) {
      await world.change(fired(i, world.now), { change: 'resolved', alertId: `alert-${i}`, at: world.now });
      await world.deliver(false);
      world.now += SECOND;
    }
    await world.compactor().compact(GRID);
    const { followed, rebuilt } = await world.deliveries();
    assert.deepEqual(followed, rebuilt);
    assert.equal(followed.filter((each) => each.state === 'delivered').length, 5);
  });
});
