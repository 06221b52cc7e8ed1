import { DamagedBadge } from '../../components/damage-notice';
import { uniqueBy } from '../../components/row-order';
import { formatExactCount } from '../../format/number-format';
import { useTimeView } from '../../time/use-time-view';
import { EmptyState, ErrorState } from '../../ui/page-states';
import { Skeleton } from '../../ui/skeleton';
import { usePointerOver, useScrolledFromTop } from '../../ui/stable-content-hooks';
import { toLogFilterChips, NO_LOG_FILTERS } from './log-filters';
import { LogList } from './log-list';
import { useLogSearch } from './log-queries';
import type { LogsView } from './use-logs-view';
import controls from '../../ui/controls.module.css';
import styles from './logs.module.css';

/** Search results, loaded while scrolling. */
export function LogSearchResults({ view }: { readonly view: LogsView }) {
  const { isLive } = useTimeView();
  const [isScrolled, handleScroll] = useScrolledFromTop();
  const { isPointedAt, handlers } = usePointerOver();
  // Does not refresh while the user reads further down or is about to click.
  const isFrozen = isScrolled || view.entry !== '';
  const search = useLogSearch(view.filters, isFrozen || isPointedAt);
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
  const damaged = pages[0]?.damagedRecords ?? 0;
  if (entries.length === 0 && damaged === 0) return <NoLogsFound view={view} />;
  const handleEndReached = (): void => {
    if (search.hasNextPage && !search.isFetching) void search.fetchNextPage();
  };
  return (
    <div className="stack" data-stale={search.isPlaceholderData || undefined}>
      <p className={styles.summary}>
        <span role="status">
          {formatExactCount(total)} {total === 1 ? 'entry' : 'entries'}
          {entries.length < total && `, ${formatExactCount(entries.length)} loaded`}
        </span>
        {damaged > 0 && (
          <span>
            <DamagedBadge /> {formatExactCount(damaged)} more {damaged === 1 ? 'entry' : 'entries'} could not be
            searched
          </span>
        )}
        {isLive && (isFrozen || pages.length > 1) && (
          <button type="button" className={controls.button} onClick={() => void search.refetch()}>
            Load newer entries
          </button>
        )}
        <span className={styles.keys}>
          <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> expand
        </span>
      </p>
      {search.error !== null && <ErrorState error={search.error} retry={() => void search.refetch()} />}
      <div onScrollCapture={handleScroll} {...handlers}>
        <LogList entries={entries} view={view} onEnd={handleEndReached} />
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
          ? 'No logs in this time range. Choose a longer one.'
          : 'Remove a filter or choose a longer time range.'}
      </EmptyState>
      <div className={styles.ways}>
        {chips.length > 1 &&
          chips.map(({ text, without }) => (
            <button key={text} type="button" className={controls.button} onClick={() => change(without)}>
              Remove “{text}”
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
