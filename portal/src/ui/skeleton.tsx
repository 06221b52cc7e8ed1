import styles from './skeleton.module.css';

/** Placeholder for loading content: a number of lines, or a block of a CSS height. As tall as the content, so that the layout does not shift. */
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
