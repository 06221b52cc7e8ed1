import styles from './sparkline.module.css';

const [WIDTH, HEIGHT] = [120, 28];

/** A small line chart without axes; undefined values are gaps. `label` is its accessible name. */
export function Sparkline({
  values,
  label,
}: {
  readonly values: readonly (number | undefined)[];
  readonly label: string;
}) {
  const known = values.filter((value) => value !== undefined);
  if (known.length < 2)
    return (
      <svg
        className={styles.line}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${label}: not enough data`}
      />
    );
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const at = (value: number, index: number): string =>
    `${((index / (values.length - 1)) * WIDTH).toFixed(1)},${(HEIGHT - 3 - ((value - least) / (most - least || 1)) * (HEIGHT - 6)).toFixed(1)}`;
  const path = values
    .map((value, index) =>
      value === undefined ? '' : `${values[index - 1] === undefined ? 'M' : 'L'}${at(value, index)}`,
    )
    .join('');
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={path} />
    </svg>
  );
}

/** Reserves the space of a sparkline, so that nothing moves when it appears. */
export function SparklinePlaceholder({ isLoading }: { readonly isLoading: boolean }) {
  return <svg className={styles.line} aria-hidden data-skeleton={isLoading || undefined} />;
}
