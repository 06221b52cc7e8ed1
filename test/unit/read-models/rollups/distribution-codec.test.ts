import assert from 'node:assert/strict';
import {
  BoundsDictionaryReader,
  BoundsDictionaryWriter,
  StringDictionaryReader,
  StringDictionaryWriter,
} from '../../../../src/read-models/rollups/dictionary-codec.js';
import { ByteReader, ByteWriter } from '../../../../src/read-models/rollups/byte-codec.js';
import { readBuckets } from '../../../../src/read-models/rollups/distribution-codec.js';

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
    const numbers = new BoundsDictionaryWriter();
    numbers.indexFor([5]);
    numbers.writeTo(writer);
  });
  const bounds = () => new BoundsDictionaryReader(bytes, 0, bytes.length);

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
    const numbers = new BoundsDictionaryWriter();
    assert.deepEqual(
      [[1, 2], [1, 2], [3], [1, 2], [3]].map((bounds) => numbers.indexFor(bounds)),
      [0, 0, 1, 0, 1],
    );
  });
});

describe('the table of texts', () => {
  it('finds texts by their bytes, and gives them by their numbers', () => {
    const numbers = new StringDictionaryWriter();
    const texts = ['', 'größe', 'a', 'b', '🙂'];
    assert.deepEqual(
      [...texts, ...texts].map((text) => numbers.indexFor(text)),
      [0, 1, 2, 3, 4, 0, 1, 2, 3, 4],
    );
    const table = new StringDictionaryReader(written((writer) => numbers.writeTo(writer)));
    assert.deepEqual(
      texts.map((text) => table.indexOf(text)),
      [0, 1, 2, 3, 4],
    );
    assert.deepEqual(
      texts.map((_, i) => table.text(i)),
      texts,
    );
    assert.equal(table.indexOf('c'), -1);
    assert.throws(() => table.text(5), DAMAGED);
  });

  it('is refused where lengths and texts do not fit', () => {
    assert.throws(() => new StringDictionaryReader(varints(1, 3, 2, 65, 65)), DAMAGED);
    assert.throws(() => new StringDictionaryReader(varints(1, 1, 2, 65, 65)), DAMAGED);
  });
});
