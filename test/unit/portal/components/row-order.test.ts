import assert from 'node:assert/strict';
import { keepRowOrder } from '../../../../portal/src/components/row-order.js';

describe('rows in a kept order', () => {
  const idOf = ({ id }: { readonly id: string }): string => id;
  const rows = (...ids: readonly string[]) => ids.map((id, place) => ({ id, place }));
  const held = (now: readonly string[], before: readonly string[]): readonly string[] =>
    keepRowOrder(rows(...now), rows(...before), idOf).map(idOf);

  it('keep their position with current values', () => {
    assert.deepEqual(keepRowOrder(rows('b', 'a'), rows('a', 'b'), idOf), [
      { id: 'a', place: 1 },
      { id: 'b', place: 0 },
    ]);
  });

  it('come last if new, in their own order', () =>
    assert.deepEqual(held(['d', 'b', 'c', 'a'], ['a', 'b']), ['a', 'b', 'd', 'c']));

  it('are removed if they are gone', () => assert.deepEqual(held(['c', 'a'], ['a', 'b', 'c']), ['a', 'c']));

  it('keep their order without previous rows', () => assert.deepEqual(held(['b', 'a'], []), ['b', 'a']));
});
