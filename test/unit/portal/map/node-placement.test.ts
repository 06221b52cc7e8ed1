import assert from 'node:assert/strict';
import fc from 'fast-check';
import { foldColumns, stabilizePositions, type Positions } from '../../../../portal/src/pages/map/node-placement.js';

const SIZE = { width: 100, height: 50 };

/** Positions without overlaps, as from a layout. */
const places = (ids: readonly string[], step: number): Positions =>
  new Map(
    ids.map((id, index) => [id, { x: (index % 5) * SIZE.width * step, y: Math.floor(index / 5) * SIZE.height * step }]),
  );
const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnopqrst'), { maxLength: 20 });

describe('node placement', () => {
  it('keeps known positions, avoids overlaps, and places all nodes', () => {
    fc.assert(
      fc.property(ids, ids, fc.integer({ min: 1, max: 3 }), (first, second, step) => {
        const [before, fresh] = [places(first, 1), places(second, step)];
        const now = stabilizePositions(before, fresh, SIZE);
        assert.deepEqual([...now.keys()].sort(), [...second].sort());
        const kept = second.filter((id) => before.has(id));
        for (const id of kept) assert.deepEqual(now.get(id), before.get(id));
        const all = [...now.values()];
        for (const [index, a] of all.entries())
          for (const b of all.slice(index + 1))
            assert.ok(Math.abs(a.x - b.x) >= SIZE.width || Math.abs(a.y - b.y) >= SIZE.height);
      }),
    );
  });

  it('uses the layout without known nodes', () => {
    assert.deepEqual(stabilizePositions(places(['a', 'b'], 1), places(['c', 'd'], 2), SIZE), places(['c', 'd'], 2));
  });

  it('folds long columns without overlaps, keeping the order', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(500), { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 1, max: 6 }),
        (numbers, ranks) => {
          const given: Positions = new Map(
            numbers.map((number) => [String(number), { x: (number % ranks) * SIZE.width, y: number * SIZE.height }]),
          );
          const now = foldColumns(given, SIZE);
          assert.deepEqual([...now.keys()].sort(), [...given.keys()].sort());
          const all = [...now.entries()];
          assert.equal(new Set(all.map(([, { x, y }]) => `${x} ${y}`)).size, all.length);
          for (const [id, { x }] of all)
            for (const [other, place] of all) if (given.get(id)!.x < given.get(other)!.x) assert.ok(x < place.x);
          const height = Math.max(...all.map(([, { y }]) => y)) + SIZE.height;
          assert.ok(height <= SIZE.height * Math.ceil(Math.sqrt((numbers.length * SIZE.width) / (SIZE.height * 1.8))));
        },
      ),
    );
  });
});
