import assert from 'node:assert/strict';
import type { ApiClient } from '../api-client.js';
import { KIND, spanId, spansOf, traceId } from '../otlp-requests.js';
import { waitUntil } from '../wait-until.js';

export interface ListedAlert {
  readonly id: string;
  readonly ruleName: string;
  readonly serviceName: string;
  readonly status: string;
  readonly acknowledgedBy?: string;
}

let spans = 0;

/** One request of a service that has just ended. */
export function oneRequest(service: string): object {
  const end = BigInt(Date.now()) * 1_000_000n;
  spans += 1;
  const ids = { traceId: traceId(spans), spanId: spanId(spans) };
  return spansOf(service, { ...ids, name: 'GET /', kind: KIND.server, start: end - 5_000_000n, end });
}

/** Sends one request of each service, again while the service answers that it is not ready, as exporters do. */
export async function sendRequests(otlpUrl: string, apiKey: string, services: readonly string[]): Promise<void> {
  for (const service of services) {
    const body = JSON.stringify(oneRequest(service));
    const headers = { 'content-type': 'application/json', 'api-key': apiKey };
    const isAccepted = async (): Promise<boolean> => {
      const { status } = await fetch(`${otlpUrl}/v1/traces`, { method: 'POST', headers, body });
      assert.ok(status === 200 || status === 503, `a request answers ${status}`);
      return status === 200;
    };
    await waitUntil(isAccepted, `a request of ${service} is accepted`);
  }
}

/** The calls that tests of notifications make, for one Grid. `client` signs in, since tokens end with their process. */
export class NotifiedGrid {
  constructor(
    readonly gridId: string,
    private readonly client: () => Promise<ApiClient>,
  ) {}

  /** A webhook channel, and a route to it that sends each alert by itself and at once. */
  async connect(url: string): Promise<string> {
    return this.addRoute(await this.create('channels', { name: 'Receiver', type: 'webhook', url }));
  }

  /** The same by e-mail. */
  async connectEmail(recipients: readonly string[]): Promise<string> {
    return this.addRoute(await this.create('channels', { name: 'Mail', type: 'email', recipients }));
  }

  private async addRoute(channelId: string): Promise<string> {
    await this.create('routes', {
      name: 'Everything',
      channelIds: [channelId],
      groupBy: ['rule', 'service'],
      groupWaitSeconds: 0,
      groupIntervalSeconds: 1,
      repeatIntervalSeconds: 60,
    });
    return channelId;
  }

  /** A rule that every service with a request breaches. */
  createRule(name: string): Promise<string> {
    const condition = { metric: 'request_rate', operator: '>', threshold: 0, severity: 'warning', minRequests: 1 };
    return this.create('alert-rules', { name, ...condition });
  }

  /** Resolves its alerts. */
  async deleteRule(id: string): Promise<void> {
    const { status } = await (await this.client()).delete(this.path('alert-rules', id));
    assert.ok(status === 204 || status === 404, `deleting the rule answers ${status}`);
  }

  silence(service: string): Promise<string> {
    const endsAt = new Date(Date.now() + 3_600_000).toISOString();
    const matchers = [{ label: 'service', operator: '=', value: service }];
    return this.create('silences', { matchers, reason: 'Test of silences', endsAt });
  }

  async endSilence(id: string): Promise<void> {
    assert.equal((await (await this.client()).delete(this.path('silences', id))).status, 204);
  }

  async alerts(rule: string): Promise<readonly ListedAlert[]> {
    const { status, body } = await this.requestAlerts();
    assert.equal(status, 200);
    return selectFiring(body.alerts, rule);
  }

  private async requestAlerts() {
    return (await this.client()).get<{ alerts: ListedAlert[] }>(`/apm/diagnostics/${this.gridId}/alerts`);
  }

  async untilFiring(rule: string, services: readonly string[]): Promise<readonly ListedAlert[]> {
    const isComplete = (alerts: readonly ListedAlert[]): boolean =>
      services.every((service) => alerts.some(({ serviceName }) => serviceName === service));
    let found: readonly ListedAlert[] = [];
    const isFiring = async (): Promise<boolean> => {
      const { status, body } = await this.requestAlerts();
      // While projectors change, a store may not answer in time.
      if (status === 503) return false;
      assert.equal(status, 200);
      return isComplete((found = selectFiring(body.alerts, rule)));
    };
    await waitUntil(isFiring, `${rule} fires`, 120_000);
    return found;
  }

  async acknowledge(alertId: string): Promise<void> {
    const path = `/apm/alerts/${this.gridId}/${alertId}/acknowledge`;
    assert.equal((await (await this.client()).post(path, undefined)).status, 200);
  }

  async deliveries(channelId: string): Promise<readonly { readonly key: string; readonly attempts: number }[]> {
    const path = `${this.path('channels', channelId)}/deliveries`;
    const { status, body } = await (await this.client()).get<{ deliveries: { key: string; attempts: number }[] }>(path);
    assert.equal(status, 200);
    return body.deliveries;
  }

  private async create(kind: string, body: object): Promise<string> {
    const { status, body: created } = await (await this.client()).post<{ id: string }>(this.path(kind), body);
    assert.equal(status, 201, JSON.stringify(created));
    return created.id;
  }

  private path(...parts: readonly string[]): string {
    return ['/admin/grids', this.gridId, ...parts].join('/');
  }
}

function selectFiring(alerts: readonly ListedAlert[], rule: string): readonly ListedAlert[] {
  return alerts.filter(({ ruleName, status }) => ruleName === rule && status === 'firing');
}
