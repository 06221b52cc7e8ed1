import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { useGrid } from '../../session/use-session';

const PAGE_SIZE = 50;

export function useAudit(page: number) {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: ['audit', gridSecondaryId, page],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/admin/grids/{gridSecondaryId}/audit', {
          params: { path: { gridSecondaryId }, query: { page, pageSize: PAGE_SIZE } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    // Coming back to it, one sees what was done meanwhile.
    staleTime: 0,
  });
}
