import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Id64HashTable, Id128HashTable } from '../../../../src/read-models/blocks/id-hash-tables.js';

const word = fc.constantFrom(0, 1, 2, 3, 0xffff_ffff);

describe('tables of ids', () => {
  it('number pairs by their first appearance and distinguish all others', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(word, fc.nat(50)), word)), (pairs) => {
        const table = new Id64HashTable();
        const seen: string[] = [];
        for (const [a, b] of pairs) {
          const key = `${a},${b}`;
          if (!seen.includes(key)) {
            assert.equal(table.find(a, b), -1);
            seen.push(key);
          }
          assert.equal(table.add(a, b), seen.indexOf(key));
        }
        assert.equal(table.size, seen.length);
        seen.forEach((key, number) =>
          assert.equal(table.find(...(key.split(',').map(Number) as [number, number])), number),
        );
      }),
    ));

  it('compare all four words of a trace id', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word, word, word), { maxLength: 60 }), (ids) => {
        const words = Uint32Array.from(ids.flat());
        const table = new Id128HashTable();
        const distinct = [...new Set(ids.map((id) => id.join()))];
        ids.forEach((id, i) => assert.equal(table.add(words, i * 4), distinct.indexOf(id.join())));
        assert.equal(table.size, distinct.length);
        ids.forEach((id, i) => assert.equal(table.find(words, i * 4), distinct.indexOf(id.join())));
      }),
    ));

  it('keep their numbers while they grow', () => {
    const table = new Id128HashTable();
    const words = Uint32Array.from({ length: 40_000 }, (_, i) => Math.imul(i, 2654435761));
    for (let at = 0; at < words.length; at += 4) assert.equal(table.add(words, at), at / 4);
    for (let at = 0; at < words.length; at += 4) assert.equal(table.find(words, at), at / 4);
    assert.equal(table.find(Uint32Array.of(1, 1, 1, 1), 0), -1);
  });
});
