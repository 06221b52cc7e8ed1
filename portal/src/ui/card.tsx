import type { ReactNode } from 'react';
import styles from './card.module.css';

interface CardProps {
  readonly title?: ReactNode;
  /** Links or controls beside the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Card({ title, aside, children, className = '' }: CardProps) {
  return (
    <section className={`${styles.card} ${className}`}>
      {(title !== undefined || aside !== undefined) && (
        <header className={styles.head}>
          <h2>{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}
