import assert from 'node:assert/strict';
import fc from 'fast-check';
import { StringInterner } from '../../../../src/telemetry/columns/string-interner.js';

describe('interner', () => {
  it('assigns one id to equal bytes and preserves it while growing', () => {
    const interner = new StringInterner(4);
    const ids = Array.from({ length: 5000 }, (_, n) => interner.internText(`operation ${n}`));
    assert.equal(new Set(ids).size, 5000);
    assert.equal(interner.internText('operation 77'), ids[77]);
    assert.equal(interner.text(ids[4999]), 'operation 4999');
  });

  it('finds only what it has', () => {
    const interner = new StringInterner();
    const bytes = Buffer.from('xcartx');
    assert.equal(interner.find(bytes, 1, 5), -1);
    const id = interner.intern(bytes, 1, 5);
    assert.equal(interner.find(Buffer.from('cart'), 0, 4), id);
    assert.equal(interner.find(Buffer.from('carT'), 0, 4), -1);
    assert.equal(interner.size, 1);
  });

  it('stores any text, including empty and long ones', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('x'.repeat(5000)))), (texts) => {
        const interner = new StringInterner(16);
        const ids = texts.map((text) => interner.internText(text));
        assert.deepEqual(
          ids.map((id) => interner.text(id)),
          texts,
        );
        assert.equal(interner.size, new Set(texts).size);
      }),
    );
  });

  it('is large past 65,536 strings or 64 MiB of them', () => {
    const many = new StringInterner();
    for (let n = 0; n < 65_536; n++) many.internText(String(n));
    assert.equal(many.isLarge, false);
    many.internText('one more');
    assert.equal(many.isLarge, true);
    const long = new StringInterner();
    const bytes = Buffer.alloc(1 << 20);
    for (let n = 0; n < 65; n++) {
      assert.equal(long.isLarge, false);
      bytes[0] = n;
      long.intern(bytes, 0, bytes.length);
    }
    assert.equal(long.isLarge, true);
  });
});
