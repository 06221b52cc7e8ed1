import { useState } from 'react';
import { formatCount } from '../../format/number-format';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { LogList } from './log-list';
import { countUnseenEntries, mergeTailEntries } from './tail-entries';
import type { LogsView } from './use-logs-view';
import { LOG_PAGE_SIZE, type LogEntry, searchLogs } from './log-queries';
import styles from './logs.module.css';
import { useQuery } from '@tanstack/react-query';
import { useGrid } from '../../session/use-session';
import { useTimeView } from '../../time/use-time-view';
import { resolveTimeRange, toIsoTime } from '../../time/time-view';
import type { LogFilters } from './log-filters';

/** New entries as they come. Whoever scrolls away from the newest, or unfolds one, reads in peace: the list stands still until told otherwise. */
export function LiveTail({ view }: { readonly view: LogsView }) {
  const tail = useLiveTail(view.filters);
  return (
    <QueryBoundary query={tail} skeleton={<Skeleton lines={12} />}>
      {({ entries, isTooMuch }) =>
        entries.length === 0 ? (
          <EmptyState title="Nothing has come yet">The list waits for entries that match the filters.</EmptyState>
        ) : (
          <TailList entries={entries} isTooMuch={isTooMuch} view={view} />
        )
      }
    </QueryBoundary>
  );
}

interface TailListProps {
  readonly entries: readonly LogEntry[];
  readonly isTooMuch: boolean;
  readonly view: LogsView;
}

function TailList({ entries, isTooMuch, view }: TailListProps) {
  const [still, setStill] = useState<readonly LogEntry[]>();
  // Another round begins at the top.
  const [round, setRound] = useState(0);
  const hearScroll = (event: React.UIEvent<HTMLDivElement>): void => {
    const isAtTop = (event.target as HTMLElement).scrollTop < 4;
    if (!isAtTop && still === undefined) setStill(entries);
    else if (isAtTop && view.entry === '') setStill(undefined);
  };
  const waiting = still === undefined ? 0 : countUnseenEntries(entries, still);
  const follow = (): void => {
    view.unfold('');
    setStill(undefined);
    setRound(round + 1);
  };
  const calm: LogsView = {
    ...view,
    unfold: (id) => {
      if (id !== '' && still === undefined) setStill(entries);
      view.unfold(id);
    },
  };
  return (
    <div className="stack">
      <p className={styles.told}>
        <span role="status">{still === undefined ? 'Following.' : 'Standing still.'}</span>
        <span>
          {still === undefined ? `${formatCount(entries.length)} entries.` : `${formatCount(waiting)} came meanwhile.`}
        </span>
        {still !== undefined && (
          <button type="button" className={controls.button} onClick={follow}>
            Follow again
          </button>
        )}
        {isTooMuch && (
          <span className={styles.warning}>
            More came at once than can be followed; some are left out. Narrow the filters to see all.
          </span>
        )}
      </p>
      <div onScrollCapture={hearScroll}>
        <LogList key={round} entries={still ?? entries} view={calm} />
      </div>
    </div>
  );
}

const REFETCH_INTERVAL_MS = 2_000;

/** Entries come a little after the time that they carry. */
const ALLOWED_LATENESS_MS = 10_000;

const MAX_ENTRIES = 5_000;
const MAX_PAGES = 5;

interface TailState {
  readonly entries: readonly LogEntry[];
  /** When was last asked, in ms since 1970. */
  readonly until: number;
  /** More came at once than are fetched. */
  readonly isTooMuch: boolean;
}

/** The newest entries, asked for every two seconds. */
function useLiveTail(filters: LogFilters) {
  const { gridSecondaryId } = useGrid();
  const { view, key } = useTimeView();
  return useQuery({
    queryKey: ['log-tail', gridSecondaryId, key, filters],
    queryFn: async ({ signal, client, queryKey }): Promise<TailState> => {
      const before = client.getQueryData<TailState>(queryKey);
      const { from, to } = resolveTimeRange(view, Date.now());
      const range = {
        rangeStart: toIsoTime(before === undefined ? from : before.until - ALLOWED_LATENESS_MS),
        rangeEnd: toIsoTime(to),
      };
      const came: LogEntry[] = [];
      const known = new Set(before?.entries.map(({ id }) => id));
      let total = 0;
      for (let page = 1; page <= (before === undefined ? 1 : MAX_PAGES); page += 1) {
        const answer = await searchLogs(gridSecondaryId, filters, range, page, LOG_PAGE_SIZE, signal);
        came.push(...answer.items);
        total = answer.totalCount;
        if (came.length >= total) break;
      }
      const reachesKnown = came.length >= total || came.some(({ id }) => known.has(id));
      return {
        entries: mergeTailEntries(before?.entries ?? [], came, MAX_ENTRIES),
        until: to,
        isTooMuch: before !== undefined && !reachesKnown,
      };
    },
    refetchInterval: REFETCH_INTERVAL_MS,
    // Whoever comes back begins anew.
    gcTime: 0,
  });
}
