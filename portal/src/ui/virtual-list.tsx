import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, type ReactNode } from 'react';
import styles from './virtual-list.module.css';

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly rowHeight: number;
  readonly getItemId: (item: Item) => string;
  /** One row; it gets the position that it is shown at. */
  readonly children: (item: Item, index: number) => ReactNode;
  /** What the list is, for those who do not see it. */
  readonly label: string;
  /** CSS height of the window onto the rows. */
  readonly height?: string;
  /** Told when the end comes into sight: more can be asked for. */
  readonly onEnd?: () => void;
  /** Position of the row that is kept in sight, as the keyboard moves it. */
  readonly current?: number | undefined;
  /** Rows are as high as what they hold; `rowHeight` is only what is expected. */
  readonly isMeasured?: boolean;
}

/** Any number of rows, of which only those in sight exist. */
export function VirtualList<Item>({
  items,
  rowHeight,
  getItemId: idOf,
  children,
  label,
  height = '65vh',
  onEnd,
  current,
  isMeasured = false,
}: VirtualListProps<Item>) {
  const frame = useRef<HTMLDivElement>(null);
  // As long as it is the same function, places of all rows are not computed anew with each frame.
  const getItemKey = useCallback((index: number) => idOf(items[index]!), [idOf, items]);
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
