import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, taggedAnswerOf, type Schemas, type Tagged } from '../../api/client';
import { unlessChanged } from '../../definitions/changed-meanwhile';
import { readGrid } from '../../definitions/read-definition';
import { useDefinition } from '../../definitions/use-definition';
import { forgetSession } from '../../session/token';
import { useGrid } from '../../session/use-session';

/** Changes of a Grid that is as its tag says. */
interface Changing {
  readonly body: Schemas['GridChangesModel'];
  readonly etag: string;
}

/** The settings as they are when one begins to change them; `take` goes on with those that hold by then. */
export function useSettings() {
  return useDefinition('settings', useGrid().gridSecondaryId, readGrid);
}

/** @param take hears of what holds after a change, and of the tag that it was bound to */
export function useChangeSettings(take: (grid: Tagged<Schemas['Grid']>, changed: string) => void) {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ body, etag }: Changing) =>
      unlessChanged(
        'Grid',
        () =>
          taggedAnswerOf(
            api.PATCH('/admin/grids/{gridSecondaryId}', {
              params: { path: { gridSecondaryId }, header: { 'If-Match': etag } },
              body,
            }),
          ),
        () => readGrid(gridSecondaryId),
      ),
    onSuccess: async (grid, { etag }) => {
      take(grid, etag);
      // The name of the Grid is told by the session.
      forgetSession();
      await queries.invalidateQueries({ queryKey: ['session'] });
    },
  });
}
