import { Binary, ObjectId } from 'mongodb';
import { HindsightError } from '../../../errors.js';
import type { Document } from '../../read-model-store.js';

/** A document of MongoDB holds 16 MiB, a message about three of these. */
export const CHUNK_BYTES = 8 * 1024 * 1024;

/** A piece of a blob; most blobs are one. */
export interface BlobChunk {
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
export function splitIntoChunks(id: string, name: string, bytes: Uint8Array, chunkBytes = CHUNK_BYTES): BlobChunk[] {
  const put = new ObjectId();
  const of = Math.max(1, Math.ceil(bytes.length / chunkBytes));
  return Array.from({ length: of }, (_, part) => {
    const data = new Binary(bytes.subarray(part * chunkBytes, (part + 1) * chunkBytes));
    return { _id: new ObjectId(), id, name, part, of, put, data };
  });
}

/** The blob of which these are all the chunks, in order. The bytes are the caller's: the driver's lie in a buffer of its own. */
export function assembleBlob(chunks: readonly BlobChunk[]): Uint8Array {
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
export async function assembleBlobPage(
  chunks: AsyncIterable<BlobChunk>,
  limit: number,
): Promise<{ id: string; blob: Uint8Array }[]> {
  const page: { id: string; blob: Uint8Array }[] = [];
  let open: BlobChunk[] = [];
  if (limit === 0) return page;
  for await (const chunk of chunks) {
    open.push(chunk);
    if (open.length < chunk.of) continue;
    page.push({ id: chunk.id, blob: assembleBlob(open) });
    if (page.length === limit) return page;
    open = [];
  }
  if (open.length > 0) assembleBlob(open);
  return page;
}

/** How a document lies in MongoDB: its fields under `document`, so that none of them can be mistaken for one of ours. */
export interface StoredDocument {
  readonly _id: string;
  readonly document: Readonly<Record<string, unknown>>;
  /** The JSON text itself, of a document with strings that UTF-8 cannot hold; BSON would replace their half characters. */
  readonly json?: string;
}

/** Half of a surrogate pair, as JSON.stringify writes it. Text that only looks like it costs some bytes, nothing else. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/**
 * What MongoDB gives a meaning to in a name: a leading dollar (operators, references), dots (paths), and the zero byte that
 * ends a name in BSON. The percent sign itself, so that a name is never read as what it is not.
 */
const SPECIAL = /^\$|[%.\0]/g;

const ESCAPED = /%(24|25|2E|00)/g;
const escapeName = (name: string): string =>
  name.replace(SPECIAL, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
const unescapeName = (name: string): string =>
  name.replace(ESCAPED, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** The document as its JSON says: members that are undefined are gone, `toJSON` was asked. Throws where it has none. */
export function toStoredDocument(id: string, document: Document): StoredDocument {
  const json = JSON.stringify(document);
  const fields = renameFields(JSON.parse(json), escapeName) as Record<string, unknown>;
  return { _id: id, document: fields, ...(LONE_SURROGATE.test(json) && { json }) };
}

export function fromStoredDocument<D>({ document, json }: StoredDocument): D {
  return (json === undefined ? renameFields(document, unescapeName) : JSON.parse(json)) as D;
}

/** The value with every field name at every depth through `rename`. Defined, not assigned: a field may be called `__proto__`. */
function renameFields(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => renameFields(each, rename));
  if (typeof value !== 'object' || value === null) return value;
  const fields = {};
  for (const [name, each] of Object.entries(value)) {
    Object.defineProperty(fields, rename(name), {
      value: renameFields(each, rename),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return fields;
}
