import assert from 'node:assert/strict';
import { AttributeKeyTable } from '../../../../../src/telemetry/otlp/decoding/attribute-key-table.js';
import { AttributeTokenHasher } from '../../../../../src/telemetry/attribute-tokens.js';

function idOf(table: AttributeKeyTable, key: string): number {
  const bytes = Buffer.from(key);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const hash = new AttributeTokenHasher();
  hash.reset();
  hash.add(view, 0, bytes.length);
  return table.intern(hash, view, 0, bytes.length);
}

describe('key table', () => {
  it('gives known keys the ids of their order, also after it forgot the others', () => {
    const table = new AttributeKeyTable(['a', 'b']);
    for (let n = 0; n < 20_000; n++) idOf(table, `key-${n}`);
    assert.equal(table.text(idOf(table, 'key-7')), 'key-7');
    assert.equal(table.resetIfLarge(), true);
    assert.deepEqual([idOf(table, 'a'), idOf(table, 'b'), idOf(table, 'key-7')], [0, 1, 2]);
  });

  it('keeps few short keys, and drops few long ones', () => {
    const table = new AttributeKeyTable([]);
    idOf(table, 'short');
    assert.equal(table.resetIfLarge(), false);
    for (let n = 0; n < 17; n++) idOf(table, `${n}`.padEnd(1 << 20, 'x'));
    assert.equal(table.resetIfLarge(), true);
    assert.equal(idOf(table, 'other'), 0);
  });
});
