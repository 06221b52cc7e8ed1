import { useRef, type ReactNode } from 'react';
import { useFirst } from '../ui/use-first';
import { usePointedAt } from '../ui/use-pointed-at';
import { heldOrder } from './held-order';
import styles from './diagnostics.module.css';

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
  readonly idOf: (row: Row) => string;
}

/** A table that scrolls within its frame where the page is narrow. Rows keep their order while somebody points at them; of very many the first are shown. */
export function DataTable<Row>({ label, columns, rows, idOf }: DataTableProps<Row>) {
  const { isPointedAt, handlers } = usePointedAt();
  const shown = useRef(rows);
  shown.current = isPointedAt ? heldOrder(rows, shown.current, idOf) : rows;
  const { first, more } = useFirst(shown.current);
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
