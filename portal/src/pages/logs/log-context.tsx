import { useEffect, useRef } from 'react';
import { rowText } from '../../format/moments';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { SeverityWord } from './severity-word';
import { AROUND, useLogContext } from './use-log-context';
import type { LogEntry } from './use-log-search';
import styles from './logs.module.css';

/** What the same service said around an entry, whatever the filters are. */
export function LogContext({ entry }: { readonly entry: LogEntry }) {
  const query = useLogContext(entry);
  return (
    <section>
      <h3>
        What {entry.serviceName} said around it, up to {AROUND} entries before and after, newest first
      </h3>
      <QueryState query={query} skeleton={<Skeleton lines={6} />}>
        {(entries) => <ContextList entries={entries} id={entry.id} />}
      </QueryState>
    </section>
  );
}

function ContextList({ entries, id }: { readonly entries: readonly LogEntry[]; readonly id: string }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const own = list.current?.querySelector<HTMLElement>('[aria-current]');
    // Only the list scrolls: the page stays where it is.
    if (own && list.current)
      list.current.scrollTop = own.offsetTop - list.current.offsetTop - list.current.clientHeight / 2;
  }, []);
  return (
    <ol ref={list} className={styles.context} tabIndex={0} aria-label="Entries around it">
      {entries.map((each) => (
        <li key={each.id} aria-current={each.id === id || undefined}>
          <time dateTime={each.timestamp}>{rowText(each.timestamp)}</time> <SeverityWord level={each.severityLevel} />{' '}
          <span>{each.body.slice(0, 1_000)}</span>
        </li>
      ))}
    </ol>
  );
}
