import { exactText } from '../../format/quantities';
import { uniqueBy } from '../../format/unique';
import { usePointedAt } from '../../ui/use-pointed-at';
import { useReading } from '../../ui/use-reading';
import { useParameters } from '../../time/use-parameters';
import { useView } from '../../time/use-view';
import { Chips } from '../../ui/chips';
import { ErrorState } from '../../ui/error-state';
import { Page } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { DurationSpread } from './duration-spread';
import { chipsOf, NO_FILTERS } from './filters';
import { NoTraces } from './no-traces';
import { TraceFilterForm } from './trace-filters';
import { TraceHistogram } from './trace-histogram';
import { TraceList } from './trace-list';
import { useTraceFilters } from './use-trace-filters';
import { useTraceSearch } from './use-trace-search';
import styles from './traces.module.css';

/** Traces by what one knows of them. */
export default function TracesPage() {
  const [filters, change] = useTraceFilters();
  const chips = chipsOf(filters).map(({ text, without }) => ({ text, remove: () => change(without) }));
  return (
    <Page title="Traces" lead="What requests did, service by service. Drag over a chart to narrow the time.">
      <div className="stack">
        <TraceFilterForm filters={filters} onChange={change} />
        <Chips label="Filters in use" chips={chips} onClear={() => change(NO_FILTERS)} />
        <TraceHistogram service={filters.service} />
        <Found />
      </div>
    </Page>
  );
}

function Found() {
  const [filters, change] = useTraceFilters();
  const { isLive } = useView();
  const [isReading, hearScroll] = useReading();
  const { isPointedAt, handlers } = usePointedAt();
  const [parameters] = useParameters();
  // What one reads, or is about to click, does not move away.
  const isStill = isReading || parameters.has('row');
  const search = useTraceSearch(filters, isStill || isPointedAt);
  if (search.data === undefined)
    return search.error === null ? (
      <div aria-busy="true" aria-label="Loading">
        <Skeleton lines={12} />
      </div>
    ) : (
      <ErrorState error={search.error} retry={() => void search.refetch()} />
    );
  const pages = search.data.pages;
  const items = uniqueBy(
    pages.flatMap((page) => page.items),
    ({ traceId }) => traceId,
  );
  const total = pages[0]?.totalCount ?? 0;
  if (items.length === 0) return <NoTraces filters={filters} onChange={change} />;
  const more = (): void => {
    if (search.hasNextPage && !search.isFetching) void search.fetchNextPage();
  };
  return (
    <div className="stack" data-stale={search.isPlaceholderData || undefined}>
      <DurationSpread durations={items.map(({ duration }) => duration)} onChoose={change} />
      <p className={styles.told}>
        <span role="status">
          {exactText(total)} {total === 1 ? 'trace' : 'traces'}
          {items.length < total && `, ${exactText(items.length)} of them in the list`}
        </span>
        {isLive && (isStill || pages.length > 1) && (
          <button type="button" className={controls.button} onClick={() => void search.refetch()}>
            Look for newer ones
          </button>
        )}
        <span className={styles.keys}>
          <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens
        </span>
      </p>
      {search.error !== null && <ErrorState error={search.error} retry={() => void search.refetch()} />}
      <div onScrollCapture={hearScroll} {...handlers}>
        <TraceList items={items} onEnd={more} />
      </div>
    </div>
  );
}
