import assert from 'node:assert/strict';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { LOG_ID, ROOT_SPAN_ID, TRACE_ID } from '../../../support/fake-telemetry.js';

const BASE = `/apm/logs/${GRID_A}`;
const WINDOW = { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' };

const LISTED = {
  id: LOG_ID,
  timestamp: '2026-01-01T00:00:00.123Z',
  severityLevel: 'Error',
  body: 'order failed',
  serviceName: 'checkout',
  traceId: TRACE_ID,
  spanId: ROOT_SPAN_ID,
  attributes: { order: 'o-1' },
};

/** What only the detail of an entry tells. */
const SENT = {
  scope: { name: 'shop', version: '1.2', attributes: { team: 'pay' } },
  eventName: 'order.failed',
  severityText: 'ERR',
  timeUnixNano: '1767225600123456789',
  observedTime: '2026-01-01T00:00:00.130Z',
  flags: 1,
  droppedAttributesCount: 5,
};

describe('log operations', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  it('searches: entries without severityNumber and resource', async () => {
    const reply = await api.post(BASE, WINDOW);
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.json(), { items: [LISTED], totalCount: 7, page: 1, pageSize: 20 });
  });

  it('marks an entry whose stored record is damaged, and counts those that could not be searched', async () => {
    const damaged = { ...api.telemetry.entry, body: '', attributes: {}, damaged: true } as const;
    api.telemetry.findLogs = () => Promise.resolve({ items: [damaged], totalCount: 1, damagedRecords: 2 });
    api.telemetry.logDetail = () => Promise.resolve({ ...damaged, resource: {} });
    api.telemetry.traceLogs = () => Promise.resolve([damaged]);
    const listed = { ...LISTED, body: '', attributes: {}, damaged: true };
    assert.deepEqual((await api.post(BASE, WINDOW)).json(), {
      items: [listed],
      totalCount: 1,
      page: 1,
      pageSize: 20,
      damagedRecords: 2,
    });
    assert.deepEqual((await api.get(`${BASE}/details/${LOG_ID}`)).json(), {
      ...listed,
      severityNumber: 17,
      resource: {},
      ...SENT,
    });
    const { id: _, traceId, ...entry } = listed;
    assert.deepEqual((await api.get(`/apm/traces/${GRID_A}/correlations/${TRACE_ID}/logs`)).json(), {
      traceId,
      logs: [entry],
    });
  });

  it('asks for exactly the filters that were sent, ids in lower case', async () => {
    await api.post(BASE, {
      ...WINDOW,
      severityLevel: 'Fatal',
      serviceName: 's',
      body: '"a b" c*',
      traceId: 'ABCDEF',
      spanId: 'not hex',
      attributes: { n: 1.5 },
    });
    const attributes: Record<string, string> = Object.assign(Object.create(null), { n: '1.5' });
    assert.deepEqual(api.telemetry.asked[0]?.with, [
      {
        gridId: GRID_A,
        range: { fromUs: Date.UTC(2026, 0, 1) * 1000, toUs: Date.UTC(2026, 0, 2) * 1000 },
        severityLevel: 'Fatal',
        serviceName: 's',
        body: '"a b" c*',
        traceId: 'abcdef',
        spanId: 'not hex',
        attributes,
        page: 1,
        pageSize: 20,
      },
    ]);
  });

  it('reads one entry by its id, with severityNumber and resource', async () => {
    const reply = await api.get(`${BASE}/details/${LOG_ID}`);
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.json(), {
      ...LISTED,
      severityNumber: 17,
      resource: { 'service.name': 'checkout' },
      ...SENT,
    });
  });

  it('reads an entry that no collector observed', async () => {
    const { observedTime: _, ...entry } = api.telemetry.entry;
    api.telemetry.logDetail = () => Promise.resolve(entry);
    assert.equal((await api.get(`${BASE}/details/${LOG_ID}`)).json()['observedTime'], null);
  });

  it('reads the entry of a span in any case, and asks for an opaque id as sent first', async () => {
    assert.equal((await api.get(`${BASE}/details/${ROOT_SPAN_ID.toUpperCase()}`)).json()['id'], LOG_ID);
    assert.deepEqual(
      api.telemetry.asked.map((question) => question.with[1]),
      [ROOT_SPAN_ID.toUpperCase(), ROOT_SPAN_ID],
    );
  });

  it('answers 404 to an unknown entry, asked for once', async () => {
    assertProblem(await api.get(`${BASE}/details/none`), { status: 404, slug: 'not-found' });
    assert.equal(api.telemetry.asked.length, 1);
  });

  it('lists filter options', async () => {
    assert.deepEqual((await api.get(`${BASE}/filters`)).json(), {
      severityLevels: ['Error'],
      serviceNames: ['checkout'],
      attributeKeys: ['order'],
    });
  });
});
