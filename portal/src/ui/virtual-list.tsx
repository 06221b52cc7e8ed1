import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, type ReactNode } from 'react';
import styles from './virtual-list.module.css';

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly rowHeight: number;
  readonly getItemId: (item: Item) => string;
  /** Renders a row. */
  readonly children: (item: Item, index: number) => ReactNode;
  /** Accessible name of the list. */
  readonly label: string;
  /** CSS height of the scroll container. */
  readonly height?: string;
  /** Called when the last row comes into view, to load more. */
  readonly onEnd?: () => void;
  /** Index of the row to keep in view, such as the one selected by keyboard. */
  readonly current?: number | undefined;
  /** Row heights depend on their content; `rowHeight` is only an estimate. */
  readonly isMeasured?: boolean;
}

/** A list that renders only the rows in view. */
export function VirtualList<Item>({
  items,
  rowHeight,
  getItemId,
  children,
  label,
  height = '65vh',
  onEnd,
  current,
  isMeasured = false,
}: VirtualListProps<Item>) {
  const frame = useRef<HTMLDivElement>(null);
  // A stable function: otherwise the virtualizer would recompute all row positions on each frame.
  const getItemKey = useCallback((index: number) => getItemId(items[index]!), [getItemId, items]);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    getItemKey,
    overscan: 12,
    onChange: ({ range }) => {
      if (range !== null && range.endIndex >= items.length - 1) onEnd?.();
    },
  });
  useEffect(() => {
    if (current !== undefined && current >= 0) rows.scrollToIndex(current, { align: 'auto' });
  }, [current, rows]);
  return (
    <div ref={frame} className={styles.frame} style={{ maxHeight: height }} role="list" aria-label={label} tabIndex={0}>
      <div className={styles.all} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            ref={isMeasured ? rows.measureElement : undefined}
            data-index={index}
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={index + 1}
            className={styles.row}
            style={{ ...(!isMeasured && { height: rowHeight }), transform: `translateY(${start}px)` }}
          >
            {children(items[index]!, index)}
          </div>
        ))}
      </div>
    </div>
  );
}
