import assert from 'node:assert/strict';
import fc from 'fast-check';
import { allRows } from '../../../../src/read-models/blocks/column-operations.js';
import {
  intersectRows,
  PostingListBuilder,
  decodePostingList,
  decodePostingUnion,
} from '../../../../src/read-models/blocks/posting-lists.js';
import { Section } from '../../../../src/read-models/blocks/section.js';
import {
  forEachTag,
  encodeTagPostings,
  findRowsWithTag,
  tagBlobName,
  tagPartitionCount,
  type RowTokens,
} from '../../../../src/read-models/blocks/tag-postings.js';
import {
  findRowsWithPrefix,
  findRowsWithWords,
  WORD_ROWS_BLOB,
  WORDS_BLOB,
} from '../../../../src/read-models/blocks/word-postings.js';
import type { RowWords } from '../../../../src/read-models/blocks/body-words.js';
import { encodeFormerWords } from './support/former-words.js';
import { StringInterner } from '../../../../src/telemetry/columns/string-interner.js';

const ascending = fc.uniqueArray(fc.nat(8191), { maxLength: 30 }).map((rows) => rows.sort((a, b) => a - b));
const token = fc.tuple(
  fc.oneof(fc.nat(3), fc.constantFrom(0x8000_0000, 0xffff_ffff, 0xffff_fffe), fc.nat(0xffff_ffff)),
  fc.nat(2),
);

describe('lists of rows', () => {
  it('come back as they were added, in the order that was asked for', () =>
    fc.assert(
      fc.property(fc.array(ascending, { minLength: 1 }), fc.nat(), fc.nat(), (lists, a, b) => {
        const builder = new PostingListBuilder(lists.flat().length);
        lists.forEach((rows, list) => rows.forEach((row) => builder.add(list, row)));
        const order = Uint32Array.from(lists, (_, i) => lists.length - 1 - i);
        const { counts, gaps, starts } = builder.encode(order);
        assert.equal(starts[lists.length], gaps.length);
        order.forEach((list, i) => assert.deepEqual([...decodePostingList(counts, gaps, i)], lists[list]));
        const [from, to] = [a % lists.length, b % lists.length].sort((x, y) => x - y);
        const union = new Set([...order.subarray(from, to + 1)].flatMap((list) => lists[list]));
        assert.deepEqual(
          [...decodePostingUnion(counts, gaps, from, to + 1, 8192)],
          [...union].sort((x, y) => x - y),
        );
      }),
    ));

  it('hold a row once, however often it is added', () => {
    const builder = new PostingListBuilder(4);
    for (const row of [3, 3, 9, 9]) builder.add(0, row);
    const { counts, gaps } = builder.encode(Uint32Array.of(0));
    assert.deepEqual([...decodePostingList(counts, gaps, 0)], [3, 9]);
  });

  it('intersect', () =>
    fc.assert(
      fc.property(ascending, ascending, (a, b) => {
        assert.deepEqual(
          [...intersectRows(Uint16Array.from(a), Uint16Array.from(b))],
          a.filter((row) => b.includes(row)),
        );
      }),
    ));
});

describe('postings of tags', () => {
  it('answer each token with exactly the rows that carry it, and others with none', () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(token, { maxLength: 6 }), { minLength: 1, maxLength: 40 }),
        token,
        fc.boolean(),
        (rows, stranger, packed) => {
          const source = rowTokens(rows);
          const { partitions } = encodeTagPostings(source, allRows(rows.length), packed);
          assert.equal(partitions.length, tagPartitionCount(packed));
          for (const [value, check] of [...rows.flat(), stranger]) {
            const partition = Number(tagBlobName(value, packed).split('.')[1]);
            const expected = rows.flatMap((tokens, row) =>
              tokens.some(([v, c]) => v === value && c === check) ? [row] : [],
            );
            assert.deepEqual([...findRowsWithTag(new Section(partitions[partition]), value, check, packed)], expected);
          }
        },
      ),
    ));

  it('give all of their content back', () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(token, { maxLength: 6 }), { minLength: 1, maxLength: 40 }),
        fc.boolean(),
        (rows, packed) => {
          const { partitions } = encodeTagPostings(rowTokens(rows), allRows(rows.length), packed);
          const read = rows.map(() => new Set<string>());
          partitions.forEach((blob, p) =>
            forEachTag(new Section(blob), p, packed, (value, check, row) => read[row].add(`${value}.${check}`)),
          );
          assert.deepEqual(
            read,
            rows.map((tokens) => new Set(tokens.map(([value, check]) => `${value}.${check}`))),
          );
        },
      ),
    ));

  it('take only the rows that are named', () => {
    const { partitions } = encodeTagPostings(rowTokens([[[7, 1]], [[8, 1]], [[7, 1]]]), Uint32Array.of(1, 2), true);
    assert.deepEqual([...findRowsWithTag(new Section(partitions[0]), 7, 1, true)], [1]);
  });
});

describe('postings of words, as versions before 4 wrote them', () => {
  const text = fc.constantFrom(
    'a',
    'ab',
    'abc',
    'abcd',
    'abcde',
    'abcdefgh',
    'b',
    'ü',
    'übung',
    '漢',
    '漢字',
    '😀',
    '',
  );

  it('find whole words and all prefixes of them', () =>
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(text), { minLength: 1, maxLength: 30 }), text, (rows, sought) => {
        const blobs = encodeFormerWords(rowWords(rows), allRows(rows.length));
        const [words, wordRows] = [WORDS_BLOB, WORD_ROWS_BLOB].map((name) => new Section(blobs[name]));
        const bytes = Buffer.from(sought);
        const rowsWhere = (test: (word: string) => boolean): number[] =>
          rows.flatMap((list, row) => (list.some(test) ? [row] : []));
        assert.deepEqual(
          [...findRowsWithWords(words, wordRows, [bytes])],
          rowsWhere((word) => word === sought),
        );
        assert.deepEqual(
          [...findRowsWithPrefix(words, wordRows, bytes, rows.length)],
          rowsWhere((word) => word.startsWith(sought)),
        );
      }),
    ));
});

function rowTokens(rows: readonly (readonly [number, number])[][]): RowTokens {
  let end = 0;
  return {
    tokenEnd: Uint32Array.from(rows, (tokens) => (end += tokens.length)),
    tokens: Uint32Array.from(rows.flat(), ([value]) => value),
    tokenChecks: Uint16Array.from(rows.flat(), ([, check]) => check),
  };
}

function rowWords(rows: readonly string[][]): Omit<RowWords, 'unordered'> {
  const words = new StringInterner();
  let end = 0;
  return {
    wordEnd: Uint32Array.from(rows, (list) => (end += list.length)),
    wordIds: Uint32Array.from(rows.flat(), (word) => words.internText(word)),
    words,
  };
}
