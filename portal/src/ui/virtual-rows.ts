import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback } from 'react';

const OVERSCAN = 10;

/** Indexes of the rows of equal height that are in view, or next to it, and of one row that is always kept, such as that with the focus. */
export function useVirtualRows(
  scroll: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  kept: number,
): readonly number[] {
  const rangeExtractor = useCallback(
    (range: Range) => [...new Set([...defaultRangeExtractor(range), kept])].sort((a, b) => a - b),
    [kept],
  );
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    rangeExtractor,
  });
  return rows.getVirtualItems().map(({ index }) => index);
}
