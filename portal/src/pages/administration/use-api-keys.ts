import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrapResponse, api, type Schemas } from '../../api/api-client';
import { useGrid } from '../../session/use-session';

/** What a key may do. */
export type ApiKeyKind = Schemas['ApiKey']['kind'];

const apiKeysQueryKey = (gridSecondaryId: string): readonly string[] => ['api-keys', gridSecondaryId];

/** The current API keys of the Grid with their last use, whatever the time view. */
export function useApiKeys(refetchInterval = 10_000) {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: apiKeysQueryKey(gridSecondaryId),
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/admin/grids/{gridSecondaryId}/api-keys', { params: { path: { gridSecondaryId } }, signal }),
      ),
    refetchInterval,
  });
}

function useInvalidateApiKeys(): () => Promise<void> {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: apiKeysQueryKey(gridSecondaryId) });
}

export function useIssueApiKey() {
  const { gridSecondaryId } = useGrid();
  return useMutation({
    mutationFn: (body: { readonly name: string; readonly kind: ApiKeyKind }) =>
      unwrapResponse(
        api.POST('/admin/grids/{gridSecondaryId}/api-keys', { params: { path: { gridSecondaryId } }, body }),
      ),
    onSuccess: useInvalidateApiKeys(),
  });
}

export function useRegenerateApiKey(keyId: string) {
  const { gridSecondaryId } = useGrid();
  return useMutation({
    mutationFn: () =>
      unwrapResponse(
        api.POST('/admin/grids/{gridSecondaryId}/api-keys/{keyId}/regenerate', {
          params: { path: { gridSecondaryId, keyId } },
        }),
      ),
    onSuccess: useInvalidateApiKeys(),
  });
}

export function useRevokeApiKey(keyId: string, onDone: () => void) {
  const { gridSecondaryId } = useGrid();
  const invalidateApiKeys = useInvalidateApiKeys();
  return useMutation({
    mutationFn: async () => {
      await unwrapResponse(
        api.DELETE('/admin/grids/{gridSecondaryId}/api-keys/{keyId}', { params: { path: { gridSecondaryId, keyId } } }),
      );
    },
    onSuccess: async () => {
      await invalidateApiKeys();
      onDone();
    },
  });
}
