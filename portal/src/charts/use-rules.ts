import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';
import { useGrid, useMay } from '../session/use-session';

export const rulesKey = (gridSecondaryId: string): readonly string[] => ['alert-rules', gridSecondaryId];

/** The alert rules of the Grid. The service tells them to Members alone. */
export function useRules() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: rulesKey(gridSecondaryId),
    enabled: useMay('Member'),
    staleTime: 30_000,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/admin/grids/{gridSecondaryId}/alert-rules', { params: { path: { gridSecondaryId } }, signal }),
      ),
  });
}
