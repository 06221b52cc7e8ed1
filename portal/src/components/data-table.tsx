import { type ReactNode, useRef, useState } from 'react';
import { formatCount } from '../format/number-format';
import { usePointerOver } from '../ui/stable-content-hooks';
import { keepRowOrder } from './row-order';
import controls from '../ui/controls.module.css';
import styles from './components.module.css';

export interface Column<Row> {
  readonly title: string;
  /** Right-aligned, with tabular figures. */
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly getRowKey: (row: Row) => string;
}

/** A table that scrolls sideways on narrow pages. Keeps the order of its rows while the pointer is over them, and shows long tables in steps. */
export function DataTable<Row>({ label, columns, rows, getRowKey }: DataTableProps<Row>) {
  const { isPointedAt, handlers } = usePointerOver();
  const shown = useRef(rows);
  shown.current = isPointedAt ? keepRowOrder(rows, shown.current, getRowKey) : rows;
  const { first, more } = useShowMore(shown.current);
  return (
    <>
      <div className={styles.scroll} role="region" aria-label={label} tabIndex={0} {...handlers}>
        <table>
          <thead>
            <tr>
              {columns.map(({ title, isNumber }) => (
                <th key={title} scope="col" className={isNumber ? 'number' : undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {first.map((row) => (
              <tr key={getRowKey(row)}>
                {columns.map(({ title, isNumber, cell }) => (
                  <td key={title} className={isNumber ? 'number' : undefined}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more}
    </>
  );
}

/** As many rows as render without a noticeable delay. */
const ROWS_PER_STEP = 100;

/** The first rows of a long list, and a footer with their number and a button for more (null for short lists). */
export function useShowMore<Row>(rows: readonly Row[]): { readonly first: readonly Row[]; readonly more: ReactNode } {
  const [limit, setLimit] = useState(ROWS_PER_STEP);
  if (rows.length <= limit) return { first: rows, more: null };
  const nextCount = Math.min(ROWS_PER_STEP, rows.length - limit);
  const more = (
    <p className={controls.row}>
      Showing {formatCount(limit)} of {formatCount(rows.length)}.{' '}
      <button type="button" className={controls.button} onClick={() => setLimit(limit + ROWS_PER_STEP)}>
        Show {nextCount} more
      </button>
    </p>
  );
  return { first: rows.slice(0, limit), more };
}
