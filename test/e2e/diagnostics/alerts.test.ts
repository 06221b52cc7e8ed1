import assert from 'node:assert/strict';
import type { ApiClient } from '../../support/api-client.js';
import { BlackBox } from '../../support/black-box.js';
import { KIND, spanId, spansOf, STATUS, traceId } from '../../support/otlp-requests.js';
import { waitUntil } from '../../support/wait-until.js';
import { signInAutomation } from '../../support/sign-in.js';

const MINUTE_MS = 60_000;

interface Alert {
  readonly id: string;
  readonly ruleName: string;
  readonly severity: string;
  readonly serviceName: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly condition: string;
  readonly currentValue: number;
  readonly status: string;
}

interface Rule {
  readonly id: string;
  readonly name: string;
}

let spans = 0;

/** Requests of one service that end at `endMs`. */
function requests(service: string, count: number, failed: number, endMs: number): object {
  return spansOf(
    service,
    ...Array.from({ length: count }, (_, i) => ({
      traceId: traceId(++spans),
      spanId: spanId(spans),
      name: 'GET /',
      kind: KIND.server,
      start: BigInt(endMs - 20) * 1_000_000n,
      end: BigInt(endMs) * 1_000_000n,
      ...(i < failed && { status: { code: STATUS.error } }),
    })),
  );
}

describe('alerts of a running service', function () {
  this.timeout(120_000);
  let box: BlackBox;
  let admin: ApiClient;

  before(async () => {
    box = await BlackBox.start();
    await signIn();
  });
  after(() => box.dispose());

  /** The service address, and therefore its issuer, changes with every start. */
  async function signIn(): Promise<void> {
    admin = await signInAutomation(box.service.apiUrl);
  }

  const rules = (): string => `/admin/grids/${box.gridId}/alert-rules`;

  async function alertsOf(service: string): Promise<readonly Alert[]> {
    const { status, body } = await box.api.get<{ alerts: Alert[] }>(`/apm/diagnostics/${box.gridId}/alerts`);
    assert.equal(status, 200);
    return body.alerts.filter(({ serviceName }) => serviceName === service);
  }

  async function firing(service: string): Promise<readonly Alert[]> {
    await waitUntil(async () => (await alertsOf(service)).length > 0, `an alert of ${service}`, 20_000);
    return alertsOf(service);
  }

  it('fire by the default rules without any configuration', async () => {
    await box.record('traces', requests('shop', 40, 3, Date.now()));
    const [alert] = await firing('shop');
    assert.deepEqual(
      { ...alert, id: '', triggeredAt: '' },
      {
        id: '',
        ruleName: 'High error rate',
        severity: 'warning',
        serviceName: 'shop',
        condition: 'error_rate > 5%',
        currentValue: 7.5,
        triggeredAt: '',
        status: 'firing',
      },
    );
  });

  it('escalate, and remain the same alert across a kill and a restart', async () => {
    const [before] = await firing('shop');
    await box.record('traces', requests('shop', 60, 40, Date.now()));
    const sameGrewWorse = async (): Promise<boolean> =>
      (await alertsOf('shop')).some(
        ({ id, severity, currentValue }) => id === before.id && severity === 'critical' && currentValue === 43,
      );
    await waitUntil(sameGrewWorse, 'the alert is critical', 20_000);
    await box.service.signal('SIGKILL');
    await box.service.start();
    await signIn();
    await waitUntil(sameGrewWorse, 'the alert is known again');
    const names = (await alertsOf('shop')).map(({ ruleName }) => ruleName).sort();
    assert.deepEqual(names, ['High error rate', 'Low Apdex']);
  });

  it('fire for each group of a rule on a query, and resolve immediately when its query changes', async () => {
    const ended = Date.now() - 2 * MINUTE_MS;
    await box.record('traces', requests('till', 12, 3, ended));
    await box.record('traces', requests('kiosk', 30, 0, ended));
    const query = {
      signal: 'spans',
      where: 'service in (till, kiosk)',
      groupBy: ['service', 'status'],
      select: [{ fn: 'count' }],
    };
    const rule = { name: 'Busy', query, operator: '>=', threshold: 9, severity: 'warning', windowMinutes: 10 };
    const created = await admin.post<Rule>(rules(), rule);
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const busyOf = async (service: string): Promise<readonly Alert[]> =>
      (await alertsOf(service)).filter(({ ruleName }) => ruleName === 'Busy');
    await waitUntil(
      async () => (await busyOf('till')).length > 0 && (await busyOf('kiosk')).length > 0,
      'alerts of both services',
      20_000,
    );
    const [till] = await busyOf('till');
    assert.deepEqual(
      [till.labels, till.currentValue, till.condition],
      [{ status: 'OK' }, 9, 'count of spans >= 9 where service in (till, kiosk)'],
    );
    const backtest = await admin.post<{ firings: Pick<Alert, 'serviceName' | 'labels'>[] }>(`${rules()}/backtest`, {
      rule,
      rangeStart: new Date(ended - 20 * MINUTE_MS).toISOString(),
      rangeEnd: new Date().toISOString(),
    });
    assert.deepEqual(
      backtest.body.firings.map(({ serviceName, labels }) => [serviceName, labels]),
      [
        ['kiosk', { status: 'OK' }],
        ['till', { status: 'OK' }],
      ],
    );
    const changed = { ...rule, query: { ...query, where: 'service = kiosk' } };
    assert.equal((await admin.put(`${rules()}/${created.body.id}`, changed)).status, 200);
    await waitUntil(async () => (await busyOf('till')).length === 0, 'the alert has ended', 20_000);
    assert.equal((await admin.delete(`${rules()}/${created.body.id}`)).status, 204);
  });

  it('fire as soon as a rule is created, and resolve immediately when it is deleted', async () => {
    await box.record('traces', requests('cart', 10, 0, Date.now()));
    const busy = {
      name: 'Busy cart',
      metric: 'request_rate',
      operator: '>',
      threshold: 0,
      severity: 'info',
      serviceName: 'cart',
      minRequests: 5,
    };
    const created = await admin.post<Rule>(rules(), busy);
    assert.equal(created.status, 201);
    const [alert] = await firing('cart');
    assert.deepEqual([alert.ruleName, alert.severity, alert.condition], ['Busy cart', 'info', 'request_rate > 0/s']);
    const listed = await admin.get<{ rules: Rule[] }>(rules());
    assert.equal(listed.body.rules.length, 5);
    assert.equal((await admin.put(`${rules()}/${created.body.id}`, { ...created.body, enabled: false })).status, 200);
    await waitUntil(async () => (await alertsOf('cart')).length === 0, 'the alert of the disabled rule is over');
    assert.equal((await admin.put(`${rules()}/${created.body.id}`, created.body)).status, 200);
    const [again] = await firing('cart');
    assert.notEqual(again.id, alert.id);
    assert.equal((await admin.delete(`${rules()}/${created.body.id}`)).status, 204);
    await waitUntil(async () => (await alertsOf('cart')).length === 0, 'the alert of the deleted rule is over');
    assert.equal((await admin.get(`${rules()}/${created.body.id}`)).status, 404);
  });

  it('are predicted by a backtest over past telemetry', async () => {
    const whole = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    const from = whole - 120 * MINUTE_MS;
    for (let at = 0; at < 20; at++)
      await box.record('traces', requests('old', 30, at === 5 ? 30 : 0, from + at * MINUTE_MS + 30_000));
    const rule = {
      name: 'Try',
      metric: 'error_rate',
      operator: '>',
      threshold: 50,
      severity: 'critical',
      serviceName: 'old',
      windowMinutes: 1,
    };
    const answer = await admin.post(`${rules()}/backtest`, {
      rule,
      rangeStart: new Date(from).toISOString(),
      rangeEnd: new Date(from + 20 * MINUTE_MS).toISOString(),
    });
    const iso = (at: number): string => new Date(from + at * MINUTE_MS).toISOString();
    assert.deepEqual(
      [answer.status, answer.body],
      [
        200,
        {
          firings: [{ serviceName: 'old', firedAt: iso(6), resolvedAt: iso(9), peakValue: 100 }],
          perWeek: 504,
          missed: [],
        },
      ],
    );
  });
});
