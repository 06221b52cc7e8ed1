import { useCallback, useMemo } from 'react';
import { uniqueBy } from '../../components/row-order';
import { formatCount, formatExactCount } from '../../format/number-format';
import { TIME_WINDOWS } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';
import { readUrlParameters, useUrlParameters } from '../../time/use-url-parameters';
import { FilterChips } from '../../ui/filter-chips';
import { Page } from '../../ui/page';
import { EmptyState, ErrorState } from '../../ui/page-states';
import { Skeleton } from '../../ui/skeleton';
import { usePointerOver, useScrolledFromTop } from '../../ui/stable-content-hooks';
import { DurationHistogram, TraceRateCharts } from './trace-charts';
import { TraceFilterForm } from './trace-filter-form';
import {
  NO_TRACE_FILTERS,
  parseTraceFilters,
  toTraceFilterChips,
  toTraceParameters,
  type TraceFilters,
} from './trace-filters';
import { TraceList } from './trace-list';
import { useTraceCounts, useTraceSearch } from './trace-search-queries';
import controls from '../../ui/controls.module.css';
import styles from './traces-page.module.css';

/** Trace search. */
export default function TracesPage() {
  const [filters, change] = useTraceFilters();
  const chips = toTraceFilterChips(filters).map(({ text, without }) => ({ text, remove: () => change(without) }));
  return (
    <Page title="Traces" lead="Requests across services. Drag over a chart to narrow the time range.">
      <div className="stack">
        <TraceFilterForm filters={filters} onChange={change} />
        <FilterChips label="Active filters" chips={chips} onClear={() => change(NO_TRACE_FILTERS)} />
        <TraceRateCharts service={filters.service} />
        <TraceSearchResults />
      </div>
    </Page>
  );
}

function TraceSearchResults() {
  const [filters, change] = useTraceFilters();
  const { isLive } = useTimeView();
  const [isScrolled, handleScroll] = useScrolledFromTop();
  const { isPointedAt, handlers } = usePointerOver();
  const [parameters] = useUrlParameters();
  // Does not refresh while the user reads further down or is about to click.
  const isFrozen = isScrolled || parameters.has('row');
  const search = useTraceSearch(filters, isFrozen || isPointedAt);
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
  if (items.length === 0) return <NoTracesFound filters={filters} onChange={change} />;
  const handleEndReached = (): void => {
    if (search.hasNextPage && !search.isFetching) void search.fetchNextPage();
  };
  return (
    <div className="stack" data-stale={search.isPlaceholderData || undefined}>
      <DurationHistogram durations={items.map(({ duration }) => duration)} onFilter={change} />
      <p className={styles.summary}>
        <span role="status">
          {formatExactCount(total)} {total === 1 ? 'trace' : 'traces'}
          {items.length < total && `, ${formatExactCount(items.length)} loaded`}
        </span>
        {isLive && (isFrozen || pages.length > 1) && (
          <button type="button" className={controls.button} onClick={() => void search.refetch()}>
            Load newer traces
          </button>
        )}
        <span className={styles.keys}>
          <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> open
        </span>
      </p>
      {search.error !== null && <ErrorState error={search.error} retry={() => void search.refetch()} />}
      <div onScrollCapture={handleScroll} {...handlers}>
        <TraceList items={items} onEnd={handleEndReached} />
      </div>
    </div>
  );
}

interface NoTracesFoundProps {
  readonly filters: TraceFilters;
  readonly onChange: (filters: Partial<TraceFilters>) => void;
}

/** Suggests filters to remove, with the number of traces each excludes, and a wider time range. */
export function NoTracesFound({ filters, onChange }: NoTracesFoundProps) {
  const chips = toTraceFilterChips(filters);
  const counts = useTraceCounts(chips.map(({ without }) => without));
  const suggestions = chips
    .map((chip, index) => ({ ...chip, count: counts[index]?.data ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const isKnown = counts.every(({ isPending }) => !isPending);
  return (
    <div>
      <EmptyState title="No traces found">
        {chips.length === 0
          ? 'No traces started in this time range.'
          : suggestions.length > 0
            ? 'Remove one of these filters to see traces:'
            : isKnown
              ? 'Removing a single filter is not enough. Clear all filters or choose a longer time range.'
              : 'Checking which filter excludes the most traces …'}
      </EmptyState>
      <div className={styles.ways}>
        {suggestions.map(({ text, without, count }) => (
          <button key={text} type="button" className={controls.button} onClick={() => onChange(without)}>
            Remove “{text}” ({formatCount(count)})
          </button>
        ))}
        <WidenTimeButton />
      </div>
    </div>
  );
}

/** Extends the time view to the next longer window, or to twice its range. */
function WidenTimeButton() {
  const { view, change } = useTimeView();
  const wider = view.kind === 'range' ? undefined : TIME_WINDOWS.find(({ ms }) => ms > view.windowMs);
  if (view.kind === 'range') {
    const by = view.to - view.from;
    return (
      <button type="button" className={controls.button} onClick={() => change({ ...view, from: view.from - by })}>
        Double the time range
      </button>
    );
  }
  return wider === undefined ? null : (
    <button type="button" className={controls.button} onClick={() => change({ ...view, windowMs: wider.ms })}>
      {wider.label}
    </button>
  );
}

const FILTER_PARAMETERS = ['service', 'operation', 'status', 'min', 'max', 'tag'] as const;

/** The filters in the URL, and a function that changes some of them. */
export function useTraceFilters(): readonly [TraceFilters, (filters: Partial<TraceFilters>) => void] {
  const [parameters, change] = useUrlParameters();
  const search = new URLSearchParams(
    FILTER_PARAMETERS.flatMap((name) => parameters.getAll(name).map((value): [string, string] => [name, value])),
  ).toString();
  const filters = useMemo(() => parseTraceFilters(new URLSearchParams(search)), [search]);
  const set = useCallback(
    (changes: Partial<TraceFilters>) =>
      change({ ...toTraceParameters({ ...parseTraceFilters(readUrlParameters()), ...changes }), row: undefined }),
    [change],
  );
  return [filters, set];
}
