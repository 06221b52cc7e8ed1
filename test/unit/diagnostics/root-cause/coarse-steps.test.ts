import assert from 'node:assert/strict';
import { diagnose } from '../../../../src/diagnostics/root-cause/diagnose.js';
import { joinCoarseSteps } from '../../../../src/diagnostics/root-cause/coarse-steps.js';
import { buildSeriesTimeline, type SeriesTimeline } from '../../../../src/diagnostics/root-cause/telemetry-series.js';
import type { DiagnosticsInput } from '../../../../src/diagnostics/diagnostics-input.js';
import { toRequestMetrics } from '../../../../bench/rca/request-metrics-view.js';
import type { PlainSpan } from '../../../support/naive-rollups.js';
import { randomNumbers } from '../../../support/random-numbers.js';
import { ofMinutes } from '../given-rollups.js';
import { FIRST_MINUTE, FRAMES } from './little-shop.js';

const ONSET = 65;

describe('joinCoarseSteps', () => {
  it('joins the minutes of each step of request metrics', () => {
    const joined = timelineOf(metricsOf(() => 10, 5));
    assert.deepEqual([joined.starts.length, joined.lengths[0], joined.windowStart, joined.settled], [15, 5, 12, 15]);
    assert.deepEqual(
      [0, 4, 5, 74].map((minute) => joined.indexOf(FIRST_MINUTE + minute)),
      [0, 0, 1, 14],
    );
  });

  it('joins nothing where each minute was measured', () => {
    assert.equal(timelineOf(metricsOf(() => 10, 1)).starts.length, 75);
  });

  it('joins nothing where durations never change', () => {
    const constant = toInput(
      toRequestMetrics(
        spansOf(
          () => 10,
          () => 0,
        ),
        1,
      ),
    );
    assert.equal(timelineOf(constant).starts.length, 75);
  });
});

describe('diagnose of request metrics in 5-minute steps', () => {
  it('names a service that became slow', () => {
    const [first] = diagnose(
      metricsOf((minute) => (minute >= ONSET ? 60 : 10), 5),
      FRAMES,
    );
    assert.deepEqual([first?.serviceName, first?.kind], ['payments', 'latency']);
  });

  it('warns of nothing where nothing changed, though parts of a step are equal', () => {
    for (const seed of [1, 2, 3])
      assert.deepEqual(
        diagnose(
          metricsOf(() => 10, 5, seed),
          FRAMES,
        ).filter(({ severity }) => severity !== 'info'),
        [],
      );
  });
});

function timelineOf(input: DiagnosticsInput): SeriesTimeline {
  return joinCoarseSteps(buildSeriesTimeline([input.grids, input.services], FRAMES), input.services);
}

function metricsOf(paymentsMs: (minute: number) => number, stepMinutes: number, seed = 1): DiagnosticsInput {
  return toInput(toRequestMetrics(spansOf(paymentsMs, randomNumbers(seed)), stepMinutes));
}

function toInput(requests: Pick<DiagnosticsInput, 'grids' | 'services'>): DiagnosticsInput {
  return { ...ofMinutes([]), ...requests };
}

/** `orders` calls `payments` twenty times a minute; both vary by the random numbers. */
function spansOf(paymentsMs: (minute: number) => number, random: () => number): PlainSpan[] {
  const spans: PlainSpan[] = [];
  for (let minute = 0; minute < 75; minute++)
    for (let i = 0; i < 20; i++) {
      const startMs = (FIRST_MINUTE + minute) * 60_000 + 2000 * i;
      const paidMs = paymentsMs(minute) * (0.5 + random());
      const callMs = paidMs + 1 + random();
      add('payments', 'SERVER', '/pay', startMs, paidMs);
      add('orders', 'CLIENT', 'call /pay', startMs, callMs);
      add('orders', 'SERVER', '/order', startMs, callMs + 8 * (0.5 + random()));
    }
  return spans;

  function add(service: string, kind: PlainSpan['kind'], operation: string, startMs: number, ms: number): void {
    const startNs = BigInt(Math.round(startMs * 1e6));
    spans.push({
      traceId: '',
      spanId: '',
      parentId: '',
      service,
      operation,
      kind,
      startNs,
      endNs: startNs + BigInt(Math.round(ms * 1e6)),
      error: false,
      peer: kind === 'CLIENT' ? 'payments' : undefined,
    });
  }
}
