import type { ReactNode } from 'react';
import styles from './states.module.css';

/** Where there is nothing to show: says so, and what to do about it. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.state}>
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}
