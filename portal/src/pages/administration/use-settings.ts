import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { forgetSession } from '../../session/token';
import { useGrid } from '../../session/use-session';

const settingsKey = (gridSecondaryId: string): readonly string[] => ['grid-settings', gridSecondaryId];

export function useSettings() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: settingsKey(gridSecondaryId),
    queryFn: ({ signal }) => answerOf(api.GET('/admin/grids/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, signal })),
  });
}

export function useChangeSettings() {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['GridChangesModel']) => answerOf(api.PATCH('/admin/grids/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, body })),
    onSuccess: async (grid) => {
      queries.setQueryData(settingsKey(gridSecondaryId), grid);
      // The name of the Grid is told by the session.
      forgetSession();
      await queries.invalidateQueries({ queryKey: ['session'] });
    },
  });
}
