import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  findRowsWithSequence,
  findUnorderedRows,
  needsValues,
} from '../../../../src/read-models/blocks/body-search.js';
import {
  BODY_ROWS_BLOB,
  BODY_SHAPES_BLOB,
  BODY_VALUES_BLOB,
  encodeBodies,
  type RowWords,
} from '../../../../src/read-models/blocks/body-words.js';
import { allRows } from '../../../../src/read-models/blocks/column-operations.js';
import { Section } from '../../../../src/read-models/blocks/section.js';
import { StringInterner } from '../../../../src/telemetry/columns/string-interner.js';

interface Row {
  readonly words: readonly string[];
  readonly isUnordered: boolean;
}

const word = fc.constantFrom('a', 'ab', 'abc', 'b', 'ü', '漢字', '1', '12', 'a1', 'ab1', 'abc1', '２');
const row: fc.Arbitrary<Row> = fc.record({
  words: fc.array(word, { maxLength: 8 }),
  isUnordered: fc.nat(5).map((n) => n === 0),
});
const rows = fc.array(row, { minLength: 1, maxLength: 30 });

describe('search in the bodies of a block', () => {
  it('finds words one after the other, without order where the block has none', () =>
    fc.assert(
      fc.property(rows, fc.array(word, { minLength: 1, maxLength: 3 }), (given, sought) => {
        assert.deepEqual(
          find(given, sought, false),
          rowsWhere(given, ({ words, isUnordered }) =>
            isUnordered && sought.length > 1
              ? sought.every((each) => words.includes(each))
              : hasSequence(words, sought),
          ),
        );
      }),
      { numRuns: 1000 },
    ));

  it('finds prefixes', () =>
    fc.assert(
      fc.property(rows, fc.constantFrom('a', 'ab', 'abc1', '1', 'ü', '漢', 'x'), (given, prefix) => {
        assert.deepEqual(
          find(given, [prefix], true),
          rowsWhere(given, ({ words }) => words.some((each) => each.startsWith(prefix))),
        );
      }),
    ));

  it('names the rows without order', () =>
    fc.assert(
      fc.property(rows, (given) => {
        const { blobs, unordered } = encodeBodies(toColumns(given), allRows(given.length));
        const found = [...findUnorderedRows(new Section(blobs[BODY_SHAPES_BLOB]))];
        assert.deepEqual(
          found,
          rowsWhere(given, ({ isUnordered }) => isUnordered),
        );
        assert.equal(unordered, found.length);
      }),
    ));
});

function find(given: readonly Row[], sought: readonly string[], isPrefix: boolean): number[] {
  const { blobs } = encodeBodies(toColumns(given), allRows(given.length));
  const words = { words: sought.map((each) => Buffer.from(each)), isPrefix };
  const [shapes, values, bodyRows] = [BODY_SHAPES_BLOB, BODY_VALUES_BLOB, BODY_ROWS_BLOB].map(
    (name) => new Section(blobs[name]),
  );
  return [...findRowsWithSequence(shapes, needsValues(words) ? { values, bodyRows } : undefined, words)];
}

/** Words of rows without order are distinct. */
function toColumns(given: readonly Row[]): RowWords {
  const words = new StringInterner();
  const lists = given.map(({ words: list, isUnordered }) => (isUnordered ? [...new Set(list)] : list));
  let end = 0;
  return {
    wordEnd: Uint32Array.from(lists, (list) => (end += list.length)),
    wordIds: Uint32Array.from(lists.flat(), (each) => words.internText(each)),
    unordered: Uint8Array.from(given, ({ isUnordered }) => (isUnordered ? 1 : 0)),
    words,
  };
}

function rowsWhere(given: readonly Row[], test: (row: Row) => boolean): number[] {
  return given.flatMap((each, index) => (test(each) ? [index] : []));
}

function hasSequence(words: readonly string[], sought: readonly string[]): boolean {
  return words.some((_, from) => sought.every((each, at) => words[from + at] === each));
}
