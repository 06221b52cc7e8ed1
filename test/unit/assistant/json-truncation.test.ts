import assert from 'node:assert/strict';
import fc from 'fast-check';
import { serializeWithinBudget } from '../../../src/assistant/json-truncation.js';
import { jsonSizeBytes, jsonSizeWithin } from '../../../src/assistant/json-size.js';

describe('serializeWithinBudget', () => {
  const row = (i: number) => ({ id: i, text: `row ${i}` });
  const rows = (length: number) => Array.from({ length }, (_, i) => row(i));

  it('leaves what fits as it is', () => {
    const data = { answer: { services: rows(3), text: 'x'.repeat(2_000) }, at: null };
    assert.deepEqual(serializeWithinBudget(data, 4_096), { json: JSON.stringify(data), truncations: [] });
  });

  it('shares the room among lists: small ones stay whole, members keep their order', () => {
    const { json, truncations } = serializeWithinBudget({ large: rows(1_000), name: 'n', small: rows(3) }, 4_096)!;
    const cut = JSON.parse(json) as { large: unknown[]; small: unknown[] };
    assert.deepEqual(Object.keys(cut), ['large', 'name', 'small']);
    assert.deepEqual(cut.small, rows(3));
    assert.deepEqual(cut.large, rows(cut.large.length));
    assert.ok(cut.large.length > 50);
    assert.deepEqual(truncations, [
      { list: '/large', from: 0, to: cut.large.length, of: 1_000, next: `/large:${cut.large.length}` },
    ]);
  });

  it('cuts long texts before it cuts lists, and says how long they were', () => {
    const { json, truncations } = serializeWithinBudget({ stack: '😀'.repeat(5_000), rows: rows(3) }, 6_000)!;
    const cut = JSON.parse(json) as { stack: string; rows: unknown[] };
    assert.deepEqual([cut.rows, truncations], [rows(3), []]);
    assert.equal(cut.stack, `${'😀'.repeat(500)}… (10000 characters)`);
  });

  it('leaves no half of a character', () => {
    const { json } = serializeWithinBudget({ text: `x${'😀'.repeat(5_000)}` }, 6_000)!;
    assert.doesNotMatch(json, /\\ud8/i);
  });

  it('cuts inside an element that is alone too large, and goes on after it', () => {
    const data = {
      series: [
        { label: 'a', points: rows(1_000) },
        { label: 'b', points: rows(2) },
      ],
    };
    const first = serializeWithinBudget(data, 2_048)!;
    const { points } = (JSON.parse(first.json) as typeof data).series[0];
    assert.deepEqual(
      first.truncations.map(({ next }) => next),
      [`/series/0/points:${points.length}`, '/series:1'],
    );
    assert.deepEqual(JSON.parse(serializeWithinBudget(data, 2_048, '/series:1')!.json), {
      list: '/series',
      from: 1,
      elements: [data.series[1]],
    });
    assert.equal(
      (
        JSON.parse(serializeWithinBudget(data, 2_048, first.truncations[0].next)!.json) as {
          elements: { id: number }[];
        }
      ).elements[0].id,
      points.length,
    );
  });

  it('says how large something is that has no parts to choose from', () => {
    const wide = Object.fromEntries(rows(1_000).map(({ id, text }) => [`member${id}`, text]));
    assert.match(serializeWithinBudget(wide, 1_024)!.json, /^\{"tooLarge":"\d+ bytes"\}$/);
    assert.match(
      serializeWithinBudget({ rows: [wide, row(1)] }, 1_024)!.json,
      /^\{"rows":\[\{"tooLarge":"\d+ bytes"\}\]\}$/,
    );
  });

  it('goes on nowhere but in a list of the data', () => {
    for (const next of [
      '',
      ':0',
      '/rows',
      '/rows:',
      '/rows:-1',
      '/rows:4',
      '/other:0',
      '/rows/0:0',
      '/__proto__:0',
      '/rows:1e3',
      '/rows:01234567890',
    ]) {
      assert.equal(serializeWithinBudget({ rows: rows(3) }, 1_024, next), undefined, next);
    }
    assert.deepEqual(JSON.parse(serializeWithinBudget({ rows: rows(3) }, 1_024, '/rows:3')!.json), {
      list: '/rows',
      from: 3,
      elements: [],
    });
  });

  it('knows the size of JSON in JSON, and stops looking where it is too much', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(400), (value, most) => {
        const bytes = Buffer.byteLength(JSON.stringify(JSON.stringify(value))) - 2;
        assert.equal(jsonSizeBytes(value), bytes);
        assert.equal(jsonSizeWithin(value, most), bytes <= most ? bytes : Infinity);
      }),
    );
  });

  it('fits, whatever the data are, and reports each element of a list once when asked for all that comes next', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ maxLength: 2_000, unit: 'grapheme' }),
      fc.constant('"\\'.repeat(300)),
    );
    const element = fc.dictionary(fc.string({ maxLength: 10 }), fc.oneof(text, fc.integer(), fc.constant(null)), {
      maxKeys: 6,
    });
    fc.assert(
      fc.property(
        fc.array(element, { maxLength: 60 }),
        fc.array(fc.array(fc.integer(), { maxLength: 200 }), { maxLength: 5 }),
        fc.integer({ min: 512, max: 8_192 }),
        (items, lists, mostBytes) => {
          const data = { items, 'a/b~c': { lists } };
          let [seen, next] = [0, undefined as string | undefined];
          do {
            const { json, truncations } = serializeWithinBudget(data, mostBytes, next)!;
            assert.ok(jsonSizeBytes(JSON.parse(json)) <= mostBytes);
            const reported = JSON.parse(json) as Record<string, unknown[]>;
            const some = reported['items'] ?? reported['elements'];
            assert.ok(some.length > 0 || items.length === seen);
            seen += some.length;
            next = truncations.find(({ list }) => list === '/items')?.next;
          } while (next !== undefined);
          assert.equal(seen, items.length);
        },
      ),
      { numRuns: 200 },
    );
  });
});
