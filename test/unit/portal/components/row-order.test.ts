import assert from 'node:assert/strict';
import { keepRowOrder } from '../../../../portal/src/components/row-order.js';

describe('rows that are held in their order', () => {
  const idOf = ({ id }: { readonly id: string }): string => id;
  const rows = (...ids: readonly string[]) => ids.map((id, place) => ({ id, place }));
  const held = (now: readonly string[], before: readonly string[]): readonly string[] =>
    keepRowOrder(rows(...now), rows(...before), idOf).map(idOf);

  it('stay where they were, with what they say now', () => {
    assert.deepEqual(keepRowOrder(rows('b', 'a'), rows('a', 'b'), idOf), [
      { id: 'a', place: 1 },
      { id: 'b', place: 0 },
    ]);
  });

  it('come last where they are new, in their own order', () =>
    assert.deepEqual(held(['d', 'b', 'c', 'a'], ['a', 'b']), ['a', 'b', 'd', 'c']));

  it('are gone once they have gone', () => assert.deepEqual(held(['c', 'a'], ['a', 'b', 'c']), ['a', 'c']));

  it('are as they come where none was shown', () => assert.deepEqual(held(['b', 'a'], []), ['b', 'a']));
});
