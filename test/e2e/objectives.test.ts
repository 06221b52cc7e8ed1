import assert from 'node:assert/strict';
import type { ApiClient } from '../support/api-client.js';
import { BlackBox } from '../support/black-box.js';
import { KIND, spanId, spansOf, STATUS, traceId } from '../support/otlp-requests.js';
import { signInAutomation } from '../support/sign-in.js';
import { waitUntil } from '../support/wait-until.js';

const HOUR_MS = 3_600_000;

interface Assessed {
  readonly id: string;
  readonly good: number;
  readonly total: number;
  readonly excluded: number;
  readonly sli: number | null;
  readonly status: string;
  readonly errorBudget: Readonly<Record<string, number>>;
  readonly burnRates: Readonly<Record<string, number>>;
  readonly alert: { readonly condition: string } | null;
}

let spans = 0;

/** Requests of one service that end at `endMs`, of which the first ones fail and the others take `ms`. */
function requests(service: string, count: number, failed: number, endMs: number, ms = 20): object {
  return spansOf(
    service,
    ...Array.from({ length: count }, (_, i) => ({
      traceId: traceId(++spans),
      spanId: spanId(spans),
      name: 'GET /',
      kind: KIND.server,
      start: BigInt(endMs - ms) * 1_000_000n,
      end: BigInt(endMs) * 1_000_000n,
      ...(i < failed && { status: { code: STATUS.error } }),
    })),
  );
}

describe('objectives of a running service', function () {
  this.timeout(120_000);
  let box: BlackBox;
  let admin: ApiClient;

  before(async () => {
    box = await BlackBox.start();
    admin = await signInAutomation(box.service.apiUrl);
  });
  after(() => box.dispose());

  /** A busy machine answers 503 at times: senders retry. */
  async function send(...batches: readonly object[]): Promise<void> {
    for (const batch of batches)
      await waitUntil(async () => (await box.send('traces', batch)).status === 200, 'the acknowledgement', 60_000);
    await box.settled();
  }

  async function create(indicator: object, objective: number, more: object = {}): Promise<string> {
    const slo = { name: `Objective ${objective}`, indicator, objective, windowDays: 7, ...more };
    const { status, body } = await admin.post<{ id: string }>(`/admin/grids/${box.gridId}/slos`, slo);
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  }

  async function assess(id: string, query = ''): Promise<Assessed> {
    const { status, body } = await box.api.get<{ slos: Assessed[] }>(`/apm/slos/${box.gridId}${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.slos.find((slo) => slo.id === id) ?? assert.fail('The objective is missing');
  }

  it('count exactly, with late telemetry and as of a moment', async () => {
    const id = await create({ type: 'availability', serviceName: 'late' }, 99);
    const now = Date.now();
    await send(requests('late', 90, 2, now - 30 * HOUR_MS), requests('late', 10, 0, now - 1_000));
    const { good, total, sli, errorBudget } = await assess(id);
    assert.deepEqual(
      [good, total, sli, errorBudget],
      [...[98, 100, 98], { total: 1, consumed: 2, remaining: -1, remainingPercent: -100 }],
    );
    await send(requests('late', 100, 0, now - 30 * HOUR_MS));
    assert.deepEqual(await assess(id).then((slo) => [slo.good, slo.total, slo.status]), [198, 200, 'met']);
    const past = await assess(id, `?asOf=${new Date(now - 3 * HOUR_MS).toISOString()}`);
    assert.deepEqual([past.good, past.total], [188, 190]);
  });

  it('tell good from bad requests by duration, and events by conditions', async () => {
    const now = Date.now();
    await send(requests('slow', 30, 0, now - 2_000, 299), requests('slow', 10, 0, now - 2_000, 300));
    const fast = await create({ type: 'latency', serviceName: 'slow', thresholdMs: 300 }, 95, { alerts: false });
    const query = { type: 'query', signal: 'spans', all: 'service = slow', good: 'duration <= 300ms' };
    const within = await create(query, 94, { alerts: false });
    assert.deepEqual(await assess(fast).then(({ good, total }) => [good, total]), [30, 40]);
    assert.deepEqual(await assess(within).then(({ good, total }) => [good, total]), [40, 40]);
  });

  it('raise an alert when their budget burns, and end it when they are deleted', async () => {
    const id = await create({ type: 'availability', serviceName: 'burning' }, 99);
    await send(requests('burning', 50, 25, Date.now()));
    const alerts = async () =>
      (
        await box.api.get<{ alerts: { serviceName: string; condition: string; severity: string }[] }>(
          `/apm/diagnostics/${box.gridId}/alerts`,
        )
      ).body.alerts.filter(({ condition }) => condition.startsWith('burn_rate'));
    await waitUntil(async () => (await alerts()).some(({ serviceName }) => serviceName === 'burning'), 'alert', 40_000);
    const [alert] = (await alerts()).filter(({ serviceName }) => serviceName === 'burning');
    assert.deepEqual([alert.condition, alert.severity], ['burn_rate > 3.36 over 1h and 5m', 'critical']);
    const { burnRates, alert: holding } = await assess(id);
    assert.deepEqual([burnRates['5m'], burnRates['3d'], holding?.condition], [50, 50, alert.condition]);
    assert.equal((await admin.delete(`/admin/grids/${box.gridId}/slos/${id}`)).status, 204);
    await waitUntil(async () => !(await alerts()).some(({ serviceName }) => serviceName === 'burning'), 'end', 40_000);
  });

  it('leave out planned maintenance where they say so', async () => {
    const startsAt = Math.ceil((Date.now() + 1_000) / 60_000) * 60_000;
    const silence = {
      ...{ matchers: [{ label: 'service', operator: '=', value: 'upgraded' }], reason: 'Upgrade' },
      ...{ startsAt: new Date(startsAt).toISOString(), endsAt: new Date(startsAt + 60_000).toISOString() },
    };
    assert.equal((await admin.post(`/admin/grids/${box.gridId}/silences`, silence)).status, 201);
    const indicator = { type: 'availability', serviceName: 'upgraded' };
    const strict = await create(indicator, 99, { alerts: false });
    const lenient = await create(indicator, 99, { alerts: false, excludesMaintenance: true });
    await waitUntil(async () => Date.now() >= startsAt + 2_000, 'the maintenance', 90_000);
    await send(requests('upgraded', 10, 10, startsAt + 1_000), requests('upgraded', 5, 0, startsAt - 1_000));
    const total = (id: string) => assess(id).then(({ good, total, excluded }) => [good, total, excluded]);
    assert.deepEqual(
      [await total(strict), await total(lenient)],
      [
        [5, 15, 0],
        [5, 5, 10],
      ],
    );
  });

  it('report on a month, in figures, as Markdown and as a picture', async () => {
    const now = Date.now();
    const id = await create({ type: 'availability', serviceName: 'reported' }, 90, { alerts: false });
    await send(requests('reported', 40, 2, now - 1_000));
    const month = new Date(now).toISOString().slice(0, 7);
    const path = `/apm/slos/${box.gridId}/${id}/report`;
    const { body } = await box.api.get<{ good: number; total: number; isMet: boolean; markdown: string }>(
      `${path}?month=${month}`,
    );
    assert.deepEqual([body.good, body.total, body.isMet], [38, 40, true]);
    assert.match(body.markdown, /\| Achieved \| 95 % \(38 of 40 events\) \|/);
    assert.equal((await box.api.bytes('GET', `${path}/render?month=${month}&zone=Europe/Berlin`)).status, 200);
    assert.equal((await box.api.get(`${path}?month=2026-13`)).status, 400);
    assert.equal((await box.api.get(`${path}?month=${month}&zone=Nowhere`)).status, 400);
  });

  it('propose an objective from past telemetry', async () => {
    const now = Date.now();
    await send(requests('past', 1_000, 0, now - 5 * HOUR_MS), requests('past', 60, 12, now - HOUR_MS));
    const { status, body } = await admin.post<{
      proposed: number;
      backtests: { summary: string; objective: number }[];
    }>(`/admin/grids/${box.gridId}/slos/backtest`, {
      indicator: { type: 'availability', serviceName: 'past' },
      days: 2,
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.proposed, 98);
    assert.deepEqual(
      body.backtests.find(({ objective }) => objective === 98)?.summary,
      'Would have been met, and would not have paged.',
    );
  });

  it('stay counted across a kill', async () => {
    const id = await create({ type: 'availability', serviceName: 'kept' }, 99);
    await send(requests('kept', 70, 7, Date.now() - 2 * HOUR_MS));
    assert.equal((await assess(id)).total, 70);
    await box.service.signal('SIGKILL');
    await box.service.start();
    admin = await signInAutomation(box.service.apiUrl);
    await waitUntil(async () => (await assess(id)).total === 70, 'the counts', 20_000);
  });
});
