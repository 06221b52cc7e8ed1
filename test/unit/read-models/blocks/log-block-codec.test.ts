import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { StoredBlock } from '../../../../src/read-models/blocks/block.js';
import { digestLogBlock } from '../../../../src/read-models/blocks/block-digest.js';
import { allRows } from '../../../../src/read-models/blocks/column-operations.js';
import { decodeLogBlock, encodeLogBlock, type LogSource } from '../../../../src/read-models/blocks/log-block-codec.js';
import { mergeLogBlocks } from '../../../../src/read-models/blocks/block-merge.js';
import type { LogBlockDocument } from '../../../../src/read-models/documents/block-documents.js';
import { content, randomLogs } from './support/random-columns.js';

describe('block of log records', () => {
  it('gives back every row as it was, in its order', () =>
    fc.assert(
      fc.property(content, (given) => {
        const source = randomLogs(given);
        const { document, blobs } = encodeLogBlock(source, allRows(given.rows));
        assert.deepEqual(rowsOf(decodeLogBlock(document, blobs), given.rows), rowsOf(source, given.rows));
      }),
    ));

  it('sums up times, services, severities and revisions', () => {
    const source = randomLogs({ rows: 40, seed: 3, spreadUs: 1000 });
    source.severity.fill(9).set([17], 5);
    const { document } = encodeLogBlock(source, allRows(40));
    assert.equal(document.severities, 2 ** 9 + 2 ** 17);
    assert.equal(document.minTimeUs, Math.min(...source.timeUs));
    assert.equal(document.maxTimeUs, Math.max(...source.timeUs));
    assert.equal(document.minRevision, Math.min(...source.revision));
    assert.equal(document.maxRevision, Math.max(...source.revision));
    assert.equal(
      document.services.reduce((sum, [, rows]) => sum + rows, 0),
      40,
    );
  });

  it('merges to what encoding all rows at once gives, less what is too old', () =>
    fc.assert(
      fc.property(content, fc.array(fc.nat(699), { maxLength: 4 }), (given, at) => {
        const source = randomLogs(given);
        const blocks = split(source, given.rows, at);
        const merged = mergeLogBlocks(blocks)!;
        assert.deepEqual({ ...merged.document, replaces: [] }, encodeLogBlock(source, allRows(given.rows)).document);
        assert.deepEqual(merged.document.replaces, [[1, blocks.length]]);
        assert.deepEqual(rowsOf(decodeLogBlock(merged.document, merged.blobs), given.rows), rowsOf(source, given.rows));
        const fromUs = source.timeUs[0];
        const kept = mergeLogBlocks(blocks, { fromUs })!;
        assert.deepEqual(
          rowsOf(decodeLogBlock(kept.document, kept.blobs), kept.document.rows),
          rowsOf(source, given.rows).filter((row) => row.timeUs >= fromUs),
        );
        assert.equal(mergeLogBlocks(blocks, { fromUs: Infinity }), undefined);
      }),
      { numRuns: 40 },
    ));

  it('has a digest that does not depend on blocks or order, but on every field', () => {
    const given = { rows: 600, seed: 8, spreadUs: 1000 };
    const source = randomLogs(given);
    const digest = (rows: Uint32Array): bigint => {
      const { document, blobs } = encodeLogBlock(source, rows);
      return digestLogBlock(document, blobs);
    };
    const whole = digest(allRows(600));
    const parts = split(source, 600, [10, 550]).reduce(
      (sum, { document, blobs }) => sum + digestLogBlock(document, blobs),
      0n,
    );
    assert.equal(BigInt.asUintN(64, parts), whole);
    assert.equal(digest(allRows(600).reverse()), whole);
    const changes: (() => void)[] = [
      () => source.timeUs[7]++,
      () => (source.timeNs[7] ^= 1),
      () => (source.severity[7] = (source.severity[7] % 24) + 1),
      () => (source.service[7] = source.strings.internText('other')),
      () => (source.traceId[7 * 16] ^= 1),
      () => (source.spanId[7 * 8] ^= 1),
      () => source.revision[7]++,
      () => source.offset[7]++,
      () => source.length[7]++,
      () => source.ordinal[7]++,
      () => (source.exception[7] ^= 1),
      () => source.tokens[7]++,
      () => (source.wordIds[7] = source.words.internText('other')),
      () => source.wordIds.subarray(0, source.wordEnd[6]).reverse(),
      () => (source.unordered[7] ^= 1),
    ];
    const digests = changes.map((change) => {
      change();
      return digest(allRows(600));
    });
    assert.equal(new Set([whole, ...digests]).size, changes.length + 1);
  });
});

function split(source: LogSource, rows: number, at: readonly number[]): StoredBlock<LogBlockDocument>[] {
  const places = [...new Set([0, ...at.filter((place) => place < rows), rows])].sort((a, b) => a - b);
  return places.slice(0, -1).map((from, i) => {
    const { document, blobs } = encodeLogBlock(source, allRows(rows).subarray(from, places[i + 1]));
    return { document: { ...document, gridId: 'g', seq: i + 1 }, blobs };
  });
}

function rowsOf(source: LogSource, count: number) {
  const id = (bytes: Uint8Array, row: number, size: number): string =>
    Buffer.from(bytes.subarray(row * size, (row + 1) * size)).toString('hex');
  const listOf = (ends: Uint32Array, row: number): [number, number] => [row === 0 ? 0 : ends[row - 1], ends[row]];
  return Array.from({ length: count }, (_, row) => ({
    timeUs: source.timeUs[row],
    timeNs: source.timeNs[row],
    severity: source.severity[row],
    exception: source.exception[row],
    service: source.strings.text(source.service[row]),
    traceId: id(source.traceId, row, 16),
    spanId: id(source.spanId, row, 8),
    place: [source.revision[row], source.offset[row], source.length[row], source.ordinal[row]],
    tokens: [...new Set(source.tokens.subarray(...listOf(source.tokenEnd, row)))].sort(),
    words: Array.from(source.wordIds.subarray(...listOf(source.wordEnd, row)), (word) => source.words.text(word)),
    unordered: source.unordered[row],
    resource: [...source.resourceTokens[source.resource[row]].tokens],
  }));
}
