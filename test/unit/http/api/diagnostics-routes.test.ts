import assert from 'node:assert/strict';
import { assertProblem, faults, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';

const BASE = `/apm/diagnostics/${GRID_A}`;
const AT = '2026-01-01T00:00:00.123Z';
const NOW = Date.parse('2026-06-01T12:00:30.500Z');

const FIGURES = {
  rangeStart: AT,
  rangeEnd: '2026-01-01T00:01:00.123Z',
  avgLatencyMs: 100.5,
  p95LatencyMs: 250,
  errorRate: 1.25,
  throughputRps: 12.5,
  apdex: 0.95,
};

const CAUSE = {
  recentStatus: 'degraded',
  causeOf: {
    cause: 'checkout: new errors or changed behaviour',
    kind: 'errors',
    severity: 'critical',
    confidence: 0.93,
    firstDetected: AT,
  },
};

/** Each record of the spec with its members in the spec's order. */
const RECORDS: Readonly<Record<string, object>> = {
  health: {
    overallStatus: 'degraded',
    timestamp: AT,
    services: [
      {
        serviceName: 'checkout',
        status: 'degraded',
        errorRate: 8.5,
        apdex: 0.812,
        requestCount: 4820,
        avgLatencyMs: 320.12,
        ...CAUSE,
      },
    ],
    recentStatus: 'degraded',
  },
  alerts: {
    alerts: [
      {
        id: 'a-1',
        ruleName: 'High error rate',
        severity: 'critical',
        serviceName: 'checkout',
        condition: 'error_rate > 5%',
        currentValue: 8.5,
        triggeredAt: AT,
        status: 'firing',
      },
    ],
  },
  diagnosis: {
    diagnoses: [
      {
        cause: 'payment answers slowly',
        confidence: 0.91,
        severity: 'critical',
        affectedServices: ['checkout', 'payment'],
        evidence: ['p95 rose from 80 ms to 900 ms'],
        firstDetected: AT,
        impactedTraceCount: 412,
        serviceName: 'payment',
        kind: 'latency',
        sampleTraceIds: ['5b8aa5a2d2c872e8321cf37308d69df2'],
      },
    ],
  },
  pressure: {
    pressurePoints: [
      {
        type: 'connection_pool',
        serviceName: 'payment',
        resource: 'orders-db',
        utilization: 98.5,
        capacity: 100,
        queueDepth: 12,
        severity: 'critical',
        detectedAt: AT,
      },
    ],
  },
  trends: {
    latency: {
      trend: 'increasing',
      changePercent: 45.2,
      current: { p50: 100, p95: 200, p99: 400 },
      baseline: { p50: 70, p95: 140, p99: 280 },
    },
    errorRate: { trend: 'stable', changePercent: 0, current: 2, baseline: 2 },
    throughput: { trend: 'decreasing', changePercent: -12.5, currentRps: 7, baselineRps: 8 },
  },
  services: {
    services: [{ name: 'checkout', type: 'SERVER', requestCount: 4820, errorRate: 8.5, status: 'degraded', ...CAUSE }],
    edges: [{ source: 'checkout', target: 'orders-db', requestCount: 9000, errorRate: 0.1, avgLatencyMs: 4.25 }],
  },
  timeline: {
    events: [
      {
        timestamp: AT,
        type: 'deployment',
        description: 'checkout 1.8.3 deployed',
        severity: 'info',
        serviceName: 'checkout',
      },
    ],
  },
  'service/checkout': {
    serviceName: 'checkout',
    status: 'degraded',
    apdex: 0.812,
    errorRate: 8.5,
    requestCount: 4820,
    p50LatencyMs: 210.5,
    endpoints: [
      {
        operation: 'POST /orders',
        requestCount: 4000,
        errorRate: 8.5,
        avgLatencyMs: 320.12,
        p50LatencyMs: 240.25,
        p95LatencyMs: 980,
      },
    ],
    topErrors: [{ exceptionType: 'CardDeclined', message: 'no funds', count: 387, percentage: 94.46 }],
    dependencies: [{ name: 'payment', status: 'healthy', errorRate: 0, avgLatencyMs: 40.5, recentStatus: 'healthy' }],
    ...CAUSE,
  },
  'slowest-endpoints': {
    endpoints: [
      {
        rank: 1,
        serviceName: 'checkout',
        operation: 'POST /orders',
        avgLatencyMs: 320.12,
        p95LatencyMs: 980,
        p99LatencyMs: 1500,
        requestCount: 4000,
        errorRate: 8.5,
      },
    ],
  },
  changes: {
    changes: [
      {
        type: 'deployment',
        serviceName: 'checkout',
        detectedAt: AT,
        previousVersion: '1.8.2',
        currentVersion: '1.8.3',
        performanceImpact: { latencyChange: '+145%', errorRateChange: '+320%', assessment: 'negative' },
      },
      {
        type: 'scaling',
        serviceName: 'checkout',
        detectedAt: AT,
        description: 'Instance count changed from 3 to 5',
        performanceImpact: { latencyChange: '-20%', errorRateChange: '+0%', assessment: 'positive' },
      },
    ],
  },
  'compare?currentStart=2026-05-02T00:00:00Z&currentEnd=2026-05-02T01:00:00Z&baselineStart=2026-05-01T00:00:00Z&baselineEnd=2026-05-01T01:00:00Z':
    {
      baseline: FIGURES,
      current: { ...FIGURES, apdex: 0.9 },
      deltas: {
        avgLatencyMs: { absolute: 1, percent: 2 },
        p95LatencyMs: { absolute: 2, percent: 4 },
        errorRate: { absolute: 3, percent: 6 },
        throughputRps: { absolute: -4, percent: -8 },
        apdex: { absolute: -0.05, percent: -0.1 },
      },
      regressions: [
        { serviceName: 'checkout', metric: 'p95LatencyMs', baselineValue: 100, currentValue: 250, changePercent: 150 },
      ],
    },
};

const WITHOUT_WINDOW = [
  'health',
  'alerts',
  'diagnosis',
  'pressure',
  'trends',
  'services',
  'timeline',
  'service/checkout',
  'slowest-endpoints',
  'changes',
];

describe('diagnostics', () => {
  let api: TestApi;
  before(async () => void (api = await startApi({ now: () => NOW })));
  after(() => api.stop());
  beforeEach(() => void (api.diagnostics.asked.length = 0));

  const asked = () => api.diagnostics.asked.map(({ name, with: values }) => [name, ...values]);

  for (const [suffix, record] of Object.entries(RECORDS)) {
    it(`answers ${suffix.split('?')[0]} with the record of the spec, and nothing else`, async () => {
      const reply = await api.get(`${BASE}/${suffix}`);
      assert.equal(reply.status, 200, reply.text);
      // As text: the order of members counts.
      assert.equal(reply.text, JSON.stringify(record));
    });
  }

  it('asks for the Grid of the path as of now where no time is given', async () => {
    for (const suffix of WITHOUT_WINDOW) await api.get(`${BASE}/${suffix}`);
    assert.deepEqual(asked(), [
      ['health', GRID_A, {}],
      ['alerts', GRID_A, {}],
      ['diagnosis', GRID_A, {}],
      ['pressure', GRID_A, {}],
      ['trends', GRID_A, {}],
      ['serviceMap', GRID_A, {}],
      ['timeline', GRID_A, {}],
      ['serviceDetail', GRID_A, 'checkout', {}],
      ['slowestEndpoints', GRID_A, {}],
      ['changes', GRID_A, {}],
    ]);
  });

  it('takes a moment or a window on each of them, in whole ms that miss nothing', async () => {
    for (const suffix of WITHOUT_WINDOW) {
      assert.equal((await api.get(`${BASE}/${suffix}?asOf=2026-05-01T02:00:00.1239%2B02:00`)).status, 200);
      assert.equal(
        (await api.get(`${BASE}/${suffix}?rangeStart=2026-05-01T00:00:00.0009Z&rangeEnd=2026-05-08T00:00:00.0001Z`))
          .status,
        200,
      );
    }
    const midnight = Date.UTC(2026, 4, 1);
    const when = asked().map((question) => question.at(-1));
    assert.deepEqual(
      when,
      WITHOUT_WINDOW.flatMap(() => [
        { asOfMs: midnight + 123 },
        { range: { fromMs: midnight, toMs: Date.UTC(2026, 4, 8) + 1 } },
      ]),
    );
  });

  it('compares two windows', async () => {
    await api.get(
      `${BASE}/compare?currentStart=2026-05-02T00:00:00Z&currentEnd=2026-05-02T01:00:00Z&baselineStart=2026-04-25T00:00:00Z&baselineEnd=2026-05-02T00:00:00Z`,
    );
    assert.deepEqual(asked(), [
      [
        'compare',
        GRID_A,
        { fromMs: Date.UTC(2026, 4, 2), toMs: Date.UTC(2026, 4, 2, 1) },
        { fromMs: Date.UTC(2026, 3, 25), toMs: Date.UTC(2026, 4, 2) },
      ],
    ]);
  });

  const wrong: readonly [query: string, fields: readonly string[]][] = [
    ['asOf=yesterday', ['asOf']],
    ['asOf=', ['asOf']],
    ['asOf=2026-02-30T00:00:00Z', ['asOf']],
    ['asof=2026-05-01T00:00:00Z', ['asof']],
    ['asOf=2026-05-01T00:00:00Z&asOf=2026-05-01T00:00:00Z', ['asOf']],
    ['asOf=2026-06-01T12:01:30.501Z', ['asOf']],
    ['rangeStart=2026-05-01T00:00:00Z', ['rangeEnd']],
    ['rangeEnd=2026-05-01T00:00:00Z', ['rangeStart']],
    ['rangeStart=2026-05-01T00:00:00Z&rangeEnd=2026-05-01T00:00:00Z', ['rangeEnd']],
    ['rangeStart=2026-05-01T00:00:01Z&rangeEnd=2026-05-01T00:00:00Z', ['rangeEnd']],
    ['rangeStart=2026-05-01T00:00:00Z&rangeEnd=2026-05-08T00:00:00.000000001Z', ['rangeEnd']],
    ['rangeStart=2026-06-01T12:02:00Z&rangeEnd=2026-06-01T13:00:00Z', ['rangeStart']],
    ['rangeStart=x&rangeEnd=y', ['rangeStart', 'rangeEnd']],
    ['asOf=2026-05-01T00:00:00Z&rangeStart=2026-05-01T00:00:00Z', ['asOf', 'rangeStart', 'rangeEnd']],
    [
      'asOf=2026-05-01T00:00:00Z&rangeStart=2026-05-01T00:00:00Z&rangeEnd=2026-05-02T00:00:00Z',
      ['asOf', 'rangeStart', 'rangeEnd'],
    ],
    ['asOf=soon&rangeStart=2026-07-01T00:00:00Z&rangeEnd=2026-01-01T00:00:00Z', ['asOf', 'rangeStart', 'rangeEnd']],
  ];
  for (const [query, fields] of wrong) {
    it(`refuses ${query}, naming ${fields.join(', ')}`, async () => {
      for (const suffix of WITHOUT_WINDOW)
        assertProblem(await api.get(`${BASE}/${suffix}?${query}`), { status: 400, slug: 'invalid-request', fields });
      assert.deepEqual(api.diagnostics.asked, []);
    });
  }

  it('takes what lies exactly on a bound, and a clock that is a minute ahead', async () => {
    for (const query of [
      'asOf=2026-06-01T12:01:30.500Z',
      'rangeStart=2026-05-25T12:00:00Z&rangeEnd=2026-06-01T12:00:00Z',
      'rangeStart=2026-06-01T12:00:00Z&rangeEnd=2026-06-08T12:00:00Z',
    ]) {
      assert.equal((await api.get(`${BASE}/health?${query}`)).status, 200, query);
    }
  });

  it('names every missing end of a comparison, and every fault at once', async () => {
    const fields = ['currentStart', 'currentEnd', 'baselineStart', 'baselineEnd'];
    assertProblem(await api.get(`${BASE}/compare`), { status: 400, slug: 'invalid-request', fields });
    const query =
      'currentStart=2027-01-01T00:00:00Z&currentEnd=2027-01-01T00:00:00Z&baselineStart=x&baselineEnd=2026-01-01T00:00:00Z';
    const reply = await api.get(`${BASE}/compare?${query}`);
    assertProblem(reply, {
      status: 400,
      slug: 'invalid-request',
      fields: ['currentStart', 'currentEnd', 'baselineStart'],
    });
    assert.deepEqual(
      faults(reply.json())
        .map(({ message }) => message)
        .sort(),
      [
        'baselineStart must be an ISO 8601 datetime with Z or an offset',
        'currentEnd must be after currentStart',
        'currentStart must not be in the future',
      ],
    );
    const eightDays =
      'currentStart=2026-05-01T00:00:00Z&currentEnd=2026-05-09T00:00:00Z&baselineStart=2026-04-01T00:00:00Z&baselineEnd=2026-04-09T00:00:00Z';
    assertProblem(await api.get(`${BASE}/compare?${eightDays}`), {
      status: 400,
      slug: 'invalid-request',
      fields: ['currentEnd', 'baselineEnd'],
    });
  });

  for (const name of [
    'a/b',
    'a b',
    'größe',
    '支付',
    '100%',
    '%2F',
    'a?b#c',
    '..a',
    '"',
    "'; --",
    '__proto__',
    '\u0000',
    'x'.repeat(2_000),
    '__other__',
    '🛒',
  ]) {
    it(`reads the service named ${JSON.stringify(name.slice(0, 12))}`, async () => {
      const reply = await api.get(`${BASE}/service/${encodeURIComponent(name)}`);
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.json()['serviceName'], name);
    });
  }

  it('answers 404 for a service that is not known and for none, 400 for a name that does not decode', async () => {
    const unknown = await api.get(`${BASE}/service/unknown`);
    assertProblem(unknown, { status: 404, slug: 'not-found' });
    assert.equal(unknown.json()['detail'], 'The Grid has no service with this name.');
    assertProblem(await api.get(`${BASE}/service/`), { status: 404, slug: 'not-found' });
    assertProblem(await api.get(`${BASE}/service/a/b`), { status: 404, slug: 'not-found' });
    assertProblem(await api.get(`${BASE}/service/%ff`), {
      status: 400,
      slug: 'invalid-request',
      fields: ['serviceName'],
    });
  });

  it('takes GET and HEAD alone', async () => {
    for (const suffix of [...WITHOUT_WINDOW, 'compare', 'stream']) {
      const reply = await api.post(`${BASE}/${suffix}`, {});
      assertProblem(reply, { status: 405, slug: 'method-not-allowed' });
      assert.equal(reply.headers.get('allow'), 'GET, HEAD');
    }
  });
});
