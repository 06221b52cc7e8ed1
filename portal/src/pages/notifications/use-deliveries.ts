import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../api/api-client';
import { useGrid } from '../../session/use-session';

/** Intervals (ms) between reads while a delivery is pending, and otherwise. */
const PENDING_MS = 1_000;
const SETTLED_MS = 10_000;

const deliveriesQueryKey = (gridSecondaryId: string, channelId: string): readonly string[] => [
  'deliveries',
  gridSecondaryId,
  channelId,
];

/** The last deliveries to a channel, kept up to date. */
export function useDeliveries(channelId: string) {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: deliveriesQueryKey(gridSecondaryId, channelId),
    queryFn: async ({ signal }) =>
      (
        await unwrapResponse(
          api.GET('/admin/grids/{gridSecondaryId}/channels/{channelId}/deliveries', {
            params: { path: { gridSecondaryId, channelId } },
            signal,
          }),
        )
      ).deliveries,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'pending') === true ? PENDING_MS : SETTLED_MS,
  });
}

/** Requests a test message. */
export function useChannelTest(channelId: string) {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrapResponse(
        api.POST('/admin/grids/{gridSecondaryId}/channels/{channelId}/test', {
          params: { path: { gridSecondaryId, channelId } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: deliveriesQueryKey(gridSecondaryId, channelId) }),
  });
}
