import assert from 'node:assert/strict';
import type { DiagnosticsInput } from '../../../../src/diagnostics/diagnostics-input.js';
import { diagnose } from '../../../../src/diagnostics/root-cause/diagnose.js';
import { detectTrafficRises } from '../../../../src/diagnostics/root-cause/detectors/load-detectors.js';
import { createExtremeCallCounter } from '../../../../src/diagnostics/root-cause/extreme-calls.js';
import { buildTelemetrySeries } from '../../../../src/diagnostics/root-cause/series-builder.js';
import { buildSeriesTimeline } from '../../../../src/diagnostics/root-cause/telemetry-series.js';
import { countComplete, measureRecordedTime } from '../../../../src/diagnostics/root-cause/recorded-time.js';
import type { LogRollup } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { FIRST_MINUTE, FRAMES, littleShop, type Fault, type Scenario } from './little-shop.js';

const ONSET = 67;

describe('diagnose of logs without spans', function () {
  it('names the service whose records changed', () => {
    const [first] = diagnose(keepLogs(given('payments', { returnsEarly: true })), FRAMES);
    assert.equal(first?.serviceName, 'payments');
    assert.match(first.evidence[0], /times per log record/);
  });

  it('names nothing where nothing changed', () => {
    assert.deepEqual(diagnose(keepLogs(littleShop({})), FRAMES), []);
  });

  it('names nothing where traffic changed', () => {
    const busier = littleShop({ rate: (minute) => (minute >= ONSET ? 120 : 40) });
    assert.deepEqual(diagnose(keepLogs(busier), FRAMES), []);
  });

  it('names no service because another one logs less', () => {
    const { logs, ...rest } = littleShop({});
    const withChatter = logs.flatMap((each) =>
      each.minute < FIRST_MINUTE + ONSET && each.value.service === 'orders'
        ? [each, { ...each, value: toChatter(each.value) }]
        : [each],
    );
    const causes = diagnose(keepLogs({ ...rest, logs: withChatter }), FRAMES);
    assert.deepEqual(
      causes.filter(({ serviceName }) => serviceName !== 'chatter'),
      [],
    );
  });
});

describe('diagnose of minutes that were recorded in part', function () {
  it('takes minutes of which eight seconds were recorded for no lower load', () => {
    const isRecorded: Scenario['isRecorded'] = (second, minute) => minute >= ONSET || second < 8;
    assert.deepEqual(findTrafficRises({ rate: () => 120, isRecorded }), []);
    const services = findTrafficRises({ rate: (minute) => (minute >= ONSET ? 600 : 120), isRecorded });
    assert.deepEqual(services, ['gateway']);
  });

  function findTrafficRises(scenario: Scenario): string[] {
    const input = littleShop(scenario);
    const timeline = buildSeriesTimeline([input.grids, input.services], FRAMES);
    const options = { first: timeline.windowStart, extremes: createExtremeCallCounter(timeline.windowStart) };
    const split = { past: ONSET, at: ONSET, to: timeline.starts.length };
    const findings = detectTrafficRises(buildTelemetrySeries(input, timeline), options)(split);
    return findings.map(({ serviceName }) => serviceName);
  }

  it('takes requests that were under way when recording began for none that call or log less', () => {
    const causes = diagnose(
      littleShop({
        rate: () => 100,
        fault: () => ({ work: 150 }),
        isRecorded: (second, minute) => minute < ONSET || second >= 45,
      }),
      FRAMES,
    );
    assert.deepEqual(
      causes.map(({ serviceName, evidence }) => ({ serviceName, evidence })),
      [],
    );
  });
});

describe('measureRecordedTime', () => {
  const MINUTE_US = 60e6;
  const measure = (firstSecond: number, lastSecond: number, requests: number) =>
    measureRecordedTime(
      [10],
      [1],
      [{ firstUs: 10 * MINUTE_US + firstSecond * 1e6, lastUs: 10 * MINUTE_US + lastSecond * 1e6 }],
      Float64Array.of(requests),
    );

  it('leaves out gaps at the edges that many requests would not leave by chance', () => {
    const { share, sinceStartNs, hasStarts } = measure(15, 45, 40);
    assert.deepEqual([share[0], sinceStartNs[0], hasStarts], [0.5, 30e9, true]);
  });

  it('counts gaps that few requests leave', () => {
    const { share, sinceStartNs, hasStarts } = measure(15, 45, 5);
    assert.deepEqual([share[0], sinceStartNs[0], hasStarts], [1, Infinity, false]);
  });

  it('counts requests as incomplete that were under way when recording began', () => {
    const complete = countComplete(Float64Array.of(40), Float64Array.of(40 * 3e9), measure(15, 45, 40));
    assert.deepEqual([...complete], [36]);
  });
});

function given(service: string, fault: Fault): DiagnosticsInput {
  return littleShop({ fault: (each, minute) => (each === service && minute >= ONSET ? fault : undefined) });
}

function keepLogs(input: DiagnosticsInput): DiagnosticsInput {
  return { ...input, grids: [], services: [], metrics: [] };
}

/** The same records, fifty times as often, of another service. */
function toChatter({ templates, ...rest }: LogRollup): LogRollup {
  return { ...rest, service: 'chatter', templates: templates.map((each) => ({ ...each, count: 50 * each.count })) };
}
