import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWebhookBody } from '../../../src/notifications/formats/alertmanager-webhook.js';
import { buildNotificationContent } from '../../../src/notifications/notification-content.js';
import type { NotifiedAlert } from '../../../src/streams/events/notification-events.js';
import { freePorts } from '../../support/cluster/ports.js';
import { alert, T0 } from '../../unit/commands/notifications/given-notifications.js';
import { waitUntil } from '../../support/wait-until.js';

const PROGRAM = '/usr/bin/prometheus-alertmanager';
const isMissing = !existsSync(PROGRAM);

interface Webhook {
  readonly status: string;
  readonly alerts: readonly { readonly labels: Readonly<Record<string, string>>; readonly endsAt: string }[];
  readonly groupLabels: object;
  readonly commonLabels: object;
  readonly truncatedAlerts: number;
  readonly version: string;
}

/** The webhook of a real Alertmanager, as a receiver gets it, and ours for the same alerts. */
describe(`the webhook beside that of Alertmanager${isMissing ? ' (skipped: apt-get install prometheus-alertmanager)' : ''}`, function () {
  this.timeout(60_000);
  const received: Webhook[] = [];
  let folder: string;
  let server: Server;
  let alertmanager: ChildProcess;
  let url: string;

  before(async function () {
    if (isMissing) this.skip();
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        received.push(JSON.parse(text) as Webhook);
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    folder = await mkdtemp(join(tmpdir(), 'hindsight-alertmanager-'));
    await writeFile(join(folder, 'config.yml'), configuration((server.address() as AddressInfo).port));
    const [port] = await freePorts(1);
    url = `http://127.0.0.1:${port}`;
    const options = [
      `--config.file=${join(folder, 'config.yml')}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ];
    alertmanager = spawn(PROGRAM, options, { stdio: 'ignore' });
    const isReady = async (): Promise<boolean> =>
      (await fetch(`${url}/-/ready`).catch(() => undefined))?.status === 200;
    await waitUntil(isReady, 'Alertmanager is ready');
  });
  after(async () => {
    if (isMissing) return;
    alertmanager.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Tells Alertmanager of the same alerts as ours. */
  async function tell(alerts: readonly NotifiedAlert[]): Promise<void> {
    const body = alerts.map(({ ruleId, ruleName, serviceName, severity, condition, value, resolvedAt }) => ({
      labels: { alertname: ruleName, rule: ruleId, service: serviceName, severity },
      annotations: { summary: `${serviceName}: ${condition}`, value: String(value) },
      generatorURL: 'https://hindsight.example/',
      startsAt: new Date(Date.now() - 60_000).toISOString(),
      ...(resolvedAt !== undefined && { endsAt: new Date().toISOString() }),
    }));
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(`${url}/api/v2/alerts`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(status, 200);
  }

  function ours(alerts: readonly NotifiedAlert[]): Webhook {
    const isOver = alerts.every(({ resolvedAt }) => resolvedAt !== undefined);
    const status = isOver ? 'resolved' : 'firing';
    const ids = alerts.map(({ alertId }) => alertId);
    const about = { labels: { service: 'checkout' }, status, reason: status, alerts, cause: null, at: T0 } as const;
    const request = { gridId: 'grid', key: 'key', channelId: 'channel', routeId: 'route', groupId: 'group', ...about };
    const content = buildNotificationContent(
      { ...request, firing: isOver ? [] : ids, resolved: isOver ? ids : [] },
      'hook',
      'https://hindsight.example',
    );
    const { hindsight: _, ...body } = buildWebhookBody(content) as Webhook & { hindsight: object };
    return body;
  }

  it('has the same members, types and values while alerts fire and when they have ended', async () => {
    const firing = [alert('one', { severity: 'critical' }), alert('two', { ruleName: 'Latency', ruleId: 'other' })].map(
      (each) => ({ ...each, serviceName: 'checkout' }),
    );
    const resolved = firing.map((each) => ({ ...each, resolvedAt: T0 + 1 }));
    for (const [count, alerts] of [
      [1, firing],
      [2, resolved],
    ] as const) {
      await tell(alerts);
      await waitUntil(() => received.length >= count, `the webhook number ${count}`, 30_000);
      const [theirs, own] = [received[count - 1], ours(alerts)];
      assert.deepEqual(shapeOf(own), shapeOf(theirs));
      for (const name of ['version', 'status', 'groupLabels', 'commonLabels', 'truncatedAlerts'] as const)
        assert.deepEqual(own[name], theirs[name], name);
      const byName = (webhook: Webhook) => webhook.alerts.map(({ labels }) => labels.alertname).sort();
      assert.deepEqual(byName(own), byName(theirs));
    }
  });
});

/** One group for each service, sent at once. */
function configuration(port: number): string {
  return [
    'route:',
    '  receiver: hook',
    '  group_by: [service]',
    '  group_wait: 1s',
    '  group_interval: 1s',
    'receivers:',
    '  - name: hook',
    '    webhook_configs:',
    `      - url: http://127.0.0.1:${port}/`,
    '        send_resolved: true',
  ].join('\n');
}

/** Names and types of all members; of a list those of its first entry, of labels and annotations only that they are texts. */
function shapeOf(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return typeof value;
  const entries = Object.entries(value);
  if (/Labels|labels|nnotations/.test(name)) return [...new Set(entries.map(([, each]) => typeof each))];
  return Object.fromEntries(entries.map(([key, each]) => [key, shapeOf(each, key)]).sort());
}
