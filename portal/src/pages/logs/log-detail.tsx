import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { DamagedBadge, DamageNotice } from '../../components/damage-notice';
import { LogSeverityLabel } from '../../components/log-severity-label';
import { ServiceLink } from '../../components/service-links';
import { formatKeyValue } from '../../format/key-value-pairs';
import { formatRowTime } from '../../format/time-format';
import { useGrid } from '../../session/use-session';
import { TimeTravelLink } from '../../time/time-travel-link';
import { resolveTimeRange, toIsoTime } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';
import { AttributeTable, toSortedAttributes } from '../../ui/attribute-table';
import { CopyButton } from '../../ui/copy-button';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { formatJson, highlightWords } from './log-body-text';
import { NO_LOG_FILTERS } from './log-filters';
import { type LogEntry, type LogSearchRange, searchLogs, useLogDetail } from './log-queries';
import type { LogsView } from './use-logs-view';
import controls from '../../ui/controls.module.css';
import styles from './logs.module.css';

/** The complete entry, with links and actions. */
export function LogDetail({ entry, view }: { readonly entry: LogEntry; readonly view: LogsView }) {
  return (
    <div className={styles.detail}>
      {entry.damaged === true ? (
        <DamageNotice missing="Body, attributes and resource" />
      ) : (
        <pre className={styles.whole} role="region" tabIndex={0} aria-label="Body">
          <HighlightedText text={formatJson(entry.body) ?? entry.body} words={view.filters.words} />
        </pre>
      )}
      <LogLinks entry={entry} view={view} />
      {entry.damaged !== true && (
        <div className={styles.tables}>
          <LogAttributes entry={entry} view={view} />
          <LogResource id={entry.id} />
        </div>
      )}
      {view.hasContext && <LogContext entry={entry} />}
    </div>
  );
}

function LogAttributes({ entry, view: { filters, change } }: { readonly entry: LogEntry; readonly view: LogsView }) {
  const attributes = toSortedAttributes(entry.attributes);
  return (
    <section>
      <h3>Attributes</h3>
      {attributes.length === 0 ? (
        <p className={styles.quiet}>None.</p>
      ) : (
        <AttributeTable
          label="Attributes of the entry"
          attributes={attributes}
          action={({ key, value }) =>
            key.includes('=') ? null : (
              <button
                type="button"
                className={styles.add}
                title={`Only entries with ${key} = ${value}`}
                onClick={() => change({ attributes: [...filters.attributes, formatKeyValue(key, value)] })}
              >
                Filter
              </button>
            )
          }
        />
      )}
    </section>
  );
}

function LogLinks({
  entry: { id, traceId, spanId, serviceName, timestamp, body },
  view: { hasContext, set },
}: {
  readonly entry: LogEntry;
  readonly view: LogsView;
}) {
  const links = usePageLinks();
  const trace = links.trace(traceId);
  return (
    <div className={controls.row}>
      <ServiceLink name={serviceName} /> <TimeTravelLink at={timestamp} />
      {traceId !== '' && (
        <Link
          className={controls.button}
          to={`${trace}${trace.includes('?') ? '&' : '?'}span=${encodeURIComponent(spanId)}&tab=logs`}
        >
          Open trace
        </Link>
      )}
      <button
        type="button"
        className={controls.button}
        aria-pressed={hasContext}
        onClick={() => set('context', !hasContext)}
      >
        {hasContext ? 'Hide context' : 'Show context'}
      </button>
      <CopyButton text={body} label="Copy body" /> <CopyButton text={id} label="Copy ID" />
    </div>
  );
}

function LogResource({ id }: { readonly id: string }) {
  return (
    <section>
      <h3>Resource</h3>
      <QueryBoundary query={useLogDetail(id)}>
        {({ resource }) => (
          <AttributeTable label="Attributes of the resource" attributes={toSortedAttributes(resource)} />
        )}
      </QueryBoundary>
    </section>
  );
}

/** Entries of the same service around an entry, regardless of filters. */
function LogContext({ entry }: { readonly entry: LogEntry }) {
  const query = useLogContext(entry);
  return (
    <section>
      <h3>
        Context from {entry.serviceName}: up to {CONTEXT_SIZE} entries before and after, newest first
      </h3>
      <QueryBoundary query={query} skeleton={<Skeleton lines={6} />}>
        {(entries) => <ContextList entries={entries} id={entry.id} />}
      </QueryBoundary>
    </section>
  );
}

function ContextList({ entries, id }: { readonly entries: readonly LogEntry[]; readonly id: string }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    // Scrolls the list only, not the page.
    if (current && list.current)
      list.current.scrollTop = current.offsetTop - list.current.offsetTop - list.current.clientHeight / 2;
  }, []);
  return (
    <ol ref={list} className={styles.context} tabIndex={0} aria-label="Surrounding entries">
      {entries.map((each) => (
        <li key={each.id} aria-current={each.id === id || undefined}>
          <time dateTime={each.timestamp}>{formatRowTime(each.timestamp)}</time>{' '}
          <LogSeverityLabel level={each.severityLevel} />{' '}
          <span>{each.damaged === true ? <DamagedBadge /> : each.body.slice(0, 1_000)}</span>
        </li>
      ))}
    </ol>
  );
}

/** Entries on each side. */
const CONTEXT_SIZE = 50;

const LOOKBACK_MS = 86_400_000;
const LOOKAHEAD_STEPS_MS = [1_000, 10_000, 100_000, 1_000_000, 10_000_000] as const;

/** Entries of the same service just before and after an entry, newest first, including the entry itself. */
function useLogContext({ id, serviceName, timestamp }: Pick<LogEntry, 'id' | 'serviceName' | 'timestamp'>) {
  const { gridSecondaryId } = useGrid();
  const { view, key } = useTimeView();
  return useQuery({
    queryKey: ['log-context', gridSecondaryId, id, key],
    queryFn: async ({ signal }) => {
      const at = Date.parse(timestamp);
      const latest = view.kind === 'past' ? resolveTimeRange(view, Date.now()).to : Date.now();
      const search = (range: LogSearchRange, page: number, size = CONTEXT_SIZE) =>
        searchLogs(gridSecondaryId, { ...NO_LOG_FILTERS, service: serviceName }, range, page, size, signal);
      const before = await search(
        { rangeStart: toIsoTime(at - LOOKBACK_MS), rangeEnd: toIsoTime(at + 1) },
        1,
        CONTEXT_SIZE + 1,
      );
      const after = at + 1 < latest ? await findEntriesAfter(search, at + 1, latest) : [];
      return [...after, ...before.items];
    },
    staleTime: Infinity,
  });
}

type SearchPage = (range: LogSearchRange, page: number) => ReturnType<typeof searchLogs>;

/**
 * Searches return the newest entries first. So the range after `from` grows until it contains enough entries, whose last pages are the
 * nearest ones.
 */
async function findEntriesAfter(search: SearchPage, from: number, latest: number): Promise<readonly LogEntry[]> {
  for (const ahead of LOOKAHEAD_STEPS_MS) {
    const to = Math.min(from + ahead, latest);
    const range = { rangeStart: toIsoTime(from), rangeEnd: toIsoTime(to) };
    const first = await search(range, 1);
    if (first.totalCount <= CONTEXT_SIZE && to < latest && ahead !== LOOKAHEAD_STEPS_MS.at(-1)) continue;
    const last = Math.ceil(first.totalCount / CONTEXT_SIZE);
    if (last <= 1) return first.items;
    const [penultimate, end] = await Promise.all([search(range, last - 1), search(range, last)]);
    return [...penultimate.items, ...end.items].slice(-CONTEXT_SIZE);
  }
  return [];
}

/** A text with the search words highlighted, never interpreted as markup. */
export function HighlightedText({ text, words }: { readonly text: string; readonly words: string }) {
  return (
    <>
      {highlightWords(text, words).map((piece, index) =>
        piece.isHit ? (
          <mark key={index} className={styles.mark}>
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}
