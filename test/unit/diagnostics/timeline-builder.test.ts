import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AlertRecord, DiagnosticsInput } from '../../../src/diagnostics/diagnostics-input.js';
import { OTHER_NAME, type ServiceCatalog } from '../../../src/diagnostics/rollups/rollup-types.js';
import { buildTimeline } from '../../../src/diagnostics/timeline-builder.js';
import { resolveAnalysisWindows, HISTORY_WINDOW_LENGTHS } from '../../../src/diagnostics/time-windows.js';
import { historyFrames, HOUR_MS, hourly, inputOf, minutesAgo, spans } from './given-rollups.js';

const FRAMES = historyFrames(HOUR_MS);

const ALERT: AlertRecord = {
  id: 'a1',
  ruleId: 'r1',
  ruleName: 'High error rate',
  serviceName: 'payment-service',
  condition: 'error_rate > 5%',
  severity: 'warning',
  value: 8.5,
  firedAt: minutesAgo(20),
};

const DEPLOYED = [
  ...spans(2400, minutesAgo(110), minutesAgo(30), { service: 'payment-service', version: '1.8.2' }),
  ...spans(900, minutesAgo(30), HOUR_MS, { service: 'payment-service', version: '1.8.3', error: true, ms: 400 }),
];

function catalog(service: string, operations: readonly string[] = []): ServiceCatalog {
  const seen = { firstUs: minutesAgo(10) * 1000, lastUs: HOUR_MS * 1000 };
  return {
    service,
    ...seen,
    operations: operations.map((operation) => ({ operation, entry: true, ...seen })),
    versions: [],
  };
}

describe('the timeline', () => {
  it('reports in order what was deployed, what became unusual, and which alerts fired and were resolved', () => {
    const alerts = [{ ...ALERT, firedAt: minutesAgo(27), resolvedAt: minutesAgo(2) }];
    assert.deepEqual(buildTimeline(inputOf(DEPLOYED, { alerts }), FRAMES), [
      {
        timestamp: minutesAgo(30),
        type: 'deployment',
        description: 'payment-service v1.8.3 deployed',
        severity: 'warning',
        serviceName: 'payment-service',
      },
      {
        timestamp: minutesAgo(30),
        type: 'anomaly',
        description: 'Error rate rose from 0% to 100%',
        severity: 'critical',
        serviceName: 'payment-service',
      },
      {
        timestamp: minutesAgo(30),
        type: 'anomaly',
        description: 'Latency p95 rose from 100 ms to 401 ms',
        severity: 'warning',
        serviceName: 'payment-service',
      },
      {
        timestamp: minutesAgo(27),
        type: 'alert',
        description: 'High error rate alert triggered: 8.5% (threshold: 5%)',
        severity: 'warning',
        serviceName: 'payment-service',
      },
      {
        timestamp: minutesAgo(2),
        type: 'alert',
        description: 'High error rate alert resolved',
        severity: 'info',
        serviceName: 'payment-service',
      },
    ]);
  });

  describe('of one minute', () => {
    const deployedAt = minutesAgo(29.7);
    const all = [
      ...spans(2400, minutesAgo(110), deployedAt, { service: 'payment-service', version: '1.8.2' }),
      ...spans(900, deployedAt, HOUR_MS, { service: 'payment-service', version: '1.8.3', error: true }),
      ...spans(4800, minutesAgo(110), deployedAt, { service: 'shop' }),
      ...spans(1800, deployedAt, HOUR_MS, { service: 'shop', error: true }),
    ];
    const reported = (input: DiagnosticsInput, windows = FRAMES) =>
      buildTimeline(input, windows).map(
        ({ type, serviceName, timestamp }) => `${type} of ${serviceName} @${(HOUR_MS - timestamp) / 60_000}`,
      );

    it('reports the change before the anomalies that came of it, here and at others, and these before their alerts', () => {
      const alerts = [{ ...ALERT, firedAt: minutesAgo(29.5) }];
      assert.deepEqual(reported(inputOf(all, { alerts })), [
        'deployment of payment-service @29.7',
        'anomaly of payment-service @29.7',
        'anomaly of shop @29.7',
        'alert of payment-service @29.5',
      ]);
    });

    it('reports an anomaly before its alert, though something changed after that', () => {
      const alerts = [{ ...ALERT, firedAt: minutesAgo(29.8) }];
      const [first, second] = reported(inputOf(all, { alerts }));
      assert.deepEqual([first, second], ['anomaly of payment-service @30', 'alert of payment-service @29.8']);
    });

    it('never reports a time before the last one', () => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 4 }), (seconds) => {
          const alerts = seconds.map((s, i) => ({
            ...ALERT,
            id: `a${i}`,
            serviceName: i % 2 === 0 ? 'shop' : 'payment-service',
            firedAt: minutesAgo(30) + s * 1000,
          }));
          const times = buildTimeline(inputOf(all, { alerts }), FRAMES).map(({ timestamp }) => timestamp);
          return times.every((time, i) => i === 0 || time >= times[i - 1]);
        }),
        { numRuns: 10 },
      );
    });
  });

  it('of old hours reports an anomaly at the change of its own service, not at those of others', () => {
    const at = minutesAgo(90);
    const all = [
      ...spans(6000, minutesAgo(1500), at, { service: 'payment-service', version: '1' }),
      ...spans(600, at, HOUR_MS, { service: 'payment-service', version: '2', error: true }),
      ...spans(6000, minutesAgo(1500), at, { service: 'shop' }),
      ...spans(600, at, HOUR_MS, { service: 'shop', error: true }),
    ];
    const windows = resolveAnalysisWindows(
      { range: { fromMs: minutesAgo(1200), toMs: HOUR_MS } },
      HOUR_MS,
      HISTORY_WINDOW_LENGTHS,
    );
    const anomalous = buildTimeline(hourly(inputOf(all)), windows).filter(
      ({ type, description }) => type === 'anomaly' && description.startsWith('Error'),
    );
    assert.deepEqual(
      anomalous.map(({ serviceName, timestamp }) => [serviceName, (HOUR_MS - timestamp) / 60_000]),
      [
        ['shop', 120],
        ['payment-service', 90],
      ],
    );
  });

  it('writes values in the unit of the threshold', () => {
    const texts = (condition: string, ruleName: string) =>
      buildTimeline(inputOf([], { alerts: [{ ...ALERT, condition, ruleName, value: 2340.567 }] }), FRAMES).map(
        ({ description }) => description,
      );
    assert.deepEqual(texts('latency_p95 > 2000ms', 'Slow'), ['Slow alert triggered: 2340.57ms (threshold: 2000ms)']);
    assert.deepEqual(texts('apdex < 0.7', 'Apdex alert'), ['Apdex alert triggered: 2340.57 (threshold: 0.7)']);
  });

  it('reports the same alert once', () => {
    assert.equal(buildTimeline(inputOf([], { alerts: [ALERT, ALERT] }), FRAMES).length, 1);
  });

  it('reports nothing from before the window, and as of a moment nothing from after it', () => {
    const alerts = [{ ...ALERT, firedAt: minutesAgo(70), resolvedAt: minutesAgo(5) }];
    assert.deepEqual(
      buildTimeline(inputOf([], { alerts }), FRAMES).map(({ description }) => description),
      ['High error rate alert resolved'],
    );
    assert.deepEqual(
      buildTimeline(
        inputOf(DEPLOYED, { alerts }),
        resolveAnalysisWindows({ asOfMs: minutesAgo(31) }, HOUR_MS, HISTORY_WINDOW_LENGTHS),
      ).map(({ type, timestamp }) => [type, timestamp]),
      [['alert', minutesAgo(70)]],
    );
  });

  it('says so when names are counted together, whether they were too many or too long', () => {
    const catalogs = [catalog(OTHER_NAME), catalog('shop', [OTHER_NAME])];
    assert.deepEqual(
      buildTimeline(inputOf([], { catalogs }), FRAMES).map(({ description, severity, serviceName }) => [
        serviceName,
        severity,
        description,
      ]),
      [
        [
          OTHER_NAME,
          'warning',
          'Services beyond the limits (1,000 names of up to 1,024 characters) are counted under __other__',
        ],
        [
          'shop',
          'warning',
          'Operations of shop beyond the limits (2,000 names of up to 1,024 characters) are counted under __other__',
        ],
      ],
    );
  });

  it('says since when metric series are too many', () => {
    const at = (seriesOverflowMs: number) => buildTimeline({ ...inputOf([]), seriesOverflowMs }, FRAMES);
    assert.deepEqual(at(minutesAgo(10)), [
      {
        timestamp: minutesAgo(10),
        type: 'overflow',
        severity: 'warning',
        serviceName: OTHER_NAME,
        description:
          'Metric series beyond the limits (10,000 series of 1,000 services) are counted under __other__, without their values',
      },
    ]);
    assert.deepEqual([at(minutesAgo(61)), at(HOUR_MS + 60_000)], [[], []]);
  });

  it('of nothing is empty', () => {
    assert.deepEqual(buildTimeline(inputOf([]), FRAMES), []);
  });
});
