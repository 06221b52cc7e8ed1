import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../../format/number-format';
import { useGrid } from '../../session/use-session';
import { resolveTimeRange, toIsoTime } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import type { LogFilters } from './log-filters';
import { LogList } from './log-list';
import { LOG_PAGE_SIZE, type LogEntry, searchLogs } from './log-queries';
import { countUnseenEntries, mergeTailEntries } from './tail-entries';
import type { LogsView } from './use-logs-view';
import controls from '../../ui/controls.module.css';
import styles from './logs.module.css';

/** Follows new entries. Scrolling away from the top or expanding an entry pauses the list. */
export function LiveTail({ view }: { readonly view: LogsView }) {
  const tail = useLiveTail(view.filters);
  return (
    <QueryBoundary query={tail} skeleton={<Skeleton lines={12} />}>
      {({ entries, isIncomplete }) =>
        entries.length === 0 ? (
          <EmptyState title="No entries yet">Waiting for entries that match the filters.</EmptyState>
        ) : (
          <TailList entries={entries} isIncomplete={isIncomplete} view={view} />
        )
      }
    </QueryBoundary>
  );
}

interface TailListProps {
  readonly entries: readonly LogEntry[];
  readonly isIncomplete: boolean;
  readonly view: LogsView;
}

function TailList({ entries, isIncomplete, view }: TailListProps) {
  const [pausedEntries, setPausedEntries] = useState<readonly LogEntry[]>();
  // Remounts the list when following is resumed, so that it starts at the top.
  const [round, setRound] = useState(0);
  const handleScroll = (event: React.UIEvent<HTMLDivElement>): void => {
    const isAtTop = (event.target as HTMLElement).scrollTop < 4;
    if (!isAtTop && pausedEntries === undefined) setPausedEntries(entries);
    else if (isAtTop && view.entry === '') setPausedEntries(undefined);
  };
  const unseenCount = pausedEntries === undefined ? 0 : countUnseenEntries(entries, pausedEntries);
  const handleFollow = (): void => {
    view.unfold('');
    setPausedEntries(undefined);
    setRound(round + 1);
  };
  const pausingView: LogsView = {
    ...view,
    unfold: (id) => {
      if (id !== '' && pausedEntries === undefined) setPausedEntries(entries);
      view.unfold(id);
    },
  };
  return (
    <div className="stack">
      <p className={styles.summary}>
        <span role="status">{pausedEntries === undefined ? 'Following' : 'Paused'}</span>
        <span>
          {pausedEntries === undefined ? `${formatCount(entries.length)} entries` : `${formatCount(unseenCount)} new`}
        </span>
        {pausedEntries !== undefined && (
          <button type="button" className={controls.button} onClick={handleFollow}>
            Resume
          </button>
        )}
        {isIncomplete && (
          <span className={styles.warning}>
            Too many entries at once; some are missing here. Narrow the filters to see all.
          </span>
        )}
      </p>
      <div onScrollCapture={handleScroll}>
        <LogList key={round} entries={pausedEntries ?? entries} view={pausingView} />
      </div>
    </div>
  );
}

const REFETCH_INTERVAL_MS = 2_000;

/** Entries may arrive this long (ms) after their timestamp. */
const ALLOWED_LATENESS_MS = 10_000;

const MAX_ENTRIES = 5_000;
const MAX_PAGES = 5;

interface TailState {
  readonly entries: readonly LogEntry[];
  /** End of the last request's range, in ms since 1970. */
  readonly until: number;
  /** More new entries than are fetched at once, so that some are missing. */
  readonly isIncomplete: boolean;
}

/** The newest entries, polled every two seconds. */
function useLiveTail(filters: LogFilters) {
  const { gridSecondaryId } = useGrid();
  const { view, key } = useTimeView();
  return useQuery({
    queryKey: ['log-tail', gridSecondaryId, key, filters],
    queryFn: async ({ signal, client, queryKey }): Promise<TailState> => {
      const previous = client.getQueryData<TailState>(queryKey);
      const { from, to } = resolveTimeRange(view, Date.now());
      const range = {
        rangeStart: toIsoTime(previous === undefined ? from : previous.until - ALLOWED_LATENESS_MS),
        rangeEnd: toIsoTime(to),
      };
      const received: LogEntry[] = [];
      const known = new Set(previous?.entries.map(({ id }) => id));
      let total = 0;
      for (let page = 1; page <= (previous === undefined ? 1 : MAX_PAGES); page += 1) {
        const response = await searchLogs(gridSecondaryId, filters, range, page, LOG_PAGE_SIZE, signal);
        received.push(...response.items);
        total = response.totalCount;
        if (received.length >= total) break;
      }
      const reachesKnown = received.length >= total || received.some(({ id }) => known.has(id));
      return {
        entries: mergeTailEntries(previous?.entries ?? [], received, MAX_ENTRIES),
        until: to,
        isIncomplete: previous !== undefined && !reachesKnown,
      };
    },
    refetchInterval: REFETCH_INTERVAL_MS,
    // Not cached: following starts over when the page is opened again.
    gcTime: 0,
  });
}
