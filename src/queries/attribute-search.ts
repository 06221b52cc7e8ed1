import type { BlockPlace, BlockSummary } from '../read-models/blocks/block.js';
import type { Block } from '../read-models/blocks/cached-block.js';
import { intersection } from '../read-models/blocks/row-lists.js';
import { TAG_BLOOM, tagCondition, type TagCondition } from '../read-models/blocks/tag-search.js';
import type { WordCondition } from '../read-models/blocks/word-search.js';
import type { Turn } from './giving-way.js';

/** Conditions that a block answers with the rows which meet them. */
export type PostingCondition = TagCondition | WordCondition;

export function tagConditions(tags: Readonly<Record<string, string>> = {}): TagCondition[] {
  return Object.entries(tags).map(([key, text]) => tagCondition(key, text));
}

/** Rows that meet all of the conditions (at least one); the bloom spares the postings of most blocks without any. */
export async function rowsMeeting<D extends BlockSummary & BlockPlace>(block: Block<D>, conditions: readonly PostingCondition[], turn: Turn): Promise<Uint16Array> {
  const bloom = await block.read(TAG_BLOOM);
  if (conditions.some(({ hash }) => hash !== undefined && !bloom.has(hash))) return new Uint16Array(0);
  let rows: Uint16Array | undefined;
  for (const { column } of conditions) {
    await turn.giveWay();
    const met = await block.read(column);
    rows = rows === undefined ? met : intersection(rows, met);
    if (rows.length === 0) break;
  }
  return rows ?? new Uint16Array(0);
}
