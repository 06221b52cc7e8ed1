import { useEffect, type ReactNode } from 'react';
import { escapeControlCharacters } from '../format/control-characters';
import styles from './page.module.css';

/** A page with its title, introduction and actions. Sets the document title. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = escapeControlCharacters(`${title} · Hindsight`);
  }, [title]);
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </>
  );
}
