import { formatCount, formatExactCount } from '../../format/number-format';
import { uniqueBy } from '../../components/row-order';
import { usePointerOver, useScrolledFromTop } from '../../ui/stable-content-hooks';
import { useUrlParameters } from '../../time/use-url-parameters';
import { useTimeView } from '../../time/use-time-view';
import { FilterChips } from '../../ui/filter-chips';
import { EmptyState, ErrorState } from '../../ui/page-states';
import { Page } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { DurationHistogram, TraceRateCharts } from './trace-charts';
import {
  NO_TRACE_FILTERS,
  parseTraceFilters,
  toTraceFilterChips,
  toTraceParameters,
  type TraceFilters,
} from './trace-filters';
import { TraceFilterForm } from './trace-filter-form';
import { TraceList } from './trace-list';
import { useTraceCounts, useTraceSearch } from './trace-search-queries';
import styles from './traces-page.module.css';
import { TIME_WINDOWS } from '../../time/time-view';
import { useCallback, useMemo } from 'react';

/** Traces by what one knows of them. */
export default function TracesPage() {
  const [filters, change] = useTraceFilters();
  const chips = toTraceFilterChips(filters).map(({ text, without }) => ({ text, remove: () => change(without) }));
  return (
    <Page title="Traces" lead="What requests did, service by service. Drag over a chart to narrow the time.">
      <div className="stack">
        <TraceFilterForm filters={filters} onChange={change} />
        <FilterChips label="Filters in use" chips={chips} onClear={() => change(NO_TRACE_FILTERS)} />
        <TraceRateCharts service={filters.service} />
        <TraceSearchResults />
      </div>
    </Page>
  );
}

function TraceSearchResults() {
  const [filters, change] = useTraceFilters();
  const { isLive } = useTimeView();
  const [isReading, hearScroll] = useScrolledFromTop();
  const { isPointedAt, handlers } = usePointerOver();
  const [parameters] = useUrlParameters();
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
  if (items.length === 0) return <NoTracesFound filters={filters} onChange={change} />;
  const more = (): void => {
    if (search.hasNextPage && !search.isFetching) void search.fetchNextPage();
  };
  return (
    <div className="stack" data-stale={search.isPlaceholderData || undefined}>
      <DurationHistogram durations={items.map(({ duration }) => duration)} onChoose={change} />
      <p className={styles.told}>
        <span role="status">
          {formatExactCount(total)} {total === 1 ? 'trace' : 'traces'}
          {items.length < total && `, ${formatExactCount(items.length)} of them in the list`}
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

interface NoTracesFoundProps {
  readonly filters: TraceFilters;
  readonly onChange: (filters: Partial<TraceFilters>) => void;
}

/** Where nothing is found: which filter excludes how many, and how to look wider. */
export function NoTracesFound({ filters, onChange }: NoTracesFoundProps) {
  const chips = toTraceFilterChips(filters);
  const counts = useTraceCounts(chips.map(({ without }) => without));
  const freed = chips
    .map((chip, index) => ({ ...chip, count: counts[index]?.data ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const isKnown = counts.every(({ isPending }) => !isPending);
  return (
    <div>
      <EmptyState title="No traces found">
        {chips.length === 0
          ? 'No service has sent spans that began in this time.'
          : freed.length > 0
            ? 'Without one of these filters there would be some:'
            : isKnown
              ? 'No single filter is the reason. Clear them, or look at a longer time.'
              : 'Looking for the filter that excludes most …'}
      </EmptyState>
      <div className={styles.ways}>
        {freed.map(({ text, without, count }) => (
          <button key={text} type="button" className={controls.button} onClick={() => onChange(without)}>
            Without “{text}”: {formatCount(count)}
          </button>
        ))}
        <WidenTimeButton />
      </div>
    </div>
  );
}

/** The next longer window. */
function WidenTimeButton() {
  const { view, change } = useTimeView();
  const wider = view.kind === 'range' ? undefined : TIME_WINDOWS.find(({ ms }) => ms > view.windowMs);
  if (view.kind === 'range') {
    const by = view.to - view.from;
    return (
      <button type="button" className={controls.button} onClick={() => change({ ...view, from: view.from - by })}>
        Begin earlier, twice as long
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

/** The filters in the address, and the way to change some of them. */
export function useTraceFilters(): readonly [TraceFilters, (filters: Partial<TraceFilters>) => void] {
  const [parameters, change] = useUrlParameters();
  const said = new URLSearchParams(
    FILTER_PARAMETERS.flatMap((name) => parameters.getAll(name).map((value): [string, string] => [name, value])),
  ).toString();
  const filters = useMemo(() => parseTraceFilters(new URLSearchParams(said)), [said]);
  const set = useCallback(
    (some: Partial<TraceFilters>) => change({ ...toTraceParameters({ ...filters, ...some }), row: undefined }),
    [change, filters],
  );
  return [filters, set];
}
