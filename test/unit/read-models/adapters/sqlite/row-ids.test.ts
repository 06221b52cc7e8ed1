import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fromRowId, toRowId } from '../../../../../src/read-models/adapters/sqlite/filter-to-sql.js';

describe('ids in rows', () => {
  const id = fc.string({ unit: fc.constantFrom('\0', '\u0001', '\u0002', 'a', '/'), maxLength: 12 });

  it('hold no NUL, and tell the id again', () => {
    fc.assert(
      fc.property(id, (text) => {
        assert.ok(!toRowId(text).includes('\0'));
        assert.equal(fromRowId(toRowId(text)), text);
      }),
    );
  });

  it('keep the order of ids, and prefixes', () => {
    fc.assert(
      fc.property(id, id, (a, b) => {
        assert.equal(toRowId(a) < toRowId(b), a < b);
        assert.equal(toRowId(a).startsWith(toRowId(b)), a.startsWith(b));
      }),
    );
  });

  it('are the ids themselves where nothing is rare in them', () => {
    assert.equal(toRowId('g/service/ümläut 💩'), 'g/service/ümläut 💩');
  });
});
