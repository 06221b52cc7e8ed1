import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Tagged } from '../api/client';
import { useGrid } from '../session/use-session';

/**
 * What somebody begins to change, as it is then: what others save does not change it below the hands.
 * @param kind such as `charts`
 */
export function useDefinition<Data>(
  kind: string,
  id: string,
  read: (gridSecondaryId: string, id: string) => Promise<Tagged<Data>>,
) {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const queryKey = ['definition', kind, gridSecondaryId, id];
  // Kept no longer than its form: the next one begins with what holds then.
  const query = useQuery({ queryKey, staleTime: Infinity, gcTime: 0, queryFn: () => read(gridSecondaryId, id) });
  /**
   * Goes on with what somebody else has made of it. Forms begin anew where `dataUpdatedAt` is their key. Its tag would be none: what was changed and
   * changed back has the tag that the form began with.
   */
  const take = (theirs: Tagged<Data>): void =>
    void queries.setQueryData<Tagged<Data>>(queryKey, (before) => before && theirs);
  return { query, take };
}
