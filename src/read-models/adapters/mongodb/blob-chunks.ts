import { Binary, ObjectId } from 'mongodb';
import { HindsightError } from '../../../errors.js';

/** A document of MongoDB holds 16 MiB, a message about three of these. */
export const CHUNK_BYTES = 8 * 1024 * 1024;

/** A piece of a blob; most blobs are one. */
export interface Chunk {
  readonly _id: ObjectId;
  /** Of the document that the blob belongs to. */
  readonly id: string;
  readonly name: string;
  /** Place among the chunks of the blob, from 0. */
  readonly part: number;
  /** How many chunks the blob has. */
  readonly of: number;
  /** The same for all chunks that were written together: pieces of two puts never make a blob. */
  readonly put: ObjectId;
  readonly data: Binary;
}

/** The blob in pieces of at most `chunkBytes`; an empty one is one empty piece. Nothing is copied. */
export function chunksOf(id: string, name: string, bytes: Uint8Array, chunkBytes = CHUNK_BYTES): Chunk[] {
  const put = new ObjectId();
  const of = Math.max(1, Math.ceil(bytes.length / chunkBytes));
  return Array.from({ length: of }, (_, part) => {
    const data = new Binary(bytes.subarray(part * chunkBytes, (part + 1) * chunkBytes));
    return { _id: new ObjectId(), id, name, part, of, put, data };
  });
}

/** The blob of which these are all the chunks, in order. The bytes are the caller's: the driver's lie in a buffer of its own. */
export function assembled(chunks: readonly Chunk[]): Uint8Array {
  const [{ id, of, put }] = chunks;
  const isWhole = chunks.length === of && chunks.every((chunk, part) => chunk.part === part && chunk.put.equals(put));
  if (!isWhole) throw new HindsightError('unavailable', `A blob of ${id} is being written`);
  const blob = new Uint8Array(chunks.reduce((sum, { data }) => sum + data.position, 0));
  let at = 0;
  for (const { data } of chunks) {
    blob.set(data.buffer.subarray(0, data.position), at);
    at += data.position;
  }
  return blob;
}

/** Blobs from their chunks, which come ordered by id and part. Ends reading with the last chunk of blob number `limit`. */
export async function assembledPage(chunks: AsyncIterable<Chunk>, limit: number): Promise<{ id: string; blob: Uint8Array }[]> {
  const page: { id: string; blob: Uint8Array }[] = [];
  let open: Chunk[] = [];
  if (limit === 0) return page;
  for await (const chunk of chunks) {
    open.push(chunk);
    if (open.length < chunk.of) continue;
    page.push({ id: chunk.id, blob: assembled(open) });
    if (page.length === limit) return page;
    open = [];
  }
  if (open.length > 0) assembled(open);
  return page;
}
