import { type ReactNode, useRef, useState } from 'react';
import { usePointerOver } from '../ui/stable-content-hooks';
import { keepRowOrder } from './row-order';
import styles from './components.module.css';
import { formatCount } from '../format/number-format';
import controls from '../ui/controls.module.css';

export interface Column<Row> {
  readonly title: string;
  /** Right-aligned, with figures of one width. */
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  /** What the table holds, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly getRowKey: (row: Row) => string;
}

/** A table that scrolls within its frame where the page is narrow. Rows keep their order while somebody points at them; of very many the first are shown. */
export function DataTable<Row>({ label, columns, rows, getRowKey: idOf }: DataTableProps<Row>) {
  const { isPointedAt, handlers } = usePointerOver();
  const shown = useRef(rows);
  shown.current = isPointedAt ? keepRowOrder(rows, shown.current, idOf) : rows;
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
              <tr key={idOf(row)}>
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

/** As many as a page draws without a pause; who looks for one of more finds it sooner by a filter. */
const ROWS_PER_STEP = 100;

/** The first of many rows, and what stands below them: how many there are, and the way to more. */
export function useShowMore<Row>(rows: readonly Row[]): { readonly first: readonly Row[]; readonly more: ReactNode } {
  const [most, setMost] = useState(ROWS_PER_STEP);
  if (rows.length <= most) return { first: rows, more: null };
  const next = Math.min(ROWS_PER_STEP, rows.length - most);
  const more = (
    <p className={controls.row}>
      The first {formatCount(most)} of {formatCount(rows.length)}.{' '}
      <button type="button" className={controls.button} onClick={() => setMost(most + ROWS_PER_STEP)}>
        {next} more
      </button>
    </p>
  );
  return { first: rows.slice(0, most), more };
}
