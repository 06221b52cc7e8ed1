import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type StoredBlock } from '../../../../src/read-models/blocks/block.js';
import { digestSpanBlock } from '../../../../src/read-models/blocks/block-digest.js';
import { allRows } from '../../../../src/read-models/blocks/column-operations.js';
import { copySpans, mergeSpanBlocks } from '../../../../src/read-models/blocks/block-merge.js';
import {
  decodeSpanBlock,
  encodeSpanBlock,
  type SpanSource,
} from '../../../../src/read-models/blocks/span-block-codec.js';
import type { SpanBlockDocument } from '../../../../src/read-models/documents/block-documents.js';
import { content, randomSpans } from './support/random-columns.js';

describe('block of spans', () => {
  it('gives back every row as it was, in its order', () =>
    fc.assert(
      fc.property(content, (given) => {
        const source = randomSpans(given);
        const { document, blobs } = encodeSpanBlock(source, allRows(given.rows));
        assert.deepEqual(rowsOf(decodeSpanBlock(document, blobs), given.rows), rowsOf(source, given.rows));
      }),
    ));

  it('takes the rows that are named and sums them up', () => {
    const source = randomSpans({ rows: 600, seed: 5, spreadUs: 1000 });
    const rows = Uint32Array.of(599, 3, 77);
    const { document, blobs } = encodeSpanBlock(source, rows);
    const all = rowsOf(source, 600);
    assert.deepEqual(
      rowsOf(decodeSpanBlock(document, blobs), 3),
      [...rows].map((row) => all[row]),
    );
    const starts = [...rows].map((row) => source.startUs[row]);
    assert.equal(document.minStartUs, Math.min(...starts));
    assert.equal(document.maxStartUs, Math.max(...starts));
    assert.equal(document.maxDurationNs, Math.max(0, ...[...rows].map((row) => source.durationNs[row])));
    assert.equal(
      document.services.reduce((sum, [, count]) => sum + count, 0),
      3,
    );
    assert.equal(document.traces, new Set([...rows].map((row) => all[row].traceId)).size);
    assert.deepEqual([document.rows, document.packed, document.replaces], [3, true, []]);
  });

  it('is one blob while it is small and a blob a column when it is not', () => {
    assert.deepEqual(
      Object.keys(encodeSpanBlock(randomSpans({ rows: 511, seed: 1, spreadUs: 9 }), allRows(511)).blobs),
      ['packed'],
    );
    assert.ok(
      Object.keys(encodeSpanBlock(randomSpans({ rows: 512, seed: 1, spreadUs: 9 }), allRows(512)).blobs).includes(
        'start',
      ),
    );
  });

  it('does not map unknown kinds and states to known ones', () => {
    const source = randomSpans({ rows: 2, seed: 1, spreadUs: 1 });
    source.kind.set([200, 10]);
    source.status.set([6, 255]);
    const { document, blobs } = encodeSpanBlock(source, allRows(2));
    const decoded = decodeSpanBlock(document, blobs);
    assert.ok([...decoded.kind].every((kind) => kind > 5));
    assert.ok([...decoded.status].every((status) => status > 2));
  });

  it('rejects no rows and too many', () => {
    const source = randomSpans({ rows: 1, seed: 1, spreadUs: 1 });
    assert.throws(() => encodeSpanBlock(source, new Uint32Array(0)), RangeError);
    assert.throws(() => encodeSpanBlock(source, new Uint32Array(8193)), RangeError);
  });
});

describe('merging blocks of spans', () => {
  it('equals encoding all rows at once', () =>
    fc.assert(
      fc.property(content, fc.array(fc.nat(699), { maxLength: 4 }), (given, at) => {
        const source = randomSpans(given);
        const merged = mergeSpanBlocks(split(source, given.rows, at))!;
        const whole = encodeSpanBlock(source, allRows(given.rows));
        assert.deepEqual({ ...merged.document, replaces: [] }, whole.document);
        assert.deepEqual(
          rowsOf(decodeSpanBlock(merged.document, merged.blobs), given.rows),
          rowsOf(source, given.rows),
        );
      }),
      { numRuns: 40 },
    ));

  it('equals merging what was stored if some blocks are copies of their rows, whichever rows these are', () =>
    fc.assert(
      fc.property(content, fc.integer({ min: 2, max: 5 }), fc.nat(4), (given, parts, stored) => {
        const source = randomSpans(given);
        const rows = allRows(given.rows);
        const groups = Array.from({ length: parts }, (_, part) => rows.filter((row) => row % parts === part));
        const blocks = groups
          .filter((group) => group.length > 0)
          .map((group, seq) => ({ group, block: toStoredBlock(source, group, seq) }));
        const merged = mergeSpanBlocks(
          blocks.map(({ group, block }, n) =>
            n === stored ? block : { document: block.document, columns: copySpans(source, group) },
          ),
        )!;
        const expected = mergeSpanBlocks(blocks.map(({ block }) => block))!;
        assert.deepEqual(merged.document, expected.document);
        assert.deepEqual(
          rowsOf(decodeSpanBlock(merged.document, merged.blobs), given.rows),
          rowsOf(decodeSpanBlock(expected.document, expected.blobs), given.rows),
        );
        assert.equal(
          digestSpanBlock(merged.document as SpanBlockDocument, merged.blobs),
          digestSpanBlock(expected.document as SpanBlockDocument, expected.blobs),
        );
      }),
      { numRuns: 40 },
    ));

  it('omits what starts too early, and returns nothing if no row is left', () => {
    const source = randomSpans({ rows: 60, seed: 9, spreadUs: 1000 });
    const blocks = split(source, 60, [20]);
    const fromUs = [...source.startUs].sort((a, b) => a - b)[30];
    const kept = mergeSpanBlocks(blocks, { fromUs })!;
    const expected = rowsOf(source, 60).filter(({ startUs }) => startUs >= fromUs);
    assert.deepEqual(rowsOf(decodeSpanBlock(kept.document, kept.blobs), kept.document.rows), expected);
    assert.equal(mergeSpanBlocks(blocks, { fromUs: Infinity }), undefined);
    assert.equal(mergeSpanBlocks([]), undefined);
  });

  it('names every block that went in, through all earlier merges', () => {
    const source = randomSpans({ rows: 4, seed: 2, spreadUs: 10 });
    const [first, second, third] = split(source, 4, [1, 2]);
    const pair = mergeSpanBlocks([first, second])!;
    assert.deepEqual(pair.document.replaces, [[1, 2]]);
    const stored = { document: { ...pair.document, gridId: 'g', seq: 7 }, blobs: pair.blobs };
    assert.deepEqual(mergeSpanBlocks([stored, third])!.document.replaces, [
      [1, 3],
      [7, 7],
    ]);
  });
});

describe('digest of blocks of spans', () => {
  const digests = (blocks: readonly StoredBlock<SpanBlockDocument>[]): bigint =>
    BigInt.asUintN(
      64,
      blocks.reduce((sum, { document, blobs }) => sum + digestSpanBlock(document, blobs), 0n),
    );

  it('is the same for any distribution over blocks and any order of rows', () =>
    fc.assert(
      fc.property(content, fc.array(fc.nat(699), { maxLength: 4 }), (given, at) => {
        const source = randomSpans(given);
        const whole = encodeSpanBlock(source, allRows(given.rows));
        const reversed = encodeSpanBlock(source, allRows(given.rows).reverse());
        const expected = digestSpanBlock(whole.document, whole.blobs);
        assert.equal(digests(split(source, given.rows, at)), expected);
        assert.equal(digestSpanBlock(reversed.document, reversed.blobs), expected);
      }),
      { numRuns: 40 },
    ));

  it('changes with anything in a row', () => {
    const digest = (change: (source: SpanSource) => void): bigint => {
      const tags = {
        tokenEnd: Uint32Array.of(1, 2, 3),
        tokens: Uint32Array.of(1, 2, 3),
        tokenChecks: Uint16Array.of(4, 5, 6),
        resource: Uint32Array.of(1, 2, 3),
      };
      const source = { ...randomSpans({ rows: 3, seed: 4, spreadUs: 1000 }), ...tags };
      change(source);
      const { document, blobs } = encodeSpanBlock(source, allRows(3));
      return digestSpanBlock(document, blobs);
    };
    const changes: ((source: SpanSource) => void)[] = [
      () => undefined,
      (source) => source.startUs[1]++,
      (source) => (source.startNs[1] ^= 1),
      (source) => (source.durationNs[1] += 2 ** 40),
      (source) => (source.traceId[16] ^= 1),
      (source) => (source.spanId[8] ^= 1),
      (source) => (source.parentId[8] ^= 1),
      (source) => (source.service[1] = source.strings.internText('other')),
      (source) => (source.operation[1] = source.strings.internText('other')),
      (source) => (source.peer[1] = source.strings.internText('other')),
      (source) => (source.kind[1] = (source.kind[1] + 1) % 6),
      (source) => (source.status[1] = (source.status[1] + 1) % 3),
      (source) => source.httpStatus[1]--,
      (source) => source.revision[1]++,
      (source) => source.offset[1]++,
      (source) => source.length[1]++,
      (source) => source.tokens[1]++,
      (source) => source.tokenChecks[1]++,
      (source) => source.resourceTokens[source.resource[1]].tokens.fill(99),
    ];
    assert.equal(new Set(changes.map(digest)).size, changes.length);
  });
});

/** Blocks of consecutive rows, with sequence numbers from 1. */
function split(source: SpanSource, rows: number, at: readonly number[]): StoredBlock<SpanBlockDocument>[] {
  const places = [...new Set([0, ...at.filter((place) => place < rows), rows])].sort((a, b) => a - b);
  return places
    .slice(0, -1)
    .map((from, i) => toStoredBlock(source, allRows(rows).subarray(from, places[i + 1]), i + 1));
}

function toStoredBlock(source: SpanSource, rows: Uint32Array, seq: number): StoredBlock<SpanBlockDocument> {
  const { document, blobs } = encodeSpanBlock(source, rows);
  return { document: { ...document, gridId: 'g', seq }, blobs };
}

function rowsOf(source: SpanSource, count: number) {
  const id = (bytes: Uint8Array, row: number, size: number): string =>
    Buffer.from(bytes.subarray(row * size, (row + 1) * size)).toString('hex');
  return Array.from({ length: count }, (_, row) => ({
    startUs: source.startUs[row],
    startNs: source.startNs[row],
    durationNs: source.durationNs[row] + 0,
    traceId: id(source.traceId, row, 16),
    spanId: id(source.spanId, row, 8),
    parentId: id(source.parentId, row, 8),
    service: source.strings.text(source.service[row]),
    operation: source.strings.text(source.operation[row]),
    peer: source.strings.text(source.peer[row]),
    kind: source.kind[row],
    status: source.status[row],
    httpStatus: source.httpStatus[row],
    place: [source.revision[row], source.offset[row], source.length[row]],
    tokens: tokensOf(source, row),
    resource: [...source.resourceTokens[source.resource[row]].tokens],
  }));
}

function tokensOf({ tokenEnd, tokens, tokenChecks }: SpanSource, row: number): string[] {
  const from = row === 0 ? 0 : tokenEnd[row - 1];
  return [
    ...new Set(Array.from(tokens.subarray(from, tokenEnd[row]), (token, i) => `${token}.${tokenChecks[from + i]}`)),
  ].sort();
}
