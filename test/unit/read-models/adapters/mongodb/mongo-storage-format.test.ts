import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  assembleBlob,
  assembleBlobPage,
  splitIntoChunks,
  type BlobChunk,
} from '../../../../../src/read-models/adapters/mongodb/mongo-storage-format.js';

const BYTES = Uint8Array.from({ length: 10 }, (_, i) => i);

async function* given(...chunks: BlobChunk[]): AsyncGenerator<BlobChunk> {
  yield* chunks;
}

describe('chunks of a blob', () => {
  it('make the blob again, whatever its length and theirs', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 15 }), (bytes, chunkBytes) => {
        const chunks = splitIntoChunks('a', 'column', bytes, chunkBytes);
        assert.ok(chunks.every(({ data }) => data.position <= chunkBytes));
        assert.deepEqual(assembleBlob(chunks), bytes);
      }),
    );
  });

  it('are never joined with those of another put, nor when one is missing', async () => {
    const [older, newer] = [splitIntoChunks('a', 'column', BYTES, 4), splitIntoChunks('a', 'column', BYTES, 4)];
    const mixed: BlobChunk[][] = [
      [older[0], newer[1], newer[2]],
      [older[0], older[2], older[2]],
    ];
    for (const chunks of mixed) await assert.rejects(assembleBlobPage(given(...chunks), 1), { code: 'unavailable' });
    await assert.rejects(assembleBlobPage(given(older[0], older[1]), 1), { code: 'unavailable' });
    await assert.rejects(assembleBlobPage(given(older[0], ...splitIntoChunks('b', 'column', BYTES, 4)), 2), {
      code: 'unavailable',
    });
    assert.throws(() => assembleBlob(older.slice(1)), { code: 'unavailable' });
  });

  it('are read no further than the last blob that was asked for', async () => {
    const chunks = ['a', 'b', 'c'].flatMap((id) => splitIntoChunks(id, 'column', BYTES, 4));
    let read = 0;
    async function* counted(): AsyncGenerator<BlobChunk> {
      for (const chunk of chunks) yield (read++, chunk);
    }
    assert.deepEqual(
      (await assembleBlobPage(counted(), 2)).map(({ id }) => id),
      ['a', 'b'],
    );
    assert.equal(read, 6);
    assert.deepEqual(await assembleBlobPage(counted(), 0), []);
  });
});
