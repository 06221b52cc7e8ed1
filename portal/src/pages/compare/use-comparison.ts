import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { useGrid } from '../../session/use-session';
import { isoOf } from '../../time/view';
import type { Windows } from './windows';

/** Figures of the whole Grid in both windows, and what got worse. */
export function useComparison({ current, baseline }: Windows) {
  const { gridSecondaryId } = useGrid();
  const query = {
    currentStart: isoOf(current.from),
    currentEnd: isoOf(current.to),
    baselineStart: isoOf(baseline.from),
    baselineEnd: isoOf(baseline.to),
  };
  return useQuery({
    queryKey: ['compare', gridSecondaryId, query],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/apm/diagnostics/{gridSecondaryId}/compare', { params: { path: { gridSecondaryId }, query }, signal }),
      ),
    placeholderData: keepPreviousData,
  });
}
