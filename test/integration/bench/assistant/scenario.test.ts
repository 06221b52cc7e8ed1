import assert from 'node:assert/strict';
import { ScenarioOracle } from '../../../../bench/assistant/scenario-oracle.js';
import { NOW_MS, createScenario } from '../../../../bench/assistant/scenario/scenario.js';
import { USER } from '../../../../bench/assistant/scenario/scenario-usage.js';
import { GRID, ScenarioReadModels } from '../../../../bench/assistant/scenario/scenario-read-models.js';
import { isMetricRule } from '../../../../src/diagnostics/alerting/alert-rule-model.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';

const ROUNDED = 0.005_001;

/** Reserved while the question is being answered, and the final cost of the answer. */
const RESERVED = 10;
const ANSWER = 1;

describe('the scenario of the assistant', function () {
  // 174,000 spans pass through all projections.
  this.timeout(120_000);
  const oracle = new ScenarioOracle(createScenario(NOW_MS));
  let world: ScenarioReadModels;
  before(async () => {
    world = await ScenarioReadModels.create(oracle.scenario);
  });
  after(() => world.close());

  function isNear(value: number, expected: number, what: string, slack = ROUNDED): void {
    assert.ok(Math.abs(value - expected) <= slack, `${what}: ${value} instead of ${expected}`);
  }

  it('is the same for the same moment, and moves with it', () => {
    assert.deepEqual(createScenario(NOW_MS).logs, oracle.scenario.logs);
    const later = createScenario(NOW_MS + 60 * MINUTE_MS);
    assert.deepEqual(
      later.spans.map(({ startUs }) => startUs - 60 * MINUTE_MS * 1000),
      oracle.scenario.spans.map(({ startUs }) => startUs),
    );
  });

  it('has no two spans of one id', () => {
    const { spans } = oracle.scenario;
    assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
  });

  for (const [name, range] of [
    ['now', undefined],
    ['during the burst of cart', oracle.between('12:40', '12:52')],
    ['yesterday', oracle.last(15, 24 * 60)],
  ] as const) {
    it(`gives the health that the oracle adds up, ${name}`, async () => {
      const { services } = await world.queries.diagnostics.health(GRID, range === undefined ? {} : { range });
      assert.equal(services.length, 8);
      for (const { serviceName, requestCount, errorRate, avgLatencyMs, apdex } of services) {
        const figures = oracle.figures(serviceName, range);
        assert.equal(requestCount, figures.requests, serviceName);
        isNear(errorRate, figures.errorRate, `error rate of ${serviceName}`);
        isNear(avgLatencyMs, figures.avg, `latency of ${serviceName}`);
        isNear(apdex, figures.apdex, `apdex of ${serviceName}`);
      }
    });
  }

  it('gives the endpoints, the exceptions and the calls that the oracle adds up', async () => {
    for (const service of ['payment', 'checkout-service', 'product-catalog', 'cart']) {
      const detail = await world.queries.diagnostics.serviceDetail(GRID, service, {});
      assert.ok(detail);
      for (const { operation, requestCount, p95LatencyMs } of detail.endpoints) {
        const { requests, p95 } = oracle.figures(service, undefined, operation);
        assert.equal(requestCount, requests, operation);
        isNear(p95LatencyMs, p95, operation, p95 / 100);
      }
      assert.deepEqual(
        Object.fromEntries(detail.topErrors.map(({ exceptionType, count }) => [exceptionType, count])),
        Object.fromEntries(oracle.exceptions(service)),
      );
    }
    const { edges } = await world.queries.diagnostics.serviceMap(GRID, {});
    for (const { source, target, requestCount, avgLatencyMs } of edges.filter(
      (edge) => edge.target !== 'email-worker',
    )) {
      const calls = oracle.calls(source, target);
      assert.equal(requestCount, calls.requests, `${source} to ${target}`);
      isNear(avgLatencyMs, calls.avg, `${source} to ${target}`);
    }
  });

  it('finds the traces and logs that the oracle counts', async () => {
    const window = oracle.last(60);
    const range = { fromUs: window.fromMs * 1000, toUs: window.toMs * 1000 };
    const failed = await world.queries.telemetry.findTraces({
      gridId: GRID,
      range,
      serviceName: 'payment',
      status: 'ERROR',
      page: 1,
      pageSize: 1,
    });
    assert.equal(failed.totalCount, oracle.failedTraces('payment', window));
    const logs = await world.queries.telemetry.findLogs({
      gridId: GRID,
      range,
      severityLevel: 'Error',
      page: 1,
      pageSize: 1,
    });
    assert.equal(logs.totalCount, oracle.errorLogs(undefined, window));
  });

  it('detects what the story describes', async () => {
    const { story } = oracle;
    const changes = await world.queries.diagnostics.changes(GRID, { range: oracle.last(6 * 60) });
    const found = (type: string, service: string): number =>
      changes.find((change) => change.type === type && change.serviceName === service)?.detectedAt ?? Number.NaN;
    isNear(found('deployment', 'payment'), story.paymentDeployedMs, 'payment', 2 * MINUTE_MS);
    isNear(found('deployment', 'shipping'), story.shippingDeployedMs, 'shipping', 2 * MINUTE_MS);
    isNear(found('scaling', 'cart'), story.cartScaledMs, 'cart', 6 * MINUTE_MS);
    isNear(found('new_endpoint', 'product-catalog'), story.reviewsAddedMs, 'reviews', 2 * MINUTE_MS);
    const [pool] = await world.queries.diagnostics.pressure(GRID, {});
    assert.deepEqual([pool.serviceName, pool.resource, pool.utilization], ['checkout-service', 'orders', 95]);
    const firing = await world.queries.diagnostics.alerts(GRID, {});
    assert.equal(firing.length, oracle.firing().length);
  });

  it('has alerts where the rules would have fired', async () => {
    for (const rule of (await world.queries.alerts.alertRules(GRID)).filter(isMetricRule)) {
      const { firings } = await world.queries.diagnostics.backtest(GRID, rule, oracle.last(24 * 60));
      for (const { service, firedMs, ruleName } of oracle.scenario.alerts.filter(
        (alert) => alert.ruleName === rule.name,
      )) {
        assert.ok(
          firings.some(
            ({ serviceName, firedAt }) => serviceName === service && Math.abs(firedAt - firedMs) <= MINUTE_MS,
          ),
          `${ruleName} of ${service}`,
        );
      }
    }
  });

  it('accounts for what the oracle counts', async () => {
    const { usage } = world.queries;
    assert.equal((await usage.promptsToday(USER, GRID, NOW_MS)).used, oracle.usage.promptsToday);
    assert.equal((await usage.energy(USER, NOW_MS)).energy + RESERVED - ANSWER, oracle.usage.energy);
    assert.equal((await usage.energy(USER, NOW_MS)).sinceMs + 60 * MINUTE_MS, oracle.usage.nextRegenerationMs);
    assert.equal((await usage.speechSecondsThisMonth(GRID, NOW_MS)) / 60, oracle.usage.speechMinutes);
    assert.deepEqual(
      (await usage.usageSummary(GRID, NOW_MS - 24 * 60 * MINUTE_MS, NOW_MS)).dailyBreakdown.map(
        ({ prompts, energy }) => ({ prompts, energy }),
      ),
      [oracle.usage.day(1), oracle.usage.day()],
    );
  });
});
