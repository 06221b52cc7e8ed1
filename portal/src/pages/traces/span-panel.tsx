import type { UseQueryResult } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { DamagedBadge, DamageNotice } from '../../components/damage-notice';
import { LogSeverityLabel } from '../../components/log-severity-label';
import { ServiceLink } from '../../components/service-links';
import { formatKeyValue } from '../../format/key-value-pairs';
import { formatCount, formatSpanDuration, formatWholeMs } from '../../format/number-format';
import { formatPreciseTime } from '../../format/time-format';
import { AttributeTable, toSortedAttributes } from '../../ui/attribute-table';
import { CopyButton } from '../../ui/copy-button';
import { QueryBoundary } from '../../ui/query-boundaries';
import { StatusBadge } from '../../ui/status-badge';
import { Tabs } from '../../ui/tabs';
import { type TraceState, useSpanDetail, useSpanEvents, useSpanTags } from './trace-detail-queries';
import { SentFacts, SpanLinks } from './span-sent-details';
import type { SpanRow } from './trace-model';
import type { TraceViewState } from './use-trace-view';
import controls from '../../ui/controls.module.css';
import styles from './span-panel.module.css';

interface SpanPanelProps {
  readonly row: SpanRow;
  /** Self time of the span on the critical path, in ms. */
  readonly onPathMs: number;
  readonly view: TraceViewState;
  readonly logs: TraceState['logs'];
  readonly errors: TraceState['errors'];
}

/** Details of the selected span. */
export function SpanPanel({ row, onPathMs, view, logs, errors }: SpanPanelProps) {
  const { span } = row;
  const links = usePageLinks();
  const ownErrors = errors.filter(({ spanId }) => spanId === span.spanId);
  return (
    <aside className={styles.panel} aria-label="Selected span">
      <header className={styles.head}>
        <h2>{span.operationName}</h2>
        <button type="button" className={controls.icon} aria-label="Close span details" onClick={() => view.select('')}>
          <X size={16} aria-hidden />
        </button>
      </header>
      <SpanFacts row={row} onPathMs={onPathMs} />
      <div className={controls.row}>
        <Link
          className={controls.button}
          to={links.page('traces', { service: span.serviceName, operation: span.operationName })}
        >
          Find similar
        </Link>
        <CopyButton text={span.spanId} label="Copy span ID" />
      </div>
      <SpanExceptions errors={ownErrors} />
      <SpanTabs row={row} view={view} logs={logs.filter(({ spanId }) => spanId === span.spanId)} />
    </aside>
  );
}

function SpanFacts({ row: { span, skew }, onPathMs }: Pick<SpanPanelProps, 'row' | 'onPathMs'>) {
  const { data } = useSpanDetail(span.spanId);
  return (
    <dl className={styles.facts}>
      <dt>Service</dt>
      <dd>
        <ServiceLink name={span.serviceName} />
      </dd>
      <dt>Kind</dt>
      <dd>{span.spanKind.toLowerCase()}</dd>
      <dt>Start</dt>
      <dd>{formatPreciseTime(span.startTime)}</dd>
      <dt>Duration</dt>
      <dd>{formatSpanDuration(span)}</dd>
      <dt>Critical path</dt>
      <dd>{onPathMs > 0 ? `${formatWholeMs(onPathMs)} self time` : 'Not on it'}</dd>
      <dt>Status</dt>
      <dd>
        <StatusBadge level={span.status === 'ERROR' ? 'critical' : 'good'}>
          {span.status === 'ERROR' ? 'Error' : 'OK'}
        </StatusBadge>{' '}
        <span className={styles.message}>{data?.statusMessage}</span>
        {data?.damaged === true && <DamagedBadge />}
      </dd>
      <SentFacts detail={data} />
      {skew > 0 && (
        <>
          <dt>Clock</dt>
          <dd>{formatWholeMs(skew)} behind its caller. The bar is shifted to compensate.</dd>
        </>
      )}
    </dl>
  );
}

function SpanTabs({ row: { span }, view, logs }: Pick<SpanPanelProps, 'row' | 'view' | 'logs'>) {
  const detail = useSpanDetail(span.spanId);
  const tags = useSpanTags(span.spanId);
  const events = useSpanEvents(span.spanId);
  const tabs = [
    {
      id: 'tags',
      title: 'Tags',
      aside: <TabCount count={countReadable(tags.data, Object.keys(tags.data?.tags ?? {}).length)} />,
    },
    {
      id: 'events',
      title: 'Events',
      aside: <TabCount count={countReadable(events.data, events.data?.events.length)} />,
    },
    { id: 'logs', title: 'Logs', aside: <TabCount count={logs.length} /> },
    {
      id: 'links',
      title: 'Links',
      aside: <TabCount count={countReadable(detail.data, detail.data?.links.length)} />,
    },
  ];
  const selected = tabs.some(({ id }) => id === view.tab) ? view.tab : 'tags';
  return (
    <Tabs label="Span details" tabs={tabs} selected={selected} onSelect={view.selectTab}>
      {selected === 'tags' && <SpanTags query={tags} />}
      {selected === 'events' && <SpanEvents query={events} />}
      {selected === 'logs' && <SpanLogs logs={logs} spanId={span.spanId} />}
      {selected === 'links' && <SpanLinks query={detail} />}
    </Tabs>
  );
}

/** Undefined while it is loading, and of a damaged span. */
function countReadable(
  data: { readonly damaged?: boolean } | undefined,
  count: number | undefined,
): number | undefined {
  return data === undefined || data.damaged === true ? undefined : count;
}

/** A count that takes the same width while it is loading. */
function TabCount({ count }: { readonly count: number | undefined }) {
  return <span className={styles.count}>{count === undefined ? '' : formatCount(count)}</span>;
}

/** Tags of the span and its resource, each with a link to traces that have it too. */
function SpanTags({ query }: { readonly query: UseQueryResult<Schemas['SpanTags']> }) {
  const [search, setSearch] = useState('');
  const links = usePageLinks();
  return (
    <QueryBoundary query={query}>
      {({ tags, damaged }) => {
        if (damaged === true) return <DamageNotice missing="The tags" />;
        const all = toSortedAttributes(tags);
        const shown = all.filter(({ key, value }) => `${key} ${value}`.toLowerCase().includes(search.toLowerCase()));
        return (
          <div className="stack">
            <input
              className={controls.input}
              type="search"
              aria-label="Search tags"
              placeholder="Search tags"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
            {shown.length === 0 ? (
              <p className={styles.quiet}>{all.length === 0 ? 'The span has no tags.' : 'No matching tags.'}</p>
            ) : (
              <AttributeTable
                label="Tags of the span"
                attributes={shown}
                action={({ key, value }) =>
                  key.includes('=') ? null : (
                    <Link
                      to={links.page('traces', { tag: formatKeyValue(key, value) })}
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
    </QueryBoundary>
  );
}

function SpanEvents({ query }: { readonly query: UseQueryResult<Schemas['SpanEvents']> }) {
  return (
    <QueryBoundary query={query}>
      {({ events, damaged }) =>
        damaged === true ? (
          <DamageNotice missing="Events" />
        ) : events.length === 0 ? (
          <p className={styles.quiet}>The span has no events.</p>
        ) : (
          <ol className={styles.list}>
            {events.map(({ name, timestamp, attributes }, index) => (
              <li key={index}>
                <details open={events.length === 1}>
                  <summary>
                    <time dateTime={timestamp}>{formatPreciseTime(timestamp)}</time> <strong>{name}</strong>
                  </summary>
                  <AttributeTable label={`Attributes of ${name}`} attributes={toSortedAttributes(attributes)} />
                </details>
              </li>
            ))}
          </ol>
        )
      }
    </QueryBoundary>
  );
}

/** Makes a scrollable text reachable by keyboard. */
const SCROLL_REGION_PROPS = { tabIndex: 0, role: 'region', 'aria-label': 'Text of the log entry' } as const;

/** Whether the text exceeds its frame, which shows about ten short lines on a phone. */
const isScrollable = (body: string): boolean => body.length > 250 || body.split('\n').length > 8;

function SpanLogs({ logs, spanId }: { readonly logs: TraceState['logs']; readonly spanId: string }) {
  const links = usePageLinks();
  if (logs.length === 0) return <p className={styles.quiet}>The span has no logs.</p>;
  return (
    <div className="stack">
      <ol className={styles.list}>
        {logs.map(({ timestamp, severityLevel, body, damaged }, index) => (
          <li key={`${timestamp} ${index}`} className={styles.entry}>
            <time dateTime={timestamp}>{formatPreciseTime(timestamp)}</time> <LogSeverityLabel level={severityLevel} />
            {damaged === true && (
              <>
                {' '}
                <DamagedBadge />
              </>
            )}
            <p {...(isScrollable(body) && SCROLL_REGION_PROPS)}>{body}</p>
          </li>
        ))}
      </ol>
      <Link to={links.page('logs', { span: spanId })}>Open in logs</Link>
    </div>
  );
}

/** Exceptions of the span with their stack traces. */
function SpanExceptions({ errors }: { readonly errors: TraceState['errors'] }) {
  if (errors.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Exceptions">
      {errors.map(({ timestamp, exceptionType, message, stackTrace }, index) => (
        <li key={`${timestamp} ${index}`} className={styles.exception}>
          <h3>{exceptionType === '' ? 'Exception' : exceptionType}</h3>
          <p>{message}</p>
          {stackTrace !== '' && (
            <details>
              <summary>Stack trace</summary>
              <pre role="region" tabIndex={0} aria-label="Stack trace">
                {stackTrace}
              </pre>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}
