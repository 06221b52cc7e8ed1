import assert from 'node:assert/strict';
import type { AlertRecord } from '../../src/diagnostics/input.js';
import { OTHER, type ServiceCatalog } from '../../src/diagnostics/rollups.js';
import { timeline } from '../../src/diagnostics/timeline.js';
import { framesOf, HISTORY_LENGTHS } from '../../src/diagnostics/timeframe.js';
import { historyFrames, HOUR_MS, inputOf, minutesAgo, spans } from './given-rollups.js';

const FRAMES = historyFrames(HOUR_MS);

const ALERT: AlertRecord = { id: 'a1', ruleId: 'r1', ruleName: 'High error rate', serviceName: 'payment-service', condition: 'error_rate > 5%', severity: 'warning', value: 8.5, firedAt: minutesAgo(20) };

const DEPLOYED = [
  ...spans(2400, minutesAgo(110), minutesAgo(30), { service: 'payment-service', version: '1.8.2' }),
  ...spans(900, minutesAgo(30), HOUR_MS, { service: 'payment-service', version: '1.8.3', error: true, ms: 400 }),
];

function catalog(service: string, operations: readonly string[] = []): ServiceCatalog {
  const seen = { firstUs: minutesAgo(10) * 1000, lastUs: HOUR_MS * 1000 };
  return { service, ...seen, operations: operations.map((operation) => ({ operation, entry: true, ...seen })), versions: [] };
}

describe('the timeline', () => {
  it('tells in order what was deployed, what became unusual, and which alerts fired and were resolved', () => {
    const alerts = [{ ...ALERT, firedAt: minutesAgo(27), resolvedAt: minutesAgo(2) }];
    assert.deepEqual(timeline(inputOf(DEPLOYED, { alerts }), FRAMES), [
      { timestamp: minutesAgo(30), type: 'deployment', description: 'payment-service v1.8.3 deployed', severity: 'warning', serviceName: 'payment-service' },
      { timestamp: minutesAgo(30), type: 'anomaly', description: 'Error rate rose from 0% to 100%', severity: 'critical', serviceName: 'payment-service' },
      { timestamp: minutesAgo(30), type: 'anomaly', description: 'Latency p95 rose from 100 ms to 401 ms', severity: 'warning', serviceName: 'payment-service' },
      { timestamp: minutesAgo(27), type: 'alert', description: 'High error rate alert triggered: 8.5% (threshold: 5%)', severity: 'warning', serviceName: 'payment-service' },
      { timestamp: minutesAgo(2), type: 'alert', description: 'High error rate alert resolved', severity: 'info', serviceName: 'payment-service' },
    ]);
  });

  it('writes values in the unit of the threshold', () => {
    const texts = (condition: string, ruleName: string) => timeline(inputOf([], { alerts: [{ ...ALERT, condition, ruleName, value: 2340.567 }] }), FRAMES).map(({ description }) => description);
    assert.deepEqual(texts('latency_p95 > 2000ms', 'Slow'), ['Slow alert triggered: 2340.57ms (threshold: 2000ms)']);
    assert.deepEqual(texts('apdex < 0.7', 'Apdex alert'), ['Apdex alert triggered: 2340.57 (threshold: 0.7)']);
  });

  it('tells the same alert once', () => {
    assert.equal(timeline(inputOf([], { alerts: [ALERT, ALERT] }), FRAMES).length, 1);
  });

  it('tells nothing from before the window, and as of a moment nothing from after it', () => {
    const alerts = [{ ...ALERT, firedAt: minutesAgo(70), resolvedAt: minutesAgo(5) }];
    assert.deepEqual(timeline(inputOf([], { alerts }), FRAMES).map(({ description }) => description), ['High error rate alert resolved']);
    assert.deepEqual(timeline(inputOf(DEPLOYED, { alerts }), framesOf({ asOfMs: minutesAgo(31) }, HOUR_MS, HISTORY_LENGTHS)).map(({ type, timestamp }) => [type, timestamp]), [['alert', minutesAgo(70)]]);
  });

  it('says so when names are counted together, whether they were too many or too long', () => {
    const catalogs = [catalog(OTHER), catalog('shop', [OTHER])];
    assert.deepEqual(timeline(inputOf([], { catalogs }), FRAMES).map(({ description, severity, serviceName }) => [serviceName, severity, description]), [
      [OTHER, 'warning', 'Services past the bounds (1,000 names of 1,024 characters) are counted under __other__'],
      ['shop', 'warning', 'Operations of shop past the bounds (2,000 names of 1,024 characters) are counted under __other__'],
    ]);
  });

  it('of nothing is empty', () => {
    assert.deepEqual(timeline(inputOf([]), FRAMES), []);
  });
});
