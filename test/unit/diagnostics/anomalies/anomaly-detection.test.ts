import assert from 'node:assert/strict';
import fc from 'fast-check';
import { detectAnomalies } from '../../../../src/diagnostics/anomalies/anomaly-detection.js';
import type { Anomaly } from '../../../../src/diagnostics/diagnostic-results.js';
import type {
  GridRollup,
  ServiceCatalog,
  ServiceTotals,
  TimeBucket,
} from '../../../../src/diagnostics/rollups/rollup-types.js';
import { Sketch } from '../../../../src/diagnostics/rollups/sketch.js';
import { resolveAnalysisWindows, HISTORY_WINDOW_LENGTHS, MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import { randomNumbers } from '../../../support/random-numbers.js';
import { binomial, lognormal, poisson } from '../chance.js';
import { historyFrames, HOUR_MS } from '../given-rollups.js';

const MINUTES = 120;
const START = HOUR_MS / MINUTE_MS - MINUTES;
/** Half a minute after the last whole one. */
const FRAMES = historyFrames(HOUR_MS + 30_000);
const SEED = fc.integer({ min: 1, max: 1_000_000_000 });

/** Of one minute: requests expected, chance of an error, median latency, and the spread of its logarithm. */
interface Traffic {
  readonly rate: number;
  readonly errors: number;
  readonly ms: number;
  readonly sigma: number;
}

const USUAL: Traffic = { rate: 120, errors: 0.005, ms: 80, sigma: 0.6 };

type Course = (minute: number) => Partial<Traffic> | undefined;

/** Two hours of one service, unless longer; undefined: not a request, not even a rollup. */
function simulated(
  seed: number,
  course: Course,
  usual = USUAL,
  minutes = MINUTES,
): { grids: TimeBucket<GridRollup>[]; catalogs: ServiceCatalog[] } {
  const roll = randomNumbers(seed);
  const grids = Array.from({ length: minutes }, (_, i): TimeBucket<GridRollup> => {
    const traffic = course(i);
    const services = traffic === undefined ? [] : [totals(roll, { ...usual, ...traffic })];
    return { minute: START + i, minutes: 1, value: { services, edges: [] } };
  });
  return { grids, catalogs: [{ service: 'shop', firstUs: 0, lastUs: HOUR_MS * 1000, operations: [], versions: [] }] };
}

function totals(roll: () => number, { rate, errors, ms, sigma }: Traffic): ServiceTotals {
  const count = poisson(roll, rate);
  const latency = new Sketch();
  let durationNs = 0;
  for (let i = 0; i < count; i++) {
    const ns = Math.round(ms * 1e6 * lognormal(roll, sigma));
    durationNs += ns;
    latency.add(ns);
  }
  const none = [0, 0, 0, 0, 0] as const;
  return {
    service: 'shop',
    count,
    errors: binomial(roll, count, errors),
    durationNs,
    satisfied: count,
    tolerating: 0,
    latency,
    kinds: none,
    entryKinds: none,
  };
}

function found(seed: number, course: Course, usual = USUAL): readonly Anomaly[] {
  return detectAnomalies(simulated(seed, course, usual), FRAMES);
}

function minuteOf({ fromMs }: Anomaly): number {
  return fromMs / MINUTE_MS - START;
}

/** Of exactly this metric, from within two minutes of then. */
function reports(all: readonly Anomaly[], metric: Anomaly['metric'], minute: number): boolean {
  const [first] = all;
  return all.length === 1 && first.metric === metric && Math.abs(minuteOf(first) - minute) <= 2;
}

describe('anomalies', () => {
  const AT = fc.integer({ min: 62, max: 114 });

  it('detect when errors began', () => {
    fc.assert(
      fc.property(SEED, AT, (seed, at) =>
        reports(
          found(seed, (i) => (i < at ? {} : { errors: 0.1 })),
          'errors',
          at,
        ),
      ),
    );
  });

  it('detect when requests became slow, all or few of them', () => {
    fc.assert(
      fc.property(SEED, AT, (seed, at) =>
        reports(
          found(seed, (i) => (i < at ? {} : { ms: 200 })),
          'latency',
          at,
        ),
      ),
    );
    fc.assert(
      fc.property(SEED, AT, (seed, at) =>
        reports(
          found(seed, (i) => (i < at ? {} : { sigma: 1.5 })),
          'latency',
          at,
        ),
      ),
    );
  });

  it('detect a slowdown that fills most of the window, also if all requests take equally long', () => {
    assert.ok(
      reports(
        found(9, (i) => (i < 65 ? { ms: 100, sigma: 0 } : { ms: 5000, sigma: 0 })),
        'latency',
        65,
      ),
    );
  });

  it('detect when the rate rose or fell', () => {
    fc.assert(
      fc.property(SEED, AT, (seed, at) =>
        reports(
          found(seed, (i) => (i < at ? {} : { rate: 360 })),
          'rate',
          at,
        ),
      ),
    );
    fc.assert(
      fc.property(SEED, AT, (seed, at) =>
        reports(
          found(seed, (i) => (i < at ? {} : { rate: 40 })),
          'rate',
          at,
        ),
      ),
    );
  });

  it('detect a large step in the minute in which it happens', () => {
    const [errors] = found(3, (i) => (i < MINUTES - 1 ? {} : { errors: 0.5 }));
    assert.deepEqual([minuteOf(errors), errors.metric, errors.severity], [MINUTES - 1, 'errors', 'critical']);
  });

  it('detect a silence after a steady rate, once the silent minutes are complete', () => {
    const [silence, ...others] = found(1, (i) => (i < 110 ? {} : undefined));
    assert.deepEqual(
      [minuteOf(silence), silence.metric, silence.after, silence.severity, others.length],
      [110, 'rate', 0, 'warning', 0],
    );
    assert.match(silence.description, /^No requests, usually 2(\.\d+)? a second$/);
  });

  it('take silence for usual where traffic comes and goes', () => {
    assert.deepEqual(
      found(2, (i) => (i < 110 && i % 9 < 2 ? {} : undefined)),
      [],
    );
  });

  it('take peaks that come by the clock for usual', () => {
    const late = found(5, (i) => (i % 15 === 0 ? { rate: 900 } : {})).filter(
      ({ metric, fromMs }) => metric === 'rate' && fromMs >= HOUR_MS - 60 * MINUTE_MS,
    );
    assert.deepEqual(late, []);
  });

  it('do not mind gaps: errors after a silence begin when requests do', () => {
    const errors = found(1, (i) => (i < 80 ? {} : i < 90 ? undefined : { errors: 0.3 })).find(
      ({ metric }) => metric === 'errors',
    );
    assert.equal(errors && minuteOf(errors), 90);
  });

  it('end where the usual comes back, which is none itself', () => {
    const all = found(4, (i) => (i >= 80 && i < 90 ? { errors: 0.2 } : {}));
    assert.deepEqual(
      all.map(({ metric, fromMs, untilMs }) => [metric, fromMs / MINUTE_MS - START, untilMs / MINUTE_MS - START]),
      [['errors', 80, 89]],
    );
  });

  it('once reported stay reported unchanged for as long as they are in the window', () => {
    const at = 150;
    const shapes: Record<string, [forMinutes: number, Partial<Traffic>]> = {
      'twice the rate for good': [Infinity, { rate: 240 }],
      'twice the rate for 5 minutes': [5, { rate: 240 }],
      'three times the rate for 2 minutes': [2, { rate: 360 }],
      'three times the rate for 15 minutes': [15, { rate: 360 }],
      'a quarter of the rate for 5 minutes': [5, { rate: 30 }],
      'errors for good': [Infinity, { errors: 0.1 }],
      'many errors for 2 minutes': [2, { errors: 0.3 }],
      'twice as slow for good': [Infinity, { ms: 160 }],
      'half as slow again for 5 minutes': [5, { ms: 130 }],
    };
    for (const [shape, [minutes, traffic]] of Object.entries(shapes)) {
      for (let seed = 1; seed <= 2; seed++) {
        const { grids, catalogs } = simulated(seed, (i) => (i >= at && i < at + minutes ? traffic : {}), USUAL, 210);
        const received = Array.from({ length: 59 }, (_, i) => {
          const asOfMs = (START + at + i) * MINUTE_MS;
          return detectAnomalies(
            { grids: grids.filter(({ minute }) => minute < START + at + i), catalogs },
            resolveAnalysisWindows({ asOfMs }, Infinity, HISTORY_WINDOW_LENGTHS),
          )
            .map((one) => `${one.metric} since ${minuteOf(one)}`)
            .join();
        });
        const changes = received.filter((text, i) => i > 0 && text !== received[i - 1]);
        assert.ok(changes.length <= 1 && received[0] === '', `${shape}, seed ${seed}: ${changes.join(' | ')}`);
      }
    }
  });

  it('are not what was over before the window', () => {
    assert.deepEqual(
      found(4, (i) => (i >= 30 && i < 40 ? { errors: 0.2 } : {})),
      [],
    );
  });

  it('are none where things get better, nor in one request that took for ever', () => {
    assert.deepEqual(
      found(6, (i) => (i < 80 ? { errors: 0.05, ms: 300 } : {})),
      [],
    );
    const one = simulated(6, () => ({}));
    one.grids[90].value.services[0].latency.add(1e12);
    assert.deepEqual(detectAnomalies(one, FRAMES), []);
  });

  it('are none of a service that has only just begun', () => {
    const { grids } = simulated(7, (i) => (i < 115 ? undefined : { errors: i < 117 ? 0 : 0.5 }));
    const firstUs = (START + 115) * MINUTE_MS * 1000;
    assert.deepEqual(
      detectAnomalies(
        { grids, catalogs: [{ service: 'shop', firstUs, lastUs: firstUs, operations: [], versions: [] }] },
        FRAMES,
      ),
      [],
    );
  });

  it('read hours as they read minutes', () => {
    const { grids, catalogs } = simulated(8, (i) => (i < 110 ? {} : { errors: 0.2 }));
    const day = Array.from({ length: 24 }, (_, i): TimeBucket<GridRollup> => ({
      minute: START - (24 - i) * 60,
      minutes: 60,
      value: { services: [totals(randomNumbers(i + 1), { ...USUAL, rate: 7200 })], edges: [] },
    }));
    const windows = {
      nowMs: HOUR_MS,
      current: { fromMs: HOUR_MS - 20 * 60 * MINUTE_MS, toMs: HOUR_MS },
      baseline: { fromMs: HOUR_MS - 26 * 60 * MINUTE_MS, toMs: HOUR_MS - 20 * 60 * MINUTE_MS },
    };
    const [errors] = detectAnomalies({ grids: [...day, ...grids], catalogs }, windows);
    assert.deepEqual([errors.metric, errors.fromMs], ['errors', HOUR_MS - 60 * MINUTE_MS]);
  });

  it('do not take an hour that was read in part for a quiet one', () => {
    const hours = Array.from({ length: 24 }, (_, i): TimeBucket<GridRollup> => ({
      minute: START - (24 - i) * 60,
      minutes: 60,
      value: { services: [totals(randomNumbers(i + 1), { ...USUAL, rate: 7200 })], edges: [] },
    }));
    const { grids, catalogs } = simulated(9, () => ({}));
    const before = Array.from({ length: 15 }, (_, i): TimeBucket<GridRollup> => ({
      minute: START - 24 * 60 - 15 + i,
      minutes: 1,
      value: { services: [totals(randomNumbers(i + 1), USUAL)], edges: [] },
    }));
    const toMs = HOUR_MS - 100 * MINUTE_MS;
    const windows = {
      nowMs: toMs + 30_000,
      current: { fromMs: HOUR_MS - 25 * 60 * MINUTE_MS, toMs },
      baseline: { fromMs: (START - 24 * 60 - 15) * MINUTE_MS, toMs: HOUR_MS - 25 * 60 * MINUTE_MS },
    };
    assert.deepEqual(detectAnomalies({ grids: [...before, ...hours, ...grids.slice(0, 20)], catalogs }, windows), []);
  });

  it('are false less than once in 1,000 hours of a service, whatever its traffic', function () {
    const kinds: Traffic[] = [2, 10, 60, 300].flatMap((rate) => [
      { ...USUAL, rate, errors: 0 },
      { ...USUAL, rate, errors: 0.03, sigma: 1.2 },
    ]);
    const alarms = kinds.flatMap((kind, i) =>
      Array.from({ length: 130 }, (_, seed) => found(1000 * i + seed, () => ({}), kind)).flat(),
    );
    assert.ok(alarms.length <= 2, alarms.map(({ description }) => description).join('; '));
  });
});
