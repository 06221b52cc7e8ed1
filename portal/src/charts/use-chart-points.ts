import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';
import { useGrid } from '../session/use-session';
import { useView } from '../time/use-view';
import { chartStretchOf, isoOf } from '../time/view';

const EVERY_MS = 15_000;

/** Values of a chart over the view, current while it is live. `isAsked`: not before it comes into sight. */
export function useChartPoints(chartId: string, isAsked = true) {
  const { gridSecondaryId } = useGrid();
  const { view, key, isLive } = useView();
  return useQuery({
    queryKey: ['chart-points', gridSecondaryId, chartId, key],
    enabled: isAsked,
    queryFn: ({ signal }) => {
      const { from, to } = chartStretchOf(view, Date.now());
      return answerOf(
        api.GET('/apm/charts/{gridSecondaryId}/charts/{chartId}/range-data', {
          params: {
            path: { gridSecondaryId, chartId },
            query: { rangeStart: isoOf(from), rangeEnd: isoOf(to), stepSeconds: 'true' },
          },
          signal,
        }),
      );
    },
    refetchInterval: isLive ? EVERY_MS : false,
    placeholderData: keepPreviousData,
  });
}
