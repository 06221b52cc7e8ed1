import assert from 'node:assert/strict';
import fc from 'fast-check';
import { idOf, rowId } from '../../../../src/read-models/adapters/sqlite/row-ids.js';

describe('ids in rows', () => {
  const id = fc.string({ unit: fc.constantFrom('\0', '\u0001', '\u0002', 'a', '/'), maxLength: 12 });

  it('hold no NUL, and tell the id again', () => {
    fc.assert(fc.property(id, (text) => {
      assert.ok(!rowId(text).includes('\0'));
      assert.equal(idOf(rowId(text)), text);
    }));
  });

  it('keep the order of ids, and prefixes', () => {
    fc.assert(fc.property(id, id, (a, b) => {
      assert.equal(rowId(a) < rowId(b), a < b);
      assert.equal(rowId(a).startsWith(rowId(b)), a.startsWith(b));
    }));
  });

  it('are the ids themselves where nothing is rare in them', () => {
    assert.equal(rowId('g/service/ümläut 💩'), 'g/service/ümläut 💩');
  });
});
