import { formatExactCount } from '../../format/number-format';
import { uniqueBy } from '../../components/row-order';
import { usePointerOver, useScrolledFromTop } from '../../ui/stable-content-hooks';
import { useTimeView } from '../../time/use-time-view';
import { EmptyState, ErrorState } from '../../ui/page-states';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { toLogFilterChips, NO_LOG_FILTERS } from './log-filters';
import { LogList } from './log-list';
import type { LogsView } from './use-logs-view';
import { useLogSearch } from './log-queries';
import styles from './logs.module.css';

/** What the search found, loaded as one scrolls. */
export function LogSearchResults({ view }: { readonly view: LogsView }) {
  const { isLive } = useTimeView();
  const [isReading, hearScroll] = useScrolledFromTop();
  const { isPointedAt, handlers } = usePointerOver();
  // What one reads, or is about to click, does not move away.
  const isStill = isReading || view.entry !== '';
  const search = useLogSearch(view.filters, isStill || isPointedAt);
  if (search.data === undefined)
    return search.error === null ? (
      <div aria-busy="true" aria-label="Loading">
        <Skeleton lines={12} />
      </div>
    ) : (
      <ErrorState error={search.error} retry={() => void search.refetch()} />
    );
  const pages = search.data.pages;
  const entries = uniqueBy(
    pages.flatMap(({ items }) => items),
    ({ id }) => id,
  );
  const total = pages[0]?.totalCount ?? 0;
  if (entries.length === 0) return <NoLogsFound view={view} />;
  const more = (): void => {
    if (search.hasNextPage && !search.isFetching) void search.fetchNextPage();
  };
  return (
    <div className="stack" data-stale={search.isPlaceholderData || undefined}>
      <p className={styles.told}>
        <span role="status">
          {formatExactCount(total)} {total === 1 ? 'entry' : 'entries'}
          {entries.length < total && `, ${formatExactCount(entries.length)} of them in the list`}
        </span>
        {isLive && (isStill || pages.length > 1) && (
          <button type="button" className={controls.button} onClick={() => void search.refetch()}>
            Look for newer ones
          </button>
        )}
        <span className={styles.keys}>
          <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> unfolds
        </span>
      </p>
      {search.error !== null && <ErrorState error={search.error} retry={() => void search.refetch()} />}
      <div onScrollCapture={hearScroll} {...handlers}>
        <LogList entries={entries} view={view} onEnd={more} />
      </div>
    </div>
  );
}

function NoLogsFound({ view: { filters, change } }: { readonly view: LogsView }) {
  const chips = toLogFilterChips(filters);
  return (
    <>
      <EmptyState title="No entries found">
        {chips.length === 0
          ? 'No service has sent logs in this time. Look at a longer time.'
          : 'Take a filter away, or look at a longer time.'}
      </EmptyState>
      <div className={styles.ways}>
        {chips.length > 1 &&
          chips.map(({ text, without }) => (
            <button key={text} type="button" className={controls.button} onClick={() => change(without)}>
              Without “{text}”
            </button>
          ))}
        {chips.length > 0 && (
          <button type="button" className={controls.button} onClick={() => change(NO_LOG_FILTERS)}>
            Clear all filters
          </button>
        )}
      </div>
    </>
  );
}
