import { formatCell } from './cell-text';
import { writeGroupCondition } from './group-table';
import type { QueryAnswer } from './use-explore-answer';
import type { ExploreState } from './use-explore-query';
import styles from './explore.module.css';

/** A bar for the first figure of each group. A click narrows the query to the group. */
export function TopList({ answer, state }: { readonly answer: QueryAnswer; readonly state: ExploreState }) {
  const { groupBy } = state.query;
  const at = groupBy.length;
  const column = answer.columns[at];
  if (column === undefined) return null;
  const rows = answer.rows ?? [];
  const most = Math.max(0, ...rows.map((row) => Number(row[at] ?? 0)));
  return (
    <ol className={styles.bars} aria-label={`Groups by ${column.name}`}>
      {rows.map((row, index) => {
        const name = nameGroup(answer, row.slice(0, at));
        const condition = writeGroupCondition(groupBy, row.slice(0, at));
        return (
          <li key={index}>
            <button
              type="button"
              className={styles.bar}
              disabled={condition === undefined || condition === ''}
              title={condition === undefined ? name : `Only ${condition}`}
              onClick={() => state.narrow(condition)}
            >
              <span className={styles.barName}>{name}</span>
              <span className={styles.track} aria-hidden>
                <span style={{ width: `${most > 0 ? Math.max(0, (Number(row[at] ?? 0) / most) * 100) : 0}%` }} />
              </span>
              <span className={styles.figure}>{formatCell(row[at], column)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** The values of a group in one text. */
export function nameGroup({ columns }: QueryAnswer, group: readonly unknown[]): string {
  if (group.length === 0) return 'All records';
  return group.map((cell, at) => formatCell(cell, columns[at]!)).join(' · ');
}
