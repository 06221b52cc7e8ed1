import assert from 'node:assert/strict';
import fc from 'fast-check';
import { matching, sorted } from '../../../support/mongodb-server/matching.js';
import { keyOf, Storage } from '../../../support/mongodb-server/storage.js';
import type { Bson } from '../../../support/mongodb-server/wire.js';

const NAMESPACE = 'database.things';

const value = fc.oneof(
  fc.integer({ min: 0, max: 5 }),
  fc.constantFrom('', 'a', 'b', '\ue000', '\u{1f600}'),
  fc.boolean(),
  fc.constantFrom(null, undefined, ['a', 1]),
);
const document = fc.record({ grid: value, seq: value });
const bound = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom('', 'a', '\ue000', '\u{1f600}'));
const condition = fc.oneof(
  bound.map(($eq) => ({ $eq, $not: { $type: 'array' } })),
  fc.array(bound, { maxLength: 3 }).map(($in) => ({ $in })),
  fc.record({ $gte: bound, $lt: bound }, { requiredKeys: [] }).map((range) => ({ ...range, $ne: null })),
);
const filter: fc.Arbitrary<Bson> = fc.oneof(
  fc.record({ 'document.grid': condition, 'document.seq': condition }, { requiredKeys: [] }),
  fc
    .record({ grid: condition, seq: condition })
    .map(({ grid, seq }) => ({ $and: [{ 'document.grid': grid }, { 'document.seq': seq }] })),
  fc.array(fc.integer({ min: 0, max: 8 }).map(String), { maxLength: 4 }).map(($in) => ({ _id: { $in } })),
);

/** Writes to a collection with an index on both fields, inside or outside of an open transaction. */
const writes = fc.array(
  fc.record({
    id: fc.integer({ min: 0, max: 8 }),
    inside: fc.boolean(),
    document: fc.option(document, { nil: undefined }),
  }),
  { maxLength: 20 },
);

const idsOf = (documents: Iterable<Bson>): string[] => [...documents].map(({ _id }) => String(_id)).sort();

describe('MongoDB double: index lookup', () => {
  it('returns the same as without an index, inside and outside of a transaction', () => {
    fc.assert(
      fc.property(writes, writes, filter, (before, during, asked) => {
        const storage = new Storage();
        storage.indexed(NAMESPACE, { name: 'both', key: { 'document.grid': 1, 'document.seq': 1 } });
        const outside = new Map<string, Bson>();
        for (const { id, document: written } of before) write(storage, outside, id, written);
        const [transaction, inside] = [storage.begin(), new Map(outside)];
        for (const { id, inside: isInside, document: written } of during) {
          const [key, isTaken] = [keyOf(String(id)), transaction.hasWritten(NAMESPACE, keyOf(String(id)))];
          if (!isInside && !isTaken) write(storage, outside, id, written);
          else if (isInside && storage.lastWrite(NAMESPACE, key) <= before.length)
            write(transaction, inside, id, written);
        }
        for (const [view, model] of [
          [storage, outside],
          [transaction, inside],
        ] as const) {
          assert.deepEqual(
            idsOf(matching(view.candidates(NAMESPACE, asked), asked)),
            idsOf(matching(model.values(), asked)),
          );
        }
      }),
    );
  });

  it('does not scan the whole collection', () => {
    const storage = new Storage();
    storage.indexed(NAMESPACE, { name: 'both', key: { 'document.grid': 1, 'document.seq': 1 } });
    for (let n = 0; n < 100; n++)
      storage.write(NAMESPACE, keyOf(String(n)), {
        _id: String(n),
        document: { grid: n % 2 === 0 ? 'even' : 'odd', seq: n },
      });
    const count = (asked: Bson): number => [...storage.candidates(NAMESPACE, asked)].length;
    assert.equal(count({ _id: { $eq: '7' } }), 1);
    assert.equal(count({ 'document.grid': { $eq: 'odd' } }), 50);
    assert.equal(count({ $and: [{ 'document.grid': { $eq: 'odd' } }, { 'document.seq': { $gte: 90 } }] }), 5);
  });
});

describe('MongoDB double: sorting', () => {
  it('sorts by type, and strings by their bytes', () => {
    const values = [true, '\u{1f600}', 'b', '\ue000', 3, 'a', 1, null, false];
    const documents = values.map((seq, n) => ({ _id: n, document: { seq } }));
    const order = (way: number): unknown[] =>
      sorted(documents, { 'document.seq': way }).map(({ document: { seq } }: Bson) => seq as unknown);
    const expected = [null, 1, 3, 'a', 'b', '\ue000', '\u{1f600}', false, true];
    assert.deepEqual([order(1), order(-1)], [expected, expected.toReversed()]);
  });
});

function write(
  view: { write(namespace: string, key: string, document: Bson | undefined): void },
  model: Map<string, Bson>,
  id: number,
  document: object | undefined,
): void {
  const stored = document === undefined ? undefined : { _id: String(id), document };
  view.write(NAMESPACE, keyOf(String(id)), stored);
  if (stored === undefined) model.delete(String(id));
  else model.set(String(id), stored);
}
