import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeCriticalPath, computePathShares } from '../../../../portal/src/pages/traces/critical-path.js';
import {
  layOutWaterfall,
  filterVisibleRows,
  type WaterfallSpan,
} from '../../../../portal/src/pages/traces/waterfall-layout.js';

const BEGIN = Date.parse('2026-03-14T09:26:53.000Z');

const span = (
  spanId: string,
  parentSpanId: string | null,
  at: number,
  duration: number,
  serviceName = 'shop',
): WaterfallSpan => ({ spanId, parentSpanId, serviceName, duration, startTime: new Date(BEGIN + at).toISOString() });

/** Arbitrary spans, including missing parents, self-references and cycles. */
const spans = fc
  .array(
    fc.record({
      id: fc.nat(30),
      parent: fc.option(fc.nat(40)),
      at: fc.nat(1_000),
      duration: fc.nat(500),
      service: fc.constantFrom('a', 'b', 'c'),
    }),
    { maxLength: 40 },
  )
  .map((all) =>
    all.map(({ id, parent, at, duration, service }) =>
      span(String(id), parent === null ? null : String(parent), at, duration, service),
    ),
  );

const timed = ({ rows }: ReturnType<typeof layOutWaterfall>) =>
  rows.map((row) => ({ id: row.span.spanId, parentId: row.parentId, at: row.at, duration: row.span.duration }));

describe('waterfall layout', () => {
  it('contains every span once, parents before children', () => {
    fc.assert(
      fc.property(spans, (given) => {
        const { rows } = layOutWaterfall(given);
        assert.deepEqual(
          rows.map((row) => row.span.spanId).sort(),
          [...new Set(given.map(({ spanId }) => spanId))].sort(),
        );
        const depths = new Map<string, number>();
        for (const {
          span: { spanId },
          parentId,
          depth,
        } of rows) {
          assert.equal(depth, parentId === undefined ? 0 : depths.get(parentId)! + 1);
          depths.set(spanId, depth);
        }
      }),
    );
  });

  it('lies within its duration, and counts descendants', () => {
    fc.assert(
      fc.property(spans, (given) => {
        const { rows, duration } = layOutWaterfall(given);
        rows.forEach((row, index) => {
          assert.ok(row.at >= 0 && row.at + row.span.duration <= duration);
          const following = rows.slice(index + 1);
          const end = following.findIndex(({ depth }) => depth <= row.depth);
          assert.equal(row.below, end < 0 ? following.length : end);
        });
      }),
    );
  });

  it('does not let a span of another service start before its parent', () => {
    fc.assert(
      fc.property(spans, (given) => {
        const { rows } = layOutWaterfall(given);
        const byId = new Map(rows.map((row) => [row.span.spanId, row]));
        for (const {
          parentId,
          at,
          span: { serviceName },
        } of rows) {
          const parent = parentId === undefined ? undefined : byId.get(parentId)!;
          if (parent !== undefined && parent.span.serviceName !== serviceName) assert.ok(at >= parent.at);
        }
      }),
    );
  });

  it('does not depend on the order of spans', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(30), { maxLength: 20 }), fc.infiniteStream(fc.nat(1_000)), (ids, numbers) => {
        const given = ids.map((id) =>
          span(String(id), id < 3 ? null : String(Math.floor(id / 2)), numbers.next().value, 10),
        );
        assert.deepEqual(layOutWaterfall(given.toReversed()).rows, layOutWaterfall(given).rows);
      }),
    );
  });

  it('reports orphans and a missing root', () => {
    const { rows, orphans, hasRoot } = layOutWaterfall([span('b', 'gone', 5, 5), span('c', 'b', 6, 1)]);
    assert.deepEqual(
      [orphans, hasRoot, rows.map(({ depth, isOrphan }) => [depth, isOrphan])],
      [
        1,
        false,
        [
          [0, true],
          [1, false],
        ],
      ],
    );
  });

  it('moves a span with a lagging clock into its parent, together with spans of the same clock', () => {
    const { rows } = layOutWaterfall([
      span('a', null, 100, 100, 'a'),
      span('b', 'a', 40, 50, 'b'),
      span('c', 'b', 45, 10, 'b'),
    ]);
    assert.deepEqual(
      rows.map(({ at, skew }) => [at, skew]),
      [
        [0, 0],
        [25, 85],
        [30, 85],
      ],
    );
  });

  it('collapses subtrees', () => {
    const { rows } = layOutWaterfall([
      span('a', null, 0, 9),
      span('b', 'a', 1, 3),
      span('c', 'b', 2, 1),
      span('d', 'a', 5, 3),
    ]);
    assert.deepEqual(
      filterVisibleRows(rows, new Set(['b'])).map((row) => row.span.spanId),
      ['a', 'b', 'd'],
    );
  });

  it('handles a chain of 10,000 spans', () => {
    const given = Array.from({ length: 10_000 }, (_, index) =>
      span(String(index), index === 0 ? null : String(index - 1), index, 20_000 - 2 * index),
    );
    const laid = layOutWaterfall(given);
    assert.equal(laid.rows.at(-1)?.depth, 9_999);
    assert.equal(
      computeCriticalPath(timed(laid), '0').reduce((sum, { from, to }) => sum + to - from, 0),
      20_000,
    );
  });

  it('reports repeated span IDs, and keeps the first span', () => {
    const { rows, repeated } = layOutWaterfall([span('a', null, 0, 10), span('a', null, 5, 90), span('b', 'a', 6, 1)]);
    assert.deepEqual([repeated, rows.map(({ span: { duration } }) => duration)], [1, [10, 1]]);
  });

  it('is empty without spans', () =>
    assert.deepEqual(layOutWaterfall([]), {
      rows: [],
      begin: 0,
      duration: 0,
      orphans: 0,
      repeated: 0,
      hasRoot: false,
    }));
});

describe('critical path', () => {
  it('is contiguous and as long as the root', () => {
    fc.assert(
      fc.property(
        spans.filter(({ length }) => length > 0),
        (given) => {
          const laid = layOutWaterfall(given);
          const root = laid.rows[0];
          const steps = computeCriticalPath(timed(laid), root.span.spanId);
          let at = root.at;
          for (const { from, to } of steps) {
            assert.equal(from, at);
            assert.ok(to > from);
            at = to;
          }
          assert.equal(at, root.at + root.span.duration);
          assert.ok(at - root.at <= laid.duration);
        },
      ),
    );
  });

  it('contains only spans that were running', () => {
    fc.assert(
      fc.property(
        spans.filter(({ length }) => length > 0),
        (given) => {
          const laid = layOutWaterfall(given);
          const byId = new Map(laid.rows.map((row) => [row.span.spanId, row]));
          for (const { id, from, to } of computeCriticalPath(timed(laid), laid.rows[0].span.spanId)) {
            const row = byId.get(id)!;
            assert.ok(row.at <= from && to <= row.at + row.span.duration);
          }
        },
      ),
    );
  });

  it('goes through the child that ended last, then the one that ended before it', () => {
    const laid = layOutWaterfall([
      span('a', null, 0, 100),
      span('b', 'a', 10, 30),
      span('c', 'a', 20, 30),
      span('d', 'a', 60, 30),
    ]);
    assert.deepEqual(computeCriticalPath(timed(laid), 'a'), [
      { id: 'a', from: 0, to: 20 },
      { id: 'c', from: 20, to: 50 },
      { id: 'a', from: 50, to: 60 },
      { id: 'd', from: 60, to: 90 },
      { id: 'a', from: 90, to: 100 },
    ]);
  });

  it('cuts children that outlive their parent', () => {
    const laid = layOutWaterfall([span('a', null, 0, 10), span('b', 'a', 4, 50)]);
    assert.deepEqual(computeCriticalPath(timed(laid), 'a'), [
      { id: 'a', from: 0, to: 4 },
      { id: 'b', from: 4, to: 10 },
    ]);
  });

  it('is summed by name, largest first', () => {
    assert.deepEqual(
      computePathShares(
        [
          { id: 'a1', from: 0, to: 2 },
          { id: 'b1', from: 2, to: 7 },
          { id: 'a2', from: 7, to: 8 },
        ],
        (id) => id.slice(0, 1),
      ),
      [
        { name: 'b', ms: 5 },
        { name: 'a', ms: 3 },
      ],
    );
  });
});
