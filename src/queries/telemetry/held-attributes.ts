import { tagCondition } from '../../read-models/blocks/block-search-conditions.js';
import { findPostingRows } from './row-filter.js';
import type { SpanSnapshot } from './block-snapshots.js';
import type { AttributeText, HeldAttributesQuery } from './telemetry-query-types.js';

const US_PER_NS = 1e-3;

/** Reads the index of the blocks alone, and of each attribute until it is found: no span is decoded. */
export async function findHeldAttributes(
  { blocks, timeSlice }: SpanSnapshot,
  { attributes, range }: HeldAttributesQuery,
): Promise<readonly AttributeText[]> {
  const held: AttributeText[] = [];
  let sought = attributes.map((attribute) => ({ attribute, condition: tagCondition(attribute.key, attribute.text) }));
  for (const block of blocks.toReversed()) {
    const { minStartUs, maxStartUs, maxDurationNs } = block.document;
    if (minStartUs >= range.toUs || maxStartUs + maxDurationNs * US_PER_NS + 1 < range.fromUs) continue;
    const missing: typeof sought = [];
    for (const each of sought) {
      const rows = await findPostingRows(block, [each.condition], timeSlice);
      if (rows.length > 0) held.push(each.attribute);
      else missing.push(each);
    }
    sought = missing;
    await timeSlice.yieldIfDue();
  }
  return held;
}
