import assert from 'node:assert/strict';
import { assertProblem, isObject, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import {
  BASELINE_TRACE_ID,
  CHILD_SPAN_ID,
  ERROR_GROUP_ID,
  ROOT_SPAN_ID,
  TRACE_ID,
} from '../../../support/fake-telemetry.js';

const BASE = `/apm/traces/${GRID_A}`;
const WINDOW = { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' };

describe('trace operations', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  const answer = async (path: string): Promise<Record<string, unknown>> => {
    const reply = await api.get(`${BASE}${path}`);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
    return reply.json();
  };

  it('searches: list items of the spec, exact total, the page that was asked for', async () => {
    const reply = await api.post(BASE, { ...WINDOW, page: 2, pageSize: 5 });
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.json(), {
      items: [
        {
          traceId: TRACE_ID,
          spanId: ROOT_SPAN_ID,
          serviceName: 'checkout',
          operationName: 'POST /orders',
          duration: 1500,
          status: 'ERROR',
          startTime: '2026-01-01T00:00:00.123Z',
          endTime: '2026-01-01T00:00:01.624Z',
          durationNs: 1_500_999_999,
          startTimeUnixNano: '1767225600123456789',
          endTimeUnixNano: '1767225601624456788',
          rootArrived: true,
        },
      ],
      totalCount: 41,
      page: 2,
      pageSize: 5,
    });
  });

  it('asks for exactly the filters that were sent', async () => {
    await api.post(BASE, WINDOW);
    await api.post(BASE, {
      ...WINDOW,
      serviceName: 'shop',
      operationName: 'GET /',
      minDuration: 5,
      maxDuration: 9,
      status: 'OK',
      tags: { code: 200, cached: true, route: '/' },
    });
    const range = { fromUs: Date.UTC(2026, 0, 1) * 1000, toUs: Date.UTC(2026, 0, 2) * 1000 };
    const tags: Record<string, string> = Object.assign(Object.create(null), {
      code: '200',
      cached: 'true',
      route: '/',
    });
    assert.deepEqual(
      api.telemetry.asked.map((question) => question.with[0]),
      [
        { gridId: GRID_A, range, page: 1, pageSize: 20 },
        {
          gridId: GRID_A,
          range,
          serviceName: 'shop',
          operationName: 'GET /',
          minDurationMs: 5,
          maxDurationMs: 9,
          status: 'OK',
          tags,
          page: 1,
          pageSize: 20,
        },
      ],
    );
  });

  it('widens the window to whole microseconds, so that nothing in it is missed', async () => {
    await api.post(BASE, { rangeStart: '2026-01-01T00:00:00.123456789Z', rangeEnd: '2026-01-01T00:00:00.123456790Z' });
    await api.post(BASE, { rangeStart: '1969-12-31T23:59:59.9999999Z', rangeEnd: '1970-01-01T00:00:00.000001Z' });
    const ranges = api.telemetry.asked.map((question) =>
      isObject(question.with[0]) ? question.with[0]['range'] : undefined,
    );
    const us = Date.UTC(2026, 0, 1) * 1000 + 123_456;
    assert.deepEqual(ranges, [
      { fromUs: us, toUs: us + 1 },
      { fromUs: -1, toUs: 1 },
    ]);
  });

  it('passes tag keys on as data', async () => {
    const body = `{"rangeStart":"${WINDOW.rangeStart}","rangeEnd":"${WINDOW.rangeEnd}","tags":{"__proto__":"a","$where":"sleep(1)","a.b":1,"constructor":true}}`;
    const reply = await api.call('POST', BASE, { body, headers: { 'Content-Type': 'application/json' } });
    assert.equal(reply.status, 200, reply.text);
    const question = api.telemetry.asked[0]?.with[0];
    assert.ok(isObject(question) && isObject(question['tags']));
    assert.deepEqual(Object.entries(question['tags']), [
      ['__proto__', 'a'],
      ['$where', 'sleep(1)'],
      ['a.b', '1'],
      ['constructor', 'true'],
    ]);
    assert.equal(Object.getPrototypeOf(question['tags']), null);
    assert.equal(Reflect.get({}, 'a'), undefined);
  });

  it('reads a span, null for the parent of a root', async () => {
    const reply = await api.get(`${BASE}/details/${ROOT_SPAN_ID}`);
    assert.deepEqual(reply.json(), {
      traceId: TRACE_ID,
      spanId: ROOT_SPAN_ID,
      parentSpanId: null,
      serviceName: 'checkout',
      operationName: 'POST /orders',
      spanKind: 'SERVER',
      status: 'ERROR',
      statusCode: 'ERROR',
      statusMessage: 'card declined',
      startTime: '2026-01-01T00:00:00.123Z',
      endTime: '2026-01-01T00:00:01.624Z',
      duration: 1500,
      durationNs: 1_500_999_999,
      startTimeUnixNano: '1767225600123456789',
      endTimeUnixNano: '1767225601624456788',
      traceState: 'vendor=1',
      flags: 257,
      scope: { name: 'shop', version: '1.2', attributes: { team: 'pay' } },
      attributes: { 'http.status_code': 500, 'http.route': '/orders', ['__proto__']: 'data' },
      links: [
        {
          traceId: 'aa'.repeat(16),
          spanId: 'bb'.repeat(8),
          traceState: '',
          flags: 1,
          attributes: { why: 'batch' },
          droppedAttributesCount: 1,
        },
      ],
      droppedAttributesCount: 2,
      droppedEventsCount: 3,
      droppedLinksCount: 4,
    });
    assert.equal((await answer(`/details/${CHILD_SPAN_ID}`))['parentSpanId'], ROOT_SPAN_ID);
  });

  it('lists the spans of a trace', async () => {
    const shared = {
      startTime: '2026-01-01T00:00:00.123Z',
      startTimeUnixNano: '1767225600123456789',
      endTimeUnixNano: '1767225601624456788',
      durationNs: 1_500_999_999,
    };
    assert.deepEqual(await answer(`/correlations/${TRACE_ID}/spans`), {
      traceId: TRACE_ID,
      spans: [
        {
          spanId: ROOT_SPAN_ID,
          parentSpanId: null,
          serviceName: 'checkout',
          operationName: 'POST /orders',
          spanKind: 'SERVER',
          status: 'ERROR',
          ...shared,
          duration: 1500,
        },
        {
          spanId: CHILD_SPAN_ID,
          parentSpanId: ROOT_SPAN_ID,
          serviceName: 'payment',
          operationName: 'charge',
          spanKind: 'CLIENT',
          status: 'OK',
          ...shared,
          duration: 20,
        },
      ],
    });
  });

  it('lists the logs of a trace', async () => {
    assert.deepEqual(await answer(`/correlations/${TRACE_ID}/logs`), {
      traceId: TRACE_ID,
      logs: [
        {
          timestamp: '2026-01-01T00:00:00.123Z',
          severityLevel: 'Error',
          body: 'order failed',
          serviceName: 'checkout',
          spanId: ROOT_SPAN_ID,
          attributes: { order: 'o-1' },
        },
      ],
    });
  });

  it('lists the errors of a trace', async () => {
    assert.deepEqual(await answer(`/correlations/${TRACE_ID}/errors`), {
      traceId: TRACE_ID,
      errors: [
        {
          timestamp: '2026-01-01T00:00:00.132Z',
          spanId: ROOT_SPAN_ID,
          serviceName: 'checkout',
          exceptionType: 'CardDeclined',
          message: 'no funds',
          stackTrace: 'at pay',
          attributes: { 'exception.type': 'CardDeclined' },
        },
      ],
    });
  });

  it('compares a trace with another one: figures, differences, and what one alone has', async () => {
    const found = await answer(`/correlations/${TRACE_ID.toUpperCase()}/compare?baselineTraceId=${BASELINE_TRACE_ID}`);
    const of = { serviceName: 'checkout', operationName: 'POST /orders', startTime: '2026-01-01T00:00:00.123Z' };
    const counts = { spanCount: 2, errorCount: 1 };
    const figures = { count: 1, errorCount: 1, durationNs: 1_840_000_001, selfTimeNs: 300_000_000 };
    assert.deepEqual(found, {
      current: { traceId: TRACE_ID, ...of, durationNs: 1_840_000_001, ...counts },
      baseline: { traceId: BASELINE_TRACE_ID, ...of, durationNs: 240_000_000, ...counts },
      paths: [
        {
          ...{ depth: 0, serviceName: 'checkout', operationName: 'POST /orders', presence: 'both' },
          current: figures,
          baseline: { count: 1, errorCount: 0, durationNs: 240_000_000, selfTimeNs: 340_000_000 },
          difference: { count: 0, errorCount: 1, durationNs: 1_600_000_001, selfTimeNs: -40_000_000 },
        },
        {
          ...{ depth: 1, serviceName: 'payment', operationName: 'charge', presence: 'current' },
          current: figures,
          baseline: { count: 0, errorCount: 0, durationNs: 0, selfTimeNs: 0 },
          difference: figures,
        },
      ],
      errors: [
        {
          ...{ groupId: ERROR_GROUP_ID, serviceName: 'payment', exceptionType: 'CardDeclined' },
          ...{ messagePattern: 'no funds on card *', presence: 'current', currentCount: 1, baselineCount: 0 },
        },
      ],
      damagedRecords: 1,
    });
    assert.deepEqual(api.telemetry.asked.at(-1)?.with, [GRID_A, TRACE_ID, BASELINE_TRACE_ID]);
  });

  it('compares nothing without a second trace, or with one that is unknown', async () => {
    const path = `${BASE}/correlations/${TRACE_ID}/compare`;
    assertProblem(await api.get(path), { status: 400, slug: 'invalid-request', fields: ['baselineTraceId'] });
    const unknown = await api.get(`${BASE}/correlations/${BASELINE_TRACE_ID}/compare?baselineTraceId=${TRACE_ID}`);
    assertProblem(unknown, { status: 404, slug: 'not-found' });
  });

  it('marks a span whose stored record is damaged, and counts damaged records of a trace', async () => {
    const damaged = true as const;
    api.telemetry.spanDetail = () =>
      Promise.resolve({ ...api.telemetry.root, statusMessage: '', attributes: {}, damaged });
    api.telemetry.spanTags = () => Promise.resolve({ tags: {}, damaged });
    api.telemetry.spanEvents = () => Promise.resolve({ events: [], damaged });
    api.telemetry.traceErrors = () => Promise.resolve({ errors: [], damagedRecords: 1 });
    const detail = await answer(`/details/${ROOT_SPAN_ID}`);
    assert.deepEqual([detail['operationName'], detail['attributes'], detail['damaged']], ['POST /orders', {}, true]);
    const spanId = ROOT_SPAN_ID;
    assert.deepEqual(await answer(`/spans/${ROOT_SPAN_ID}/tags`), { spanId, tags: {}, damaged });
    assert.deepEqual(await answer(`/spans/${ROOT_SPAN_ID}/events`), { spanId, events: [], damaged });
    assert.deepEqual(await answer(`/correlations/${TRACE_ID}/errors`), {
      traceId: TRACE_ID,
      errors: [],
      damagedRecords: 1,
    });
  });

  it('reads tags and events of a span', async () => {
    const tags = await answer(`/spans/${ROOT_SPAN_ID}/tags`);
    assert.deepEqual(Object.keys(tags), ['spanId', 'tags']);
    assert.ok(isObject(tags['tags']) && tags['tags']['http.status_code'] === 500);
    assert.deepEqual(await answer(`/spans/${ROOT_SPAN_ID}/events`), {
      spanId: ROOT_SPAN_ID,
      events: [
        {
          name: 'retry',
          timestamp: '2026-01-01T00:00:00.128Z',
          timeUnixNano: '1767225600128456789',
          attributes: { attempt: 2 },
          droppedAttributesCount: 1,
        },
      ],
    });
  });

  it('lists filter options', async () => {
    assert.deepEqual(await answer('/filters'), {
      serviceNames: ['checkout'],
      operationNames: ['charge'],
      statusValues: ['OK', 'ERROR'],
      tagKeys: ['http.route'],
    });
  });

  it('finds ids in any case, and answers them in lower case', async () => {
    assert.equal((await answer(`/spans/${ROOT_SPAN_ID.toUpperCase()}/tags`))['spanId'], ROOT_SPAN_ID);
    assert.equal((await answer(`/correlations/${TRACE_ID.toUpperCase()}/spans`))['traceId'], TRACE_ID);
    assert.equal((await answer(`/details/${ROOT_SPAN_ID.toUpperCase()}`))['spanId'], ROOT_SPAN_ID);
  });

  const perId = [
    '/details/{id}',
    '/spans/{id}/tags',
    '/spans/{id}/events',
    '/correlations/{id}/spans',
    '/correlations/{id}/logs',
    '/correlations/{id}/errors',
  ];
  for (const path of perId) {
    it(`answers 404 to an unknown id in ${path}, whatever its characters`, async () => {
      for (const id of [
        'ffffffffffffffff',
        'a%2Fb',
        '%00',
        "'%20OR%201=1--",
        '__proto__',
        '%F0%9F%92%A9',
        'x'.repeat(2_000),
      ]) {
        const target = `${BASE}${path.replace('{id}', id)}`;
        assertProblem(await api.get(target), { status: 404, slug: 'not-found' }, target);
      }
    });
  }
});
