import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../api/client';
import { useGrid } from '../session/use-session';
import { useView } from '../time/use-view';
import { chartStretchOf, isoOf } from '../time/view';
import { chartOf } from './chart-choice';

const EVERY_MS = 20_000;

/** The charts that the Grid has, its services' own among them. */
export function useCharts() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: ['charts', gridSecondaryId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/apm/charts/{gridSecondaryId}/charts', { params: { path: { gridSecondaryId } }, signal })),
    staleTime: 60_000,
  });
}

/** Values of a derived metric over the view, or over so much (ms) as is at least to be seen. Nothing where there is no chart of it. */
export function useChartData(serviceName: string, metric: string, atLeastMs = 0) {
  const { gridSecondaryId } = useGrid();
  const { view, key, isLive } = useView();
  const charts = useCharts();
  const chartId = chartOf(charts.data?.charts ?? [], serviceName, metric)?.id;
  const { data, dataUpdatedAt, isLoading, error, refetch } = useQuery<Schemas['ChartRangeData']>({
    queryKey: ['chart-data', gridSecondaryId, chartId, key, atLeastMs],
    enabled: chartId !== undefined,
    queryFn: ({ signal }) => {
      const { from, to } = chartStretchOf(view, Date.now());
      const query = {
        rangeStart: isoOf(Math.min(from, to - atLeastMs)),
        rangeEnd: isoOf(to),
        stepSeconds: 'true',
      } as const;
      return answerOf(
        api.GET('/apm/charts/{gridSecondaryId}/charts/{chartId}/range-data', {
          params: { path: { gridSecondaryId, chartId: chartId! }, query },
          signal,
        }),
      );
    },
    refetchInterval: isLive ? EVERY_MS : false,
    placeholderData: keepPreviousData,
  });
  return {
    data,
    /** When `data` were had, in ms since 1970. */
    askedAt: dataUpdatedAt,
    /** They are on their way for the first time: they, or which chart has them. */
    isComing: charts.isPending || isLoading,
    /** Why there are none. */
    error: data === undefined ? (charts.error ?? error) : null,
    retry: () => void (charts.error === null ? refetch() : charts.refetch()),
  };
}
