import assert from 'node:assert/strict';
import type { DiagnosticsInput } from '../../../../src/diagnostics/diagnostics-input.js';
import { diagnose } from '../../../../src/diagnostics/root-cause/diagnose.js';
import { naiveRollups, type PlainPoint } from '../../../support/naive-rollups.js';
import { ofMinutes } from '../given-rollups.js';
import { FIRST_MINUTE, FRAMES, littleShop } from './little-shop.js';

const MINUTES = 75;
const ONSET = 67;

type Figures = Readonly<Record<string, number | undefined>>;

/** One point a minute of each figure that a service reports; the name of a figure is that of its metric. */
function report(figuresOf: (service: string, minute: number) => Figures, services = ['gateway', 'orders', 'payments']) {
  return Array.from({ length: MINUTES }, (_, minute) =>
    services.flatMap((service) =>
      Object.entries(figuresOf(service, minute)).flatMap(([metric, value]) =>
        value === undefined ? [] : [toPoint(service, metric, minute, value)],
      ),
    ),
  ).flat();
}

function toPoint(service: string, metric: string, minute: number, value: number): PlainPoint {
  const unit = metric.includes('latency') ? 's' : '%';
  const timeUs = (FIRST_MINUTE + minute) * 60e6 + 1;
  return { service, instance: '', metric, unit, kind: 'gauge', monotonic: false, attributes: [], timeUs, value };
}

function diagnosePoints(points: readonly PlainPoint[], more: Partial<DiagnosticsInput> = {}) {
  return diagnose({ ...ofMinutes(naiveRollups({ points })), ...more }, FRAMES);
}

/** Between 0.9 and 1.1, different every minute. */
function vary(minute: number): number {
  return 1 + 0.1 * Math.sin(7 * minute);
}

describe('diagnose of metrics without conventions', function () {
  it('names the service that is slow itself, not the one that waits for it', () => {
    const causes = diagnosePoints(
      report((service, minute) => {
        const isSlow = minute >= ONSET;
        if (service === 'payments')
          return {
            'proxy.server_latency_p90': (isSlow ? 0.4 : 0.02) * vary(minute),
            'pod.cpu_usage': (isSlow ? 95 : 30) * vary(minute),
          };
        return {
          'proxy.server_latency_p90': (isSlow ? 0.9 : 0.1) * vary(minute),
          'proxy.client_latency_p90': (isSlow ? 0.4 : 0.03) * vary(minute),
          'pod.cpu_usage': 30 * vary(minute),
        };
      }),
    );
    assert.deepEqual(
      causes.map(({ serviceName, kind }) => [serviceName, kind]),
      [['payments', 'saturation']],
    );
    assert.ok(causes[0].confidence > 0.8, String(causes[0].confidence));
    assert.match(causes[0].evidence.join(' '), /proxy\.server_latency_p90 rose from 0\.0202 to 0\.396 s, since/);
  });

  it('names the service that succeeds less often', () => {
    const [first] = diagnosePoints(
      report((service, minute) => ({
        'front.success_rate': service === 'orders' && minute >= ONSET ? 70 + vary(minute) : 99.5 + 0.4 * vary(minute),
      })),
    );
    assert.deepEqual([first?.serviceName, first?.kind], ['orders', 'errors']);
    assert.match(first.evidence[0], /Failures \(derived from front\.success_rate\) rose/);
  });

  it('names nothing where nothing changed', () => {
    assert.deepEqual(diagnosePoints(report((_, minute) => ({ 'proxy.server_latency_p90': 0.02 * vary(minute) }))), []);
  });

  it('names nothing where a figure often is that high', () => {
    const causes = diagnosePoints(
      report((_, minute) => ({ 'proxy.server_latency_p90': minute % 6 === 0 || minute > 72 ? 20 : 0.005 })),
    );
    assert.deepEqual(causes, []);
  });

  it('names nothing for one high minute among few', () => {
    const causes = diagnosePoints(
      report((_, minute) => ({ 'proxy.server_latency_p90': minute < 62 ? undefined : minute === 74 ? 20 : 0.005 })),
    );
    assert.deepEqual(causes, []);
  });

  it('does not count what spans of the service tell already', () => {
    const { grids, services } = littleShop({});
    const points = report(
      (_, minute) => ({ 'proxy.server_latency_p90': (minute >= ONSET ? 0.4 : 0.02) * vary(minute) }),
      ['payments'],
    );
    assert.deepEqual(diagnosePoints(points, { grids, services }), []);
  });
});
