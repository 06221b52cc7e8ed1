import { ArrowDown, ArrowUp } from 'lucide-react';
import { useShowMore } from '../../components/data-table';
import { addCondition, writeCondition } from './condition-writer';
import { type AnswerColumn, CellText, formatCell, isOtherGroup } from './cell-text';
import { toggleOrder } from './explore-query';
import type { QueryAnswer } from './use-explore-answer';
import type { ExploreState } from './use-explore-query';
import controls from '../../ui/controls.module.css';
import styles from './explore.module.css';

interface GroupTableProps {
  readonly answer: QueryAnswer;
  readonly state: ExploreState;
}

type Row = readonly unknown[];

/** The condition of the records of a group. Undefined if it is of many groups, or cannot be written. */
export function writeGroupCondition(groupBy: readonly string[], group: Row): string | undefined {
  if (group.some(isOtherGroup)) return undefined;
  const conditions = groupBy.map((field, at) => writeCondition(field, '=', group[at] as string | number | null));
  return conditions.includes(undefined)
    ? undefined
    : conditions.reduce<string>((all, each) => addCondition(all, each!), '');
}

/** One row a group. A click on a value narrows the query to it, a click on a figure lists its records. */
export function GroupTable({ answer, state }: GroupTableProps) {
  const { query } = state;
  const rows: readonly Row[] = answer.rows ?? [];
  const { first, more } = useShowMore(rows);
  const shown = answer.columns.map((column, at) => ({ column, at })).filter(isShown(query.columns));
  return (
    <>
      <div className={styles.scroll} role="region" aria-label="Groups" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {shown.map(({ column }) => (
                <SortableHead key={column.name} column={column} state={state} />
              ))}
            </tr>
          </thead>
          <tbody>
            {first.map((row, index) => (
              <tr key={index}>
                {shown.map(({ column, at }) => (
                  <td key={column.name} className={column.type === 'number' ? 'number' : undefined}>
                    {at < query.groupBy.length ? (
                      <GroupCell field={query.groupBy[at]!} cell={row[at]} column={column} state={state} />
                    ) : (
                      <FigureCell cell={row[at]} column={column} row={row} state={state} />
                    )}
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

/** Whether a column is shown: all are, unless some were chosen. */
const isShown =
  (chosen: readonly string[]) =>
  ({ column }: { readonly column: AnswerColumn }): boolean =>
    chosen.length === 0 || chosen.includes(column.name);

interface SortableHeadProps {
  readonly column: AnswerColumn;
  readonly state: ExploreState;
  /** What orders call the column. */
  readonly orderName?: string;
}

/** The head of a column, which sorts by it. */
export function SortableHead({ column, state, orderName = column.name }: SortableHeadProps) {
  const { query, change } = state;
  const [order = ''] = query.orderBy;
  const direction = order === `-${orderName}` ? 'descending' : order === orderName ? 'ascending' : undefined;
  return (
    <th scope="col" aria-sort={direction} className={column.type === 'number' ? 'number' : undefined}>
      <button
        type="button"
        className={styles.head}
        title={`Sort by ${column.name}`}
        onClick={() => change({ orderBy: toggleOrder(query.orderBy, orderName) })}
      >
        {column.name}
        {direction === 'descending' && <ArrowDown size={13} aria-hidden />}
        {direction === 'ascending' && <ArrowUp size={13} aria-hidden />}
      </button>
    </th>
  );
}

interface CellProps {
  readonly cell: unknown;
  readonly column: AnswerColumn;
  readonly state: ExploreState;
}

function GroupCell({ field, cell, column, state }: CellProps & { readonly field: string }) {
  const condition = isOtherGroup(cell) ? undefined : writeCondition(field, '=', cell as string | number | null);
  if (condition === undefined) return <CellText cell={cell} column={column} />;
  return (
    <button type="button" className={styles.cell} title={`Only ${condition}`} onClick={() => state.narrow(condition)}>
      {formatCell(cell, column)}
    </button>
  );
}

function FigureCell({ cell, column, row, state }: CellProps & { readonly row: Row }) {
  const { groupBy } = state.query;
  const condition = writeGroupCondition(groupBy, row);
  const text = formatCell(cell, column);
  if (condition === undefined) return <>{text}</>;
  return (
    <button
      type="button"
      className={styles.cell}
      title={`Records of ${condition === '' ? 'this figure' : condition}`}
      onClick={() =>
        state.narrow(condition === '' ? undefined : condition, { show: 'records', orderBy: [], columns: [] })
      }
    >
      {text}
    </button>
  );
}

/** Checkboxes for the columns that are shown. */
export function ColumnChoice({
  names,
  chosen,
  onChange,
}: {
  readonly names: readonly string[];
  /** Those that are shown. */
  readonly chosen: readonly string[];
  readonly onChange: (columns: readonly string[]) => void;
}) {
  return (
    <details className={styles.columns}>
      <summary className={controls.button}>Columns</summary>
      <fieldset>
        <legend className="visually-hidden">Columns that are shown</legend>
        {names.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              disabled={chosen.length === 1 && chosen[0] === name}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
              }
            />{' '}
            {name}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
