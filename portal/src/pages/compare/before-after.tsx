import type { Pair } from './compared';
import styles from './compare.module.css';

interface BeforeAfterProps<Row> {
  readonly pair: Pair<Row>;
  readonly of: (row: Row) => number;
  readonly format: (value: number) => string;
}

/** A figure of both windows; a dash where one of them knows nothing. */
export function BeforeAfter<Row extends { readonly requestCount: number }>({
  pair: { current, baseline },
  of,
  format,
}: BeforeAfterProps<Row>) {
  const text = (row: Row | undefined): string => (row === undefined || row.requestCount === 0 ? '–' : format(of(row)));
  return (
    <>
      <span className={styles.quiet}>{text(baseline)} → </span>
      {text(current)}
    </>
  );
}
