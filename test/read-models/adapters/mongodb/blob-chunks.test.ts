import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assembled, assembledPage, chunksOf, type Chunk } from '../../../../src/read-models/adapters/mongodb/blob-chunks.js';

const BYTES = Uint8Array.from({ length: 10 }, (_, i) => i);

async function* given(...chunks: Chunk[]): AsyncGenerator<Chunk> {
  yield* chunks;
}

describe('chunks of a blob', () => {
  it('make the blob again, whatever its length and theirs', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 15 }), (bytes, chunkBytes) => {
        const chunks = chunksOf('a', 'column', bytes, chunkBytes);
        assert.ok(chunks.every(({ data }) => data.position <= chunkBytes));
        assert.deepEqual(assembled(chunks), bytes);
      }),
    );
  });

  it('are never joined with those of another put, nor when one is missing', async () => {
    const [older, newer] = [chunksOf('a', 'column', BYTES, 4), chunksOf('a', 'column', BYTES, 4)];
    const mixed: Chunk[][] = [[older[0], newer[1], newer[2]], [older[0], older[2], older[2]]];
    for (const chunks of mixed) await assert.rejects(assembledPage(given(...chunks), 1), { code: 'unavailable' });
    await assert.rejects(assembledPage(given(older[0], older[1]), 1), { code: 'unavailable' });
    await assert.rejects(assembledPage(given(older[0], ...chunksOf('b', 'column', BYTES, 4)), 2), { code: 'unavailable' });
    assert.throws(() => assembled(older.slice(1)), { code: 'unavailable' });
  });

  it('are read no further than the last blob that was asked for', async () => {
    const chunks = ['a', 'b', 'c'].flatMap((id) => chunksOf(id, 'column', BYTES, 4));
    let read = 0;
    async function* counted(): AsyncGenerator<Chunk> {
      for (const chunk of chunks) yield (read++, chunk);
    }
    assert.deepEqual((await assembledPage(counted(), 2)).map(({ id }) => id), ['a', 'b']);
    assert.equal(read, 6);
    assert.deepEqual(await assembledPage(counted(), 0), []);
  });
});
