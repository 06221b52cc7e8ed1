import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import { KIND, logsOf, spanId, spansOf, STATUS, traceId, type SpanFields } from '../../support/otlp-requests.js';
import { PastMinutes, resourceOf } from '../../support/past-requests.js';
import { saturatedPoolRequest } from '../../support/saturated-pool.js';
import { waitUntil } from '../../support/wait-until.js';

/**
 * The response tables of the specification with our additions: a type per member; a list has the members of its items; `?`
 * marks optional members.
 */
type Shape = string | { readonly [member: string]: Shape } | readonly [Shape];

const percentiles = { p50: 'number', p95: 'number', p99: 'number' };
const figures = {
  rangeStart: 'datetime',
  rangeEnd: 'datetime',
  avgLatencyMs: 'number',
  p95LatencyMs: 'number',
  errorRate: 'number',
  throughputRps: 'number',
  apdex: 'fraction',
};
/** Additions of ours that stand beside a status. */
const recent = {
  recentStatus: 'recentStatus',
  'causeOf?': {
    cause: 'string',
    kind: 'string',
    severity: 'severity',
    confidence: 'fraction',
    firstDetected: 'datetime',
  },
};
const delta = { absolute: 'number', percent: 'number' };

const SHAPES: Readonly<Record<string, Shape>> = {
  health: {
    overallStatus: 'overallStatus',
    recentStatus: 'recentStatus',
    timestamp: 'datetime',
    services: [
      {
        serviceName: 'string',
        status: 'status',
        ...recent,
        errorRate: 'number',
        apdex: 'fraction',
        requestCount: 'integer',
        avgLatencyMs: 'number',
      },
    ],
  },
  alerts: {
    alerts: [
      {
        id: 'string',
        ruleName: 'string',
        severity: 'severity',
        serviceName: 'string',
        condition: 'string',
        currentValue: 'number',
        triggeredAt: 'datetime',
        status: 'string',
        'acknowledgedBy?': 'string',
        'acknowledgedAt?': 'datetime',
      },
    ],
  },
  diagnosis: {
    diagnoses: [
      {
        cause: 'string',
        confidence: 'fraction',
        severity: 'severity',
        affectedServices: ['string'],
        evidence: ['string'],
        firstDetected: 'datetime',
        'recoveredAt?': 'datetime',
        impactedTraceCount: 'integer',
        serviceName: 'string',
        kind: 'string',
        sampleTraceIds: ['string'],
      },
    ],
  },
  pressure: {
    pressurePoints: [
      {
        type: 'string',
        serviceName: 'string',
        resource: 'string',
        utilization: 'number',
        capacity: 'number',
        queueDepth: 'integer',
        severity: 'severity',
        detectedAt: 'datetime',
      },
    ],
  },
  trends: {
    latency: { trend: 'trend', changePercent: 'number', current: percentiles, baseline: percentiles },
    errorRate: { trend: 'trend', changePercent: 'number', current: 'number', baseline: 'number' },
    throughput: { trend: 'trend', changePercent: 'number', currentRps: 'number', baselineRps: 'number' },
  },
  services: {
    services: [
      { name: 'string', type: 'string', status: 'status', ...recent, requestCount: 'integer', errorRate: 'number' },
    ],
    edges: [
      { source: 'string', target: 'string', requestCount: 'integer', errorRate: 'number', avgLatencyMs: 'number' },
    ],
  },
  timeline: {
    events: [
      { timestamp: 'datetime', type: 'string', description: 'string', severity: 'severity', serviceName: 'string' },
    ],
  },
  'service/shop': {
    serviceName: 'string',
    status: 'status',
    ...recent,
    apdex: 'fraction',
    errorRate: 'number',
    requestCount: 'integer',
    p50LatencyMs: 'number',
    endpoints: [
      {
        operation: 'string',
        requestCount: 'integer',
        errorRate: 'number',
        avgLatencyMs: 'number',
        p50LatencyMs: 'number',
        p95LatencyMs: 'number',
      },
    ],
    topErrors: [{ exceptionType: 'string', message: 'string', count: 'integer', percentage: 'number' }],
    dependencies: [{ name: 'string', status: 'status', ...recent, errorRate: 'number', avgLatencyMs: 'number' }],
  },
  'slowest-endpoints': {
    endpoints: [
      {
        rank: 'integer',
        serviceName: 'string',
        operation: 'string',
        avgLatencyMs: 'number',
        p95LatencyMs: 'number',
        p99LatencyMs: 'number',
        requestCount: 'integer',
        errorRate: 'number',
      },
    ],
  },
  changes: {
    changes: [
      {
        type: 'string',
        serviceName: 'string',
        detectedAt: 'datetime',
        'previousVersion?': 'string',
        'currentVersion?': 'string',
        'description?': 'string',
        performanceImpact: {
          latencyChange: 'signed',
          errorRateChange: 'signed',
          assessment: 'string',
          'newErrorRate?': 'number',
        },
      },
    ],
  },
  compare: {
    baseline: figures,
    current: figures,
    deltas: { avgLatencyMs: delta, p95LatencyMs: delta, errorRate: delta, throughputRps: delta, apdex: delta },
    regressions: [
      {
        serviceName: 'string',
        metric: 'string',
        baselineValue: 'number',
        currentValue: 'number',
        changePercent: 'number',
      },
    ],
  },
};

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' && value !== '',
  number: isNumber,
  integer: (value) => Number.isInteger(value) && Number(value) >= 0,
  fraction: (value) => isNumber(value) && value >= 0 && value <= 1,
  datetime: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  status: (value) => value === 'healthy' || value === 'degraded',
  recentStatus: (value) => ['healthy', 'degraded', 'recovering', 'unknown'].includes(String(value)),
  overallStatus: (value) => value === 'healthy' || value === 'degraded' || value === 'unknown',
  severity: (value) => value === 'info' || value === 'warning' || value === 'critical',
  trend: (value) => value === 'increasing' || value === 'decreasing' || value === 'stable',
  signed: (value) => typeof value === 'string' && /^[+-]\d+%$/.test(value),
};

function assertShape(value: unknown, shape: Shape, at: string): void {
  if (typeof shape === 'string')
    return assert.ok(TYPES[shape](value), `${at} is no ${shape}: ${JSON.stringify(value)}`);
  if (Array.isArray(shape)) {
    assert.ok(Array.isArray(value), `${at} is no list`);
    return value.forEach((item, i) => assertShape(item, shape[0], `${at}[${i}]`));
  }
  assert.ok(typeof value === 'object' && value !== null, `${at} is no object`);
  const members = Object.entries(shape).map(([name, of]) => [name.replace('?', ''), name.endsWith('?'), of] as const);
  const present = members.filter(([name, optional]) => !optional || name in value);
  assert.deepEqual(Object.keys(value).sort(), present.map(([name]) => name).sort(), `members of ${at}`);
  for (const [name, , of] of present) assertShape((value as Record<string, unknown>)[name], of, `${at}.${name}`);
}

/** Asserts that no list is empty, since its items would not be checked. A root cause without callers affects no other service. */
function assertFull(value: unknown, at: string): void {
  if (Array.isArray(value) && !at.endsWith('affectedServices')) assert.notEqual(value.length, 0, `${at} is empty`);
  if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) assertFull(member, `${at}.${name}`);
}

describe('the responses of the 11 diagnostics', function () {
  this.timeout(120_000);
  let box: BlackBox;
  let past: PastMinutes;

  before(async () => {
    box = await BlackBox.start();
    past = new PastMinutes();
  });
  after(() => box.dispose());

  async function ask(name: string): Promise<unknown> {
    const windows = `?currentStart=${past.iso(15)}&currentEnd=${past.iso(0)}&baselineStart=${past.iso(75)}&baselineEnd=${past.iso(15)}`;
    const { status, headers, body } = await box.api.get(
      `/apm/diagnostics/${box.gridId}/${name}${name === 'compare' ? windows : ''}`,
    );
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    return body;
  }

  it('have every member on a Grid without telemetry or services', async () => {
    for (const [name, shape] of Object.entries(SHAPES))
      if (name !== 'service/shop') assertShape(await ask(name), shape, name);
    assert.equal((await box.api.get(`/apm/diagnostics/${box.gridId}/service/shop`)).status, 404);
    const health = (await ask('health')) as { overallStatus: string; timestamp: string; services: unknown[] };
    assert.deepEqual([health.overallStatus, health.services], ['unknown', []]);
    assert.ok(Math.abs(Date.parse(health.timestamp) - Date.now()) < 5_000);
  });

  it('have exactly the specified members during an incident', async () => {
    await box.record('traces', ...troubledShop(past));
    await box.record(
      'logs',
      logsOf('shop', {
        time: BigInt(past.at(2)) * 1_000_000n,
        severityNumber: 17,
        body: 'no',
        attributes: [
          ['exception.type', 'Declined'],
          ['exception.message', 'no money'],
        ],
      }),
    );
    await box.record('metrics', saturatedPoolRequest('shop', Date.now()));
    for (const name of ['alerts', 'diagnosis', 'pressure']) {
      await waitUntil(
        async () => Object.values((await ask(name)) as Record<string, unknown[]>)[0].length > 0,
        `there are items of ${name}`,
      );
    }
    for (const [name, shape] of Object.entries(SHAPES)) {
      const answer = await ask(name);
      assertShape(answer, shape, name);
      assertFull(answer, name);
    }
  });
});

/** An hour of a shop with a database that has been failing slowly since a deployment 10 minutes ago. */
function troubledShop(past: PastMinutes): object[] {
  return Array.from({ length: 60 }, (_, i) => 60 - i).flatMap((ago) => {
    const isBad = ago <= 10;
    const resource = resourceOf('shop', isBad ? '2.0.0' : '1.0.0', 'a');
    const requests = past.requests(resource, ago, {
      count: 30,
      ms: isBad ? 800 : 40,
      more: isBad ? { status: { code: STATUS.error } } : {},
    });
    const start = BigInt(past.at(ago)) * 1_000_000n;
    const call: SpanFields = {
      traceId: traceId(900_000 + ago),
      spanId: spanId(900_000 + ago),
      parentSpanId: spanId(1),
      name: 'SELECT',
      kind: KIND.client,
      start,
      end: start + 5_000_000n,
      attributes: [['db.namespace', 'orders']],
    };
    return [requests, spansOf(resource, call)];
  });
}
