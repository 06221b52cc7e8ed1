import { tokenOf } from '../../telemetry/tokens.js';
import type { BlockSummary } from './block.js';
import { columnOf, type BlockColumn } from './block-column.js';
import { Bloom } from './bloom.js';
import { RESOURCES_BLOB, withResourceRows } from './resource-column.js';
import { TAG_BLOOM_BLOB } from './tag-columns.js';
import { rowsWithTag, tagBlob, tagHash } from './tag-postings.js';

/** Over the tags of rows and resources, and the words of log bodies. */
export const TAG_BLOOM: BlockColumn<BlockSummary, Bloom> = columnOf('tag-bloom', TAG_BLOOM_BLOB, (section) => Bloom.from(section.bytes(0)), (bloom) => bloom.bytes.length);

/** One condition `key = text` as blocks are asked for it. */
export interface TagCondition {
  readonly hash: number;
  /** Rows of which the record or its resource has the attribute. */
  readonly column: BlockColumn<BlockSummary, Uint16Array>;
}

export function tagCondition(key: string, text: string): TagCondition {
  const { token, check } = tokenOf(key, text);
  const unsigned = token >>> 0;
  return {
    hash: tagHash(unsigned, check),
    column: {
      name: `tag ${unsigned}.${check}`,
      blobs: ({ packed }) => [tagBlob(unsigned, packed), RESOURCES_BLOB],
      decode: ([tags, resources], { packed }) => withResourceRows(resources, unsigned, check, rowsWithTag(tags, unsigned, check, packed)),
      bytes: (rows) => rows.byteLength,
    },
  };
}
