import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { useGrid } from '../../session/use-session';

const keysKey = (gridSecondaryId: string): readonly string[] => ['api-keys', gridSecondaryId];

/** The API keys of the Grid as they are now, with what each last sent: administration knows no past. */
export function useKeys(refetchInterval = 10_000) {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: keysKey(gridSecondaryId),
    queryFn: ({ signal }) =>
      answerOf(api.GET('/admin/grids/{gridSecondaryId}/api-keys', { params: { path: { gridSecondaryId } }, signal })),
    refetchInterval,
  });
}

function useKeysAnew(): () => Promise<void> {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keysKey(gridSecondaryId) });
}

export function useIssueKey() {
  const { gridSecondaryId } = useGrid();
  return useMutation({
    mutationFn: (name: string) =>
      answerOf(
        api.POST('/admin/grids/{gridSecondaryId}/api-keys', { params: { path: { gridSecondaryId } }, body: { name } }),
      ),
    onSuccess: useKeysAnew(),
  });
}

export function useRegenerateKey(keyId: string) {
  const { gridSecondaryId } = useGrid();
  return useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/admin/grids/{gridSecondaryId}/api-keys/{keyId}/regenerate', {
          params: { path: { gridSecondaryId, keyId } },
        }),
      ),
    onSuccess: useKeysAnew(),
  });
}

export function useRevokeKey(keyId: string, onDone: () => void) {
  const { gridSecondaryId } = useGrid();
  const anew = useKeysAnew();
  return useMutation({
    mutationFn: async () => {
      await answerOf(
        api.DELETE('/admin/grids/{gridSecondaryId}/api-keys/{keyId}', { params: { path: { gridSecondaryId, keyId } } }),
      );
    },
    onSuccess: async () => {
      await anew();
      onDone();
    },
  });
}
