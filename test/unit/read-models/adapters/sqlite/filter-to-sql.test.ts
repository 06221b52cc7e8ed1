import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fromRowId, toRowId } from '../../../../../src/read-models/adapters/sqlite/filter-to-sql.js';

describe('encoded ids', () => {
  const id = fc.string({ unit: fc.constantFrom('\0', '\u0001', '\u0002', 'a', '/'), maxLength: 12 });

  it('contain no NUL, and decode to the id', () => {
    fc.assert(
      fc.property(id, (text) => {
        assert.ok(!toRowId(text).includes('\0'));
        assert.equal(fromRowId(toRowId(text)), text);
      }),
    );
  });

  it('preserve the order of ids, and prefixes', () => {
    fc.assert(
      fc.property(id, id, (a, b) => {
        assert.equal(toRowId(a) < toRowId(b), a < b);
        assert.equal(toRowId(a).startsWith(toRowId(b)), a.startsWith(b));
      }),
    );
  });

  it('are the ids themselves if they contain no control characters', () => {
    assert.equal(toRowId('g/service/ümläut 💩'), 'g/service/ümläut 💩');
  });
});
