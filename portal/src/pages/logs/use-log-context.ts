import { useQuery } from '@tanstack/react-query';
import { useGrid } from '../../session/use-session';
import { useView } from '../../time/use-view';
import { isoOf, stretchOf } from '../../time/view';
import { NO_FILTERS } from './filters';
import { searchLogs, type LogEntry, type Range } from './use-log-search';

/** Entries before and after, each. */
export const AROUND = 50;
const BACK_MS = 86_400_000;
const AHEAD_MS = [1_000, 10_000, 100_000, 1_000_000, 10_000_000] as const;

/** What the same service said just before and just after, newest first, the entry itself among it. */
export function useLogContext({ id, serviceName, timestamp }: Pick<LogEntry, 'id' | 'serviceName' | 'timestamp'>) {
  const { gridSecondaryId } = useGrid();
  const { view, key } = useView();
  return useQuery({
    queryKey: ['log-context', gridSecondaryId, id, key],
    queryFn: async ({ signal }) => {
      const at = Date.parse(timestamp);
      const latest = view.kind === 'past' ? stretchOf(view, Date.now()).to : Date.now();
      const ask = (range: Range, page: number, size = AROUND) =>
        searchLogs(gridSecondaryId, { ...NO_FILTERS, service: serviceName }, range, page, size, signal);
      const before = await ask({ rangeStart: isoOf(at - BACK_MS), rangeEnd: isoOf(at + 1) }, 1, AROUND + 1);
      const after = at + 1 < latest ? await justAfter(ask, at + 1, latest) : [];
      return [...after, ...before.items];
    },
    staleTime: Infinity,
  });
}

type Ask = (range: Range, page: number) => ReturnType<typeof searchLogs>;

/** The search gives the newest first: the stretch ahead grows until it holds enough, then its last pages are the nearest entries. */
async function justAfter(ask: Ask, from: number, latest: number): Promise<readonly LogEntry[]> {
  for (const ahead of AHEAD_MS) {
    const to = Math.min(from + ahead, latest);
    const range = { rangeStart: isoOf(from), rangeEnd: isoOf(to) };
    const first = await ask(range, 1);
    if (first.totalCount <= AROUND && to < latest && ahead !== AHEAD_MS.at(-1)) continue;
    const last = Math.ceil(first.totalCount / AROUND);
    if (last <= 1) return first.items;
    const [penultimate, end] = await Promise.all([ask(range, last - 1), ask(range, last)]);
    return [...penultimate.items, ...end.items].slice(-AROUND);
  }
  return [];
}
