import { Bloom } from './bloom.js';
import { addResourceTags, encodeResources, RESOURCES_BLOB, type ResourceTokens } from './resource-column.js';
import { SectionWriter } from './section.js';
import { addTags, encodeTagPostings, type RowTokens } from './tag-postings.js';

export const TAG_BLOOM_BLOB = 'tag-bloom';

const TAG_BLOOM_BITS = 8;

/** The columns that spans and log records have in common: attributes of their own and of their resources. */
export interface TaggedRows extends RowTokens {
  readonly resource: Uint32Array;
  readonly resourceTokens: readonly ResourceTokens[];
}

/** Postings, resources, and a bloom over all tags of the block; `more` hashes go into the bloom too. */
export function encodeTagColumns(source: TaggedRows, rows: Uint32Array, packed: boolean, more: Uint32Array = new Uint32Array(0)): Record<string, Uint8Array> {
  const postings = encodeTagPostings(source, rows, packed);
  const resources = encodeResources(source.resource, source.resourceTokens, rows);
  const resourceTags = resources.used.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const bloom = Bloom.sized(postings.distinct.size + resourceTags + more.length, TAG_BLOOM_BITS);
  addTags(bloom, postings.distinct);
  addResourceTags(bloom, resources.used);
  for (const hash of more) bloom.add(hash);
  const blobs: Record<string, Uint8Array> = {
    [RESOURCES_BLOB]: resources.blob,
    [TAG_BLOOM_BLOB]: new SectionWriter().bytes(bloom.bytes).finish(),
  };
  postings.partitions.forEach((blob, p) => (blobs[`tags.${p}`] = blob));
  return blobs;
}
