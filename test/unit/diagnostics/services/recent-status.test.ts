import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SEVERITIES } from '../../../../src/diagnostics/diagnostic-results.js';
import { assessCurrentState, type Cause, toPublicAnswer } from '../../../../src/diagnostics/services/recent-status.js';
import { buildServiceDetail } from '../../../../src/diagnostics/services/service-detail-builder.js';
import { computeHealth, nameHealthCauses } from '../../../../src/diagnostics/services/service-health.js';
import { buildServiceMap, nameMapCauses } from '../../../../src/diagnostics/services/service-map-builder.js';
import type { AlertRecord } from '../../../../src/diagnostics/diagnostics-input.js';
import type { PlainSpan } from '../../../support/naive-rollups.js';
import { HOUR_MS, inputOf, minutesAgo, span, spans, usualFrames } from '../given-rollups.js';

const NOW_MS = HOUR_MS + 30_000;
const FRAMES = usualFrames(NOW_MS);
/** One request a second, from and to so many minutes before the whole hour. */
const requests = (from: number, to: number, error: boolean, service = 'payment'): PlainSpan[] =>
  spans(60 * (from - to), minutesAgo(from), minutesAgo(to), { service, error });

const CAUSE: Cause = {
  cause: 'payment: new errors or changed behaviour',
  confidence: 0.9,
  severity: 'critical',
  firstDetected: minutesAgo(2),
  serviceName: 'payment',
  kind: 'errors',
};

function stateOf(all: readonly PlainSpan[], causes: readonly Cause[] = [], service = 'payment') {
  const health = nameHealthCauses(computeHealth(inputOf(all), FRAMES), causes);
  const { status, recentStatus, causeOf } = health.services.find(({ serviceName }) => serviceName === service)!;
  return { status, recentStatus, cause: causeOf?.severity };
}

describe('the status of the recent minutes', () => {
  it('is degraded as soon as requests fail, while the window is still healthy', () => {
    const state = stateOf([...requests(15, 0, false), ...requests(0, -0.25, true)]);
    assert.deepEqual(state, { status: 'healthy', recentStatus: 'degraded', cause: undefined });
  });

  it('is recovering when requests are served again, as long as the window contains the failures', () => {
    const all = [...requests(14, 10, false), ...requests(10, 3, true), ...requests(3, -0.5, false)];
    assert.deepEqual(stateOf(all), { status: 'degraded', recentStatus: 'recovering', cause: undefined });
  });

  it('is healthy when the window has forgotten them', () => {
    const all = [...requests(60, 20, true), ...requests(20, -0.5, false)];
    assert.deepEqual(stateOf(all), { status: 'healthy', recentStatus: 'healthy', cause: undefined });
  });

  it('is that of 50 requests where the recent minutes have fewer, so that one failure does not decide', () => {
    const rare = [...spans(60, minutesAgo(14), minutesAgo(2)), span({ endMs: NOW_MS, error: true })].map((each) => ({
      ...each,
      service: 'payment',
    }));
    assert.equal(stateOf(rare).recentStatus, 'healthy');
  });

  it('is unknown without requests for five minutes', () => {
    assert.equal(stateOf(requests(14, 7, false)).recentStatus, 'unknown');
    assert.equal(stateOf(requests(14, 4, false)).recentStatus, 'healthy');
  });

  it('is degraded for the cause of a critical diagnosis, though its requests are within the thresholds', () => {
    const state = stateOf(requests(14, -0.5, false), [CAUSE]);
    assert.deepEqual(state, { status: 'healthy', recentStatus: 'degraded', cause: 'critical' });
  });

  it('is not degraded by a mere suspicion, which is named beside it', () => {
    const state = stateOf(requests(14, -0.5, false), [{ ...CAUSE, severity: 'warning', confidence: 0.3 }]);
    assert.deepEqual(state, { status: 'healthy', recentStatus: 'healthy', cause: 'warning' });
  });

  it('is recovering where the diagnosis finds the fault over, which then is not its cause any more', () => {
    const over: Cause = { ...CAUSE, severity: 'info', recoveredAt: minutesAgo(1) };
    const state = stateOf(requests(14, -0.5, false), [over]);
    assert.deepEqual(state, { status: 'healthy', recentStatus: 'recovering', cause: undefined });
  });

  it('is not healthy while an alert fires: over by the same figures, else degraded', () => {
    const alert = (condition: string, more: Partial<AlertRecord> = {}): AlertRecord => ({
      id: 'a',
      ruleId: 'r',
      ruleName: 'rule',
      serviceName: 'payment',
      severity: 'warning',
      value: 9,
      firedAt: minutesAgo(9),
      condition,
      ...more,
    });
    const statusWith = (record: AlertRecord) =>
      computeHealth(inputOf(requests(14, -0.5, false), { alerts: [record] }), FRAMES).services[0].recentStatus;
    assert.equal(statusWith(alert('error_rate > 5%')), 'recovering');
    assert.equal(statusWith(alert('latency_p95 > 2000ms')), 'degraded');
    assert.equal(statusWith(alert('latency_p95 > 2000ms', { severity: 'info' })), 'healthy');
    assert.equal(statusWith(alert('error_rate > 5%', { resolvedAt: minutesAgo(1) })), 'healthy');
    assert.equal(statusWith(alert('error_rate > 5%', { firedAt: NOW_MS + 1 })), 'healthy');
  });

  it('of all services is degraded while a dependency is the cause of a critical diagnosis', () => {
    const health = computeHealth(inputOf(requests(14, -0.5, false)), FRAMES);
    assert.equal(nameHealthCauses(health, [{ ...CAUSE, serviceName: 'orders_db' }]).recentStatus, 'degraded');
  });

  it('of all services is the worst that is known', () => {
    const all = [...requests(14, -0.5, false), ...requests(14, 10, false, 'mailer')];
    assert.equal(computeHealth(inputOf(all), FRAMES).recentStatus, 'healthy');
    assert.equal(nameHealthCauses(computeHealth(inputOf(all), FRAMES), [CAUSE]).recentStatus, 'degraded');
    assert.equal(computeHealth(inputOf([]), FRAMES).recentStatus, 'unknown');
  });
});

const SERVICES = ['cart', 'payment', 'shop'];
const anyCause = fc.record(
  {
    cause: fc.constant('some cause'),
    confidence: fc.integer({ min: 3, max: 100 }).map((percent) => percent / 100),
    severity: fc.constantFrom(...SEVERITIES),
    firstDetected: fc.constant(minutesAgo(3)),
    serviceName: fc.constantFrom(...SERVICES, 'orders_db', null),
    kind: fc.constantFrom('latency' as const, 'errors' as const),
    recoveredAt: fc.constant(minutesAgo(1)),
  },
  { requiredKeys: ['cause', 'confidence', 'severity', 'firstDetected', 'serviceName', 'kind'] },
);

/** Requests of random services in random minutes, each with a call to a database. */
const anyRequests = fc.array(
  fc.record({
    service: fc.constantFrom(...SERVICES),
    minute: fc.integer({ min: 0, max: 20 }),
    error: fc.boolean(),
    ms: fc.constantFrom(20, 700, 3_000),
    count: fc.constantFrom(1, 30, 80),
  }),
  { maxLength: 12 },
);

function toSpans(drawn: typeof anyRequests extends fc.Arbitrary<infer T> ? T : never): PlainSpan[] {
  return drawn.flatMap(({ service, minute, error, ms, count }) =>
    spans(count, minutesAgo(minute), minutesAgo(minute - 0.4), { service, error, ms }).flatMap((request) => [
      request,
      { ...request, spanId: `${request.spanId}c`, parentId: request.spanId, kind: 'CLIENT', peer: 'orders_db' },
    ]),
  );
}

describe('health, service map and service detail', () => {
  it('agree about every service, and call no cause of a critical diagnosis anything but degraded', () => {
    fc.assert(
      fc.property(anyRequests, fc.array(anyCause, { maxLength: 4 }), (drawn, causes) => {
        const input = inputOf(toSpans(drawn));
        const health = nameHealthCauses(computeHealth(input, FRAMES), causes);
        const map = nameMapCauses(buildServiceMap(input, FRAMES), causes);
        for (const { name, status, recentStatus, causeOf } of map.services) {
          const found = health.services.find(({ serviceName }) => serviceName === name)!;
          const detail = buildServiceDetail(input, FRAMES, name, { causes })!;
          for (const other of [found, detail])
            assert.deepEqual([other.status, other.recentStatus, other.causeOf], [status, recentStatus, causeOf]);
          const isCritical = causes.some((each) => each.serviceName === name && each.severity === 'critical');
          if (isCritical) assert.equal(recentStatus, 'degraded');
          for (const dependency of detail.dependencies) {
            const own = causes.filter(({ serviceName }) => serviceName === dependency.name);
            if (own.some(({ severity }) => severity === 'critical')) assert.equal(dependency.recentStatus, 'degraded');
            assert.equal(
              dependency.causeOf === undefined,
              own.every(({ severity }) => severity === 'info'),
            );
          }
        }
        const isAnyCritical = causes.some(
          ({ serviceName, severity }) => serviceName !== null && severity === 'critical',
        );
        if (isAnyCritical) assert.equal(health.recentStatus, 'degraded');
      }),
      { numRuns: 60 },
    );
  });

  it('depend on the newest diagnosis alone, whatever was applied to them before', () => {
    const causeLists = fc.array(anyCause, { maxLength: 3 });
    fc.assert(
      fc.property(anyRequests, causeLists, causeLists, (drawn, earlier, latest) => {
        const health = computeHealth(inputOf(toSpans(drawn)), FRAMES);
        assert.deepEqual(nameHealthCauses(nameHealthCauses(health, earlier), latest), nameHealthCauses(health, latest));
        assert.equal('recentRequests' in toPublicAnswer(health), false);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the state of a service', () => {
  it('is healthy only if nothing says otherwise', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('healthy' as const, 'degraded' as const),
        fc.constantFrom(...(['healthy', 'degraded', 'unknown', 'recovering', 'alerting'] as const)),
        fc.array(anyCause, { maxLength: 3 }),
        (status, recentRequests, causes) => {
          const { recentStatus } = assessCurrentState('payment', status, recentRequests, causes);
          const own = causes.filter(({ serviceName }) => serviceName === 'payment');
          const isWell = status === 'healthy' && recentRequests === 'healthy';
          const isSuspect = own.some((each) => each.recoveredAt !== undefined || each.severity === 'critical');
          if (recentStatus === 'healthy') assert.ok(isWell && !isSuspect);
          if (isWell && own.length === 0) assert.equal(recentStatus, 'healthy');
        },
      ),
    );
  });
});
