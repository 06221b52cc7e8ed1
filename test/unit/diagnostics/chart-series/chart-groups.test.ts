import assert from 'node:assert/strict';
import { OTHER_GROUPS_LABEL, MAX_NAMED_GROUPS } from '../../../../src/diagnostics/chart-series/chart-series.js';
import { OTHER_NAME } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { inputOf, minutesAgo, span, spans, type SpanLike } from '../given-rollups.js';
import { labelsOf, computeChart, TEN_MINUTES, valuesOf } from './given-charts.js';

/** So many requests to each of `a`, `b`, …, in the last minute. */
function requestsTo(...counts: readonly number[]): ReturnType<typeof spans> {
  return counts.flatMap((count, i) => requests(count, { service: nameOf(i) }));
}

function requests(count: number, like: SpanLike): ReturnType<typeof spans> {
  return spans(count, minutesAgo(1), minutesAgo(0), like);
}

const nameOf = (i: number): string => String.fromCharCode(97 + i);

describe('groups of a chart', () => {
  it('are ranked by what is most: the name decides between equals', () => {
    assert.deepEqual(labelsOf(computeChart({ groupBy: 'service' }, inputOf(requestsTo(2, 3, 1, 3)))), [
      'b',
      'd',
      'a',
      'c',
    ]);
  });

  it('are ranked by what is worst: the slowest, those with the most errors, the lowest Apdex first', () => {
    const input = inputOf([
      ...requests(4, { service: 'fast', ms: 10 }),
      ...requests(2, { service: 'failing', ms: 20, error: true }),
      ...requests(1, { service: 'slow', ms: 1000 }),
    ]);
    assert.deepEqual(labelsOf(computeChart({ metric: 'latency_avg', groupBy: 'service' }, input)), [
      'slow',
      'failing',
      'fast',
    ]);
    assert.deepEqual(labelsOf(computeChart({ metric: 'latency_p50', groupBy: 'service' }, input)), [
      'slow',
      'failing',
      'fast',
    ]);
    assert.deepEqual(labelsOf(computeChart({ metric: 'error_rate', groupBy: 'service' }, input)), [
      'failing',
      'fast',
      'slow',
    ]);
    assert.deepEqual(labelsOf(computeChart({ metric: 'apdex', groupBy: 'service' }, input)), [
      'failing',
      'slow',
      'fast',
    ]);
  });

  it('are ranked by the value over the whole frame, not by averages of steps', () => {
    // Averages of steps: a 505 ms, b 400 ms. Of all requests: a 110 ms, b 400 ms.
    const a = [
      ...spans(9, minutesAgo(2), minutesAgo(1), { service: 'a', ms: 10 }),
      ...requests(1, { service: 'a', ms: 1000 }),
    ];
    assert.deepEqual(
      labelsOf(
        computeChart(
          { metric: 'latency_avg', groupBy: 'service' },
          inputOf([...a, ...requests(1, { service: 'b', ms: 400 })]),
        ),
      ),
      ['b', 'a'],
    );
  });

  it('past the first ten are one, which comes last and is computed of all of them together', () => {
    const counts = Array.from({ length: MAX_NAMED_GROUPS }, (_, i) => 100 + i);
    const input = inputOf([
      ...requestsTo(...counts),
      ...requests(90, { service: 'x', ms: 10 }),
      ...requests(30, { service: 'y', ms: 50 }),
    ]);
    const rates = computeChart({ groupBy: 'service' }, input);
    assert.deepEqual(labelsOf(rates), [...counts.map((_, i) => nameOf(i)).reverse(), OTHER_GROUPS_LABEL]);
    assert.deepEqual(rates.series.at(-1)!.points.at(-1)!.value, 2);
    assert.deepEqual(
      computeChart({ metric: 'latency_avg', groupBy: 'service' }, input)
        .series.at(-1)!
        .points.map(({ value }) => value),
      [20],
    );
  });

  it('are none besides the ten where there are no more', () => {
    assert.equal(
      computeChart({ groupBy: 'service' }, inputOf(requestsTo(...Array.from({ length: MAX_NAMED_GROUPS }, () => 1))))
        .series.length,
      MAX_NAMED_GROUPS,
    );
  });

  it('count with the others where rollups have lost their names', () => {
    const input = inputOf([
      ...requests(60, { service: OTHER_NAME }),
      ...requests(120, { service: 'shop' }),
      ...requests(60, { service: 'shop', operation: OTHER_NAME }),
    ]);
    const last = (groupBy: string, serviceName = ''): unknown =>
      computeChart({ groupBy, serviceName }, input).series.map(({ label, points }) => [label, points.at(-1)!.value]);
    assert.deepEqual(last('service'), [
      ['shop', 3],
      [OTHER_GROUPS_LABEL, 1],
    ]);
    assert.deepEqual(last('operation'), [
      ['shop GET /', 2],
      [OTHER_GROUPS_LABEL, 2],
    ]);
    assert.deepEqual(last('operation', OTHER_NAME), [['GET /', 1]]);
    assert.deepEqual(last(''), [['Requests', 4]]);
  });

  it('are shown only with data in the window', () => {
    const calling = [
      span({ service: 'caller', kind: 'CLIENT', parentId: 'p', endMs: minutesAgo(1) }),
      span({ service: 'before', endMs: minutesAgo(11) }),
      span({ service: 'shop', endMs: minutesAgo(1) }),
    ];
    assert.deepEqual(labelsOf(computeChart({ groupBy: 'service' }, inputOf(calling))), ['shop']);
  });
});

describe('more groups than memory is given to', () => {
  const many = Array.from({ length: 200 }, (_, i) =>
    requests(1 + (i % 7 === 0 ? i : 0), { service: `s${String(i).padStart(3, '0')}`, ms: 1 + i }),
  );
  const input = inputOf(many.flat());
  /** Room for about forty groups. */
  const ROOM = 40 * (400 + 8 * 10);

  for (const metric of ['request_rate', 'latency_p95', 'latency_avg'] as const) {
    it(`leave the first ten of ${metric} by requests, and lose no count`, () => {
      const [bounded, whole] = [ROOM, undefined].map((bytes) =>
        computeChart({ metric, groupBy: 'service' }, input, TEN_MINUTES, bytes),
      );
      assert.equal(bounded.series.length, MAX_NAMED_GROUPS + 1);
      if (metric === 'request_rate') assert.deepEqual(bounded, whole);
      const [top] = computeChart({ metric: 'request_rate', groupBy: 'service' }, input).series;
      assert.ok(metric === 'request_rate' || labelsOf(bounded).includes(top.label));
    });
  }

  it('name those of which there was most, and as many as memory allows', () => {
    // The more requests, the faster.
    const groups = Array.from({ length: 200 }, (_, i) =>
      requests(1 + i, { service: `${i}`.padStart(3, '0'), ms: 1000 - 4 * i }),
    );
    const [slowest] = labelsOf(
      computeChart(
        { metric: 'latency_avg', groupBy: 'service' },
        inputOf(groups.flat()),
        TEN_MINUTES,
        80 * (400 + 2 * 8 * 10),
      ),
    ).map(Number);
    assert.ok(slowest > 100 && slowest < 180, `${slowest}`);
  });

  it('count those that have lost their name with the others when they come again', () => {
    const again = [2, 1].flatMap((minute) =>
      Array.from({ length: 100 }, (_, i) =>
        spans(60 + 60 * Math.floor(i / 80), minutesAgo(minute), minutesAgo(minute - 1), { service: `s${i}` }),
      ).flat(),
    );
    const { series } = computeChart({ groupBy: 'service' }, inputOf(again), TEN_MINUTES, ROOM);
    assert.deepEqual(
      series.map(({ points }) => points.slice(-2).map(({ value }) => value)),
      [...Array.from({ length: 10 }, () => [2, 2]), [100, 100]],
    );
  });

  it('show each of those that are left whole', () => {
    const counts = new Map(many.map((own) => [own[0].service, own.length / 60]));
    const ascending = {
      grids: input.grids.map((timeBucket) => ({
        ...timeBucket,
        value: { services: timeBucket.value.services.toSorted((a, b) => a.count - b.count), edges: [] },
      })),
    };
    for (const timeBuckets of [input, ascending]) {
      const { series } = computeChart({ groupBy: 'service' }, timeBuckets, TEN_MINUTES, ROOM);
      for (const { label, points } of series.slice(0, MAX_NAMED_GROUPS))
        assert.ok(Math.abs(points.at(-1)!.value - counts.get(label)!) <= 0.005);
      const sum = valuesOf({ ...computeChart({}, input), series }).reduce((total, values) => total + values.at(-1)!, 0);
      assert.ok(Math.abs(sum - many.flat().length / 60) < 0.06, 'everything is counted');
    }
  });

  it('keep at least ten groups, however little memory is allowed', () => {
    assert.deepEqual(
      computeChart(
        { groupBy: 'service' },
        inputOf(requestsTo(...Array.from({ length: 15 }, (_, i) => 60 * (15 - i)))),
        TEN_MINUTES,
        1,
      ).series.map(({ label, points }) => [label, points.at(-1)!.value]),
      [...Array.from({ length: 10 }, (_, i) => [nameOf(i), 15 - i]), [OTHER_GROUPS_LABEL, 15]],
    );
  });
});
