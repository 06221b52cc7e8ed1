import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Id64HashTable, Id128HashTable } from '../../../../src/read-models/blocks/id-hash-tables.js';
import { hashQuad } from '../../../../src/read-models/blocks/uint32-words.js';
import { processorMs, shortest } from '../../../support/undisturbed.js';

const word = fc.constantFrom(0, 1, 2, 3, 0xffff_ffff);

describe('tables of ids', () => {
  it('number pairs by their first appearance and tell all others apart', () =>
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

  it('stay quick however the ids were chosen: no hash that senders know tells which of them meet', async () => {
    const MANY = 50_000;
    const words = Uint32Array.from({ length: MANY * 4 }, (_, i) =>
      i % 4 === 3 ? i >>> 2 : i % 4 === 2 ? Math.imul(i >>> 2, 0x85ebca6b) : 0,
    );
    const hashes = new Set(
      Array.from({ length: MANY }, (_, n) =>
        hashQuad(words[n * 4], words[n * 4 + 1], words[n * 4 + 2], words[n * 4 + 3]),
      ),
    );
    assert.equal(hashes.size, 1, 'all of these ids share the hash of blooms');
    const fill = (): void => {
      const table = new Id128HashTable();
      for (let at = 0; at < words.length; at += 4) table.add(words, at);
    };
    const ms = await shortest(500, () => processorMs(fill));
    assert.ok(ms < 500, `${Math.round(ms)} ms`);
  });
});
