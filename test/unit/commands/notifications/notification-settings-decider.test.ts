import assert from 'node:assert/strict';
import { isRejection } from '../../../../src/commands/decider.js';
import { createCommandHandler } from '../../../../src/commands/handle-command.js';
import { alertsDecider } from '../../../../src/commands/alerts/alert-decider.js';
import { createNotificationCommands } from '../../../../src/commands/notifications/notification-commands.js';
import { notificationDecider } from '../../../../src/commands/notifications/notification-decider.js';
import { notificationSettingsDecider } from '../../../../src/commands/notifications/notification-settings-decider.js';
import type { HindsightError } from '../../../../src/errors.js';
import {
  NOTIFICATION_BOUNDS,
  ROUTE_DEFAULTS,
  type NewChannel,
} from '../../../../src/notifications/notification-model.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';
import { alertsStream, gridStream } from '../../../../src/streams/stream-names.js';

const GRID = 'grid';
const WEBHOOK: NewChannel = {
  name: 'On call',
  type: 'webhook',
  url: 'https://hooks.example/secret-path',
  recipients: [],
};

describe('notification commands', () => {
  let store: MemoryEventStore;
  let ids = 0;
  let now = 999;
  const sealed: string[] = [];
  const commands = () =>
    createNotificationCommands({
      settings: createCommandHandler(store, notificationSettingsDecider),
      notifications: createCommandHandler(store, notificationDecider),
      alerts: createCommandHandler(store, alertsDecider),
      seal: async (context, secret) => (sealed.push(`${context} ${JSON.stringify(secret)}`), `sealed-${sealed.length}`),
      newId: () => `id-${(ids += 1)}`,
      now: () => (now += 1),
    });
  beforeEach(async () => {
    store = new MemoryEventStore();
    sealed.length = 0;
    ids = 0;
    now = 999;
    const data = { actor: 'owner', at: 1, gridId: GRID, name: 'shop' };
    await store.append(gridStream(GRID), 'none', [{ id: 'e', type: 'GridCreated.v1', data }]);
  });
  const fieldsOf = async (work: Promise<unknown>): Promise<string[]> => {
    const error = (await work.then(
      () => assert.fail('accepted'),
      (reason: unknown) => reason,
    )) as HindsightError;
    return [error.code, ...error.fields.map(({ field }) => field)];
  };

  it('seals address and credentials: no event has them in the clear', async () => {
    const { channel } = await commands().createChannel('owner', GRID, { ...WEBHOOK, token: 'bearer-token' });
    assert.deepEqual(sealed, ['grid/id-1 {"url":"https://hooks.example/secret-path","token":"bearer-token"}']);
    assert.deepEqual([channel.target, channel.sealed], ['https://hooks.example', 'sealed-1']);
    assert.doesNotMatch(JSON.stringify(await store.readStream(gridStream(GRID))), /secret-path|bearer-token/);
  });

  it('tells when a definition was created as its event does, so that both have the same ETag', async () => {
    const { channel, createdAt: first } = await commands().createChannel('owner', GRID, WEBHOOK);
    const route = {
      ...ROUTE_DEFAULTS,
      name: 'All',
      matchers: [],
      channelIds: [channel.id],
      groupBy: [],
      escalateTo: [],
    };
    const { createdAt: second } = await commands().createRoute('owner', GRID, route);
    const matchers = [{ label: 'service', operator: '=', value: 'checkout' }] as const;
    const silence = { matchers, reason: 'Upgrade', startsAt: 0, endsAt: 10_000 };
    const { createdAt: third } = await commands().createSilence('owner', GRID, silence);
    const events = await store.readStream(gridStream(GRID), 1);
    assert.deepEqual(
      events.map(({ data }) => (data as { at: number }).at),
      [first, second, third],
    );
  });

  it('keeps a secret that a change omits, but not for another type of channel', async () => {
    const { channel } = await commands().createChannel('owner', GRID, WEBHOOK);
    const { url: _, ...silent } = WEBHOOK;
    const changed = await commands().changeChannel('owner', GRID, { ...silent, id: channel.id, name: 'Nights' });
    assert.deepEqual([changed.channel.name, changed.channel.sealed], ['Nights', 'sealed-1']);
    const slack = commands().changeChannel('owner', GRID, { ...silent, type: 'slack', id: channel.id });
    assert.deepEqual(await fieldsOf(slack), ['invalid-request', 'url']);
  });

  it('names every wrong field', async () => {
    const wrong = {
      name: ' ',
      type: 'slack',
      url: 'ftp://x',
      token: 'a b',
      routingKey: 'k',
      recipients: ['a@b'],
    } as const;
    assert.deepEqual((await fieldsOf(commands().createChannel('owner', GRID, wrong))).sort(), [
      'invalid-request',
      'name',
      'recipients',
      'routingKey',
      'token',
      'token',
      'url',
    ]);
    for (const recipient of ['a@b.example\r\nBcc: c@d.example', '"x" <a@b.example>', 'a@b.example, c@d.example']) {
      const email = { name: 'Mail', type: 'email', recipients: [recipient] } as const;
      assert.deepEqual(await fieldsOf(commands().createChannel('owner', GRID, email)), [
        'invalid-request',
        'recipients',
      ]);
    }
    const route = { ...ROUTE_DEFAULTS, name: 'R', matchers: [], channelIds: ['nobody'], groupBy: [], escalateTo: [] };
    assert.deepEqual(await fieldsOf(commands().createRoute('owner', GRID, route)), ['invalid-request', 'channelIds']);
    const silence = { matchers: [], reason: 'x', startsAt: 2, endsAt: 1 };
    assert.deepEqual(await fieldsOf(commands().createSilence('owner', GRID, silence)), [
      'invalid-request',
      'matchers',
      'endsAt',
    ]);
  });

  it('takes the names of channel types of the API, pagerduty among them', async () => {
    const { channel } = await commands().createChannel('owner', GRID, {
      name: 'Pager',
      type: 'pagerduty',
      routingKey: 'k',
      recipients: [],
    });
    assert.equal(channel.type, 'pagerduty');
  });

  it('takes any label in matchers and groups of routes, since rules on queries group by any field', async () => {
    const { channel } = await commands().createChannel('owner', GRID, {
      name: 'Pager',
      type: 'pagerduty',
      routingKey: 'k',
      recipients: [],
    });
    const create = (label: string, groupBy: readonly string[]) =>
      commands().createRoute('owner', GRID, {
        ...ROUTE_DEFAULTS,
        name: 'Gold',
        matchers: [{ label, operator: '=', value: 'gold' }],
        channelIds: [channel.id],
        groupBy,
        escalateTo: [],
      });
    const { route } = await create('customer.tier', ['customer.tier', 'service']);
    assert.deepEqual(route.groupBy, ['customer.tier', 'service']);
    for (const label of [' ', 'x'.repeat(257)])
      assert.deepEqual(await fieldsOf(create(label, [label])), ['invalid-request', 'matchers[0].label', 'groupBy']);
  });

  it('refuses many wildcards, and silences that are over', async () => {
    const matcher = { label: 'service', operator: '=', value: '*a'.repeat(6) } as const;
    const silence = { matchers: [matcher], reason: 'x', startsAt: 1, endsAt: 2_000 };
    assert.deepEqual(await fieldsOf(commands().createSilence('owner', GRID, silence)), [
      'invalid-request',
      'matchers[0].value',
    ]);
    const over = { ...silence, matchers: [{ ...matcher, value: 'a**b' }], endsAt: 1_000 };
    assert.deepEqual(await fieldsOf(commands().createSilence('owner', GRID, over)), ['invalid-request', 'endsAt']);
  });

  it('bounds the silences of a Grid: those that are over make room, the oldest first', () => {
    const silence = (id: string, endsAt: number) => ({ id, matchers: [], reason: 'x', startsAt: 1, endsAt });
    const all = Array.from({ length: NOTIFICATION_BOUNDS.silencesOfAGrid }, (_, i) => silence(`s${i}`, 10_000 - i));
    const settings = {
      ...notificationSettingsDecider.initialState,
      exists: true,
      silence: new Map(all.map((one) => [one.id, one])),
    };
    const matchers = [{ label: 'service', operator: '=', value: 'a' } as const];
    const create = (at: number) =>
      notificationSettingsDecider.decide(
        {
          type: 'Create',
          kind: 'silence',
          gridId: GRID,
          actor: 'owner',
          at,
          definition: { ...silence('new', 20_000), matchers },
        },
        settings,
      );
    assert.ok(isRejection(create(1_000)));
    const decision = create(10_000 - all.length + 2);
    assert.ok(!isRejection(decision));
    assert.deepEqual(
      decision.map(({ type, data }) => [type, 'silenceId' in data ? data.silenceId : '']),
      [
        ['SilenceDeleted.v1', `s${all.length - 1}`],
        ['SilenceCreated.v1', ''],
      ],
    );
  });

  it('keeps a channel that a route uses', async () => {
    const { channel } = await commands().createChannel('owner', GRID, WEBHOOK);
    const base = { ...ROUTE_DEFAULTS, name: 'All', matchers: [], groupBy: [], escalateTo: [] };
    const { route } = await commands().createRoute('owner', GRID, { ...base, channelIds: [channel.id] });
    assert.deepEqual(await fieldsOf(commands().remove('owner', GRID, 'channel', channel.id)), ['conflict']);
    await commands().remove('owner', GRID, 'route', route.id);
    await commands().remove('owner', GRID, 'channel', channel.id);
    assert.deepEqual(await fieldsOf(commands().testChannel(GRID, channel.id)), ['not-found']);
  });

  it('acknowledges an open alert once', async () => {
    const alert = {
      gridId: GRID,
      ruleId: 'r',
      ruleName: 'R',
      serviceName: 's',
      condition: 'c',
      severity: 'warning',
      value: 1,
    };
    const data = { ...alert, alertId: 'alert', at: 1 };
    await store.append(alertsStream(GRID), 'none', [{ id: 'f', type: 'AlertFired.v2', data }]);
    await commands().acknowledge('owner', GRID, 'alert');
    await commands().acknowledge('member', GRID, 'alert');
    const types = (await store.readStream(alertsStream(GRID))).map(({ type }) => type);
    assert.deepEqual(types, ['AlertFired.v2', 'AlertAcknowledged.v1']);
    assert.deepEqual(await fieldsOf(commands().acknowledge('owner', GRID, 'unknown')), ['not-found']);
  });
});
