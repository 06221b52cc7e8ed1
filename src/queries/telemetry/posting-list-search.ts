import type { BlockLocation, BlockSummary } from '../../read-models/blocks/block.js';
import type { CachedBlock } from '../../read-models/blocks/cached-block.js';
import { intersectRows } from '../../read-models/blocks/posting-lists.js';
import {
  TAG_BLOOM,
  tagCondition,
  type TagCondition,
  type WordCondition,
} from '../../read-models/blocks/block-search-conditions.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';

/** A condition that posting lists of a block can answer. */
export type PostingCondition = TagCondition | WordCondition;

export function buildTagConditions(tags: Readonly<Record<string, string>> = {}): TagCondition[] {
  return Object.entries(tags).map(([key, text]) => tagCondition(key, text));
}

/**
 * Rows that meet all conditions (at least one is required). The Bloom filter avoids reading the posting lists of most
 * blocks without matches.
 */
export async function findPostingRows<D extends BlockSummary & BlockLocation>(
  block: CachedBlock<D>,
  conditions: readonly PostingCondition[],
  timeSlice: TimeSlice,
): Promise<Uint16Array> {
  const bloom = await block.read(TAG_BLOOM);
  if (conditions.some(({ hash }) => hash !== undefined && !bloom.has(hash))) return new Uint16Array(0);
  let rows: Uint16Array | undefined;
  for (const { column } of conditions) {
    await timeSlice.yieldIfDue();
    const met = await block.read(column);
    rows = rows === undefined ? met : intersectRows(rows, met);
    if (rows.length === 0) break;
  }
  return rows ?? new Uint16Array(0);
}
