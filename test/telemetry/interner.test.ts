import assert from 'node:assert/strict';
import { Interner } from '../../src/telemetry/interner.js';

describe('interner', () => {
  it('gives one id to the same bytes and keeps it while it grows', () => {
    const interner = new Interner(4);
    const ids = Array.from({ length: 5000 }, (_, n) => interner.idOf(`operation ${n}`));
    assert.equal(new Set(ids).size, 5000);
    assert.equal(interner.idOf('operation 77'), ids[77]);
    assert.equal(interner.text(ids[4999]), 'operation 4999');
  });
});
