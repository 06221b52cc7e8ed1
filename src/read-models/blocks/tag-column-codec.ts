import { BloomFilter } from './bloom-filter.js';
import { addResourceTagsToBloom, decodeResources, encodeResources, RESOURCES_BLOB } from './resource-column.js';
import { Section, SectionWriter } from './section.js';
import {
  addTagsToBloom,
  countTagEntries,
  encodeTagPostings,
  forEachTag,
  type ResourceTokens,
  type RowTokens,
  tagPartitionCount,
} from './tag-postings.js';
import type { unpackColumnBlobs } from './block.js';

export const TAG_BLOOM_BLOB = 'tag-bloom';
const TAG_BLOOM_BITS = 8;

/** The columns that spans and log records have in common: attributes of their own and of their resources. */
export interface TaggedRows extends RowTokens {
  readonly resource: Uint32Array;
  readonly resourceTokens: readonly ResourceTokens[];
}

/**
 * Posting lists, resources, and a Bloom filter over all tags of the block; `more`: additional hashes for the filter.
 */
export function encodeTagColumns(
  source: TaggedRows,
  rows: Uint32Array,
  packed: boolean,
  more: Uint32Array = new Uint32Array(0),
): Record<string, Uint8Array> {
  const postings = encodeTagPostings(source, rows, packed);
  const resources = encodeResources(source.resource, source.resourceTokens, rows);
  const resourceTags = resources.used.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const bloom = BloomFilter.withCapacity(postings.distinct.size + resourceTags + more.length, TAG_BLOOM_BITS);
  addTagsToBloom(bloom, postings.distinct);
  addResourceTagsToBloom(bloom, resources.used);
  for (const hash of more) bloom.add(hash);
  const blobs: Record<string, Uint8Array> = {
    [RESOURCES_BLOB]: resources.blob,
    [TAG_BLOOM_BLOB]: new SectionWriter().bytes(bloom.bytes).finish(),
  };
  postings.partitions.forEach((blob, p) => (blobs[`tags.${p}`] = blob));
  return blobs;
}

/** Tags of all rows of a block, in the form in which the request decoder fills them. */
interface DecodedTags {
  readonly tokenEnd: Uint32Array;
  readonly tokens: Uint32Array;
  readonly tokenChecks: Uint16Array;
  readonly resource: Uint16Array;
  readonly resourceTokens: ResourceTokens[];
}

/** Converts the posting lists of a block back into token lists by row. */
export function decodeTags(blobs: ReturnType<typeof unpackColumnBlobs>, rows: number, packed: boolean): DecodedTags {
  const partitions = Array.from({ length: tagPartitionCount(packed) }, (_, p) => new Section(blobs[`tags.${p}`]));
  const entries = new TagEntries(partitions.reduce((sum, section) => sum + countTagEntries(section), 0));
  partitions.forEach((section, p) =>
    forEachTag(section, p, packed, (token, check, row) => entries.add(token, check, row)),
  );
  const { rows: resource, resources } = decodeResources(new Section(blobs[RESOURCES_BLOB]));
  return { ...entries.byRow(rows), resource, resourceTokens: resources };
}

/** All (token, row) pairs of a block, in the order of its posting lists. */
class TagEntries {
  private readonly tokens: Uint32Array;
  private readonly checks: Uint16Array;
  private readonly rows: Uint16Array;
  private count = 0;

  constructor(entries: number) {
    this.tokens = new Uint32Array(entries);
    this.checks = new Uint16Array(entries);
    this.rows = new Uint16Array(entries);
  }

  add(token: number, check: number, row: number): void {
    this.tokens[this.count] = token;
    this.checks[this.count] = check;
    this.rows[this.count++] = row;
  }

  /** The pairs sorted by row. */
  byRow(blockRows: number): Pick<DecodedTags, 'tokenEnd' | 'tokens' | 'tokenChecks'> {
    const tokenEnd = new Uint32Array(blockRows);
    for (let i = 0; i < this.count; i++) tokenEnd[this.rows[i]]++;
    for (let row = 1; row < blockRows; row++) tokenEnd[row] += tokenEnd[row - 1];
    const cursors = tokenEnd.slice();
    const tokens = new Uint32Array(this.count);
    const tokenChecks = new Uint16Array(this.count);
    for (let i = 0; i < this.count; i++) {
      const at = --cursors[this.rows[i]];
      tokens[at] = this.tokens[i];
      tokenChecks[at] = this.checks[i];
    }
    return { tokenEnd, tokens, tokenChecks };
  }
}
