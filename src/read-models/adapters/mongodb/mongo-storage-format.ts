import { Binary, ObjectId } from 'mongodb';
import { HindsightError } from '../../../errors.js';
import type { Document } from '../../read-model-store.js';

/** A MongoDB document holds 16 MiB, a message about three of these. */
export const CHUNK_BYTES = 8 * 1024 * 1024;

/** A chunk of a blob; most blobs have a single one. */
export interface BlobChunk {
  readonly _id: ObjectId;
  /** Id of the document that the blob belongs to. */
  readonly id: string;
  readonly name: string;
  /** Index among the chunks of the blob, from 0. */
  readonly part: number;
  /** Number of chunks of the blob. */
  readonly of: number;
  /** The same for all chunks that were written together: chunks of two puts never form a blob. */
  readonly put: ObjectId;
  readonly data: Binary;
}

/** Splits a blob into chunks of at most `chunkBytes`; an empty blob is one empty chunk. Copies nothing. */
export function splitIntoChunks(id: string, name: string, bytes: Uint8Array, chunkBytes = CHUNK_BYTES): BlobChunk[] {
  const put = new ObjectId();
  const of = Math.max(1, Math.ceil(bytes.length / chunkBytes));
  return Array.from({ length: of }, (_, part) => {
    const data = new Binary(bytes.subarray(part * chunkBytes, (part + 1) * chunkBytes));
    return { _id: new ObjectId(), id, name, part, of, put, data };
  });
}

/** Assembles a blob from all of its chunks, in order. Returns a copy, because the driver reuses its buffers. */
export function assembleBlob(chunks: readonly BlobChunk[]): Uint8Array {
  const [{ id, of, put }] = chunks;
  const isWhole = chunks.length === of && chunks.every((chunk, part) => chunk.part === part && chunk.put.equals(put));
  if (!isWhole)
    throw new HindsightError('unavailable', `A blob of ${id} is incomplete because it is being written; try again`);
  const blob = new Uint8Array(chunks.reduce((sum, { data }) => sum + data.position, 0));
  let at = 0;
  for (const { data } of chunks) {
    blob.set(data.buffer.subarray(0, data.position), at);
    at += data.position;
  }
  return blob;
}

/** Assembles blobs from chunks ordered by id and part. Stops reading after the last chunk of blob number `limit`. */
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

/**
 * A document as stored in MongoDB: its fields are under `document`, so that none of them can be mistaken for an
 * internal one.
 */
export interface StoredDocument {
  readonly _id: string;
  readonly document: Readonly<Record<string, unknown>>;
  /** The JSON text of a document with strings that UTF-8 cannot represent; BSON would replace their lone surrogates. */
  readonly json?: string;
}

/** A lone surrogate as JSON.stringify writes it. Text that only looks like one costs some bytes, nothing else. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/**
 * Characters with a meaning in MongoDB field names: a leading dollar (operators, references), dots (paths), and the
 * zero byte that ends a name in BSON. Also the percent sign, so that the escaping is reversible.
 */
const SPECIAL = /^\$|[%.\0]/g;

const ESCAPED = /%(24|25|2E|00)/g;
const escapeName = (name: string): string =>
  name.replace(SPECIAL, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
const unescapeName = (name: string): string =>
  name.replace(ESCAPED, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/**
 * Converts a document through its JSON form: undefined members are dropped, `toJSON` is applied. Throws if it has no
 * JSON form.
 */
export function toStoredDocument(id: string, document: Document): StoredDocument {
  const json = JSON.stringify(document);
  const fields = renameFields(JSON.parse(json), escapeName) as Record<string, unknown>;
  return { _id: id, document: fields, ...(LONE_SURROGATE.test(json) && { json }) };
}

export function fromStoredDocument<D>({ document, json }: StoredDocument): D {
  return (json === undefined ? renameFields(document, unescapeName) : JSON.parse(json)) as D;
}

/** Renames every field at every depth. Fields are defined, not assigned: one may be called `__proto__`. */
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
