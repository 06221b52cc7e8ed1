import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { DamageNotice } from '../../components/damage-notice';
import { formatCount } from '../../format/number-format';
import { AttributeTable, toSortedAttributes } from '../../ui/attribute-table';
import { QueryBoundary } from '../../ui/query-boundaries';
import styles from './span-panel.module.css';

/** What was sent beside attributes, events and links, if it was. */
export function SentFacts({ detail }: { readonly detail: Schemas['SpanDetail'] | undefined }) {
  if (detail === undefined || detail.damaged === true) return null;
  const { scope, traceState, droppedAttributesCount, droppedEventsCount, droppedLinksCount } = detail;
  const dropped = [
    [droppedAttributesCount, 'attributes'],
    [droppedEventsCount, 'events'],
    [droppedLinksCount, 'links'],
  ] as const;
  const facts = [
    ['Scope', [scope.name, scope.version].filter((text) => text !== '').join(' ')],
    ['Trace state', traceState],
    ['Dropped', dropped.flatMap(([count, what]) => (count > 0 ? [`${formatCount(count)} ${what}`] : [])).join(', ')],
  ] as const;
  return facts.map(([title, value]) =>
    value === '' ? null : (
      <Fragment key={title}>
        <dt>{title}</dt>
        <dd>{value}</dd>
      </Fragment>
    ),
  );
}

/** Spans that this one refers to, such as the messages of a batch. */
export function SpanLinks({ query }: { readonly query: UseQueryResult<Schemas['SpanDetail']> }) {
  const links = usePageLinks();
  return (
    <QueryBoundary query={query}>
      {(detail) =>
        detail.damaged === true ? (
          <DamageNotice missing="Links" />
        ) : detail.links.length === 0 ? (
          <p className={styles.quiet}>The span has no links.</p>
        ) : (
          <ol className={styles.list}>
            {detail.links.map(({ traceId, spanId, attributes }, index) => (
              <li key={index}>
                <Link to={links.span(traceId, spanId)}>
                  Span <code>{spanId}</code> of trace <code>{traceId}</code>
                </Link>
                <AttributeTable label={`Attributes of link ${index + 1}`} attributes={toSortedAttributes(attributes)} />
              </li>
            ))}
          </ol>
        )
      }
    </QueryBoundary>
  );
}
