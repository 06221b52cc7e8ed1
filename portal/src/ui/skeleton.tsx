import styles from './skeleton.module.css';

/** The shape of what is coming: so many lines, or a block of a height (CSS). It takes just that room, so that what comes can take the same. */
export function Skeleton({ lines = 3, height }: { readonly lines?: number; readonly height?: string }) {
  if (height !== undefined) return <div className={styles.block} style={{ height }} aria-hidden data-skeleton />;
  return (
    <div aria-hidden data-skeleton>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={styles.line} />
      ))}
    </div>
  );
}

export function PageSkeleton() {
  return (
    <div className={styles.page} aria-busy="true" aria-label="Loading">
      <Skeleton lines={1} />
      <Skeleton height="12rem" />
      <Skeleton lines={5} />
    </div>
  );
}
