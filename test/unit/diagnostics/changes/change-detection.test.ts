import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Change } from '../../../../src/diagnostics/diagnostic-results.js';
import { detectChanges } from '../../../../src/diagnostics/changes/change-detection.js';
import { resolveAnalysisWindows, HISTORY_WINDOW_LENGTHS, MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import type { PlainSpan } from '../../../support/naive-rollups.js';
import { randomNumbers } from '../../../support/random-numbers.js';
import { historyFrames, HOUR_MS, hourly, inputOf, minutesAgo, span, spans, type SpanLike } from '../given-rollups.js';

const FRAMES = historyFrames(HOUR_MS);

function found(all: readonly PlainSpan[], type: Change['type'], windows = FRAMES): readonly Change[] {
  return detectChanges(inputOf(all), windows).filter((change) => change.type === type);
}

/** So many spans a minute, from one moment to another. */
function traffic(perMinute: number, from: number, to: number, like: SpanLike = {}): PlainSpan[] {
  return spans(Math.round(perMinute * (from - to)), minutesAgo(from), minutesAgo(to), like);
}

function reported(all: readonly PlainSpan[]): string[] {
  return found(all, 'deployment').map(
    ({ previousVersion, currentVersion, detectedAt }) =>
      `${previousVersion}>${currentVersion}@${(HOUR_MS - detectedAt) / MINUTE_MS}`,
  );
}

describe('a deployment', () => {
  const v1 = { version: '1.0' };
  const v2 = { version: '2.0' };

  it('is a version that follows another, at the time of its first span', () => {
    assert.deepEqual(reported([...traffic(20, 100, 30, v1), ...traffic(20, 30, 0, v2)]), ['1.0>2.0@30']);
  });

  it('is seen with its first span', () => {
    assert.deepEqual(reported([...traffic(20, 100, 0, v1), span({ endMs: HOUR_MS - 1000, ...v2 })]).length, 1);
  });

  it('is one while old and new run side by side', () => {
    assert.deepEqual(reported([...traffic(20, 100, 20, v1), ...traffic(20, 30, 0, v2)]), ['1.0>2.0@30']);
  });

  it('is none while two versions share the traffic, however few of it one of them gets', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 1000 }),
        (canary, stable, shift) => {
          const all = [
            ...traffic(stable / 4, 119, 0, v1),
            ...traffic(canary / 4, 119 + shift / 10_000, shift / 10_000, v2),
          ];
          const before = [span({ endMs: minutesAgo(500), ...v1 }), span({ endMs: minutesAgo(500), ...v2 })];
          return reported([...before, ...all]).length === 0;
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is reported again when an older version returns', () => {
    assert.deepEqual(reported([...traffic(20, 100, 40, v1), ...traffic(20, 40, 30, v2), ...traffic(20, 30, 0, v1)]), [
      '2.0>1.0@30',
      '1.0>2.0@40',
    ]);
  });

  it('is reported twice when a version replaced another for less than a minute, wherever in the minute, and as often as it did', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 20, max: 200 }), (second, seconds) => {
        const [came, went] = [30 - second / 60, 30 - (second + seconds) / 60];
        const all = [...traffic(120, 40, came, v1), ...traffic(120, came, went, v2), ...traffic(120, went, 15, v1)];
        assert.deepEqual(
          reported([...traffic(1, 100, 40, { service: 'other' }), ...all]).map((text) => text.split('@')[0]),
          ['2.0>1.0', '1.0>2.0'],
        );
        const again = [...all, ...traffic(120, 15, 14.4, v2), ...traffic(120, 14.4, 0, v1)];
        assert.equal(reported([...traffic(1, 100, 40, { service: 'other' }), ...again]).length, 4);
      }),
      { numRuns: 15 },
    );
  });

  it('is reported twice in hourly data if a version replaced another for a quarter of an hour', () => {
    const input = hourly(
      inputOf([...traffic(2, 1000, 405, v1), ...traffic(2, 405, 390, v2), ...traffic(2, 390, 0, v1)]),
    );
    const windows = resolveAnalysisWindows(
      { range: { fromMs: minutesAgo(900), toMs: HOUR_MS } },
      HOUR_MS,
      HISTORY_WINDOW_LENGTHS,
    );
    assert.deepEqual(
      detectChanges(input, windows).map(({ currentVersion }) => currentVersion),
      ['1.0', '2.0'],
    );
  });

  it('is none while two versions share requests that come by chance, each with many spans', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: 0.05, max: 0.5, noNaN: true }),
        (seed, perMinute, canary) => {
          const roll = randomNumbers(seed);
          const requests = Array.from({ length: 119 * perMinute }, () => ({
            endMs: minutesAgo(119 * roll()),
            version: roll() < canary ? '2.0' : '1.0',
          }));
          const all = requests.flatMap((like) => [
            span(like),
            ...Array.from({ length: 5 }, () => span({ ...like, kind: 'INTERNAL', parentId: 'p' })),
          ]);
          const before = [span({ endMs: minutesAgo(500), ...v1 }), span({ endMs: minutesAgo(500), ...v2 })];
          return reported([...before, ...all]).length === 0;
        },
      ),
      { numRuns: 20, seed: 1 },
    );
  });

  it('is none of the old version where a new one shared the traffic for less than a minute', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 59 }),
        fc.integer({ min: 10, max: 200 }),
        fc.double({ min: 0.05, max: 0.6, noNaN: true }),
        (second, seconds, share) => {
          const [came, went] = [30 - second / 60, 30 - (second + seconds) / 60];
          const all = [
            ...traffic(240, 100, came, v1),
            ...traffic(240 * (1 - share), came, went, v1),
            ...traffic(240 * share, came, went, v2),
            ...traffic(240, went, 0, v1),
          ];
          return reported(all).every((text) => text.startsWith('1.0>2.0'));
        },
      ),
      { numRuns: 10 },
    );
  });

  it('is reported when a version returns that was last seen before all rollups', () => {
    const input = inputOf([...traffic(20, 110, 30, v2), ...traffic(20, 30, 0, v1)]);
    const [shop] = input.catalogs;
    const catalogs = [{ ...shop, firstUs: 0, versions: shop.versions.map((one) => ({ ...one, firstUs: 0 })) }];
    assert.deepEqual(
      detectChanges({ ...input, catalogs }, FRAMES).map(({ type, currentVersion }) => [type, currentVersion]),
      [['deployment', '1.0']],
    );
  });

  it('is not a last span of the old version long after', () => {
    assert.deepEqual(
      reported([...traffic(20, 100, 30, v1), ...traffic(20, 30, 0, v2), span({ endMs: minutesAgo(20), ...v1 })]),
      ['1.0>2.0@30'],
    );
  });

  it('is not a restart with the same version', () => {
    assert.deepEqual(reported([...traffic(20, 100, 60, v1), ...traffic(20, 30, 0, v1)]), []);
  });

  it('is not the first version of a new service, nor two that begin together', () => {
    assert.deepEqual(
      reported([...traffic(20, 30, 0, v1), ...traffic(10, 29.9, 0, v2), ...traffic(20, 100, 0, { service: 'other' })]),
      [],
    );
  });

  it('knows the version before from the catalog, where no rollup has it', () => {
    assert.deepEqual(reported([span({ endMs: minutesAgo(3000), ...v1 }), ...traffic(20, 30, 0, v2)]), ['1.0>2.0@30']);
  });

  it('is a version after none', () => {
    assert.deepEqual(reported([...traffic(20, 100, 30), ...traffic(20, 30, 0, v2)]), ['>2.0@30']);
  });

  it('is seen in hours too', () => {
    const input = hourly(inputOf([...traffic(2, 1000, 500, v1), ...traffic(2, 500, 0, v2)]));
    const windows = resolveAnalysisWindows(
      { range: { fromMs: minutesAgo(900), toMs: HOUR_MS } },
      HOUR_MS,
      HISTORY_WINDOW_LENGTHS,
    );
    assert.deepEqual(
      detectChanges(input, windows).map(({ currentVersion, detectedAt }) => [currentVersion, detectedAt]),
      [['2.0', minutesAgo(500)]],
    );
  });

  it('is many only within bounds', () => {
    const each = Array.from({ length: 300 }, (_, i) => span({ endMs: minutesAgo(50 - i / 10), version: `build ${i}` }));
    assert.equal(reported([...traffic(20, 100, 0, v1), ...each]).length, 20);
  });
});

describe('scaling', () => {
  const counts = (all: readonly PlainSpan[]) =>
    found(all, 'scaling').map(({ description, detectedAt }) => `${description} @${(HOUR_MS - detectedAt) / MINUTE_MS}`);
  const instance = (name: string, from: number, to: number, perMinute = 4) =>
    traffic(perMinute, from, to, { instance: name });

  it('is a number of live instances that changed', () => {
    assert.deepEqual(counts([...instance('a', 100, 0), ...instance('b', 20, 0), ...instance('c', 20, 0)]), [
      'Instance count changed from 1 to 3 @20',
    ]);
  });

  it('shows three minutes after new ones came, and once old ones were not seen for five', () => {
    assert.equal(counts([...instance('a', 100, 0), ...instance('b', 3, 0)]).length, 1);
    assert.equal(counts([...instance('a', 100, 0), ...instance('b', 100, 4)]).length, 0);
    assert.deepEqual(counts([...instance('a', 100, 0), ...instance('b', 100, 7)]), [
      'Instance count changed from 2 to 1 @7.25',
    ]);
  });

  it('is none while instances are replaced one by one, whether the new comes before the old goes or after', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 8 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: -60, max: 60 }),
        (replicas, pace, overlap) => {
          const gone = (i: number): number => 50 - pace * i;
          const all = Array.from({ length: replicas }, (_, i) => [
            ...instance(`old ${i}`, 119, gone(i), 10),
            ...instance(`new ${i}`, gone(i) + overlap / 60, 0, 10),
          ]).flat();
          assert.deepEqual(counts(all), []);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('is none where a service sends nothing for a while', () => {
    assert.deepEqual(
      counts([...instance('a', 100, 60), ...instance('b', 100, 60), ...instance('a', 30, 0), ...instance('b', 30, 0)]),
      [],
    );
    assert.deepEqual(counts([...instance('a', 100, 20), ...instance('b', 100, 20)]), []);
  });

  it('is none where instances are seen once in a while', () => {
    assert.deepEqual(counts(['a', 'b', 'c', 'd'].flatMap((name, i) => instance(name, 119 - i, 0, 1 / 4))), []);
  });

  it('is none without instance ids', () => {
    assert.deepEqual(counts(traffic(20, 100, 0)), []);
  });
});

describe('new names', () => {
  it('are services that come after others', () => {
    const all = [...traffic(2, 100, 0), ...traffic(2, 20, 0, { service: 'late' })];
    assert.deepEqual(
      found(all, 'new_service').map(({ serviceName, detectedAt, description }) => [
        serviceName,
        detectedAt,
        description,
      ]),
      [['late', minutesAgo(20), 'New service late']],
    );
  });

  it('are not the first services of a Grid', () => {
    assert.deepEqual(found([...traffic(2, 50, 0), ...traffic(2, 45, 0, { service: 'soon after' })], 'new_service'), []);
  });

  it('are endpoints that answer requests, once their service has run for ten minutes', () => {
    const late = { operation: 'GET /late' };
    assert.deepEqual(
      found([...traffic(2, 100, 0), ...traffic(2, 20, 0, late)], 'new_endpoint').map(({ description }) => description),
      ['New endpoint GET /late'],
    );
    assert.deepEqual(
      found([...traffic(2, 100, 0), ...traffic(2, 20, 0, { ...late, kind: 'CLIENT', parentId: 'p' })], 'new_endpoint'),
      [],
    );
    assert.deepEqual(found([...traffic(2, 29, 0), ...traffic(2, 20, 0, late)], 'new_endpoint'), []);
  });

  it('are a number where they are many', () => {
    const many = Array.from({ length: 30 }, (_, i) => span({ endMs: minutesAgo(30 - i), operation: `GET /${i}` }));
    assert.deepEqual(
      found([...traffic(2, 100, 0), ...many], 'new_endpoint').map(({ description }) => description),
      ['30 new endpoints, the first GET /0'],
    );
  });
});

describe('changes', () => {
  const deployed = (before: SpanLike, after: SpanLike) =>
    found(
      [...traffic(20, 100, 20, { version: '1', ...before }), ...traffic(20, 20, 0, { version: '2', ...after })],
      'deployment',
    )[0].performanceImpact;

  it('measure what came of them: p95 and error rate of 10 minutes against the 30 before', () => {
    const worse = deployed({ ms: 100 }, { ms: 245 });
    assert.equal(worse.assessment, 'negative');
    assert.match(worse.latencyChange, /^\+14[3-7]%$/);
    assert.deepEqual(deployed({ error: true }, {}), {
      latencyChange: '+0%',
      errorRateChange: '-100%',
      assessment: 'positive',
    });
    assert.deepEqual(deployed({}, {}), { latencyChange: '+0%', errorRateChange: '+0%', assessment: 'neutral' });
  });

  it('take the worse of two for what came of them', () => {
    assert.equal(deployed({ ms: 500 }, { ms: 100, error: true }).assessment, 'negative');
  });

  it('are neutral without a comparison', () => {
    const all = [
      ...traffic(20, 100, 0.5, { version: '1', error: true }),
      ...traffic(20, 0.5, 0, { version: '2', ms: 9000 }),
    ];
    assert.deepEqual(found(all, 'deployment')[0].performanceImpact, {
      latencyChange: '+0%',
      errorRateChange: '+0%',
      assessment: 'neutral',
    });
  });

  it('come newest first, and only those of the window', () => {
    const versions = [80, 55, 30, 5].map((from, i) => traffic(20, from, [55, 30, 5, 0][i], { version: `${i}` }));
    assert.deepEqual(reported([...traffic(20, 110, 80, { version: 'old' }), ...versions.flat()]), [
      '2>3@5',
      '1>2@30',
      '0>1@55',
    ]);
  });

  it('as of a moment know nothing of later', () => {
    const all = [
      ...traffic(20, 100, 30, { version: '1' }),
      ...traffic(20, 30, 0, { version: '2', instance: 'b' }),
      ...traffic(2, 29, 0, { service: 'late' }),
    ];
    assert.deepEqual(
      detectChanges(inputOf(all), resolveAnalysisWindows({ asOfMs: minutesAgo(31) }, HOUR_MS, HISTORY_WINDOW_LENGTHS)),
      [],
    );
  });
});
