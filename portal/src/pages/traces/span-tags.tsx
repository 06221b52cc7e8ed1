import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { pairText } from '../../format/pairs';
import { Attributes, attributesOf } from '../../ui/attributes';
import { QueryState } from '../../ui/query-state';
import controls from '../../ui/controls.module.css';
import styles from './span-panel.module.css';

/** Tags of the span and its resource; each leads to the traces that have it too. */
export function SpanTags({ query }: { readonly query: UseQueryResult<Schemas['SpanTags']> }) {
  const [words, setWords] = useState('');
  const links = useLinks();
  return (
    <QueryState query={query}>
      {({ tags }) => {
        const all = attributesOf(tags);
        const shown = all.filter(({ key, value }) => `${key} ${value}`.toLowerCase().includes(words.toLowerCase()));
        return (
          <div className="stack">
            <input
              className={controls.input}
              type="search"
              aria-label="Search the tags"
              placeholder="Search the tags"
              value={words}
              onChange={(event) => setWords(event.target.value)}
            />
            {shown.length === 0 ? (
              <p className={styles.quiet}>{all.length === 0 ? 'The span has no tags.' : 'No tag holds these words.'}</p>
            ) : (
              <Attributes
                label="Tags of the span"
                attributes={shown}
                action={({ key, value }) =>
                  key.includes('=') ? null : (
                    <Link
                      to={links.page('traces', { tag: pairText(key, value) })}
                      title={`Traces with ${key} = ${value}`}
                    >
                      Find
                    </Link>
                  )
                }
              />
            )}
          </div>
        );
      }}
    </QueryState>
  );
}
