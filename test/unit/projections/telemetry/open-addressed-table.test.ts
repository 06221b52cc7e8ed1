import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OpenAddressedTable } from '../../../../src/projections/telemetry/open-addressed-table.js';

/** Few values, so that keys and places collide; the zero key among them. */
const word = fc.integer({ min: 0, max: 5 });

describe('open-addressed table', () => {
  it('finds every entry of a key and none of another, however it grows', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { maxLength: 60 }), (keys) => {
        const slots = new OpenAddressedTable(3, 2);
        keys.forEach(([a, b], i) => {
          const at = slots.add(a, b); // may replace the words
          slots.words[at + 2] = i + 1;
        });
        for (let a = 0; a <= 5; a++) {
          for (let b = 0; b <= 5; b++) assert.deepEqual(found(slots, a, b), expected(keys, a, b));
        }
      }),
    );
  });

  it('visits each entry once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { maxLength: 60 }), (keys) => {
        const slots = new OpenAddressedTable(3, 2);
        keys.forEach(([a, b], i) => {
          const at = slots.add(a, b); // may replace the words
          slots.words[at + 2] = i;
        });
        const visited: number[] = [];
        slots.forEach((at) => visited.push(slots.words[at + 2]));
        assert.deepEqual(
          visited.sort((x, y) => x - y),
          keys.map((_, i) => i),
        );
      }),
    );
  });

  it('takes a batch of 32,768 beyond the 2^20 spans for which it has space', () => {
    const slots = new OpenAddressedTable(2, 2 ** 21);
    for (let n = 0; n < 2 ** 20 + 2 ** 15; n++) slots.add(n, Math.imul(n, 0x9e3779b1) >>> 0);
    assert.equal(slots.size, 2 ** 21);
  });

  it('distinguishes keys that differ in one word only', () => {
    const slots = new OpenAddressedTable(2);
    slots.add(1, 7);
    assert.equal(slots.find(2, 7), -1);
    assert.equal(slots.find(1, 8), -1);
    assert.ok(slots.find(1, 7) >= 0);
  });
});

function found(slots: OpenAddressedTable, a: number, b: number): number[] {
  const values: number[] = [];
  for (let at = slots.find(a, b); at >= 0; at = slots.findNext(at)) values.push(slots.words[at + 2]);
  return values.sort((x, y) => x - y);
}

/** The key of two zeros shares the place of (0, 1), as documented. */
function expected(keys: readonly (readonly [number, number])[], a: number, b: number): number[] {
  const place = (first: number, second: number): string => `${first}/${first === 0 && second === 0 ? 1 : second}`;
  return keys.flatMap(([x, y], i) => (place(x, y) === place(a, b) ? [i + 1] : []));
}
