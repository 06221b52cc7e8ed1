import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RoutedChange } from '../../../../src/streams/events/notification-events.js';
import {
  alert,
  CAUSE,
  CHANNEL_ID,
  fired,
  GRID,
  MINUTE,
  Notifications,
  route,
  SECOND,
  settings,
  T0,
} from './given-notifications.js';

describe('notification decider', () => {
  let sent: Notifications;
  beforeEach(() => void (sent = new Notifications()));

  it('waits for the group, then sends all of its alerts in one message, and their end in another', () => {
    sent.route(T0, fired(alert('checkout')));
    assert.deepEqual(sent.plan(T0 + 10 * SECOND), []);
    sent.route(T0 + 20 * SECOND, fired(alert('payment')));
    assert.deepEqual(sent.plan(T0 + 30 * SECOND), [`firing ${CHANNEL_ID} +checkout,payment -`]);
    assert.deepEqual(sent.plan(T0 + 31 * SECOND), []);
    sent.deliver(T0 + 31 * SECOND);
    sent.route(T0 + MINUTE, { change: 'resolved', alertId: 'checkout', at: T0 + MINUTE });
    assert.deepEqual(sent.plan(T0 + MINUTE), [], 'one still fires');
    sent.route(T0 + 2 * MINUTE, { change: 'resolved', alertId: 'payment', at: T0 + 2 * MINUTE });
    assert.deepEqual(sent.plan(T0 + 2 * MINUTE), [`resolved ${CHANNEL_ID} + -checkout,payment`]);
    assert.equal(sent.state.groups.size, 0);
  });

  it('sends the end of one of several alerts after the interval, while the others fire', () => {
    sent.route(T0, fired(alert('checkout')), fired(alert('payment')));
    sent.plan(T0 + 30 * SECOND);
    sent.route(T0 + MINUTE, { change: 'resolved', alertId: 'checkout', at: T0 + MINUTE });
    assert.deepEqual(sent.plan(T0 + 5 * MINUTE), []);
    assert.deepEqual(sent.plan(T0 + 5.5 * MINUTE), [`resolved ${CHANNEL_ID} +payment -checkout`]);
    const [last] = sent.events.slice(-1);
    assert.equal(last.type === 'NotificationRequested.v2' && last.data.status, 'firing');
    assert.deepEqual(sent.plan(T0 + 11 * MINUTE), []);
    sent.route(T0 + 12 * MINUTE, { change: 'resolved', alertId: 'payment', at: T0 + 12 * MINUTE });
    assert.deepEqual(sent.plan(T0 + 12 * MINUTE), [`resolved ${CHANNEL_ID} + -payment`]);
  });

  it('sends the end to the channels of the escalation, of what they were notified', () => {
    const late = settings(route({ escalateAfterMinutes: 10, escalateTo: ['boss'] }));
    sent.route(T0, fired(alert('checkout')));
    sent.plan(T0 + 30 * SECOND, late);
    sent.deliver(T0 + MINUTE);
    sent.plan(T0 + 10.5 * MINUTE, late);
    sent.route(T0 + 11 * MINUTE, fired(alert('cart')));
    assert.deepEqual(sent.plan(T0 + 11 * MINUTE, late), [`firing ${CHANNEL_ID} +checkout,cart -`]);
    sent.route(T0 + 12 * MINUTE, { change: 'resolved', alertId: 'cart', at: T0 + 12 * MINUTE });
    sent.route(T0 + 12 * MINUTE, { change: 'resolved', alertId: 'checkout', at: T0 + 12 * MINUTE });
    assert.deepEqual(sent.plan(T0 + 12 * MINUTE, late), [
      `resolved ${CHANNEL_ID} + -checkout,cart`,
      'resolved boss + -checkout',
    ]);
  });

  it('sends the end to the channels that saw the firing, though the route has others now, is disabled or deleted', () => {
    const none = { ...settings(), route: new Map() };
    for (const later of [settings(route({ channelIds: ['boss'] })), settings(route({ enabled: false })), none]) {
      const each = new Notifications();
      each.route(T0, fired(alert('checkout')));
      each.plan(T0 + 30 * SECOND);
      each.deliver(T0 + 31 * SECOND);
      assert.deepEqual(each.plan(T0 + MINUTE, later), []);
      each.route(T0 + 2 * MINUTE, { change: 'resolved', alertId: 'checkout', at: T0 + 2 * MINUTE });
      assert.deepEqual(each.plan(T0 + 2 * MINUTE, later), [`resolved ${CHANNEL_ID} + -checkout`]);
      assert.equal(each.state.groups.size, 0);
    }
  });

  it('closes what has ended if none of its channels is left', () => {
    sent.route(T0, fired(alert('checkout')), fired(alert('cart')));
    sent.plan(T0 + 30 * SECOND);
    const one = settings(route({ channelIds: ['boss'] }));
    const left = { ...one, channel: new Map([...one.channel].filter(([id]) => id === 'boss')) };
    sent.route(T0 + MINUTE, { change: 'resolved', alertId: 'checkout', at: T0 + MINUTE });
    assert.deepEqual(sent.plan(T0 + 6 * MINUTE, left), ['resolved boss +cart -', 'closed resolved-not-sent checkout']);
  });

  it('refuses a test of a channel while another is pending', () => {
    const test = (channelId: string, key: string) =>
      sent.do({ type: 'RequestTest', gridId: GRID, at: T0, channelId, key });
    test(CHANNEL_ID, 'one');
    assert.throws(() => test(CHANNEL_ID, 'two'), /still pending/);
    test('boss', 'three');
    sent.deliver(T0);
    test(CHANNEL_ID, 'four');
  });

  it('sends an alert that has ended before its turn as firing first, then as resolved', () => {
    sent.route(T0, fired(alert('checkout')), { change: 'resolved', alertId: 'checkout', at: T0 + SECOND });
    assert.deepEqual(sent.plan(T0 + MINUTE), [`firing ${CHANNEL_ID} +checkout -`]);
    assert.deepEqual(sent.plan(T0 + MINUTE), [`resolved ${CHANNEL_ID} + -checkout`]);
  });

  it('sends new alerts of a known group after the interval, with those that have ended meanwhile', () => {
    sent.route(T0, fired(alert('checkout')), fired(alert('payment')));
    sent.plan(T0 + 30 * SECOND);
    sent.deliver(T0 + 30 * SECOND);
    sent.route(T0 + MINUTE, fired(alert('cart')), { change: 'resolved', alertId: 'checkout', at: T0 + MINUTE });
    assert.deepEqual(sent.plan(T0 + 5 * MINUTE), []);
    assert.deepEqual(sent.plan(T0 + 5.5 * MINUTE), [`firing ${CHANNEL_ID} +payment,cart -checkout`]);
  });

  it('sends the end of all that was sent at once, and what is new as a group of its own', () => {
    sent.route(T0, fired(alert('checkout')));
    sent.plan(T0 + 30 * SECOND);
    sent.route(T0 + MINUTE, fired(alert('cart')), { change: 'resolved', alertId: 'checkout', at: T0 + MINUTE });
    assert.deepEqual(sent.plan(T0 + MINUTE), [`resolved ${CHANNEL_ID} + -checkout`]);
    assert.deepEqual(sent.plan(T0 + 1.4 * MINUTE), []);
    assert.deepEqual(sent.plan(T0 + 1.5 * MINUTE), [`firing ${CHANNEL_ID} +cart -`]);
    sent.route(T0 + 2 * MINUTE, fired(alert('search')));
    assert.deepEqual(sent.plan(T0 + 6 * MINUTE), []);
    assert.deepEqual(sent.plan(T0 + 6.5 * MINUTE), [`firing ${CHANNEL_ID} +cart,search -`]);
  });

  it('sends an alert again when it becomes critical', () => {
    sent.route(T0, fired(alert('checkout')));
    sent.plan(T0 + 30 * SECOND);
    sent.route(T0 + MINUTE, { change: 'severity', alertId: 'checkout', severity: 'critical', value: 40 });
    assert.deepEqual(sent.plan(T0 + 5.5 * MINUTE), [`firing ${CHANNEL_ID} +checkout -`]);
  });

  it('repeats until somebody acknowledges, and not while the last message waits for its receiver', () => {
    sent.route(T0, fired(alert('checkout')));
    sent.plan(T0 + 30 * SECOND);
    assert.deepEqual(sent.plan(T0 + 120 * MINUTE), [], 'the receiver is unavailable');
    sent.deliver(T0 + 120 * MINUTE);
    assert.deepEqual(sent.plan(T0 + 120 * MINUTE), [`repeat ${CHANNEL_ID} +checkout -`]);
    sent.deliver(T0 + 120 * MINUTE);
    sent.route(T0 + 121 * MINUTE, { change: 'acknowledged', alertId: 'checkout' });
    assert.deepEqual(sent.plan(T0 + 300 * MINUTE), []);
  });

  it('escalates once, unless it is acknowledged', () => {
    const late = settings(route({ escalateAfterMinutes: 10, escalateTo: ['boss'] }));
    sent.route(T0, fired(alert('checkout')));
    sent.plan(T0 + 30 * SECOND, late);
    sent.deliver(T0 + MINUTE);
    assert.deepEqual(sent.plan(T0 + 10 * MINUTE, late), []);
    assert.deepEqual(sent.plan(T0 + 10.5 * MINUTE, late), ['escalation boss +checkout -']);
    sent.deliver(T0 + 11 * MINUTE);
    assert.deepEqual(sent.plan(T0 + 30 * MINUTE, late), []);
  });

  it('escalates each alert by its own time, whatever the group has sent before', () => {
    const late = settings(route({ escalateAfterMinutes: 10, escalateTo: ['boss'], groupIntervalSeconds: 1 }));
    const at = (minutes: number): number => T0 + minutes * MINUTE;
    sent.route(T0, fired(alert('checkout')));
    sent.plan(at(1), late);
    sent.deliver(at(1));
    assert.deepEqual(sent.plan(at(11), late), ['escalation boss +checkout -']);
    sent.deliver(at(11));
    sent.route(at(12), { change: 'acknowledged', alertId: 'checkout' });
    sent.route(at(40), fired(alert('cart', { firedAt: at(40) })));
    assert.deepEqual(sent.plan(at(41), late), [`firing ${CHANNEL_ID} +checkout,cart -`]);
    sent.deliver(at(41));
    assert.deepEqual(sent.plan(at(42), late), [], 'nobody had ten minutes to acknowledge it');
    assert.deepEqual(sent.plan(at(51), late), ['escalation boss +checkout,cart -']);
    sent.deliver(at(51));
    assert.deepEqual(sent.plan(at(60), late), []);
  });

  it('escalates and reminds others though one receiver is unavailable, and tells it the cause later', () => {
    const two = settings(route({ channelIds: [CHANNEL_ID, 'second'], escalateAfterMinutes: 10, escalateTo: ['boss'] }));
    const channel = new Map(two.channel).set('second', { ...two.channel.get('boss')!, id: 'second' });
    const deliverTo = (channelId: string): void => {
      for (const [key, pending] of sent.state.pending)
        if (pending.channelId === channelId)
          sent.do({ type: 'RecordDelivered', gridId: GRID, at: T0, key, attempt: 1, status: 200, answer: '' });
    };
    const all = { ...two, channel };
    sent.route(T0, fired(alert('checkout')));
    sent.plan(T0 + 30 * SECOND, all);
    deliverTo('second');
    assert.deepEqual(sent.plan(T0 + MINUTE, all, [CAUSE]), [
      `cause ${CHANNEL_ID} +checkout -`,
      'cause second +checkout -',
    ]);
    deliverTo('second');
    assert.deepEqual(sent.plan(T0 + 11 * MINUTE, all), ['escalation boss +checkout -']);
    deliverTo('boss');
    assert.deepEqual(sent.plan(T0 + 61 * MINUTE, all), ['repeat second +checkout -']);
  });

  it('sends an alert that a cause of the past would explain, once the alerts of that cause have ended', () => {
    const soon = settings(route({ groupIntervalSeconds: 1 }));
    sent.route(T0, fired(alert('checkout')), fired(alert('search')));
    sent.plan(T0 + MINUTE, soon, [CAUSE]);
    sent.route(T0 + 2 * MINUTE, { change: 'resolved', alertId: 'checkout', at: T0 + 2 * MINUTE });
    sent.plan(T0 + 3 * MINUTE, soon, []);
    sent.route(T0 + 60 * MINUTE, fired(alert('again', { serviceName: 'checkout', firedAt: T0 + 60 * MINUTE })));
    assert.deepEqual(sent.plan(T0 + 61 * MINUTE, soon, []), [`firing ${CHANNEL_ID} +search,again -`]);
    const [last] = sent.events.slice(-1);
    assert.equal(last.type === 'NotificationRequested.v2' && last.data.cause, null, 'the cause is over');
  });

  it('sends what is due though the clock was set back by a day', () => {
    sent.route(T0, fired(alert('checkout')));
    sent.plan(T0 + 30 * SECOND);
    const [key] = sent.state.pending.keys();
    const attempt = { type: 'StartAttempt', gridId: GRID, key, by: 'one', isAlone: false } as const;
    sent.do({ ...attempt, at: T0 + MINUTE, until: T0 + MINUTE + 15 * SECOND });
    const before = T0 - 1_440 * MINUTE;
    assert.equal(sent.do({ ...attempt, by: 'two', at: before, until: before + 15 * SECOND }).length, 1);
    const failed = { type: 'RecordFailed', gridId: GRID, key, attempt: 2, error: 'HTTP 503' } as const;
    sent.do({ ...failed, at: T0 + 2 * MINUTE, retryAt: T0 + 3 * MINUTE });
    assert.equal(sent.do({ ...attempt, at: before, until: before + 15 * SECOND }).length, 1);
    sent.deliver(before);
    sent.route(before, fired(alert('cart')));
    assert.deepEqual(sent.plan(before), [`firing ${CHANNEL_ID} +checkout,cart -`]);
  });

  it('keeps the newest 500 notifications of a receiver that is unavailable, and says so of the others', () => {
    const change = (i: number): RoutedChange => ({
      change: 'fired',
      alert: alert(`service-${i}`),
      groups: [{ groupId: `group-${i}`, routeId: 'route', labels: {} }],
    });
    sent.route(T0, ...Array.from({ length: 520 }, (_, i) => change(i)));
    const [first] = sent.plan(T0 + 30 * SECOND);
    assert.equal(first, `firing ${CHANNEL_ID} +service-0 -`);
    assert.equal(sent.state.pending.size, 500);
    assert.equal([...sent.state.pending.values()][0].firing[0], 'service-20');
    const dropped = sent.events.filter(({ type }) => type === 'NotificationFailed.v1');
    assert.equal(dropped.length, 20);
    assert.ok(dropped.every(({ type, data }) => type === 'NotificationFailed.v1' && data.retryAt === null));
  });

  it('carries the cause, sends an update when it becomes known later, and keeps it to the end', () => {
    sent.route(T0, fired(alert('checkout')));
    sent.plan(T0 + 30 * SECOND);
    sent.deliver(T0 + 31 * SECOND);
    assert.deepEqual(sent.plan(T0 + 40 * SECOND, settings(), [{ ...CAUSE, affectedServices: ['other'] }]), []);
    assert.deepEqual(sent.plan(T0 + 41 * SECOND, settings(), [CAUSE]), [`cause ${CHANNEL_ID} +checkout -`]);
    sent.deliver(T0 + 42 * SECOND);
    sent.route(T0 + MINUTE, { change: 'resolved', alertId: 'checkout', at: T0 + MINUTE });
    sent.plan(T0 + MINUTE);
    const causes = sent.events.map((event) => ('cause' in event.data ? event.data.cause?.serviceName : undefined));
    assert.deepEqual(
      causes.filter((_, i) => sent.events[i].type === 'NotificationRequested.v2'),
      [undefined, 'payment', 'payment'],
    );
  });

  it('lets a critical cause silence its symptoms', () => {
    sent.route(T0, fired(alert('checkout')), fired(alert('payment', { severity: 'critical' })));
    assert.deepEqual(sent.plan(T0 + 30 * SECOND, settings(), [CAUSE]), [`firing ${CHANNEL_ID} +payment -`]);
  });

  it('sends nothing during a silence, and what still fires after it', () => {
    const silence = {
      id: 'silence',
      matchers: [{ label: 'service', operator: '=', value: 'check*' }],
      reason: 'Upgrade',
      startsAt: T0,
      endsAt: T0 + 10 * MINUTE,
    };
    const quiet = settings(route(), [silence]);
    sent.route(T0, fired(alert('checkout')));
    assert.deepEqual(sent.plan(T0 + 5 * MINUTE, quiet), []);
    assert.deepEqual(sent.plan(T0 + 10 * MINUTE, quiet), [`firing ${CHANNEL_ID} +checkout -`]);
    sent.route(T0 + 11 * MINUTE, fired(alert('checkin')), {
      change: 'resolved',
      alertId: 'checkin',
      at: T0 + 12 * MINUTE,
    });
    const longer = settings(route(), [{ ...silence, endsAt: T0 + 60 * MINUTE }]);
    assert.deepEqual(sent.plan(T0 + 20 * MINUTE, longer), ['closed silenced checkin']);
  });

  it('names the cause of another fault that begins while the first one lasts', () => {
    const all = settings(route({ groupWaitSeconds: 0, groupIntervalSeconds: 1 }));
    const first = { ...CAUSE, serviceName: 'orders', affectedServices: [] };
    const second = { ...CAUSE, serviceName: 'payment', affectedServices: [] };
    const causeOfLast = () => {
      const last = sent.events.filter(({ type }) => type === 'NotificationRequested.v2').at(-1);
      return last?.type === 'NotificationRequested.v2' ? last.data.cause?.serviceName : undefined;
    };
    sent.route(T0, fired(alert('one', { serviceName: 'orders' })));
    sent.plan(T0, all, [first]);
    assert.equal(causeOfLast(), 'orders');
    sent.route(T0 + MINUTE, fired(alert('two', { serviceName: 'payment' })));
    sent.plan(T0 + MINUTE, all, [first, second]);
    assert.equal(causeOfLast(), 'payment');
  });

  it('sends what fires before a maintenance window, and what fires in it once it is over', () => {
    const window = { id: 'window', reason: 'Upgrade', startsAt: T0 + 10 * MINUTE, endsAt: T0 + 20 * MINUTE };
    const matchers = [{ label: 'service', operator: '=', value: 'check*' }];
    const planned = settings(route({ groupWaitSeconds: 0, groupBy: ['service'] }), [{ ...window, matchers }]);
    sent.route(T0, fired(alert('checkout')));
    assert.deepEqual(sent.plan(T0, planned), [`firing ${CHANNEL_ID} +checkout -`]);
    sent.route(T0 + 11 * MINUTE, fired(alert('checkin')));
    assert.deepEqual(sent.plan(T0 + 19 * MINUTE, planned), []);
    assert.deepEqual(sent.plan(T0 + 20 * MINUTE, planned), [`firing ${CHANNEL_ID} +checkout,checkin -`]);
  });

  it('ends groups whose route is gone, and resolves that are not to be sent', () => {
    sent.route(T0, fired(alert('checkout')));
    assert.deepEqual(sent.plan(T0, settings(route({ enabled: false }))), ['closed route-removed checkout']);
    sent.route(T0, fired(alert('checkout')));
    const quiet = settings(route({ sendResolved: false, groupWaitSeconds: 0 }));
    sent.plan(T0, quiet);
    sent.route(T0, { change: 'resolved', alertId: 'checkout', at: T0 + SECOND });
    assert.deepEqual(sent.plan(T0 + SECOND, quiet), ['closed resolved-not-sent checkout']);
  });

  it('routes each alert once, whoever repeats the command', () => {
    const command = {
      type: 'RouteAlerts',
      gridId: GRID,
      at: T0,
      after: -1,
      through: 0,
      changes: [fired(alert('a'))],
    } as const;
    assert.equal(sent.do(command).length, 1);
    assert.equal(sent.do(command).length, 0);
  });

  it('lets one process make an attempt, and another only after its claim has lapsed or alone', () => {
    sent.do({ type: 'RequestTest', gridId: GRID, at: T0, channelId: CHANNEL_ID, key: 'key' });
    const attempt = (by: string, at: number, isAlone = false): number =>
      sent.do({ type: 'StartAttempt', gridId: GRID, key: 'key', by, at, until: at + 15 * SECOND, isAlone }).length;
    assert.equal(attempt('one', T0), 1);
    assert.equal(attempt('one', T0 + SECOND), 0);
    assert.equal(attempt('other', T0 + SECOND), 0);
    assert.equal(attempt('other', T0 + 15 * SECOND), 1);
    assert.equal(attempt('third', T0 + 16 * SECOND, true), 1, 'the other has ended');
    const fail = { type: 'RecordFailed', gridId: GRID, key: 'key', error: 'HTTP 503' } as const;
    sent.do({ ...fail, at: T0 + 17 * SECOND, attempt: 1, retryAt: T0 });
    assert.equal(attempt('one', T0 + 17 * SECOND), 0, 'a late failure of an earlier attempt frees nothing');
    sent.do({ ...fail, at: T0 + 17 * SECOND, attempt: 3, retryAt: T0 + 20 * SECOND });
    assert.equal(attempt('one', T0 + 19 * SECOND), 0);
    assert.equal(attempt('one', T0 + 20 * SECOND), 1);
    sent.do({ ...fail, at: T0 + 21 * SECOND, attempt: 4, retryAt: null });
    assert.equal(sent.state.pending.size, 0);
  });

  it('sends each firing and each end at least once, whenever it looks (property)', () => {
    const steps = fc.array(fc.record({ id: fc.integer({ min: 0, max: 3 }), wait: fc.integer({ min: 1, max: 400 }) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(steps, (all) => {
        const each = new Notifications();
        const open = new Map<number, string>();
        const expected: string[] = [];
        let at = T0;
        const look = (): void => void (each.plan(at), each.deliver(at));
        for (const [i, { id, wait }] of all.entries()) {
          at += wait * SECOND;
          const known = open.get(id);
          if (known === undefined) {
            open.set(id, `${id}/${i}`);
            each.route(at, fired(alert(`${id}/${i}`, { firedAt: at })));
            expected.push(`+${id}/${i}`);
          } else {
            open.delete(id);
            each.route(at, { change: 'resolved', alertId: known, at });
            expected.push(`-${known}`);
          }
          if (wait % 2 === 0) look();
        }
        for (const known of open.values()) {
          each.route(at, { change: 'resolved', alertId: known, at });
          expected.push(`-${known}`);
        }
        for (let i = 0; i < 5; i += 1) {
          at += 400 * SECOND;
          look();
        }
        const requests = each.events.flatMap(({ type, data }) => (type === 'NotificationRequested.v2' ? [data] : []));
        const seen = new Set(
          requests.flatMap(({ firing, resolved }) => [...firing.map((x) => `+${x}`), ...resolved.map((x) => `-${x}`)]),
        );
        assert.deepEqual(
          [...expected].filter((one) => !seen.has(one)),
          [],
        );
        assert.equal(new Set(requests.map(({ key }) => key)).size, requests.length, 'each has its own key');
        assert.equal(each.state.groups.size, 0);
      }),
      { numRuns: 200 },
    );
  });
});
