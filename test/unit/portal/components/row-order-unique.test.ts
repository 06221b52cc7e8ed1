import assert from 'node:assert/strict';
import { uniqueBy } from '../../../../portal/src/components/row-order.js';

describe('rows of several pages', () => {
  it('are kept once, at their first position', () => {
    assert.deepEqual(
      uniqueBy(
        [
          { id: 'a', page: 1 },
          { id: 'b', page: 1 },
          { id: 'b', page: 2 },
          { id: 'c', page: 2 },
        ],
        ({ id }) => id,
      ),
      [
        { id: 'a', page: 1 },
        { id: 'b', page: 1 },
        { id: 'c', page: 2 },
      ],
    );
  });
});
