import assert from 'node:assert/strict';
import { BoundsNumbers, BoundsTable } from '../../../src/read-models/rollups/bounds-table.js';
import { ByteReader } from '../../../src/read-models/rollups/byte-reader.js';
import { ByteWriter } from '../../../src/read-models/rollups/byte-writer.js';
import { readBuckets } from '../../../src/read-models/rollups/distribution-codec.js';
import { TextNumbers, TextTable } from '../../../src/read-models/rollups/text-table.js';

const DAMAGED = { name: 'DamagedRollup' };

function written(write: (writer: ByteWriter) => void): ByteReader {
  const writer = new ByteWriter();
  write(writer);
  return new ByteReader(Buffer.from(writer.finish()));
}

function varints(...values: readonly number[]): ByteReader {
  return written((writer) => values.forEach((value) => writer.varint(value)));
}

describe('buckets in bytes', () => {
  const { bytes } = written((writer) => {
    const numbers = new BoundsNumbers();
    numbers.of([5]);
    numbers.writeTo(writer);
  });
  const bounds = () => new BoundsTable(bytes, 0, bytes.length);

  it('are read as they stand there, empty ones by how many there are', () => {
    assert.deepEqual(readBuckets(varints(1, 1, 0, 1), bounds()), [{ kind: 'explicit', bounds: [5], counts: [0, 0] }]);
  });

  it('are refused where empty ones reach past the last', () => {
    assert.throws(() => readBuckets(varints(1, 1, 0, 2), bounds()), DAMAGED);
  });

  it('are refused of bounds that are not there', () => {
    assert.throws(() => readBuckets(varints(1, 2, 1, 1), bounds()), DAMAGED);
  });

  it('are refused before room is made for more than there can be', () => {
    const reader = written((writer) => {
      for (const value of [1, 0, 0]) writer.varint(value);
      writer.float64(0);
      for (const value of [0, 321, 0, 0, 320, 0]) writer.varint(value);
    });
    assert.throws(() => readBuckets(reader, bounds()), DAMAGED);
  });
});

describe('the table of bounds', () => {
  it('has equal ones once, wherever they come from', () => {
    const numbers = new BoundsNumbers();
    assert.deepEqual([[1, 2], [1, 2], [3], [1, 2], [3]].map((bounds) => numbers.of(bounds)), [0, 0, 1, 0, 1]);
  });
});

describe('the table of texts', () => {
  it('finds texts by their bytes, and gives them by their numbers', () => {
    const numbers = new TextNumbers();
    const texts = ['', 'größe', 'a', 'b', '🙂'];
    assert.deepEqual([...texts, ...texts].map((text) => numbers.of(text)), [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
    const table = new TextTable(written((writer) => numbers.writeTo(writer)));
    assert.deepEqual(texts.map((text) => table.numberOf(text)), [0, 1, 2, 3, 4]);
    assert.deepEqual(texts.map((_, i) => table.text(i)), texts);
    assert.equal(table.numberOf('c'), -1);
    assert.throws(() => table.text(5), DAMAGED);
  });

  it('is refused where lengths and texts do not fit', () => {
    assert.throws(() => new TextTable(varints(1, 3, 2, 65, 65)), DAMAGED);
    assert.throws(() => new TextTable(varints(1, 1, 2, 65, 65)), DAMAGED);
  });
});
