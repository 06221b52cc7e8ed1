import type { UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { preciseText } from '../../format/moments';
import { Attributes, attributesOf } from '../../ui/attributes';
import { QueryState } from '../../ui/query-state';
import styles from './span-panel.module.css';

export function SpanEvents({ query }: { readonly query: UseQueryResult<Schemas['SpanEvents']> }) {
  return (
    <QueryState query={query}>
      {({ events }) =>
        events.length === 0 ? (
          <p className={styles.quiet}>The span has no events.</p>
        ) : (
          <ol className={styles.list}>
            {events.map(({ name, timestamp, attributes }, index) => (
              <li key={index}>
                <details open={events.length === 1}>
                  <summary>
                    <time dateTime={timestamp}>{preciseText(timestamp)}</time> <strong>{name}</strong>
                  </summary>
                  <Attributes label={`Attributes of ${name}`} attributes={attributesOf(attributes)} />
                </details>
              </li>
            ))}
          </ol>
        )
      }
    </QueryState>
  );
}
