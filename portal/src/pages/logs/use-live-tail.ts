import { useQuery } from '@tanstack/react-query';
import { useGrid } from '../../session/use-session';
import { useView } from '../../time/use-view';
import { isoOf, stretchOf } from '../../time/view';
import type { LogFilters } from './filters';
import { merged } from './tail';
import { PAGE_SIZE, searchLogs, type LogEntry } from './use-log-search';

const EVERY_MS = 2_000;
/** Entries come a little after the time that they carry. */
const LATE_MS = 10_000;
const MOST = 5_000;
const MOST_PAGES = 5;

interface Tail {
  readonly entries: readonly LogEntry[];
  /** When was last asked, in ms since 1970. */
  readonly until: number;
  /** More came at once than are fetched. */
  readonly isTooMuch: boolean;
}

/** The newest entries, asked for every two seconds. */
export function useLiveTail(filters: LogFilters) {
  const { gridSecondaryId } = useGrid();
  const { view, key } = useView();
  return useQuery({
    queryKey: ['log-tail', gridSecondaryId, key, filters],
    queryFn: async ({ signal, client, queryKey }): Promise<Tail> => {
      const before = client.getQueryData<Tail>(queryKey);
      const { from, to } = stretchOf(view, Date.now());
      const range = { rangeStart: isoOf(before === undefined ? from : before.until - LATE_MS), rangeEnd: isoOf(to) };
      const came: LogEntry[] = [];
      const known = new Set(before?.entries.map(({ id }) => id));
      let total = 0;
      for (let page = 1; page <= (before === undefined ? 1 : MOST_PAGES); page += 1) {
        const answer = await searchLogs(gridSecondaryId, filters, range, page, PAGE_SIZE, signal);
        came.push(...answer.items);
        total = answer.totalCount;
        if (came.length >= total) break;
      }
      const reachesKnown = came.length >= total || came.some(({ id }) => known.has(id));
      return {
        entries: merged(before?.entries ?? [], came, MOST),
        until: to,
        isTooMuch: before !== undefined && !reachesKnown,
      };
    },
    refetchInterval: EVERY_MS,
    // Whoever comes back begins anew.
    gcTime: 0,
  });
}
