import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { api, unwrapResponse } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { usePageLinks } from '../../app/page-links';
import { useGrid } from '../../session/use-session';
import { resolveTimeRange, toIsoTime } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';
import { Page } from '../../ui/page';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { BaselinePicker } from './baseline-picker';
import {
  EndpointComparisonCard,
  GridComparisonCards,
  RegressionsCard,
  ServiceComparisonCard,
} from './comparison-cards';
import {
  BASELINE_OPTIONS,
  type ComparisonWindows,
  resolveComparisonWindows,
  type TimeRange,
} from './comparison-windows';
import controls from '../../ui/controls.module.css';
import styles from './compare.module.css';

/** Compares two time ranges: what got worse, what got better. */
export default function ComparePage() {
  const { windows, selected, select, selectBaseline } = useComparisonWindows();
  const links = usePageLinks();
  return (
    <Page
      title="Compare"
      lead="The selected time range compared with a baseline"
      actions={
        <Link className={controls.button} to={links.page('changes')}>
          Changes
        </Link>
      }
    >
      <div className="stack">
        <BaselinePicker windows={windows} selected={selected} onSelect={select} onBaseline={selectBaseline} />
        <ComparisonResults windows={windows} />
      </div>
    </Page>
  );
}

function ComparisonResults({ windows }: { readonly windows: ComparisonWindows }) {
  const comparison = useComparison(windows);
  const [current, baseline] = [
    { kind: 'range', ...windows.current },
    { kind: 'range', ...windows.baseline },
  ] as const;
  const [health, healthBefore, slowest, slowestBefore] = [
    useDiagnostic('health', current),
    useDiagnostic('health', baseline),
    useDiagnostic('slowest-endpoints', current),
    useDiagnostic('slowest-endpoints', baseline),
  ];
  const seconds = {
    current: (windows.current.to - windows.current.from) / 1_000,
    baseline: (windows.baseline.to - windows.baseline.from) / 1_000,
  };
  return (
    <QueriesBoundary
      queries={[comparison, health, healthBefore, slowest, slowestBefore]}
      skeleton={<ComparisonSkeleton />}
    >
      <div className="stack">
        <QueryBoundary query={comparison}>
          {(data) => (
            <div className="stack">
              <RegressionsCard regressions={data.regressions} />
              <GridComparisonCards comparison={data} />
            </div>
          )}
        </QueryBoundary>
        <ServiceComparisonCard now={health} before={healthBefore} seconds={seconds} />
        <EndpointComparisonCard now={slowest} before={slowestBefore} seconds={seconds} />
      </div>
    </QueriesBoundary>
  );
}

function ComparisonSkeleton() {
  return (
    <div className="stack">
      <Skeleton height="8rem" />
      <div className={styles.figures}>
        {[0, 1, 2, 3, 4].map((card) => (
          <Skeleton key={card} height="8rem" />
        ))}
      </div>
      <Skeleton height="12rem" />
    </div>
  );
}

/** Key figures of the whole Grid in both windows, and regressions. */
export function useComparison({ current, baseline }: ComparisonWindows) {
  const { gridSecondaryId } = useGrid();
  const query = {
    currentStart: toIsoTime(current.from),
    currentEnd: toIsoTime(current.to),
    baselineStart: toIsoTime(baseline.from),
    baselineEnd: toIsoTime(baseline.to),
  };
  return useQuery({
    queryKey: ['compare', gridSecondaryId, query],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/diagnostics/{gridSecondaryId}/compare', { params: { path: { gridSecondaryId }, query }, signal }),
      ),
    placeholderData: keepPreviousData,
  });
}

/** The two windows, from the URL; in live views they move with each minute. */
export function useComparisonWindows() {
  const [parameters, setParameters] = useSearchParams();
  const { view, isLive } = useTimeView();
  const minute = useCurrentMinute(isLive);
  const parseTime = (name: string): number | undefined => {
    const ms = Date.parse(parameters.get(name) ?? '');
    return Number.isNaN(ms) ? undefined : ms;
  };
  const [around, baseFrom, baseTo] = [parseTime('around'), parseTime('baseFrom'), parseTime('baseTo')];
  const requested = parameters.get('against') ?? '';
  const against = BASELINE_OPTIONS.some(({ id }) => id === requested) ? requested : 'before';
  const windows = useMemo(() => {
    const baseline =
      baseFrom !== undefined && baseTo !== undefined && baseFrom < baseTo ? { from: baseFrom, to: baseTo } : undefined;
    return resolveComparisonWindows({ against, around, baseline }, resolveTimeRange(view, minute));
  }, [against, around, baseFrom, baseTo, view, minute]);
  const set = (changes: Readonly<Record<string, string>>): void =>
    setParameters((current) => {
      const next = new URLSearchParams(current);
      for (const name of ['against', 'around', 'baseFrom', 'baseTo']) next.delete(name);
      for (const [name, value] of Object.entries(changes)) next.set(name, value);
      return next;
    });
  const selected = around !== undefined ? 'around' : baseFrom !== undefined && baseTo !== undefined ? 'own' : against;
  return {
    windows,
    selected,
    around,
    select: (id: string) => set({ against: id }),
    selectBaseline: ({ from, to }: TimeRange) => set({ baseFrom: toIsoTime(from), baseTo: toIsoTime(to) }),
  };
}

const MINUTE_MS = 60_000;
const currentMinute = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

/** Start of the current minute in ms since 1970; updated only if `isLive`. */
export function useCurrentMinute(isLive: boolean): number {
  const [minute, setMinute] = useState(currentMinute);
  useEffect(() => {
    if (!isLive) return undefined;
    const timer = setInterval(() => setMinute(currentMinute()), 5_000);
    return () => clearInterval(timer);
  }, [isLive]);
  return minute;
}
