import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { useGrid } from '../../session/use-session';
import { useTimeView } from '../../time/use-time-view';

/** Interval (ms) between reads in live views: each counts all exceptions of the time range. */
const REFETCH_INTERVAL_MS = 15_000;

export type ErrorGroup = Schemas['ErrorGroup'];
export type ErrorGroupDetail = Schemas['ErrorGroupDetail'];
export type ErrorStatus = ErrorGroup['status'];
export type ErrorOrder = 'count' | 'lastSeen';

export interface ErrorListSelection {
  readonly page: number;
  readonly pageSize: number;
  readonly orderBy: ErrorOrder;
  /** Undefined: of every service. */
  readonly serviceName?: string | undefined;
  /** Undefined: of every status. */
  readonly status?: ErrorStatus | undefined;
}

/** A page of the groups of the time range. */
export function useErrorGroups({ page, pageSize, orderBy, serviceName, status }: ErrorListSelection) {
  const { gridSecondaryId } = useGrid();
  const { key, isLive, window } = useTimeView();
  const selection = {
    ...{ page, pageSize, orderBy },
    ...(serviceName !== undefined && { serviceName }),
    ...(status !== undefined && { status }),
  };
  return useQuery({
    queryKey: ['errors', gridSecondaryId, 'list', key, selection],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/errors/{gridSecondaryId}', {
          params: { path: { gridSecondaryId }, query: { ...selection, ...window() } as never },
          signal,
        }),
      ),
    refetchInterval: isLive ? REFETCH_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
  });
}

/** What a user does about a group. An empty version: it is fixed everywhere. */
export type ErrorGroupAction =
  { readonly action: 'resolve'; readonly serviceVersion: string } | { readonly action: 'reopen' };

/** Sends an action, and shows its effect. */
export function useErrorGroupAction(groupId: string) {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const params = { path: { gridSecondaryId, groupId } };
  return useMutation({
    mutationFn: (change: ErrorGroupAction) =>
      unwrapResponse(
        change.action === 'resolve'
          ? api.POST('/apm/errors/{gridSecondaryId}/{groupId}/resolve', {
              params,
              body: { serviceVersion: change.serviceVersion },
            })
          : api.POST('/apm/errors/{gridSecondaryId}/{groupId}/reopen', { params }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['errors', gridSecondaryId] }),
  });
}

/** One group with its counts over time. */
export function useErrorGroup(groupId: string, serviceName?: string) {
  const { gridSecondaryId } = useGrid();
  const { key, isLive, window } = useTimeView();
  const selection = { ...(serviceName !== undefined && { serviceName }) };
  return useQuery({
    queryKey: ['errors', gridSecondaryId, 'one', groupId, key, selection],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/errors/{gridSecondaryId}/{groupId}', {
          params: { path: { gridSecondaryId, groupId }, query: { ...selection, ...window() } as never },
          signal,
        }),
      ),
    refetchInterval: isLive ? REFETCH_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
  });
}
