import { DataTable } from '../diagnostics/data-table';
import { momentText } from '../format/moments';
import { rowsOf, type AlignedSeries } from './series';
import styles from './charts.module.css';

/** What the chart shows, in figures: the latest first. */
export function ChartTable({
  title,
  series,
  format,
}: {
  readonly title: string;
  readonly series: readonly AlignedSeries[];
  readonly format: (value: number) => string;
}) {
  const rows = [...rowsOf(series)].reverse();
  const columns = [
    {
      title: 'Time',
      cell: ({ at }: (typeof rows)[number]) => <time dateTime={new Date(at).toISOString()}>{momentText(at)}</time>,
    },
    ...series.map(({ name }, index) => ({
      title: name,
      isNumber: true,
      cell: ({ values }: (typeof rows)[number]) => {
        const value = values[index];
        return value === undefined ? 'no value' : format(value);
      },
    })),
  ];
  return (
    <div className={styles.table}>
      <DataTable label={`Values of ${title}`} columns={columns} rows={rows} idOf={({ at }) => String(at)} />
    </div>
  );
}
