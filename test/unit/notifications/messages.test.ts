import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildWebhookBody } from '../../../src/notifications/formats/alertmanager-webhook.js';
import { buildSlackMessage, buildTeamsMessage, listLinks } from '../../../src/notifications/formats/chat-messages.js';
import { buildEmail } from '../../../src/notifications/formats/email-message.js';
import { buildPagerDutyEvent } from '../../../src/notifications/formats/pagerduty-event.js';
import { createChannelSecrets } from '../../../src/notifications/channel-secrets.js';
import { compileMatchers, countWildcards } from '../../../src/notifications/label-matching.js';
import { buildNotificationContent, listChartSubjects } from '../../../src/notifications/notification-content.js';
import { createHttpSender } from '../../../src/notifications/adapters/http/http-sender.js';
import type { SendFailure } from '../../../src/notifications/notification-sender.js';
import { createPublicLookup, isPublicAddress } from '../../../src/notifications/private-addresses.js';
import { alert, CAUSE, T0 } from '../commands/notifications/given-notifications.js';

const URL_BASE = 'https://hindsight.example';
const REQUEST = {
  gridId: 'grid',
  key: 'key',
  channelId: 'channel',
  routeId: 'route',
  groupId: 'group',
  labels: { service: 'checkout' },
  status: 'firing',
  reason: 'firing',
  alerts: [alert('checkout', { runbookUrl: 'https://wiki.example/checkout' }), alert('cart', { resolvedAt: T0 + 1 })],
  firing: ['checkout'],
  resolved: ['cart'],
  cause: CAUSE,
  at: T0 + 60_000,
} as const;
const content = (changes: object = {}) => buildNotificationContent({ ...REQUEST, ...changes }, 'On call', URL_BASE);

describe('notification messages', () => {
  it('say what is wrong, since when, and why', () => {
    const { title, summary, cause, asOfUrl, runbookUrl } = content();
    assert.equal(title, '[Firing] checkout: Error rate');
    assert.equal(
      summary,
      'checkout: Error rate above 5 % (warning, 12 % when the alert fired), since 2026-03-14 09:00 UTC. Resolved: cart: Error rate.',
    );
    assert.deepEqual(cause, [
      'Likely cause (90 %): Service payment responds slowly',
      'p95 rose from 40 ms to 1,900 ms',
    ]);
    assert.equal(asOfUrl, `${URL_BASE}/portal/g/grid/diagnosis?at=2026-03-14T09%3A01%3A00.000Z`);
    assert.equal(runbookUrl, 'https://wiki.example/checkout');
  });

  it('name the group of a rule on a query, with its labels in webhooks', () => {
    const labels = { 'customer.tier': 'gold', alertname: 'spoofed' };
    const grouped = alert('checkout', { labels });
    assert.equal(
      content({ alerts: [grouped] }).title,
      '[Firing] checkout (customer.tier = gold, alertname = spoofed): Error rate',
    );
    assert.equal(
      content({ alerts: [grouped] }).silenceUrl,
      `${URL_BASE}/portal/g/grid/notifications?tab=silences&alertname=Error+rate&service=checkout&label.customer.tier=gold`,
    );
    const { alerts } = buildWebhookBody(content({ alerts: [grouped] })) as { alerts: { labels: object }[] };
    assert.deepEqual(alerts[0].labels, {
      'customer.tier': 'gold',
      alertname: 'Error rate',
      rule: 'rule',
      service: 'checkout',
      severity: 'warning',
    });
    const { title, chartUrl, affectedServices } = content({ alerts: [alert('', {})], cause: null });
    assert.deepEqual(
      [title, chartUrl, affectedServices],
      ['[Firing] Error rate: Error rate', `${URL_BASE}/portal/g/grid/overview`, []],
    );
  });

  it('show the chart of what the rule watches, or of what a diagnosis affects', () => {
    const watched = alert('checkout');
    assert.deepEqual(listChartSubjects(watched, CAUSE), [watched]);
    const diagnosed = { ...watched, ruleId: 'diagnosis', serviceName: 'orders_db' };
    const subjects = listChartSubjects(diagnosed, { ...CAUSE, kind: 'errors', affectedServices: ['checkout'] });
    assert.deepEqual(subjects, [
      { serviceName: 'orders_db', condition: 'error_rate' },
      { serviceName: 'checkout', condition: 'error_rate' },
    ]);
    assert.equal(listChartSubjects(diagnosed, { ...CAUSE, kind: 'latency' })[0].condition, 'latency');
  });

  it('have the members and types of Alertmanager’s webhook, version 4', () => {
    const body = buildWebhookBody(content()) as Record<string, unknown> & { alerts: Record<string, unknown>[] };
    const { hindsight, ...documented } = body;
    const typesOf = (value: object) => Object.entries(value).map(([name, each]) => `${name}: ${typeof each}`);
    assert.deepEqual(typesOf(documented), [
      'version: string',
      'groupKey: string',
      'truncatedAlerts: number',
      'status: string',
      'receiver: string',
      'groupLabels: object',
      'commonLabels: object',
      'commonAnnotations: object',
      'externalURL: string',
      'alerts: object',
    ]);
    assert.deepEqual(typesOf(body.alerts[0]), [
      'status: string',
      'labels: object',
      'annotations: object',
      'startsAt: string',
      'endsAt: string',
      'generatorURL: string',
      'fingerprint: string',
    ]);
    assert.equal(body['version'], '4');
    assert.deepEqual(
      body.alerts.map(({ status, endsAt }) => [status, endsAt]),
      [
        ['firing', '0001-01-01T00:00:00Z'],
        ['resolved', '2026-03-14T09:00:00.001Z'],
      ],
    );
    assert.deepEqual(body['commonLabels'], { alertname: 'Error rate', rule: 'rule', severity: 'warning' });
    assert.equal((hindsight as { key: string }).key, 'key');
  });

  it('open and resolve one incident of PagerDuty', () => {
    const opened = buildPagerDutyEvent(content(), 'routing-key') as Record<string, unknown>;
    const resolved = buildPagerDutyEvent(content({ status: 'resolved' }), 'routing-key') as Record<string, unknown>;
    assert.deepEqual([opened['event_action'], resolved['event_action']], ['trigger', 'resolve']);
    assert.equal(opened['dedup_key'], resolved['dedup_key']);
    const nameless = buildPagerDutyEvent(content({ alerts: [alert('', { serviceName: '' })], cause: null }), 'key');
    assert.equal((nameless as { payload: { source: string } }).payload.source, 'hindsight', 'it must not be blank');
  });

  it('never let telemetry become markup, mentions or headers', () => {
    const evil =
      '<!channel> <https://evil.example|click> @here *x* [a](https://evil.example)\r\nBcc: victim@x\u202e"><script>';
    const hostile = content({
      alerts: [alert('a', { serviceName: evil, ruleName: evil })],
      cause: { ...CAUSE, cause: evil },
    });
    const { subject, html } = buildEmail(hostile);
    assert.doesNotMatch(subject, /[\r\n\u202e]/);
    assert.doesNotMatch(html, /<script|<!channel|<https/);
    const slack = buildSlackMessage(hostile) as { text: string; blocks: { text?: { type: string } }[] };
    assert.doesNotMatch(slack.text, /[<>]/);
    for (const { text } of slack.blocks) if (text !== undefined) assert.equal(text.type, 'plain_text');
    const teams = JSON.stringify(buildTeamsMessage(hostile));
    assert.doesNotMatch(teams, /"TextBlock"|"entities"/);
    for (const url of [hostile.asOfUrl, hostile.chartUrl]) assert.doesNotMatch(url, /[<>"\s]/);
  });

  it('are short, whatever telemetry says', () => {
    const long = 'x'.repeat(100_000);
    const big = content({
      alerts: [alert('a', { ruleName: long })],
      cause: { ...CAUSE, cause: long, evidence: [long] },
    });
    assert.ok([...big.title].length <= 150);
    assert.ok(big.cause.every((sentence) => sentence.length <= 500));
    const wide = '語'.repeat(20_000);
    const services = [alert('a', { serviceName: wide }), alert('b', { serviceName: `${wide}b`, resolvedAt: T0 })];
    const huge = content({ alerts: services, cause: { ...CAUSE, affectedServices: [wide, long] } });
    for (const { url } of listLinks(huge)) assert.ok(url.length <= 3_000, 'Slack takes no longer address of a button');
    assert.ok([...huge.summary].length <= 1_000);
    for (const body of [buildSlackMessage(huge), buildTeamsMessage(huge), buildPagerDutyEvent(huge, 'key')])
      assert.ok(Buffer.byteLength(JSON.stringify(body)) < 28_000, 'Teams takes no longer card');
  });
});

describe('addresses of channels', () => {
  it('are public only outside all special ranges', () => {
    const refused = `127.0.0.1 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 100.100.100.200
      0.0.0.0 224.0.0.1 255.255.255.255 198.18.0.1 168.63.129.16 ::1 :: fe80::1 fc00::1 fd00:ec2::254 ::ffff:127.0.0.1
      ::ffff:8.8.8.8 64:ff9b::7f00:1 2002:7f00:1:: 2001:db8::1 ff02::1 not-an-address 127.1`;
    for (const address of refused.split(/\s+/)) assert.equal(isPublicAddress(address), false, address);
    for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])
      assert.equal(isPublicAddress(address), true, address);
  });

  it('are checked where the socket looks them up: one private address refuses the name', async () => {
    const resolve = (addresses: readonly string[]) =>
      ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
        done(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        )) as never;
    const look = (addresses: readonly string[]) =>
      new Promise((done) =>
        createPublicLookup(resolve(addresses))('name', {}, (error, address) => done(error?.name ?? address)),
      );
    assert.equal(await look(['8.8.8.8']), '8.8.8.8');
    assert.equal(await look(['8.8.8.8', '127.0.0.1']), 'PrivateAddressError');
    assert.equal(await look([]), 'PrivateAddressError');
  });

  it('are never looked up for names of this machine', async () => {
    const sender = createHttpSender({ lookup: () => assert.fail('looked up') });
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', '0x7f.1', '2130706433', '[::ffff:7f00:1]']) {
      const channel = { name: 'c', type: 'webhook', recipients: [], url: `http://${host}:1/` } as const;
      await assert.rejects(
        sender.send(channel, content(), new AbortController().signal),
        (error: SendFailure) => error.name === 'SendFailure' && !error.retry.isUseful,
        host,
      );
    }
  });
});

describe('secrets of channels', () => {
  const secrets = createChannelSecrets(async () => 'x'.repeat(32));

  it('open for their channel and with their key alone', async () => {
    const sealed = await secrets.seal('grid/channel', { url: 'https://hooks.example/secret' });
    assert.doesNotMatch(Buffer.from(sealed.slice(3), 'base64url').toString('latin1'), /secret/);
    assert.notEqual(sealed, await secrets.seal('grid/channel', { url: 'https://hooks.example/secret' }));
    assert.deepEqual(await secrets.open('grid/channel', sealed), { url: 'https://hooks.example/secret' });
    const other = createChannelSecrets(async () => 'y'.repeat(32));
    for (const open of [
      secrets.open('other/channel', sealed),
      other.open('grid/channel', sealed),
      secrets.open('grid/channel', 'v1.x'),
    ])
      await assert.rejects(open, { code: 'unavailable' });
    await assert.rejects(createChannelSecrets(undefined).seal('a', {}), /NOTIFY_SECRET/);
  });
});

describe('label matching', () => {
  it('takes labels by name, not members of every object', () => {
    for (const label of ['constructor', 'toString', '__proto__']) {
      assert.ok(compileMatchers([{ label, operator: '!=', value: 'a*' }])({ service: 'cart' }));
      assert.ok(compileMatchers([{ label, operator: '=', value: '' }])({ service: 'cart' }));
    }
    assert.ok(compileMatchers([{ label: 'customer.tier', operator: '=', value: 'g*' }])({ 'customer.tier': 'gold' }));
  });

  it('compares values, with * for any text, in linear time', () => {
    const holds = (value: string, service: string, operator = '=') =>
      compileMatchers([{ label: 'service', operator, value }])({ service });
    assert.ok(holds('checkout', 'checkout') && !holds('check', 'checkout'));
    assert.ok(holds('check*', 'checkout') && holds('*out', 'checkout') && holds('*eck*', 'checkout') && holds('*', ''));
    assert.ok(!holds('a*a', 'a') && holds('a*a', 'aa') && holds('.*', '.x') && !holds('.*', 'x'));
    assert.ok(holds('cart', 'checkout', '!=') && !holds('c*', 'checkout', '!='));
    assert.ok(
      holds('a**t', 'at') && holds('*aab*', 'aaab') && holds('*abab*c*', 'ababacabab-c') && !holds('*ab*ab', 'ab'),
    );
    assert.equal(holds('*a'.repeat(400) + 'b', 'a'.repeat(100_000)), false);
    assert.deepEqual(['', '*', 'a**b', '*a*'].map(countWildcards), [0, 1, 1, 2]);
  });

  it('agrees with regular expressions (property)', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (value, service) => {
        const expected = new RegExp(`^${value.replaceAll(/\*+/g, '.*')}$`).test(service);
        return compileMatchers([{ label: 'service', operator: '=', value }])({ service }) === expected;
      }),
      { numRuns: 500 },
    );
  });
});
